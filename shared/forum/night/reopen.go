package night

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"laurel/shared/core/board"
	"laurel/shared/store/final"
	"laurel/shared/store/items"
)

// ErrLedgers is wrapped by the error of Reopen if the ledgers of a month were deleted, or are being deleted.
var ErrLedgers = errors.New("night: the ledgers are deleted")

// A Reopened lists the differences on the boards of a period that is, or would be, reopened.
type Reopened struct {
	Period  board.Period `json:"period"`
	Applied bool         `json:"applied"`
	Was     bool         `json:"was,omitempty"` // it was reopened before, and is live
	Audited
}

// Reopen compares a final period's boards with its ledgers, and with apply makes it live again by one write of the
// head, which says that the view is behind, too. The stored boards are read until it is final again. A day or a
// week needs a month that is live; other final periods stay so. The error wraps final.ErrNotFinal if the period is not
// final, and nothing has changed then. The reason is for the operators' record.
func Reopen(ctx context.Context, o Options, p board.Period, apply bool, reason string) (Reopened, error) {
	told := Reopened{Period: p}
	a, err := newAuditing(ctx, o)
	if err != nil {
		return told, err
	}
	if told.Was = a.head.Life.State(p) == board.PeriodReopened; told.Was {
		return told, nil
	}
	if err = a.reopenable(a.head, p); err == nil {
		err = a.audit(ctx, []board.Period{p})
	}
	if told.Audited = a.told; err == nil && apply {
		err = a.reopen(ctx, p, reason)
	}
	if err != nil {
		return told, fmt.Errorf("night: reopen %s: %w", p.Text(), err)
	}
	told.Applied = apply
	a.Log.InfoContext(ctx, "reopen", "period", p.Text(), "applied", apply, "differences", len(told.Differences))
	return told, nil
}

// reopenable refuses a period that cannot be reopened.
func (a *auditing) reopenable(head *items.Head, p board.Period) error {
	if !head.Life.Final(p) {
		return fmt.Errorf("%w: it is %s", final.ErrNotFinal, head.Life.State(p))
	}
	if p.Window() == board.Contest && len(a.boardsOf(p)) == 0 {
		return errors.New("night: the rules do not have the contest")
	}
	for _, m := range monthsOf([]board.Period{p}) {
		if month := board.PeriodOf(board.Month, m.First()); p.Window() < board.Month && head.Life.Closed(month) {
			return fmt.Errorf("night: the month is closed: reopen it first: %s", month)
		}
	}
	if !a.ledgers(p) {
		return ErrLedgers
	}
	return nil
}

// reopen does it, and notes it first, for audits. The ledgers of a month are kept for as long as if
// it were final now; void targets are carried out in it once more.
func (a *auditing) reopen(ctx context.Context, p board.Period, reason string) error {
	_, err := a.changeKept(ctx, func(k *kept) bool {
		if slices.Contains(k.Reopened, p) {
			return false
		}
		k.Reopened = append(k.Reopened, p)
		return true
	})
	if err != nil {
		return err
	}
	if p.Window() == board.Month {
		if err := a.keepLedgers(ctx, p.First().Month()); err != nil {
			return err
		}
		if err := a.voidsAgain(ctx); err != nil {
			return err
		}
	}
	_, err = a.Items.ChangeHead(ctx, func(h *items.Head) (err error) {
		if err := a.reopenable(h, p); err != nil {
			return err
		}
		h.FallBehind(p.Text()+" was reopened", a.real())
		h.Life, err = h.Life.Apply(p, board.EventReopen, a.real())
		return err
	}, a.Items.Act(items.Act{Command: "reopen", Period: p.String(), Reason: reason}))
	return err
}

// voidsAgain has the passes of void targets made again.
func (a *auditing) voidsAgain(ctx context.Context) error {
	for row, err := range a.Items.Voids(ctx) {
		if err := cmp.Or(err, row.Err); err != nil {
			return err
		}
		if row.Value.State != items.Done {
			continue
		}
		next := *row.Value
		next.Enter(items.Waiting, a.real())
		// On a conflict an operator has just set it again.
		if err := a.Items.WriteUnlessChanged(ctx, items.Change{Was: row.Revision, Void: &next}); err != nil {
			return err
		}
	}
	return nil
}
