package recording

import (
	"bytes"
	"context"
	"slices"
	"time"

	"laurel/shared/core/article"
	"laurel/shared/core/board"
	"laurel/shared/store/items"
)

// read reads all that tasks need, mostly in one call.
func (b *batch) read(ctx context.Context, tasks []*task) error {
	for _, t := range tasks {
		t.months = nil
	}
	b.targets, b.days = map[string]string{}, b.r.projector.Days()
	_, err := b.r.items.Load(ctx, items.Need{
		Begin: func() { b.began = b.r.real() },
		Query: func(head *items.Head) items.Query {
			b.take(head, tasks)
			return b.query(tasks)
		},
		More: func(found *items.Found) bool {
			b.take(found.Head, tasks)
			b.found = found
			return b.findTargets(tasks) || b.findVotes(tasks)
		},
	})
	return err
}

// take continues with a head. The head of another table has other keys.
func (b *batch) take(head *items.Head, tasks []*task) {
	if !bytes.Equal(head.Secret, b.head.Secret) {
		for _, t := range tasks {
			t.key = head.KeyOf(t.user)
		}
	}
	b.head = head
}

// findVotes looks by the articles that were read for months of votes, and reports whether ledgers of these are yet to
// be read.
func (b *batch) findVotes(tasks []*task) (more bool) {
	for _, t := range tasks {
		more = t.addMonths(b.voteMonths(t)) || more
	}
	return more
}

// addMonths adds months whose ledgers a task needs, and reports whether there was a new one.
func (t *task) addMonths(months []board.MonthOf) (more bool) {
	for _, m := range months {
		if !slices.Contains(t.months, m) {
			t.months, more = append(t.months, m), true
		}
	}
	slices.Sort(t.months)
	return more
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

// query returns the keys that tasks need. Shared keys appear twice. The head may be late unless boards over several
// months need ledgers that only a newer head may name, or an act asks for articles while there are none.
func (b *batch) query(tasks []*task) items.Query {
	q := items.Query{People: make([]items.Key, 0, len(tasks)), Ledgers: make([]items.LedgerKey, 0, len(tasks))}
	q.LateHead = b.r.projector.TakesLateHead(b.head, b.days)
	for _, t := range tasks {
		months := b.voteMonths(t)
		if !b.quiet {
			months = append(months, b.r.projector.ReportMonths(b.head, b.days)...)
		}
		t.needs = b.r.ledger.Needs(t.acts, b.head.Life)
		t.addMonths(append(months, t.needs.Months...))
		q.AddAccount(t.key, t.months)
		for i := range t.acts {
			a := &t.acts[i]
			if user := t.given[i].user; user != t.user { // it may have been erased before it was merged
				q.People = append(q.People, b.head.KeyOf(user))
			}
			if t.needs.Targets[i].User {
				target := b.standIn(a.Target)
				q.People = append(q.People, b.head.KeyOf(target))
				if target != a.Target {
					q.People = append(q.People, b.head.KeyOf(a.Target))
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
