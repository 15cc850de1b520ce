package nightly

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"time"

	"laurel/shared/archive"
	"laurel/shared/board"
	"laurel/shared/codec"
	"laurel/shared/redisstore"
)

// ErrDiffers is wrapped without a journal if a period is in the archive and Redis has entries of it that
// the archive does not have: it stays in both. Reopening it and an audit repair it.
var ErrDiffers = errors.New("nightly: Redis has entries that the archive does not have")

// replaceAttempts is how often replacing a copy that changes is tried again in a run.
const replaceAttempts = 8

// period moves one board: close, write, remove. Repeating it, or doing it beside another
// run, is harmless at any point.
func (r *run) period(ctx context.Context, p redisstore.LivePeriod) error {
	began := time.Now()
	moved := Moved{Board: p.Board, Window: p.Period.Window(), Period: p.Period}
	read, write := r.units()
	if err := r.close(ctx, p.Board, p.Period); err != nil {
		return err
	}
	reopened, err := r.reopened(ctx, p.Board, p.Period)
	if err != nil {
		return err
	}
	if moved.WasFinal, err = r.removed(ctx, p.Board, p.Period); err != nil {
		return err
	}
	if !moved.WasFinal { // else a failover has lost the removal
		if err := r.whole(ctx, p.Board, p.Period); err != nil {
			return err
		}
		if err := r.write(ctx, p.Board, p.Period, reopened, &moved); err != nil {
			return err
		}
	}
	if err := r.removeDay(ctx, p.Board, p.Period); err != nil {
		return err
	}
	if err := r.Live.RemoveBoard(ctx, p.Board, p.Period); err != nil {
		return err
	}
	moved.ReadUnits, moved.WriteUnits = r.units()
	moved.ReadUnits, moved.WriteUnits = moved.ReadUnits-read, moved.WriteUnits-write
	moved.Seconds = time.Since(began).Seconds()
	r.result.Moved = append(r.result.Moved, moved)
	r.Log.InfoContext(ctx, "period is final", "board", moved.Board, "period", moved.Period.String(), "entries",
		moved.Entries,
		"pages", moved.Pages, "bytes", moved.Bytes, "read_units", moved.ReadUnits, "write_units", moved.WriteUnits,
		"seconds", moved.Seconds, "was_final", moved.WasFinal, "expired", moved.Expired)
	return nil
}

// close closes a period to writes; a month together with its ledger and the same month of
// the other boards, so that an activity is accepted for all or none.
func (r *run) close(ctx context.Context, name string, p board.Period) error {
	if p.Window() == board.Month {
		return r.closeMonth(ctx, p.First().Month(), name)
	}
	if err := r.free(ctx, p); err != nil {
		return err
	}
	return r.Live.ClosePeriod(ctx, name, p)
}

// reopened says whether a closed period was reopened, and makes sure then that Redis has
// all of it: what it may have lost would be missing from the archive's next copy. The error
// wraps redisstore.ErrReopening while it is being reopened.
func (r *run) reopened(ctx context.Context, name string, p board.Period) (bool, error) {
	set, err := r.closedSet(ctx)
	switch {
	case err != nil:
		return false, err
	case set.Reopening(name, p):
		return false, fmt.Errorf("%w; if that was interrupted, repeat `laurel reopen`", redisstore.ErrReopening)
	case !set.Reopened(name, p):
		return false, nil
	case r.Refill != nil:
		err = r.Refill(ctx, name, p)
	}
	if errors.Is(err, redisstore.ErrNotReopening) {
		return false, nil // another run has just replaced the copy
	}
	return true, err
}

// removed says whether a closed period was removed from Redis before: it is final, or nobody
// was on it, or it has expired. Without a journal it may have more than the archive.
func (r *run) removed(ctx context.Context, name string, p board.Period) (bool, error) {
	if r.Journal == nil {
		return false, nil
	}
	set, err := r.closedSet(ctx)
	return err == nil && redisstore.WasRemoved(set.Periods, name, p), err
}

