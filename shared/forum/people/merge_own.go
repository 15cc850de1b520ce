package people

import (
	"bytes"
	"context"
	"errors"
	"maps"
	"slices"

	"laurel/shared/core/article"
	"laurel/shared/core/board"
	"laurel/shared/core/ledger"
	"laurel/shared/forum/recording"
	"laurel/shared/store/items"
	"laurel/shared/store/table"
)

// joinOwn joins the items under a merged person's key into those of the person who stands for it: ledgers, the follow
// list, totals and wreaths. waits says that some are left, as boards are being made of them or a void is carried out.
func (s *Store) joinOwn(ctx context.Context, m *merging) (waits bool, err error) {
	var months []board.MonthOf
	voids, err := s.voiding(ctx)
	if err != nil {
		return false, err
	}
	err = items.Again(ctx, func() error {
		p, err := s.bothOf(ctx, m)
		if err == nil {
			months = slices.Clone(p.old.months)
			err = s.joinFollows(ctx, m, p)
		}
		return err
	})
	if err != nil {
		return false, err
	}
	for _, month := range months {
		if over(ctx) {
			return true, nil
		}
		err = items.Again(ctx, func() error {
			left, err := s.joinMonth(ctx, m, month, voids)
			waits = waits || left
			return err
		})
		if err != nil {
			return false, err
		}
	}
	if waits {
		return true, nil
	}
	err = items.Again(ctx, func() (err error) {
		waits, err = s.joinTotals(ctx, m)
		return err
	})
	return waits, err
}

// voiding says whether a void is being carried out: its pass may be between the two people.
func (s *Store) voiding(ctx context.Context) (bool, error) {
	head, err := s.Items.Head(ctx)
	if err != nil || !head.Voids {
		return false, err
	}
	for row, err := range s.Items.Voids(ctx) {
		if err != nil {
			return false, err
		}
		if row.Err == nil && (row.Value.State == items.Waiting || row.Value.State == items.Running) {
			return true, nil
		}
	}
	return false, nil
}

// bothOf reads all items of the two people of a merge. The error wraps table.ErrConflict if an erasure has ended it.
func (s *Store) bothOf(ctx context.Context, m *merging, some ...board.MonthOf) (p mergePair, err error) {
	found, err := s.Items.Read(ctx, items.Query{People: []items.Key{m.key}})
	if err != nil {
		return p, err
	}
	person := found.People[m.key].Value.Copy()
	if err := errors.Join(found.People[m.key].Err, m.ends(person)); err != nil {
		return p, err
	}
	m.user, m.into = person.ID, person.Into
	if p.old, err = s.allIn(ctx, m.user, some...); err == nil {
		p.into, err = s.allIn(ctx, m.into, some...)
	}
	if err != nil {
		return p, err
	}
	return p, errors.Join(p.old.damaged(), p.into.damaged(), m.ends(p.old.person()))
}

// allIn is all with the ledgers of some months alone, of all for none.
func (s *Store) allIn(ctx context.Context, user string, months ...board.MonthOf) (*personItems, error) {
	if len(months) == 0 {
		return s.all(ctx, user)
	}
	return s.readOwn(ctx, user, func(*items.Head) []board.MonthOf { return months }, askFollows)
}

// joinMonth joins the ledgers of a month. It waits while a board is made of the month, or a void is carried out.
func (s *Store) joinMonth(ctx context.Context, m *merging, month board.MonthOf, voids bool) (waits bool, err error) {
	began := s.Real()
	p, err := s.bothOf(ctx, m, month)
	if err != nil {
		return false, err
	}
	old, into := p.old.account, p.into.account
	had, has := old.Ledgers[month], into.Ledgers[month]
	empty := had.Revision == 0 || had.Value.User == ""
	if empty && has.Revision == 0 {
		return false, nil
	}
	one, both, err := p.counting()
	if err != nil {
		return false, err
	}
	votes, err := s.joinVotes(ctx, p, one.Months[month], both.Months[month])
	if err != nil {
		return false, err
	}
	around := ledger.Surroundings{Life: p.into.Head.Life, Now: s.now()}
	joined, err := s.Ledger.Join(both, one, month, around)
	if err != nil || joined.Ledger == nil {
		return false, err
	}
	if joined.Ledger.Votes = votes; empty && bytes.Equal(joined.Ledger.Encode(), has.Value.Encode()) {
		return false, nil
	}
	if voids || beingMade(p.into.Head.Life, month) || beingMade(p.old.Head.Life, month) {
		return true, nil
	}
	counts := map[string]int{"dropped": int(joined.Dropped)}
	changes := []items.Change{into.NextLedger(month, joined.Ledger)}
	if !empty { // it stays with its revision until its month goes, so that no unit of before is above it
		counts["ledgers"], counts["votes"] = 1, len(had.Value.Votes)
		emptied := &ledger.MonthLedger{After: old.Person.Value.Copy().Erased}
		changes = append(changes, old.NextLedger(month, emptied))
	}
	if s.Real().Sub(began) >= recording.WriteWithin {
		return false, table.ErrConflict // it is read again
	}
	if err := s.together(ctx, m, counts, changes...); err != nil {
		return false, err
	}
	s.show(ctx, m.user, m.into)
	return false, nil
}

