package night

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"laurel/shared/core/board"
	"laurel/shared/store/final"
	"laurel/shared/store/items"
	"laurel/shared/store/table"
)

const (
	// periodsAtOnce is of how many periods the boards are made in one pass: of a usual night all,
	// after an import of years a part, for which there is memory.
	periodsAtOnce = 8
	// boardsAtOnce is how many boards are stored side by side.
	boardsAtOnce = 4
)

// errMoved is the error of periods that are not closed any more as they were: another run has
// made them final, and they may have been reopened.
var errMoved = errors.New("night: another run has moved the period on")

// making is the boards of some periods on their way into the table.
type making struct {
	*tick
	pass *pass // they are closed by its life; another run may have moved them since
}

// makeAll makes the boards final of periods that a life says are closed, unless another run does.
func (t *tick) makeAll(ctx context.Context, life *board.Life, periods []board.Period) error {
	switch {
	case len(periods) == 0:
		return nil
	case t.over(ctx):
		t.result.leaveAll(periods, items.ReasonTime)
		return nil
	}
	var failed error
	busy, err := t.claimed(ctx, func(within context.Context) { failed = t.makeEach(within, life, periods) })
	if busy > 0 {
		t.leaveWaiting(periods, busy)
	}
	return errors.Join(failed, t.result.failed("make", err))
}

// makeEach makes the boards of one month after the other.
func (t *tick) makeEach(ctx context.Context, life *board.Life, periods []board.Period) error {
	var errs []error
	for _, some := range groups(periods) {
		if t.over(ctx) {
			t.result.leaveAll(some, items.ReasonTime)
			continue
		}
		m := &making{t, t.newPass(life, some)}
		switch err := m.run(ctx); {
		case errors.Is(err, errMoved):
			t.Log.InfoContext(ctx, "not made here", "cause", err.Error())
		case errors.Is(err, table.ErrConflict), // the changes are written already
			errors.Is(context.Cause(ctx), errTaken):
			t.leaveWaiting(some, t.real())
		case err != nil && t.over(ctx):
			t.result.leaveAll(some, items.ReasonTime)
		default:
			errs = append(errs, t.result.failed("make "+some[0].Text(), err))
		}
		t.result.Damaged += m.pass.damaged
	}
	return errors.Join(errs...)
}

// groups returns periods by the month of their end, those of totals by themselves, some at a time.
func groups(periods []board.Period) (all [][]board.Period) {
	for _, p := range periods {
		i := slices.IndexFunc(all, func(some []board.Period) bool {
			q := some[0]
			return len(some) < periodsAtOnce && p.Last().Month() == q.Last().Month() &&
				p.Window().OfTotals() == q.Window().OfTotals()
		})
		if i < 0 {
			i, all = len(all), append(all, nil)
		}
		all[i] = append(all[i], p)
	}
	return all
}

// run makes the boards, and says then that the periods are final.
func (m *making) run(ctx context.Context) error {
	err := m.still(ctx)
	if err == nil {
		err = m.pass.run(ctx)
	}
	if err == nil {
		err = m.people(ctx)
	}
	for _, month := range m.pass.whole {
		if err == nil {
			err = m.votes(ctx, month)
		}
		if err == nil {
			err = m.keepLedgers(ctx, month)
		}
	}
	if err != nil {
		return err
	}
	made, err := m.store(ctx)
	if err == nil {
		err = m.wreaths(ctx) // by the stored boards: a run that ends before it leaves none
	}
	if err != nil {
		return err
	}
	return m.move(ctx, board.EventMake, unmoved(m.pass.life, m.pass.periods), made)
}

// still returns an error unless the head says that the periods are closed as they were.
func (m *making) still(ctx context.Context) error {
	head, err := m.Items.Peek(ctx)
	if err != nil {
		return err
	}
	periods := m.pass.periods
	m.pass.pairs = head.Pairs || head.Merged
	if left := unmoved(m.pass.life, periods)(head); len(left) < len(periods) {
		return fmt.Errorf("%w: %d of %d from %s on", errMoved, len(periods)-len(left), len(periods), periods[0])
	}
	return nil
}

