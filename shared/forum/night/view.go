package night

import (
	"context"
	"errors"
	"fmt"
	"time"

	"laurel/shared/core/board"
	"laurel/shared/core/codec"
	"laurel/shared/core/metrics"
	"laurel/shared/forum/catchup"
	"laurel/shared/store/items"
	"laurel/shared/store/view"
)

const (
	// comparedSome is the number of people that are compared at a time when nothing is known to be
	// missing, at least comparedEvery apart: so that this costs cents in a forum of any size. After a
	// larger part the next comparison waits in proportion.
	comparedSome  = 1_000
	comparedEvery = 5 * time.Minute
	// routine is why the view is compared when nothing is known to be missing.
	routine = "from time to time"
	// cursorCompared names the item that says when the view was last compared.
	cursorCompared = "compared"
)

// A lastComparison has the known facts of the last one that came to its end, or to that of its part.
type lastComparison struct {
	At    board.Moment `json:"at"`    // real time
	Met   int64        `json:"met"`   // people
	Night board.Date   `json:"night"` // of the last one with scores
}

// lookAtView finds out whether the view has lost anything, sweeps final periods out of it, and
// compares it if needed. A view that cannot be reached stops nothing.
func (t *tick) lookAtView(ctx context.Context) error {
	markers, err := t.View.Markers(ctx)
	if err != nil {
		return t.noView("markers", err)
	}
	state := t.look(t.head, markers)
	if err := t.sayRestored(ctx, markers, state.restored); err != nil {
		return t.result.failed("say that the table was restored", err)
	}
	t.whole = state.strange == 0 && !state.filling && state.lost == ""
	if state.lost != "" { // before the beat hides it
		err := t.change(ctx, func(h *items.Head) error {
			if !h.FallBehind(state.lost, t.real()) {
				return items.ErrUnchanged
			}
			return nil
		})
		if err != nil {
			return t.result.failed("say that the view is behind", err)
		}
	}
	err = errors.Join(t.sweep(ctx), t.compareIfNeeded(ctx, state))
	if t.head.Restored != 0 {
		t.earlierTable(ctx)
	}
	return err
}

// sayRestored says in the head that the table is older than the view, if a slot has seen a later life than the head
// has now: until an operator gives the table a new id, as later writes would hide that.
func (t *tick) sayRestored(ctx context.Context, markers []view.Marker, seen bool) error {
	if !seen || t.head.Restored != 0 {
		return nil
	}
	return t.change(ctx, func(h *items.Head) error {
		if !t.look(h, markers).restored { // another tick has moved a period on since
			return items.ErrUnchanged
		}
		h.Restored = t.real()
		return nil
	})
}

// earlierTable raises an alarm, and leaves out events from the view: the table lacks revisions that it has seen.
func (t *tick) earlierTable(ctx context.Context) {
	t.whole = false
	t.result.leave(items.Left{Reason: items.ReasonRestored, Since: t.head.Restored.Time()})
	t.Log.ErrorContext(metrics.Counted(ctx), "the table is an earlier one than the cache has seen", "cause",
		"it was restored: see laurel repair")
}

// noView notes that the view cannot be reached, which is no failure of the tick.
func (t *tick) noView(operation string, err error) error {
	t.full = t.full || errors.Is(err, view.ErrFull)
	if !errors.Is(err, view.ErrUnavailable) {
		return t.result.failed(operation, err)
	}
	t.result.leave(items.Left{Reason: items.ReasonView, Detail: err.Error()})
	return nil
}

// A viewState is the state that the markers of a view tell.
type viewState struct {
	lost     string // why a slot lacks its data, "" if none does
	strange  int    // slots without a marker, or of something else
	filling  bool
	restored bool // a slot has seen a later life of the forum than the head has, or the head says so
	rules    bool // a slot is of other rules
	days     bool // the boards of windows that roll lack tomorrow
}

