package recording

import (
	"errors"
	"maps"
	"slices"

	"laurel/shared/core/activity"
	"laurel/shared/core/article"
	"laurel/shared/core/board"
	"laurel/shared/core/codec"
	"laurel/shared/core/ledger"
)

// decide decides tasks by the items that were found, and returns the tasks that continue; the others have failed.
func (b *batch) decide(tasks []*task) (on []*task) {
	known := b.articles()
	for _, t := range tasks {
		if err := b.decideOne(t, known); err != nil {
			t.fail(err)
			continue
		}
		on = append(on, t)
	}
	return on
}

func (b *batch) decideOne(t *task, known map[string]ledger.KnownArticle) error {
	if t.damaged != nil {
		return t.damaged
	}
	around, err := b.surroundings(t, known)
	if err != nil {
		return err
	}
	t.outcome.Own, t.outcome.Days, t.outcome.Articles = t.needs.Months, b.days, b.found.Articles
	if t.outcome.Decided, err = b.r.ledger.DecideAccount(t.counting, t.acts, around); err != nil {
		return err
	}
	for i, receipt := range t.outcome.Decided.Receipts {
		if !b.quiet || !receipt.Status.Kept() || !t.results[i].Status.Kept() { // else an earlier attempt may have written it
			t.results[i].Receipt = receipt
		}
	}
	b.vote(t)
	t.record = b.recordOf(t)
	for i := range t.outcome.Decided.Follows {
		follow := &t.outcome.Decided.Follows[i]
		follow.Target = b.standIn(follow.Target)
	}
	t.lists, err = FollowChanges(b.found, t.key, t.user, t.outcome.Decided.Follows)
	return err
}

// articles are the articles that were read, as the rules ask for them.
func (b *batch) articles() map[string]ledger.KnownArticle {
	known := make(map[string]ledger.KnownArticle, len(b.found.Articles))
	for id, row := range b.found.Articles {
		if row.Revision != 0 {
			known[id] = ledger.KnownArticle{Author: row.Value.Author, Deleted: row.Value.State == article.Deleted}
		}
	}
	return known
}

// surroundings returns the facts beside the account of a task. The error is about a damaged item of one of its targets.
func (b *batch) surroundings(t *task, known map[string]ledger.KnownArticle) (ledger.Surroundings, error) {
	s := ledger.Surroundings{
		Life: b.head.Life, Now: b.arrival.Now, AnyAge: b.arrival.AnyAge, Today: b.today,
		RollFrom: b.days.First, RollTo: b.days.Last,
		Articles: known, Erased: map[string]board.Moment{}, Voids: map[string]board.Moment{},
		Merged: map[string][]codec.PersonHash{}, Former: map[int]board.Moment{},
		PersonOf: func(id string) codec.PersonHash { return b.head.KeyOf(id).Hash() },
	}
	for i := range t.acts {
		a := &t.acts[i]
		if user := t.given[i].user; user != t.user {
			s.Former[i] = b.erased(user)
		}
		if t.needs.Targets[i].User {
			id := b.standIn(a.Target)
			key := b.head.KeyOf(id)
			row := b.found.People[key]
			if row.Err != nil {
				return s, row.Err
			}
			if p := row.Value; p != nil && p.Erased != 0 {
				s.Erased[a.Target] = p.Erased
			}
			if id != a.Target {
				s.Erased[a.Target] = max(s.Erased[a.Target], b.erased(a.Target))
			}
			if own := row.Value.Own(key); own != nil {
				s.Merged[a.Target] = own
			}
			continue
		}
		void := b.found.Voids[a.Target]
		if err := errors.Join(b.found.Articles[a.Target].Err, void.Err); err != nil {
			return s, err
		}
		if v := void.Value; v != nil && v.Begun != 0 {
			s.Voids[a.Target] = v.Begun
		}
	}
	return s, nil
}

// erased returns when a user was erased last, also before a merge, of those who were read; 0: never.
func (b *batch) erased(user string) board.Moment {
	if p := b.found.People[b.head.KeyOf(user)].Value; p != nil {
		return p.Erased
	}
	return 0
}

// voteOf returns the vote that an activity is, by the articles that were read, and the month
// whose ledger has it: that of the article.
func (b *batch) voteOf(t *task, a activity.Activity) (article.Vote, board.MonthOf, bool) {
	row := b.found.Articles[a.Target]
	if row.Revision == 0 || row.Value.State != article.Voting {
		return 0, 0, false
	}
	vote, ok := article.Rules(b.r.ledger.Rules().Articles()).Vote(row.Value.Article, a)
	if b.head.Joined(b.found.People[t.key].Value, row.Value.Author) {
		ok = false // the author's own vote counts from the start
	}
	month := b.r.ledger.Calendar().Date(row.Value.Published).Month()
	return vote, month, ok && !b.head.Life.Closed(board.PeriodOf(board.Month, month.First()))
}

// vote puts a task's votes into the ledgers that were decided. Activities that are not kept
// have none, except that an excluded user's undo takes one back.
func (b *batch) vote(t *task) {
	for i, a := range t.acts {
		status := t.outcome.Decided.Receipts[i].Status
		if !status.Kept() && (status != ledger.Excluded || a.Action != article.Unlike) {
			continue
		}
		if vote, month, ok := b.voteOf(t, a); ok {
			castIn(&t.outcome.Decided, t.user, a.Target, month, vote)
			if !slices.Contains(t.outcome.Votes, month) {
				t.outcome.Votes = append(t.outcome.Votes, month)
			}
		}
	}
}

// castIn merges a vote into the ledger of a month, unless that has no room for it.
func castIn(d *ledger.Decided, user, id string, month board.MonthOf, vote article.Vote) {
	next := ledger.MonthLedger{User: user, After: d.Account.Erased}
	if had := d.Account.Months[month]; had != nil {
		next = *had
	}
	before, known := next.Votes[id]
	was := article.Vote(before)
	if was.And(vote) == was || !known && !next.HasRoomForVote(id) {
		return
	}
	if next.Votes = maps.Clone(next.Votes); next.Votes == nil {
		next.Votes = map[string]int64{}
	}
	next.Votes[id] = int64(was.And(vote))
	if d.Account.Months[month] = &next; !slices.Contains(d.Changed, month) {
		d.Changed = append(d.Changed, month)
	}
}