// closeMonth closes a month of the ledger, of every board that keeps months, and of the
// given boards.
func (r *run) closeMonth(ctx context.Context, month board.MonthOf, boards ...string) error {
	for _, name := range r.Rules.Boards() {
		for _, w := range r.Rules.Windows(name) {
			if w == board.Month {
				boards = append(boards, name)
			}
		}
	}
	if err := r.free(ctx, board.PeriodOf(board.Month, month.First())); err != nil {
		return err
	}
	return r.Live.CloseMonth(ctx, month, boards...)
}

// write writes a closed board to the archive, unless it is empty or expired. One that was
// reopened replaces the archive's copy, also when nobody is on it any more.
func (r *run) write(ctx context.Context, name string, p board.Period, reopened bool, moved *Moved) error {
	total, err := r.Live.Total(ctx, name, p)
	if err != nil {
		return err
	}
	if total == 0 && !reopened {
		return r.still(ctx, name, p)
	}
	expires := r.expires(p)
	if expires > 0 && expires <= r.Now.Time().Unix() {
		moved.Entries, moved.Expired = total, true
		return nil
	}
	source := archive.Source{
		Total: total, Entries: r.watched(name, p, total), Reopened: reopened,
		Check: func(ctx context.Context) error { return r.still(ctx, name, p) },
	}
	report, err := r.Archive.Write(ctx, name, p, source, expires)
	for n := 0; n < replaceAttempts && reopened && errors.Is(err, archive.ErrChanged); n++ { // by an erasure, or a run
		report, err = r.Archive.Write(ctx, name, p, source, expires)
	}
	moved.Entries, moved.Pages, moved.Bytes, moved.WasFinal = report.Entries, report.Pages, report.Bytes, report.Was
	if errors.Is(err, archive.ErrChanged) && !reopened {
		// Another run has written it and is removing it from Redis: see the manifest.
		m, missing := r.Archive.Manifest(ctx, name, p)
		if missing != nil {
			return errors.Join(err, missing)
		}
		moved.Entries, moved.Pages, moved.WasFinal = m.Total, m.Pages(), true
		err = nil
	}
	if err != nil || !moved.WasFinal {
		return err
	}
	if err = r.compare(ctx, name, p); errors.Is(err, ErrDiffers) && r.Journal != nil {
		// A failover has lost the closing, and something was accepted until it was mended.
		r.Log.WarnContext(ctx, "Redis had another board than the archive, which stays; the journal has what led to it",
			"board", name, "period", p.String())
		return nil
	}
	return err
}

// compare checks that the archive, to which an earlier run wrote a board, has every entry
// of it that is still in Redis, in the same order. Redis may have fewer, of some shards,
// and a user who was erased from the archive since, whose score is there without an id.
func (r *run) compare(ctx context.Context, name string, p board.Period) error {
	next, stop := iter.Pull2(r.Archive.Entries(ctx, name, p))
	defer stop()
	for e, err := range r.Live.Entries(ctx, name, p) {
		if err != nil {
			return err
		}
		for {
			final, err, ok := next()
			if err != nil {
				return err
			}
			if !ok {
				return fmt.Errorf("%w: the user with the hash %016x", ErrDiffers, codec.Hash(e.User))
			}
			if final == e || (final.Erased() && final.Packed == e.Packed) {
				break
			}
		}
	}
	return nil
}

// watched returns a live board's entries and reports the progress of reading them.
func (r *run) watched(name string, p board.Period, total int64) func(context.Context) iter.Seq2[board.Entry, error] {
	if r.Progress == nil {
		return func(ctx context.Context) iter.Seq2[board.Entry, error] { return r.Live.Entries(ctx, name, p) }
	}
	return func(ctx context.Context) iter.Seq2[board.Entry, error] {
		return func(yield func(board.Entry, error) bool) {
			done := int64(0)
			for e, err := range r.Live.Entries(ctx, name, p) {
				if !yield(e, err) {
					return
				}
				if done++; done%1_000 == 0 || done == total {
					r.Progress(Progress{name, p, done, total})
				}
			}
		}
	}
}

func (r *run) units() (read, write float64) {
	if r.Units == nil {
		return 0, 0
	}
	return r.Units()
}
