package final

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"

	"laurel/shared/core/board"
	"laurel/shared/core/codec"
	"laurel/shared/store/items"
	"laurel/shared/store/table"
)

// A Making names the board to make, and the run that makes it.
type Making struct {
	Board   string
	Period  board.Period
	Run     string // the name of the run, which is its own: letters and digits
	Closing int64  // the number of the closing (board.Life) that the entries are of
	Expires int64  // when the board may go, in seconds since the Unix epoch; 0: never
	Empty   bool   // it is written without entries, too

	Groups []string     // of a board of teams, by number: see Manifest
	Teams  []board.Team // likewise, ranked
}

// A Made is a board that is final.
type Made struct {
	Manifest
	Bytes int64 // of data that was written
	Was   bool  // it was made before, after this closing or a later one; nothing of this run is kept
}

// indexFrom is the number of pages from which a board has an index: fewer are read all.
const indexFrom = 4

// Make makes a board of its entries, which are in its order: by packed score, then id. It may be done again, and by
// several runs at once: the manifest is put once for a closing, and one of an earlier closing is replaced, whose
// pages go. An empty board that has no manifest is written only if the making says so.
func (s *Store) Make(ctx context.Context, m Making, entries []items.Member) (Made, error) {
	w := &maker{Store: s, ref: ref{m.Board, m.Period}, entries: entries, expires: m.Expires}
	w.made.Manifest = Manifest{
		Total: int64(len(entries)), Closing: m.Closing, Run: runOf(m.Closing, m.Run),
		Top: entries[:min(len(entries), TopLen)], Groups: m.Groups, Teams: m.Teams,
	}
	former, was, err := s.former(ctx, w.ref)
	switch {
	case err != nil:
		return Made{}, err
	case former.Closing >= m.Closing:
		return w.was(ctx, former)
	case was == 0 && len(entries)+len(m.Teams) == 0 && !m.Empty:
		return Made{}, nil
	}
	if w.spots, err = spotsOf(entries); err != nil {
		return Made{}, err
	}
	w.made.Digest = digestOf(entries)
	w.cut()
	err = w.write(ctx)
	if err != nil && !errors.Is(err, codec.ErrDamaged) {
		return Made{}, err
	}
	return w.finish(ctx, was, err)
}

// former returns the manifest that there is and its revision, 0 for none. A damaged one is as
// one of no closing: it is replaced.
func (s *Store) former(ctx context.Context, r ref) (m Manifest, revision int64, err error) {
	m, revision, err = s.manifestOf(ctx, r)
	if errors.Is(err, ErrNotFinal) || errors.Is(err, codec.ErrDamaged) {
		return Manifest{Closing: -1}, revision, nil
	}
	return m, revision, err
}

// spotsOf checks entries and returns their index.
func spotsOf(entries []items.Member) ([]spot, error) {
	spots := make([]spot, len(entries))
	for i, e := range entries {
		if i > 0 && entries[i-1].Packed > e.Packed || e.Packed.Score() < 1 {
			return nil, fmt.Errorf("final: entries are out of order at rank %d", i+1)
		}
		spots[i] = spot{hashOf(e.Key), uint32(i + 1)}
	}
	slices.SortFunc(spots, compareSpots)
	for i, s := range spots {
		for j := i - 1; j >= 0 && spots[j].hash == s.hash; j-- {
			if entries[spots[j].rank-1].Key == entries[s.rank-1].Key {
				return nil, fmt.Errorf("final: entries are out of order: the key at rank %d comes again", spots[j].rank)
			}
		}
	}
	return spots, nil
}

// A maker makes one board.
type maker struct {
	*Store
	ref
	entries []items.Member
	spots   []spot
	expires int64
	pieces  []piece // pages and index
	made    Made
}

// A piece is an item before it is sealed, as a board's items together may be large.
type piece struct {
	key  table.Key
	seal func(table.Key) table.Item
}

// cut makes the pieces.
func (w *maker) cut() {
	for n := range w.made.Pages() {
		some := w.entries[n*PageLen : min((n+1)*PageLen, w.made.Total)]
		w.pieces = append(w.pieces, piece{w.page(w.made.Run, n), func(key table.Key) table.Item {
			return seal(key, kindPage, appendEntries(nil, some))
		}})
	}
	if w.made.Pages() < indexFrom {
		return
	}
	// Together they cover every hash, and those of one hash are in one.
	spots := w.spots
	for first := uint64(0); first < 1<<hashBits; w.made.Indexes++ {
		n, until := min(indexLen, len(spots)), uint64(1)<<hashBits
		for n < len(spots) && spots[n].hash == spots[n-1].hash {
			n++
		}
		if n < len(spots) {
			until = spots[n].hash
		}
		some := spots[:n]
		w.pieces = append(w.pieces, piece{w.index(w.made.Run, first), func(key table.Key) table.Item {
			return sealIndex(key, some, until)
		}})
		first, spots = until, spots[n:]
	}
}