// look derives the state from markers.
func (o Options) look(head *items.Head, markers []view.Marker) (s viewState) {
	s.restored = head.Restored != 0
	s.days = o.Ledger.Rolls() && catchup.PassDue(markers, o.today())
	for _, m := range markers {
		switch {
		case !o.View.Is(m, head.Table):
			s.strange++
		case m.Fill != "":
			s.filling = true
		case m.Life > head.Life.Number():
			s.restored = true
		case m.Beat < head.Beat:
			s.lost = "a part of it was emptied, or lacks the last writes"
		case m.Rules != o.Rules || o.View.Lacks(m):
			s.rules = true
		}
	}
	return s
}

// sweep takes final periods out of the view and writes the beat: into the slots, then into the
// head. Periods that became final just now stay for readers of the head before.
func (t *tick) sweep(ctx context.Context) error {
	for _, p := range t.head.Life.Unsettled() {
		if p.State == board.PeriodFinal && t.real() < p.Since.Add(t.Wait) {
			t.sweeps = p.Since.Add(t.Wait)
			return nil
		}
	}
	beat := max(t.head.Beat+1, int64(t.real()))
	switch err := t.View.Sweep(ctx, t.head.Life, beat); {
	case errors.Is(err, view.ErrLaterLife): // another process has moved a period since the head was read
		return nil
	case err != nil:
		return t.noView("sweep", err)
	}
	t.swept, t.gone = true, t.head.Life
	return t.result.failed("beat", t.change(ctx, func(h *items.Head) error {
		if h.Beat >= beat {
			return items.ErrUnchanged
		}
		h.Beat = beat
		return nil
	}))
}

// compareIfNeeded has the view compared with the table.
func (t *tick) compareIfNeeded(ctx context.Context, state viewState) error {
	if t.over(ctx) {
		return nil
	}
	last, err := items.OpenCursor[lastComparison](ctx, t.Items, cursorCompared)
	if err != nil && !errors.Is(err, codec.ErrDamaged) { // a damaged one says nothing
		return t.result.failed("compare", err)
	}
	why, scores := t.needs(state, last.State)
	if why == "" {
		return nil
	}
	o := catchup.Request{Scores: scores}
	if why == routine {
		o.Some = comparedSome
	}
	done, err := t.compare(ctx, o)
	if err != nil {
		return t.noView("compare", err)
	}
	if t.result.Compared = &(Compared{why, done}); done.Left && (why != routine || done.Busy) {
		t.result.leave(items.Left{Reason: items.ReasonBehind, Detail: why})
		return nil
	}
	if last.State.At, last.State.Met = t.real(), done.Met; scores {
		last.State.Night = t.result.Today
	}
	return t.result.failed("compare", last.SaveUnlessTaken(ctx)) // by another tick that has compared
}

// compare compares the view with the table, for as long as there is time, and reads the head again.
func (t *tick) compare(ctx context.Context, o catchup.Request) (done catchup.Result, err error) {
	if !t.deadline.IsZero() {
		o.Budget = time.Until(t.deadline) / 2 // the rest is for the periods
	}
	if done, err = t.CatchUp(ctx, o); err == nil && done.Restored > 0 {
		err = t.change(ctx, func(*items.Head) error { return items.ErrUnchanged })
	}
	t.compared = t.compared || err == nil && !done.Left && o.Some == 0
	return done, err
}

// needs says why the view has to be compared, "" if it has not, and whether scores are.
func (t *tick) needs(s viewState, last lastComparison) (why string, scores bool) {
	night := last.Night != t.result.Today
	switch {
	case t.head.Restored != 0 && s.strange == 0 && !s.filling: // a comparison cannot take anything back
		return "", false
	case s.strange > 0:
		return fmt.Sprintf("%d parts of the view are empty or belong to another table", s.strange), false
	case s.filling:
		return "the view is being filled", false
	case t.head.Behind != nil:
		return t.head.Behind.Reason, night
	case s.rules:
		return "the rules have changed", true
	case s.days:
		return "a day begins on boards that roll", true
	case t.ByHand: // periods do not need it
		return "", false
	case night:
		return "night", true
	case t.real() >= last.At.Add(max(comparedEvery, comparedEvery/comparedSome*time.Duration(last.Met))):
		return routine, false
	default:
		return "", false
	}
}
