package night

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"time"

	"laurel/shared/core/board"
	"laurel/shared/core/metrics"
	"laurel/shared/store/items"
)

// margin is the time before its deadline in which a tick begins no step. A step is interrupted after half of it.
const margin = 10 * time.Second

// keepArticles is how many articles stay on each list at any age.
const keepArticles = 10_000

// A tick is the state of one.
type tick struct {
	Options
	name     string    // random
	deadline time.Time // no step begins after it; zero: none
	head     *items.Head
	swept    bool         // the periods that the head called final have left the view
	gone     *board.Life  // the life of that sweep
	full     bool         // the view is
	sweeps   board.Moment // until when that is not done, 0 if it can be
	whole    bool         // the view can be read, is the table's, and no part of it is empty or being filled
	compared bool         // all of it with the table, in this tick
	told     []toldFinal  // final periods whose events are written
	result   *Result
}

// Tick does the work that is due. The error joins those of all steps, none of which stops the
// others; the result is valid with it. Running out of time is none.
func Tick(ctx context.Context, o Options) (r Result, err error) {
	ctx, work := o.Metrics.Begin(ctx, "night")
	defer func() { work.End(err != nil) }()
	r = Result{Today: o.today(), Moved: []Moved{}, Left: []items.Left{}}
	t := &tick{Options: o, name: rand.Text(), result: &r}
	if end, ok := ctx.Deadline(); ok {
		var cancel context.CancelFunc
		t.deadline = end.Add(-margin)
		ctx, cancel = context.WithDeadline(ctx, end.Add(-margin/2))
		defer cancel()
	}
	if t.head, err = o.Items.Head(ctx); err != nil {
		return r, fmt.Errorf("night: %w", err)
	}
	tonight := t.head.Night != r.Today
	err = errors.Join(
		t.lookAtView(ctx),
		t.ongoing(ctx, "erasures", t.Erasures, &r.Erasures), t.ongoing(ctx, "voids", t.Voids, &r.Voids),
		t.merges(ctx),
		t.tellEvents(ctx, tonight), t.steps(ctx),
	)
	if tonight && !t.over(ctx) {
		err = errors.Join(err, r.failed("delete ledgers", t.deleteLedgers(ctx)), t.noView("trim lists", t.trim(ctx)),
			r.failed("forget deliveries", t.forgetDeliveries(ctx)), r.failed("forget the record", t.forgetRecord(ctx)))
	}
	if t.head.Night != r.Today && r.done() {
		err = errors.Join(err, r.failed("end", t.change(ctx, func(h *items.Head) error {
			h.Night = r.Today
			return nil
		})))
	}
	r.Overdue = t.overdue().Hours()
	work.Count("NightLeft", r.Held())
	t.tell(ctx)
	return r, err
}

// ongoing continues erasures, voids or merges of people.
func (t *tick) ongoing(
	ctx context.Context, job string, do func(context.Context) (items.Ongoing, error), result **items.Ongoing,
) error {
	if t.over(ctx) {
		return nil
	}
	done, err := do(ctx)
	if done != (items.Ongoing{}) {
		*result = &done
	}
	return t.noView(job, err)
}

// merges continues merges of people, if there are any by the head.
func (t *tick) merges(ctx context.Context) error {
	if t.head.Merges == 0 {
		return nil
	}
	return t.ongoing(ctx, "merges", t.Merges, &t.result.Merges)
}

// steps makes periods take theirs. A period that takes one now takes the next in a later tick.
func (t *tick) steps(ctx context.Context) error {
	life, plan := t.head.Life, t.schedule(t.head).Plan(t.head)
	for _, l := range plan.Left {
		t.result.leave(l)
	}
	return errors.Join(t.remove(ctx, life, plan.Removing), t.makeAll(ctx, life, plan.Making), t.close(ctx, plan.Closing))
}

// close closes the periods that are due by the head as it is then, as an import may just have
// begun. It does so in a short time: the wait begins at a moment that is read before the write.
func (t *tick) close(ctx context.Context, due []board.Period) error {
	if len(due) == 0 {
		return nil
	}
	if t.over(ctx) {
		t.result.leaveAll(due, items.ReasonTime)
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, max(t.Wait/3, time.Second))
	defer cancel()
	now := func(h *items.Head) []board.Period { return t.schedule(h).Plan(h).Closing }
	return t.result.failed("close", t.move(ctx, board.EventClose, now, nil))
}

