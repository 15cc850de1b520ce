package night

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"laurel/shared/core/article"
	"laurel/shared/core/board"
	"laurel/shared/core/ledger"
	"laurel/shared/store/items"
)

// writesAtOnce is how many items are written before the head is looked at again.
const writesAtOnce = 500

// people writes the items of users who are on a board and have none, as a board names people by their keys, and the
// totals of whole months, where rules have boards over longer windows.
func (m *making) people(ctx context.Context) error {
	for _, entries := range m.pass.entries {
		for _, e := range entries {
			e.holder.on = true
		}
	}
	for some := range slices.Chunk(m.pass.holders, writesAtOnce) {
		if err := m.write(ctx, m.changes(some)); err != nil {
			return err
		}
	}
	return nil
}

// changes returns the items that holders are to have, where these are others.
func (m *making) changes(holders []*holder) (changes []items.Change) {
	for _, member := range holders {
		if next := m.next(member); next != nil {
			changes = append(changes, items.NextPerson(member.key, member.person, next))
		}
	}
	return changes
}

// write makes changes, each under its condition, while the periods are closed. The error wraps
// table.ErrConflict if one of the items has changed meanwhile: another tick continues.
func (m *making) write(ctx context.Context, changes []items.Change) (err error) {
	for some := range slices.Chunk(changes, writesAtOnce) {
		if err := m.still(ctx); err != nil {
			return err
		}
		for _, w := range m.Items.Write(ctx, some...) {
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
func (m *making) next(member *holder) *items.Person {
	was := member.person.Value
	if member.id == "" || was != nil && was.Erased != member.after {
		return nil
	}
	var next items.Person
	if was != nil {
		next = *was
	}
	next.ID = member.id // a tombstone may have none, and a new person takes its place
	if m.Ledger.Rules().Keeps(board.Quarter, board.Year, board.All) && len(m.pass.whole) > 0 {
		next.Totals = m.totals(next.Totals, member.totals)
	}
	lacking := was == nil || was.ID == ""
	if lacking && !member.on && len(next.Totals) == 0 {
		return nil
	}
	if !lacking && slices.Equal(was.Totals, next.Totals) {
		return nil
	}
	return &next
}

// totals returns totals with those of the whole months replaced.
func (m *making) totals(old, whole []ledger.MonthTotal) []ledger.MonthTotal {
	remade := func(t ledger.MonthTotal) bool { return slices.Contains(m.pass.whole, t.Month) }
	kept := append(slices.DeleteFunc(slices.Clone(old), remade), whole...)
	slices.SortFunc(kept, func(a, b ledger.MonthTotal) int {
		return cmp.Or(strings.Compare(a.Board, b.Board), cmp.Compare(a.Month, b.Month))
	})
	return kept
}

// votes stores the number of votes of a month's articles, before it is final: the sum of their
// readers' ledgers of that month, and the authors' own. It goes over all articles.
func (m *making) votes(ctx context.Context, month board.MonthOf) error {
	counts := map[string]int64{}
	for _, member := range m.pass.holders {
		for _, id := range member.votes {
			counts[id]++
		}
	}
	var changes []items.Change
	for row, err := range m.Items.AllArticles(ctx) {
		if err != nil {
			return err
		}
		if row.Err != nil {
			continue
		}
		if next := m.counted(row.Value, month, counts); next != nil {
			changes = append(changes, items.Change{Was: row.Revision, Article: next})
		}
	}
	if err := m.write(ctx, changes); err != nil || len(changes) == 0 {
		return err
	}
	m.result.Votes += int64(len(changes))
	return m.change(ctx, func(h *items.Head) error {
		h.FallBehind("the votes of "+month.String()+" are final", m.real())
		return nil
	})
}

// counted returns an article with its final votes, nil if it has them or is of another month.
func (m *making) counted(a *article.Page, month board.MonthOf, counts map[string]int64) *article.Page {
	if a.State > article.VotesFinal || m.calendar().Date(a.Published).Month() != month {
		return nil
	}
	votes := article.Rules(m.Ledger.Rules().Articles()).OwnVotes() + counts[a.ID]
	if a.State == article.VotesFinal && a.Votes == votes {
		return nil
	}
	next := *a
	next.State, next.Votes = article.VotesFinal, votes
	return &next
}
