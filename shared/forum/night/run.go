package night

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"laurel/shared/core/board"
	"laurel/shared/core/ledger"
	"laurel/shared/core/metrics"
	"laurel/shared/forum/catchup"
	"laurel/shared/store/final"
	"laurel/shared/store/items"
	"laurel/shared/store/view"
)

// Run makes ticks until nothing is left that only waits: due periods take all of their steps. If
// the time is not enough to wait for the next one, the result is short, and another run
// continues.
func Run(ctx context.Context, o Options) (all Result, err error) {
	o.ByHand = true
	all.Moved = []Moved{}
	for {
		r, err := Tick(ctx, o)
		all.Add(r)
		next, waits := all.next()
		if err != nil || all.Short || !waits {
			return all, err
		}
		if o.Waits != nil {
			o.Waits(next, all.Left)
		}
		wait := next.Sub(o.Real()) + time.Millisecond // moments are whole ones
		if end, ok := ctx.Deadline(); ok && time.Until(end) < wait+2*margin {
			all.Short = true
			return all, nil
		}
		select {
		case <-ctx.Done():
			return all, fmt.Errorf("night: %w", context.Cause(ctx))
		case <-time.After(wait):
		}
	}
}

// A Plan lists the steps that periods would take now, and the pending work.
type Plan struct {
	Steps   []Moved        `json:"steps"`
	Left    []items.Left   `json:"left"`
	Imports []items.Import `json:"imports,omitempty"`
}

// Look returns the plan of a night that would run now. It changes nothing.
func Look(ctx context.Context, o Options) (Plan, error) {
	o.ByHand = true
	head, err := o.Items.Peek(ctx)
	if err != nil || head == nil {
		return Plan{Steps: []Moved{}, Left: []items.Left{}}, err
	}
	planned, r := o.schedule(head).Plan(head), Result{Moved: []Moved{}, Left: []items.Left{}}
	for _, step := range []struct {
		event   board.PeriodEvent
		periods []board.Period
	}{
		{board.EventRemove, planned.Removing}, {board.EventMake, planned.Making}, {board.EventClose, planned.Closing},
	} {
		for _, p := range step.periods {
			r.moved(p, step.event, nil)
		}
	}
	for _, l := range planned.Left {
		r.leave(l)
	}
	return Plan{r.Moved, r.Left, slices.Clone(head.Imports)}, nil
}

// Options are the stores, the clocks and the limits of ticks.
type Options struct {
	Items  *items.Store
	Finals *final.Store
	Ledger *ledger.Ledger

	View     view.View
	Rules    string // digest of the rules, as markers have it
	CatchUp  func(context.Context, catchup.Request) (catchup.Result, error)
	Show     func(ctx context.Context, user string) error         // Projector.ShowUser
	Erasures func(context.Context) (items.Ongoing, error)         // second halves that are due
	Merges   func(context.Context) (items.Ongoing, error)         // of people, that are due
	Voids    func(context.Context) (items.Ongoing, error)         // passes that are due
	Trim     func(ctx context.Context, keep int64) (int64, error) // takes old articles off their lists
	Waits    func(until time.Time, left []items.Left)             // told when Run waits; may be nil

	Clock func() time.Time // it decides the periods that are due
	Real  func() time.Time // for waits
	Wait  time.Duration    // of a step after the one before: items.StepWait

	HotDays, HotMonths int // see board.Due
	LedgerMonths       int // the time that a final month keeps its ledgers

	// The numbers of days or months after its end for which a final period is kept; 0: for ever.
	ArchiveDays, ArchiveMonths int

	ByHand  bool // an operator has asked: reopened periods are closed again at once
	Log     *slog.Logger
	Metrics *metrics.Meter // may be nil
}

func (o Options) calendar() *board.Calendar { return o.Ledger.Calendar() }

func (o Options) today() board.Date { return o.calendar().Date(board.MomentOf(o.Clock())) }

// real is the moment by the clock of waits.
func (o Options) real() board.Moment { return board.MomentOf(o.Real()) }

// boards returns the boards that keep a window.
func (o Options) boards(w board.Window) []string {
	return slices.DeleteFunc(slices.Clone(o.Ledger.Rules().Boards()), func(name string) bool {
		return !slices.Contains(o.Ledger.Rules().Windows(name), w)
	})
}

// boardsOf returns the boards of periods: of a contest its own, if the rules have that.
func (o Options) boardsOf(periods ...board.Period) (boards []board.ID) {
	for _, p := range periods {
		for _, name := range o.boards(p.Window()) {
			if p.Window() != board.Contest || o.Ledger.Rules().Board(name).Contest == p {
				boards = append(boards, board.ID{Board: name, Period: p})
			}
		}
	}
	return boards
}

// expires returns when a period's boards are deleted, in seconds since the Unix epoch, 0 for
// never, and whether they would be by now.
func (o Options) expires(p board.Period) (expiry int64, already bool) {
	expiry = final.Expires(p, o.calendar(), o.ArchiveDays, o.ArchiveMonths)
	return expiry, expiry > 0 && expiry <= o.Clock().Unix()
}

// schedule returns when periods take their steps, at this moment.
func (o Options) schedule(head *items.Head) items.Schedule {
	s := items.NewSchedule(o.Ledger, o.HotDays, o.HotMonths, board.MomentOf(o.Clock()), o.real())
	s.Wait, s.Reopened = o.Wait, o.ByHand || head.Night != o.today()
	return s
}
