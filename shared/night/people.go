package night

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"laurel/shared/ledger"
	"laurel/shared/records"
)

// writesAtOnce is how many items are written before the head is looked at again.
const writesAtOnce = 500

// people writes the items of who is on a board and has none, as a board names people by their
// keys; and what whole months came to, where rules have boards over longer windows.
func (m *making) people(ctx context.Context) error {
	for _, entries := range m.pass.entries {
		for _, e := range entries {
			e.who.on = true
		}
	}
	var changes []records.Change
	for _, who := range m.pass.holders {
		if next := m.next(who); next != nil {
			changes = append(changes, records.Change{
				Was: who.person.Revision, Person: &records.PersonChange{Key: who.key, Value: next},
			})
		}
	}
	return m.write(ctx, changes)
}

// write makes changes, each under its condition, while the periods are closed. The error wraps
// table.ErrConflict if somebody has changed one of the items meanwhile: another tick goes on.
func (m *making) write(ctx context.Context, changes []records.Change) (err error) {
	for some := range slices.Chunk(changes, writesAtOnce) {
		if err := m.still(ctx); err != nil {
			return err
		}
		for _, w := range m.Records.Write(ctx, some...) {
			err = cmp.Or(err, w.Err)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// next returns the item that a holder is to have, nil if that is the one there is, if none is
// needed, or if the holder was erased since.
func (m *making) next(who *holder) *records.Person {
	was := who.person.Value
	if who.id == "" || was != nil && was.Erased != who.after {
		return nil
	}
	next := &records.Person{ID: who.id}
	if was != nil {
		copied := *was
		next = &copied
	}
	if m.long() && len(m.pass.whole) > 0 {
		next.Totals = m.totals(next.Totals, who.totals)
	}
	if next.ID == "" { // a tombstone, whose place a new person takes
		next.ID = who.id
	}
	lacking := was == nil || was.ID == ""
	if lacking && (who.on || len(next.Totals) > 0) || !lacking && !slices.Equal(was.Totals, next.Totals) {
		return next
	}
	return nil
}

// totals returns totals with those of the whole months in place of what they have of these.
func (m *making) totals(of, whole []ledger.MonthTotal) []ledger.MonthTotal {
	kept := slices.DeleteFunc(slices.Clone(of), func(t ledger.MonthTotal) bool { return m.pass.whole[t.Month] })
	kept = append(kept, whole...)
	slices.SortFunc(kept, func(a, b ledger.MonthTotal) int {
		return cmp.Or(strings.Compare(a.Board, b.Board), cmp.Compare(a.Month, b.Month))
	})
	return kept
}