// beingMade says whether a board of days of a month is being made of its ledgers.
func beingMade(life *board.Life, month board.MonthOf) bool {
	return slices.ContainsFunc(life.Unsettled(), func(p board.PeriodLife) bool {
		return p.State == board.PeriodClosed && !p.Period.Window().OfTotals() && p.Period.Touches(month)
	})
}

// joinVotes returns the votes of two ledgers of a month as those of one person, without those for articles whose voting
// is open and whose author is the person: these count from the start.
func (s *Store) joinVotes(ctx context.Context, p mergePair, old, into *ledger.MonthLedger) (map[string]int64, error) {
	votes := map[string]int64{}
	for _, l := range []*ledger.MonthLedger{into, old} {
		if l != nil {
			for id, vote := range l.Votes {
				votes[id] = int64(article.Vote(votes[id]).And(article.Vote(vote)))
			}
		}
	}
	if len(votes) == 0 {
		return votes, nil
	}
	found, err := s.Items.Read(ctx, items.Query{Articles: slices.Sorted(maps.Keys(votes))})
	if err != nil {
		return nil, err
	}
	own := p.into.account.Keys()
	for id, row := range found.Articles {
		if row.Value != nil && row.Value.State == article.Voting && row.Value.Author != "" &&
			slices.Contains(own, p.into.Head.KeyOf(row.Value.Author)) {
			delete(votes, id)
		}
	}
	return votes, nil
}

// joinTotals moves totals of final months, and wreaths. It waits while a board is made of totals.
func (s *Store) joinTotals(ctx context.Context, m *merging) (waits bool, err error) {
	p, err := s.bothOf(ctx, m, s.lastMonth())
	if err != nil {
		return false, err
	}
	left, next := p.old.person(), p.into.person()
	counts := map[string]int{"months": len(left.Totals), "wreaths": len(left.Wreaths)}
	if len(left.Totals)+len(left.Wreaths) == 0 {
		return false, nil
	}
	if slices.ContainsFunc(p.into.Head.Life.Unsettled(), func(p board.PeriodLife) bool {
		return p.State == board.PeriodClosed && p.Period.Window().OfMonths()
	}) {
		return true, nil
	}
	next.Totals = ledger.JoinTotals(next.Totals, left.Totals)
	next.Wreaths = items.Rewreathed(next.Wreaths, func(w items.Wreath) bool {
		return slices.Contains(left.Wreaths, w)
	}, left.Wreaths)
	left.Totals, left.Wreaths = nil, nil
	err = s.together(ctx, m, counts, p.people(left, next)...)
	if err == nil {
		s.show(ctx, m.user, m.into)
	}
	return false, err
}

// people returns the writes of two people's items.
func (p mergePair) people(old, into items.Person) []items.Change {
	return []items.Change{
		items.NextPerson(p.old.account.Key, p.old.account.Person, &old),
		items.NextPerson(p.into.account.Key, p.into.account.Person, &into),
	}
}

// mostJoinedFollows is how many targets a sixteenth of a joined follow list knows of at most, so that it fits an item.
const mostJoinedFollows = 4_000

// joinFollows joins the follow lists of two people, without the people themselves.
func (s *Store) joinFollows(ctx context.Context, m *merging, p mergePair) error {
	own, count := p.into.account.Keys(), 0
	var changes []items.Change
	for part := range byte(items.FollowParts) {
		old := items.FollowsKey{Person: p.old.account.Key, Part: part}
		into := items.FollowsKey{Person: p.into.account.Key, Part: part}
		row, other := p.old.Follows[old], p.into.Follows[into]
		if row.Revision == 0 {
			continue
		}
		next := &items.FollowPart{Targets: joinFollowed(row.Value, other.Value, func(id string) bool {
			return slices.Contains(own, p.into.Head.KeyOf(id))
		})}
		count += len(row.Value.Targets)
		changes = append(changes,
			items.Change{Was: row.Revision, Follows: &items.FollowsChange{Key: old, Value: &items.FollowPart{}}, Delete: true},
			items.Change{Was: other.Revision, Follows: &items.FollowsChange{Key: into, Value: next}})
	}
	if len(changes) == 0 {
		return nil
	}
	left, next := p.old.person(), p.into.person()
	left.Follows, next.Follows = false, true
	err := s.together(ctx, m, map[string]int{"following": count}, append(p.people(left, next), changes...)...)
	if err == nil {
		s.show(ctx, m.user, m.into) // the view is to know these revisions of the people
	}
	return err
}

// joinFollowed returns the targets of two parts of a follow list with their latest moments, without some.
func joinFollowed(a, b *items.FollowPart, without func(id string) bool) (joined []items.Followed) {
	byID := map[string]items.Followed{}
	for _, part := range []*items.FollowPart{a, b} {
		if part == nil {
			continue
		}
		for _, f := range part.Targets {
			was := byID[f.ID]
			byID[f.ID] = items.Followed{ID: f.ID, Last: max(was.Last, f.Last), Undone: max(was.Undone, f.Undone)}
		}
	}
	maps.DeleteFunc(byID, func(id string, _ items.Followed) bool { return without(id) })
	joined = slices.Collect(maps.Values(byID))
	if len(joined) > mostJoinedFollows { // those that are followed, and of these the last ones
		slices.SortFunc(joined, compareKept)
		joined = joined[:mostJoinedFollows]
	}
	slices.SortFunc(joined, items.Followed.Compare)
	return joined
}