// store stores the periods' boards.
func (m *making) store(ctx context.Context) (map[board.Period][]Made, error) {
	group, within := errgroup.WithContext(ctx)
	group.SetLimit(boardsAtOnce)
	boards := m.boardsOf(m.pass.periods...)
	all := make([]Made, len(boards))
	for i, target := range boards {
		group.Go(func() (err error) {
			all[i], err = m.storeOne(within, target)
			return err
		})
	}
	err := group.Wait()
	made := map[board.Period][]Made{}
	for i, target := range boards {
		if all[i].Entries > 0 {
			made[target.Period] = append(made[target.Period], all[i])
		}
	}
	return made, err
}

// storeOne stores one. A board with no user but suppressed ones is stored, too, to tell it
// from a lost one.
func (m *making) storeOne(ctx context.Context, target board.ID) (Made, error) {
	expires, already := m.expires(target.Period)
	if already {
		on := len(m.pass.entries[target])
		if m.Ledger.Rules().OfTeams(target.Board) {
			on = len(m.pass.teams[target])
		}
		return Made{Board: target.Board, Entries: int64(on), Expired: true}, nil
	}
	began := time.Now()
	made, err := m.Finals.Make(ctx, final.Making{
		Board: target.Board, Period: target.Period, Run: m.name,
		Closing: int64(m.pass.life.Since(target.Period)), Expires: expires,
		Empty: m.pass.entries[target] != nil, Groups: m.Ledger.Rules().Teams()[target.Board], Teams: m.pass.teams[target],
	}, stored(m.pass.entries[target]))
	if err == nil && made.On() > 0 {
		m.Log.InfoContext(ctx, "board is stored",
			"board", target.Board, "period", target.Period.String(), "entries", made.On(),
			"bytes", made.Bytes, "was", made.Was, "seconds", time.Since(began).Seconds())
	}
	return Made{Board: target.Board, Entries: made.On(), Digest: hex.EncodeToString(made.Digest[:]), Was: made.Was}, err
}

// unmoved returns a function that returns the periods of some that are still as they were by an earlier head.
func unmoved(was *board.Life, periods []board.Period) func(*items.Head) []board.Period {
	return func(now *items.Head) []board.Period {
		return slices.DeleteFunc(slices.Clone(periods), func(p board.Period) bool {
			return now.Life.State(p) != was.State(p) || now.Life.Since(p) != was.Since(p)
		})
	}
}

// move makes periods take a step by one write of the head: those that choose returns.
func (t *tick) move(
	ctx context.Context, e board.PeriodEvent, choose func(*items.Head) []board.Period, made map[board.Period][]Made,
) error {
	var moved []board.Period
	err := t.change(ctx, func(h *items.Head) (err error) {
		moment := t.real()
		moved = choose(h)
		for _, p := range moved {
			if h.Life, err = h.Life.Apply(p, e, moment); err != nil {
				return err
			}
		}
		if len(moved) == 0 {
			return items.ErrUnchanged
		}
		return nil
	})
	if err == nil {
		t.moved(ctx, e, moved, made)
	}
	return err
}

// moved notes steps that periods have taken, and that they wait for the next one.
func (t *tick) moved(ctx context.Context, e board.PeriodEvent, periods []board.Period, made map[board.Period][]Made) {
	for _, p := range periods {
		t.result.moved(p, e, made[p])
		t.Log.InfoContext(ctx, "period", "period", p.Text(), "event", string(e), "boards", len(made[p]))
		if e != board.EventRemove {
			t.leaveWaiting([]board.Period{p}, t.head.Life.Since(p).Add(t.Wait))
		}
	}
}

// leaveWaiting notes periods whose next step waits.
func (t *tick) leaveWaiting(periods []board.Period, next board.Moment) {
	for _, p := range periods {
		t.result.leave(items.Left{
			Periods: items.Periods{Period: p}, Reason: items.ReasonWait,
			Since: t.head.Life.Since(p).Time(), Next: next.Time(),
		})
	}
}
