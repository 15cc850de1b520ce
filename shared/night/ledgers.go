package night

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"laurel/shared/board"
	"laurel/shared/records"
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

// changeKept reads it, and writes it under its revision, again after a conflict; change says
// whether anything is to be written.
func (o Options) changeKept(ctx context.Context, change func(*kept) bool) (k kept, err error) {
	err = records.Again(ctx, func() error {
		text, revision, err := o.Records.Cursor(ctx, cursorLedgers)
		if err != nil {
			return err
		}
		k = kept{Final: map[board.MonthOf]board.MonthOf{}}
		if text != "" {
			if err := json.Unmarshal([]byte(text), &k); err != nil {
				return fmt.Errorf("night: the cursor %s: %w", cursorLedgers, err)
			}
		}
		if !change(&k) {
			return nil
		}
		next, _ := json.Marshal(k)
		_, err = o.Records.SetCursor(ctx, cursorLedgers, string(next), revision)
		return err
	})
	return k, err
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
// first, which a reopening respects.
func (t *tick) deleteLedgers(ctx context.Context) error {
	k, err := t.changeKept(ctx, func(k *kept) bool {
		before := len(k.Going)
		for m, final := range k.Final {
			if t.today().Month() >= final+board.MonthOf(t.LedgerMonths) &&
				t.head.Life.Final(board.PeriodOf(board.Month, m.First())) {
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
			n, err = t.Records.DeleteMonth(ctx, m)
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