// write writes the pieces, some at once, and reads each back and compares it with the original.
func (w *maker) write(ctx context.Context) error {
	var written atomic.Int64
	err := atOnce(len(w.pieces), func(i int) error {
		item := w.pieces[i].seal(w.pieces[i].key)
		item.Expires = w.expires
		if err := w.table.Write(ctx, table.Write{Item: item})[0].Err; err != nil {
			return fmt.Errorf("final: write %s: %w", item.Key, err)
		}
		written.Add(int64(len(item.Data)))
		items, err := w.table.Get(ctx, item.Key)
		if err != nil {
			return fmt.Errorf("final: read back %s: %w", item.Key, err)
		}
		if len(items) == 0 || !bytes.Equal(items[0].Data, item.Data) {
			return damaged(item.Key, "read back differs from written")
		}
		return nil
	})
	w.made.Bytes = written.Load()
	return err
}

// finish writes the manifest over that of an earlier closing, unless another run has made the board meanwhile: then
// that stays. failed is the error of reading it back: the other run may have deleted it.
func (w *maker) finish(ctx context.Context, was int64, failed error) (Made, error) {
	item := sealManifest(w.manifest(), w.made.Manifest)
	item.Expires = w.expires
	for {
		var stored *table.Item
		if failed == nil {
			written := w.table.Write(ctx, table.Write{Item: item, Was: was})[0]
			if written.Err == nil {
				w.made.Bytes += int64(len(item.Data))
				w.runs.Store(w.ref, known{w.made.Run, w.made.Total})
				return w.made, w.dropOthers(ctx)
			}
			if !errors.Is(written.Err, table.ErrConflict) {
				return Made{}, fmt.Errorf("final: manifest %s: %w", item.Key, written.Err)
			}
			stored = written.Stored
		}
		other, now, err := w.former(ctx, w.ref)
		switch {
		case err != nil:
			return Made{}, errors.Join(failed, err)
		case other.Closing >= w.made.Closing:
			return w.was(ctx, other)
		case failed != nil:
			return Made{}, failed
		}
		if was = now; was == 0 && stored != nil { // it has expired, and is not deleted yet
			was = stored.Revision
		}
	}
}

// was returns the board that is there already, and deletes the items of other runs.
func (w *maker) was(ctx context.Context, former Manifest) (Made, error) {
	w.made.Manifest = former
	return Made{Manifest: former, Was: true}, w.dropOthers(ctx)
}

// dropOthers deletes the pieces of other runs than the manifest's, up to its closing.
func (w *maker) dropOthers(ctx context.Context) error {
	last := runOf(w.made.Closing+1, "")
	for after, more := "", true; more; {
		found, err := w.table.Ascend(ctx, w.partition(), after, last, itemsAtOnce)
		if err != nil {
			return fmt.Errorf("final: list %s: %w", w.partition(), err)
		}
		var keys []table.Key
		for _, item := range found {
			if after = item.Sort; !strings.HasPrefix(item.Sort, w.made.Run+"#") {
				keys = append(keys, item.Key)
			}
		}
		if err := w.table.Delete(ctx, keys...); err != nil {
			return fmt.Errorf("final: delete of %s: %w", w.partition(), err)
		}
		more = len(found) == itemsAtOnce
	}
	return nil
}

const itemsAtOnce = 25

// Expires returns when a final period may go, in seconds since the Unix epoch: so many days
// after a day or week, months after a month, quarter, year or contest; 0, which is for ever, for none.
func Expires(p board.Period, calendar *board.Calendar, days, months int) int64 {
	next := p.Last() + 1
	ofDays := p.Window() == board.Day || p.Window() == board.Week
	switch {
	case ofDays && days > 0:
		next += board.Date(days)
	case !ofDays && months > 0:
		next = (next.Month() + board.MonthOf(months)).First()
	default:
		return 0
	}
	return calendar.Start(next).Time().Unix()
}
