package night

import (
	"context"
	"errors"
	"slices"
	"time"

	"laurel/shared/core/activity"
	"laurel/shared/core/board"
	"laurel/shared/core/codec"
	"laurel/shared/store/final"
	"laurel/shared/store/items"
	"laurel/shared/store/table"
)

const (
	// cursorEvents names the item of the events that were written.
	cursorEvents = "events"
	// toldAfter is the time from a period's end to its event, so that late reports are on the board.
	toldAfter = 2 * time.Minute
)

// toldEvents lists the events that were written. An event that was sent is gone from the table: the list
// tells it from one that was never written.
type toldEvents struct {
	Begun     board.Date              `json:"begun"`              // with events; periods that were due then get none
	Ended     map[string]board.Period `json:"ended"`              // by window, the last period whose end has its event
	Contests  []board.Period          `json:"contests,omitempty"` // of the rules, whose ends will have theirs
	Final     []toldFinal             `json:"final,omitempty"`
	Addresses []string                `json:"addresses"` // that there may be events of
}

// toldFinal is a final period whose events were written, until it is removed.
type toldFinal struct {
	Period board.Period `json:"period"`
	Since  board.Moment `json:"since"`
}

// A telling is the events of a tick.
type telling struct {
	*tick
	addresses []activity.EventAddress
	cursor    *items.Cursor[toldEvents]
}

// tellEvents writes the events of the changes since the last tick, before any period is removed, and lists them
// in an item of its own. A tick that is killed between the two is repeated: the events have the same ids, and
// those that were not sent yet are there.
func (t *tick) tellEvents(ctx context.Context, tonight bool) error {
	e := &telling{tick: t, addresses: t.Ledger.Rules().Events()}
	if len(e.addresses) == 0 && !tonight || t.over(ctx) {
		return nil
	}
	err := e.load(ctx)
	if err == nil {
		err = e.begin(ctx)
	}
	if err == nil && len(e.addresses) > 0 {
		if err = errors.Join(e.finals(ctx), e.ends(ctx), e.cursor.Save(ctx)); err == nil {
			t.told = e.cursor.State.Final
		}
	}
	if errors.Is(err, table.ErrConflict) { // another tick has told
		return nil
	}
	return t.result.failed("events", err)
}

func (e *telling) load(ctx context.Context) (err error) {
	e.cursor, err = items.OpenCursor[toldEvents](ctx, e.Items, cursorEvents)
	return err
}

// begin deletes events of addresses that the rules do not have any more, notes new ones before there are
// events of them, and where a forum, or a window, begins with events.
func (e *telling) begin(ctx context.Context) error {
	var names []string
	for _, a := range e.addresses {
		names = append(names, a.Name)
	}
	for _, name := range e.cursor.State.Addresses {
		if slices.Contains(names, name) {
			continue
		}
		n, err := e.Items.DropEvents(ctx, name)
		if err != nil {
			return err
		}
		e.Log.InfoContext(ctx, "events are dropped: the rules do not have their address", "address", name, "events", n)
	}
	if e.cursor.State.Addresses = names; len(names) == 0 && !e.cursor.Begun() {
		return nil // there never was an event
	}
	if e.cursor.State.Begun == 0 {
		e.cursor.State.Begun = e.result.Today
	}
	if e.cursor.State.Ended == nil {
		e.cursor.State.Ended = map[string]board.Period{}
	}
	for _, w := range e.toldWindows() {
		if _, known := e.cursor.State.Ended[w.String()]; !known {
			e.cursor.State.Ended[w.String()] = board.PeriodOf(w, e.result.Today).Prev()
		}
	}
	e.cursor.State.Contests = slices.DeleteFunc(e.Ledger.Rules().Contests(), func(c board.Period) bool {
		return c.Last() < e.result.Today && !slices.Contains(e.cursor.State.Contests, c)
	})
	return e.cursor.Save(ctx)
}

// toldWindows returns the windows whose periods end and follow one another.
func (e *telling) toldWindows() []board.Window {
	return slices.DeleteFunc(board.Tiling(), func(w board.Window) bool { return !e.Ledger.Rules().Keeps(w) })
}

// BeginEvents makes a forum that never had events write those that have become due since a day, as if it had begun
// then.
func BeginEvents(ctx context.Context, o Options, day board.Date) error {
	e := &telling{tick: &tick{Options: o, result: &Result{Today: day}}, addresses: o.Ledger.Rules().Events()}
	if err := e.load(ctx); err != nil || e.cursor.Begun() {
		return err
	}
	return e.begin(ctx)
}

// finals writes events of periods that are final, from the stored boards. The list of written events has only
// those that are not removed yet.
func (e *telling) finals(ctx context.Context) error {
	now := []toldFinal{}
	for _, periodLife := range e.head.Life.Unsettled() {
		if periodLife.State != board.PeriodFinal {
			continue
		}
		f := toldFinal{periodLife.Period, periodLife.Since}
		if !slices.Contains(e.cursor.State.Final, f) && !board.Due(f.Period, e.cursor.State.Begun, e.HotDays, e.HotMonths) {
			if err := e.final(ctx, f); err != nil {
				return err
			}
		}
		now = append(now, f)
	}
	e.cursor.State.Final = now
	return nil
}

// final writes the events of a final period's boards. A board that cannot be read stops nothing: the audit
// of final boards tells of it.
func (e *telling) final(ctx context.Context, f toldFinal) error {
	_, end := e.calendar().Bounds(f.Period)
	for _, id := range e.boardsOf(f.Period) {
		name := id.Board
		m, err := e.Finals.Manifest(ctx, name, f.Period)
		switch {
		case errors.Is(err, final.ErrNotFinal): // nobody was on it, or it is not kept
			continue
		case errors.Is(err, codec.ErrDamaged):
			e.Log.ErrorContext(ctx, "no event: the final board is damaged", "board", name, "cause", err.Error())
			continue
		case err != nil:
			return err
		}
		event := items.Event{
			Type: activity.EventPeriodFinal, Board: name, Period: f.Period, Total: m.On(), OfTeams: m.Groups != nil,
			EventKey: items.EventKey{At: max(f.Since, end+1)}, // after that it has ended, by any clock
		}
		if event.OfTeams {
			event.Teams, m.Top = m.Teams[:min(len(m.Teams), items.MaxEventEntries)], nil
		}
		for _, top := range m.Top[:min(len(m.Top), items.MaxEventEntries)] {
			event.Entries = append(event.Entries, items.Member{Key: top.Key, Packed: top.Packed})
		}
		if err := e.put(ctx, event, m.Closing); err != nil {
			return err
		}
	}
	return nil
}

// put writes an event for each address that takes it, if the board has a user, or a team.
func (e *telling) put(ctx context.Context, event items.Event, closing int64) error {
	if event.Total == 0 {
		return nil
	}
	var all []items.Change
	for _, a := range e.addresses {
		if a.Takes(event.Type, e.Ledger.Guests().Board(event.Board) != nil) {
			one := event
			one.Address, one.Since = a.Name, e.real()
			one.ID = e.head.EventID(a.Name, event.Type, event.Board, event.Period, closing)
			all = append(all, items.Change{Event: &one})
		}
	}
	e.result.Events += len(all)
	return e.Items.WriteUnlessChanged(ctx, all...) // those that are there stay
}
