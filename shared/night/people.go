package night

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"laurel/shared/article"
	"laurel/shared/board"
	"laurel/shared/codec"
	"laurel/shared/final"
	"laurel/shared/ledger"
	"laurel/shared/records"
)

// writesAtOnce is how many items are written before the head is looked at again.
const writesAtOnce = 500

// people writes the items of who is on a board and has none, as a board names people by their
// keys; what whole months came to, where rules have boards over longer windows; and wreaths.
func (m *making) people(ctx context.Context) error {
	for _, entries := range m.pass.entries {
		for _, e := range entries {
			e.who.on = true
		}
	}
	holders, err := m.written(ctx)
	if err != nil {
		return err
	}
	var others []string // who are shown with another name now
	for some := range slices.Chunk(holders, writesAtOnce) {
		changes, renamed := m.changes(some)
		if err := m.write(ctx, changes); err != nil {
			return err
		}
		others = append(others, renamed...)
	}
	for _, user := range others {
		if err := m.Show(ctx, user); err != nil { // the head says that the view is behind
			m.Log.WarnContext(ctx, "a winner is not shown yet", "cause", err.Error())
		}
	}
	return nil
}

// changes returns the items that holders are to have, where these are others, and who has another name by them.
func (m *making) changes(holders []*holder) (changes []records.Change, renamed []string) {
	for _, who := range holders {
		next := m.next(who)
		if next == nil {
			continue
		}
		changes = append(changes, records.Change{
			Was: who.person.Revision, Person: &records.PersonChange{Key: who.key, Value: next},
		})
		if who.person.Value.Public() != next.Public() {
			renamed = append(renamed, next.ID)
		}
	}
	return changes, renamed
}

// written returns the holders whose items may have to be written, with what they have won: those of the pass, who
// wins a year, and who won when the boards were made before.
func (m *making) written(ctx context.Context) ([]*holder, error) {
	all, there, won := slices.Clone(m.pass.holders), map[records.Key]bool{}, map[records.Key][]records.Wreath{}
	for _, who := range all {
		there[who.key] = true
	}
	var q records.Query
	for _, p := range m.pass.of {
		for _, name := range m.boards(p.Window()) {
			first, former, err := m.winners(ctx, place{name, p})
			if err != nil {
				return nil, err
			}
			for _, e := range slices.Concat(first, former) {
				if !there[e.Key] {
					q.People, there[e.Key] = append(q.People, e.Key), true
				}
			}
			for i, e := range first {
				won[e.Key] = append(won[e.Key], records.Wreath{Board: name, Period: p, Rank: int64(i) + 1})
			}
		}
	}
	if len(q.People) > 0 {
		found, err := m.Records.Read(ctx, q)
		if err != nil {
			return nil, err
		}
		for _, key := range q.People {
			if row := found.People[key]; row.Revision != 0 {
				all = append(all, &holder{key: key, id: row.Value.ID, person: row, after: row.Value.Erased})
			}
		}
	}
	for _, who := range all {
		who.won = slices.DeleteFunc(won[who.key], func(w records.Wreath) bool {
			_, end := m.calendar().Bounds(w.Period)
			return who.after >= end // it was somebody else
		})
	}
	return all, nil
}

// winners returns the first entries of a place, and those of the board that was made before. One that was stored
// after this closing, by a run that came to no end, stays as it is, also if one of its people was erased since.
func (m *making) winners(ctx context.Context, at place) (first, former []final.Entry, err error) {
	there, err := m.Finals.Manifest(ctx, at.board, at.period)
	if err != nil && !errors.Is(err, final.ErrNotFinal) && !errors.Is(err, codec.ErrDamaged) {
		return nil, nil, err
	}
	former = firsts(there.Top)
	if there.Closing >= int64(m.pass.life.Since(at.period)) {
		return former, former, nil
	}
	return stored(firsts(m.pass.entries[at])), former, nil
}

// firsts returns the entries that have wreaths.
func firsts[T any](entries []T) []T { return entries[:min(len(entries), records.WreathRanks)] }

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
	var next records.Person
	if was != nil {
		next = *was
	}
	next.ID = who.id // which a tombstone may not have, whose place a new person takes
	if m.Ledger.Rules().Keeps(board.Year, board.All) && len(m.pass.whole) > 0 {
		next.Totals = m.totals(next.Totals, who.totals)
	}
	made := func(p board.Period) bool { return slices.Contains(m.pass.of, p) }
	next.Wreaths = records.Rewreathed(next.Wreaths, made, who.won)
	lacking := was == nil || was.ID == ""
	if lacking && !who.on && len(next.Totals) == 0 {
		return nil
	}
	if !lacking && slices.Equal(was.Totals, next.Totals) && slices.Equal(was.Wreaths, next.Wreaths) {
		return nil
	}
	return &next
}

// totals returns totals with those of the whole months in place of what they have of these.
func (m *making) totals(of, whole []ledger.MonthTotal) []ledger.MonthTotal {
	remade := func(t ledger.MonthTotal) bool { return slices.Contains(m.pass.whole, t.Month) }
	kept := append(slices.DeleteFunc(slices.Clone(of), remade), whole...)
	slices.SortFunc(kept, func(a, b ledger.MonthTotal) int {
		return cmp.Or(strings.Compare(a.Board, b.Board), cmp.Compare(a.Month, b.Month))
	})
	return kept
}

// votes stores how many votes the articles of a month have, before it is final: what their
// readers' ledgers of that month say, and the authors' own. It goes over all articles.
func (m *making) votes(ctx context.Context, month board.MonthOf) error {
	counts := map[string]int64{}
	for _, who := range m.pass.holders {
		for _, id := range who.votes {
			counts[id]++
		}
	}
	var changes []records.Change
	for bucket := range records.Buckets {
		for row, err := range m.Records.Articles(ctx, bucket) {
			if err != nil {
				return err
			}
			if row.Err != nil {
				continue
			}
			if next := m.counted(row.Value, month, counts); next != nil {
				changes = append(changes, records.Change{Was: row.Revision, Article: next})
			}
		}
	}
	if err := m.write(ctx, changes); err != nil || len(changes) == 0 {
		return err
	}
	m.result.Votes += int64(len(changes))
	return m.change(ctx, func(h *records.Head) error {
		m.fallBehind(h, "the votes of "+month.String()+" are final")
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
