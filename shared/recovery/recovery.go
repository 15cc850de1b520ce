package recovery

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"github.com/redis/go-redis/v9"

	"laurel/shared/archive"
	"laurel/shared/audit"
	"laurel/shared/board"
	"laurel/shared/journal"
	"laurel/shared/ledger"
	"laurel/shared/live"
	"laurel/shared/redisstore"
	"laurel/shared/state"
)

// Options are the stores, and what to do.
type Options struct {
	Redis   redis.UniversalClient
	Shards  int // to fill
	Ledger  *ledger.Ledger
	State   *state.Store
	Journal *journal.Journal
	Archive *archive.Archive
	Now     board.Moment

	Reshard bool // remove what is of another number of shards
	Empty   bool // remove everything first, as the table is older than Redis
	All     bool // fill also parts that have the stamp, as single keys were lost; articles are refused meanwhile

	Progress func(Progress) // may be nil
	Log      *slog.Logger   // may be nil
	Slice    *Slice         // may be nil
}

// ErrPaused is returned by what goes on later: by Rebuild, Check and an Audit with a Slice.
var ErrPaused = audit.ErrPaused

// A Slice lets what reads the rows of the journal, user by user, stop and go on later.
type Slice struct {
	Pause func() bool // says that the time is over; may be nil
	From  string      // the user after whom to go on; set before ErrPaused is returned
}

// from returns the user after whom to begin.
func (s *Slice) from() string {
	if s == nil {
		return ""
	}
	return s.From
}

// over says whether to stop after a user.
func (s *Slice) over(user string) bool {
	if s == nil || s.Pause == nil || !s.Pause() {
		return false
	}
	s.From = user
	return true
}

// Progress tells how far a rebuild is.
type Progress struct {
	Step string // closed, articles, statuses, totals, follows, drafts, rows
	Done int64
	All  int64 // 0: not known
}

// ErrOther is wrapped if Redis or the table is of other settings.
var ErrOther = errors.New("recovery: filled with other settings")

// A rebuild is the state of one.
type rebuild struct {
	Options
	live    *live.Store
	closed  *board.Closed   // as it is to be
	passed  []board.MonthOf // with pages, that later months may have passed by: imported, or closed and not moved
	erased  ledger.Erased
	lost    redisstore.Parts
	stamped bool                   // nothing lacks the stamp
	voting  board.Moment           // when the first article was published whose votes are not final
	since   board.Moment           // before which there is nothing of the users; 0 if that is not known
	only    func(user string) bool // the users who are filled; nil for all
	result  Result
}

// open opens the store that is filled, which expects no stamp.
func open(o Options) *rebuild {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	r := &rebuild{Options: o, live: live.New(o.Redis, o.Ledger, o.Shards)}
	r.live.KeepIn(o.State)
	return r
}

// stamp returns what this process would stamp stores with.
func (o Options) stamp(generation int64) redisstore.Stamp {
	return redisstore.Stamp{
		Format: redisstore.Format, Shards: o.Shards, Zone: o.Ledger.Calendar().Zone().String(), Generation: generation,
	}
}

// Needed says whether a part of Redis lacks the stamp that the table has, and why. Where
// the table has none, nothing is needed: the stores are new. The error wraps ErrOther if
// the stamp is of other settings.
func Needed(ctx context.Context, o Options) (needed bool, reason string, err error) {
	r := open(o)
	stamp, err := r.State.Stamp(ctx)
	if err != nil || stamp == nil {
		return false, "", err
	}
	if want := o.stamp(stamp.Generation); *stamp != want {
		return false, "", fmt.Errorf("%w: the table has %s; want %s", ErrOther, stamp, want)
	}
	lost, err := r.live.Lacking(ctx, *stamp)
	if err != nil || lost.None() {
		return false, "", err
	}
	return true, fmt.Sprintf("%d of %d shards lack the stamp, and the articles: %t",
		len(lost.Shards), o.Shards, lost.Articles), nil
}

func (r *rebuild) progress(step string, done, all int64) {
	if r.Progress != nil {
		r.Progress(Progress{step, done, all})
	}
}

// expectStamp has the store expect the table's stamp, and returns it.
func (r *rebuild) expectStamp(ctx context.Context) (*redisstore.Stamp, error) {
	stamp, err := r.State.Stamp(ctx)
	if err == nil {
		r.live.Expect(stamp)
	}
	return stamp, err
}

// readTombstones reads the moments of erasures.
func (r *rebuild) readTombstones(ctx context.Context) (err error) {
	r.erased, err = r.State.Erased(ctx)
	return err
}
