package recording

import (
	"context"
	"slices"
	"time"

	"laurel/shared/core/article"
	"laurel/shared/core/board"
	"laurel/shared/forum/projection"
	"laurel/shared/store/items"
	"laurel/shared/store/view"
)

// read reads all that tasks need, mostly in one call, and finds their accounts.
func (b *batch) read(ctx context.Context, tasks []*task) error {
	b.targets, b.began = map[string]string{}, b.r.real()
	_, err := b.r.items.Load(ctx, b.query(tasks), func(found *items.Found) (items.Query, bool) {
		for _, t := range tasks {
			t.outcome = projection.Outcome{Account: found.Account(t.user, t.key, t.months)}
			t.counting, t.damaged = t.outcome.Counting(t.months...)
		}
		if !b.needMore(found, tasks) {
			return items.Query{}, false
		}
		return b.query(tasks), true
	})
	return err
}

// needMore takes the rows that were read and their head, and reports whether tasks may need others by these.
func (b *batch) needMore(found *items.Found, tasks []*task) bool {
	was := b.head
	b.head, b.found = found.Head, found
	return b.findTargets(tasks) || b.head != was || slices.ContainsFunc(tasks, func(t *task) bool {
		return slices.ContainsFunc(b.voteMonths(t), func(m board.MonthOf) bool { return !slices.Contains(t.months, m) })
	})
}

// voteMonths returns the months of a task's votes, by the head and the articles that are known.
func (b *batch) voteMonths(t *task) (months []board.MonthOf) {
	for i := range t.acts {
		if !article.IsVote(t.acts[i]) {
			continue
		}
		// Before the article is known: for a like in the first days of a month it may be from the month before. Where
		// there is none, a newer head is asked for.
		if b.found == nil && !b.head.Articles {
			continue
		}
		voting := time.Duration(b.r.ledger.Rules().Articles().VotingDays) * 24 * time.Hour
		month := b.r.ledger.Calendar().Date(t.acts[i].At.Add(-voting)).Month()
		if b.found != nil {
			var ok bool
			if _, month, ok = b.voteOf(t, t.acts[i]); !ok {
				continue
			}
		}
		if !b.head.Life.Closed(board.PeriodOf(board.Month, month.First())) {
			months = append(months, month)
		}
	}
	return months
}

// placeMonths returns the months whose ledgers are read for the places of units, beside those that the reports may
// change, and whether a later head, which may have an earlier first month, tells the same. It chooses the units' days.
func (b *batch) placeMonths() (months []board.MonthOf, sameLater bool) {
	l := b.r.ledger
	if !l.KeepsLong() {
		return nil, true
	}
	b.days = b.r.projector.Days()
	days := b.days.And(view.Days{First: b.today, Last: b.today})
	if l.OnlyRolls() {
		months = b.head.RollingMonths(l, days.First, days.Last)
		sameLater = b.head.From != 0 && b.head.From <= l.RollingMonths(days.First, days.Last)[0]
	} else {
		months = b.head.ReadMonths(l, b.r.projector.Now(), days.First, days.Last)
	}
	if b.quiet {
		months = nil
	}
	return months, sameLater
}

// query returns the keys that tasks need. Shared keys appear twice. The head may be late unless boards over several
// months need ledgers that only a newer head may name, or an act asks for articles while there are none.
func (b *batch) query(tasks []*task) items.Query {
	q := items.Query{People: make([]items.Key, 0, len(tasks)), Ledgers: make([]items.LedgerKey, 0, len(tasks))}
	places, sameLater := b.placeMonths()
	q.LateHead = sameLater
	for _, t := range tasks {
		t.needs = b.r.ledger.Needs(t.acts, b.head.Life)
		t.months = slices.Concat(b.voteMonths(t), places, t.needs.Months)
		slices.Sort(t.months)
		t.months = slices.Compact(t.months)
	}
	keyOf := b.head.Keys()
	for _, t := range tasks {
		t.key = keyOf(t.user)
		q.AddAccount(t.key, t.months)
		for i := range t.acts {
			a := &t.acts[i]
			if user := t.given[i].user; user != t.user { // it may have been erased before it was merged
				q.People = append(q.People, keyOf(user))
			}
			if t.needs.Targets[i].User {
				target := b.standIn(a.Target)
				q.People = append(q.People, keyOf(target))
				if target != a.Target {
					q.People = append(q.People, keyOf(a.Target))
				}
				q.Follows = append(q.Follows, items.FollowsKey{Person: t.key, Part: items.FollowPartOf(target)})
				continue
			}
			switch asks := t.needs.Targets[i].Article || article.IsVote(*a); {
			case asks && b.head.Articles:
				q.Articles = append(q.Articles, a.Target)
			case asks: // the first one may have come since the head was read
				q.LateHead = false
			}
			if b.head.Voids && a.Target != "" {
				q.Voids = append(q.Voids, a.Target)
			}
		}
	}
	return q
}

// standIn returns the person who stands for a user who is followed.
func (b *batch) standIn(user string) string {
	if id, known := b.targets[user]; known {
		return id
	}
	return b.r.items.StandIn(user)
}

// findTargets looks by the people who were read whether others stand for users who are followed, and reports whether
// these are yet to be read.
func (b *batch) findTargets(tasks []*task) (more bool) {
	for _, t := range tasks {
		for i := range t.acts {
			a := &t.acts[i]
			if !t.needs.Targets[i].User {
				continue
			}
			id := b.standIn(a.Target)
			person := b.found.People[b.head.KeyOf(id)].Value
			if next := b.head.StandIn(person, id, a.Target); next != id {
				b.targets[a.Target], more = next, true
				b.r.items.StandsFor(a.Target, next)
			}
		}
	}
	return more
}