// remove says that periods have left the view, if it was swept.
func (t *tick) remove(ctx context.Context, life *board.Life, periods []board.Period) error {
	switch {
	case len(periods) == 0:
		return nil
	case !t.swept && t.sweeps != 0:
		t.leaveWaiting(periods, t.sweeps)
		return nil
	case !t.swept:
		t.result.leaveAll(periods, items.ReasonView)
		return nil
	}
	tells := len(t.Ledger.Rules().Events()) > 0
	left := slices.DeleteFunc(slices.Clone(periods), func(p board.Period) bool {
		return !t.gone.Final(p) || tells && !slices.Contains(t.told, toldFinal{p, life.Since(p)})
	})
	if len(left) < len(periods) { // another tick has just made them, or their events are to be written
		t.leaveWaiting(periods, t.real())
	}
	return t.result.failed("remove", t.move(ctx, board.EventRemove, unmoved(life, left), nil))
}

func (t *tick) trim(ctx context.Context) error {
	if !t.swept {
		return nil
	}
	trimmed, err := t.Trim(ctx, keepArticles)
	if trimmed > 0 {
		t.Log.InfoContext(ctx, "articles have left their lists", "articles", trimmed)
	}
	return err
}

// forgetDeliveries deletes the webhooks that came too long ago to come again.
func (t *tick) forgetDeliveries(ctx context.Context) error {
	forgotten, err := t.Items.ForgetDeliveries(ctx,
		board.MomentOf(t.Clock().Add(-items.DeliveryDays*24*time.Hour)), items.MaxDeliveries)
	if forgotten > 0 {
		t.Log.InfoContext(ctx, "deliveries are forgotten", "deliveries", forgotten)
	}
	return err
}

// forgetRecord deletes the acts of the operators' record that are old enough, in the first night of a month.
func (t *tick) forgetRecord(ctx context.Context) error {
	if t.head.Night.Month() == t.result.Today.Month() {
		return nil
	}
	forgotten, err := t.Items.ForgetRecord(ctx, t.Clock())
	if forgotten > 0 {
		t.Log.InfoContext(ctx, "old acts leave the record", "acts", forgotten)
	}
	return err
}

// change changes the head. The tick continues with the new one.
func (t *tick) change(ctx context.Context, do func(*items.Head) error) error {
	head, err := t.Items.ChangeHead(ctx, do)
	if err == nil {
		t.head = head
	}
	return err
}

// over says whether no step is to begin any more.
func (t *tick) over(ctx context.Context) bool {
	over := ctx.Err() != nil || !t.deadline.IsZero() && time.Now().After(t.deadline)
	t.result.Short = t.result.Short || over
	return over
}

// overdue returns for how long the oldest night that is not complete has been due, 0 if today's is complete.
func (t *tick) overdue() time.Duration {
	now := t.Clock()
	day, last := t.calendar().Date(board.MomentOf(now)), t.head.Night
	if last == day {
		return 0
	}
	if last > 0 && last < day {
		day = last + 1
	}
	return max(now.Sub(t.calendar().Start(day).Time()), 0)
}

// tell writes the log's lines: those that alarms look for, and each thing that is left.
func (t *tick) tell(ctx context.Context) {
	days := func(since time.Time) int { return max(int(t.Real().Sub(since)/(24*time.Hour)), 0) }
	if imports := t.head.Imports; len(imports) > 0 {
		first := slices.MinFunc(imports, func(i, j items.Import) int { return cmp.Compare(i.Since, j.Since) })
		t.Log.WarnContext(metrics.Counted(ctx), "imports in progress", "imports", len(imports),
			"days", days(first.Since.Time()))
	}
	if e := t.result.Erasures; e != nil && e.Left > 0 {
		t.Log.WarnContext(metrics.Counted(ctx), "erasures in progress", "erasures", e.Left, "days", days(e.Since))
	}
	if b := t.head.Behind; b != nil {
		minutes := int(t.Real().Sub(b.Since.Time()).Minutes())
		t.Log.WarnContext(metrics.Counted(ctx), "the view is behind", "minutes", minutes, "reason", b.Reason)
	}
	if t.full {
		t.Log.WarnContext(metrics.Counted(ctx), "the cache is full")
	}
	for _, l := range t.result.Left {
		t.Log.InfoContext(ctx, "left", "period", l.String(), "reason", string(l.Reason), "detail", l.Detail,
			"since", l.Since, "next", l.Next)
	}
	t.Log.InfoContext(metrics.Counted(ctx), "schedule", "moved", len(t.result.Moved), "left", t.result.Held(),
		"overdue", t.result.Overdue)
}
