package night

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"laurel/shared/core/board"
	"laurel/shared/store/items"
)

// cursorLedgers names the item of the final months whose ledgers are kept.
const cursorLedgers = "ledgers"

// kept has the times when months became final, by the forum's calendar, and the months whose ledgers are being
// deleted. A month that is in neither is live, or its ledgers are gone. It also has the periods whose ledgers were
// open for another time.
type kept struct {
	Final    map[board.MonthOf]board.MonthOf `json:"final"`
	Going    []board.MonthOf                 `json:"going,omitempty"`
	Reopened []board.Period                  `json:"reopened,omitempty"`
}

// changeKept changes it, again after a conflict; change reports whether anything is to be written.
func (o Options) changeKept(ctx context.Context, change func(*kept) bool) (kept, error) {
	return items.ChangeCursor(ctx, o.Items, cursorLedgers, func(k *kept) error {
		if k.Final == nil {
			k.Final = map[board.MonthOf]board.MonthOf{}
		}
		if !change(k) {
			return items.ErrUnchanged
		}
		return nil
	})
}

// FinalLedgers returns the final months whose ledgers are kept.
func FinalLedgers(ctx context.Context, records *items.Store) ([]board.MonthOf, error) {
	c, err := items.OpenCursor[kept](ctx, records, cursorLedgers)
	if err != nil {
		return nil, fmt.Errorf("night: %w", err)
	}
	return slices.Sorted(maps.Keys(c.State.Final)), nil
}

// keepLedgers notes that a month's ledgers are kept from now on, before the head says that it
// is final. A reopening does so too: nothing deletes them after it.
func (o Options) keepLedgers(ctx context.Context, month board.MonthOf) error {
	k, err := o.changeKept(ctx, func(k *kept) bool {
		was, now := k.Final[month], o.today().Month()
		k.Final[month] = now
		return was != now && !slices.Contains(k.Going, month)
	})
	if err == nil && slices.Contains(k.Going, month) {
		err = fmt.Errorf("%w: of %s", ErrLedgers, month)
	}
	return err
}

// deleteLedgers deletes the ledgers of months that were final for long enough. That is noted
// first, which a reopening respects, then said in the head, as a contest of these months could not be made any more.
func (t *tick) deleteLedgers(ctx context.Context) error {
	k, err := t.changeKept(ctx, func(k *kept) bool {
		before := len(k.Going)
		rolling := t.Ledger.RollingMonths(t.today()-1, t.today()+1)
		for m, final := range k.Final {
			if t.today().Month() >= final+board.MonthOf(t.LedgerMonths) && !slices.Contains(rolling, m) &&
				t.head.Life.Final(board.PeriodOf(board.Month, m.First())) && !t.inContest(m) {
				delete(k.Final, m)
				k.Going = append(k.Going, m)
			}
		}
		slices.Sort(k.Going)
		k.Reopened = slices.DeleteFunc(k.Reopened, func(p board.Period) bool {
			return slices.Contains(k.Going, p.Last().Month())
		})
		return len(k.Going) > before
	})
	for _, m := range k.Going {
		var n int64
		if err == nil {
			err = t.change(ctx, func(h *items.Head) error {
				if h.Life.Gone() >= m {
					return items.ErrUnchanged
				}
				h.Life = h.Life.Forget(m)
				return nil
			})
		}
		if err == nil {
			n, err = t.Items.DeleteMonth(ctx, m)
		}
		if err != nil {
			return err
		}
		t.Log.InfoContext(ctx, "ledgers are deleted", "month", m.String(), "ledgers", n)
		t.result.Ledgers = append(t.result.Ledgers, m.String())
		_, err = t.changeKept(ctx, func(k *kept) bool {
			before := len(k.Going)
			k.Going = slices.DeleteFunc(k.Going, func(going board.MonthOf) bool { return going == m })
			return len(k.Going) < before
		})
	}
	return err
}

// inContest says whether a contest that is not final has days in a month or before it: the ledgers are gone up to a
// month. One that ended before the first ledger stays live, and needs none.
func (t *tick) inContest(m board.MonthOf) bool {
	return slices.ContainsFunc(t.Ledger.Rules().Contests(), func(c board.Period) bool {
		return c.First().Month() <= m && c.Last().Month() >= t.head.From && !t.head.Life.Final(c)
	})
}
