package record

import (
	"maps"
	"slices"
	"time"

	"laurel/shared/activity"
	"laurel/shared/article"
	"laurel/shared/board"
	"laurel/shared/ledger"
)

// votingTime is how long an article takes votes.
func (r *Recorder) votingTime() time.Duration {
	return time.Duration(r.ledger.Rules().Articles().VotingDays) * 24 * time.Hour
}

// voteOf returns the vote that an activity is, by the articles that were read, and the month
// whose ledger has it: that of the article.
func (b *batch) voteOf(a activity.Activity) (article.Vote, board.MonthOf, bool) {
	row := b.found.Articles[a.Target]
	if row.Revision == 0 || row.Value.State != article.Voting {
		return 0, 0, false
	}
	vote, ok := article.Rules(b.ledger.Rules().Articles()).Vote(row.Value.Article, a)
	month := b.ledger.Calendar().Date(row.Value.Published).Month()
	return vote, month, ok && !b.head.Life.Closed(board.PeriodOf(board.Month, month.First()))
}

// vote puts a task's votes into the ledgers that were decided. Those of activities that are not
// kept are none, but that an excluded user's undo takes one back.
func (b *batch) vote(t *task) {
	t.votes = nil
	for i, a := range t.acts {
		if !article.IsVote(a) {
			continue
		}
		status := t.decided.Receipts[i].Status
		if !status.Kept() && (status != ledger.Excluded || a.Action != article.Unlike) {
			continue
		}
		if vote, month, ok := b.voteOf(a); ok {
			castIn(&t.decided, t.user, a.Target, month, vote)
			if !slices.Contains(t.votes, month) {
				t.votes = append(t.votes, month)
			}
		}
	}
}

// castIn merges a vote into the ledger of a month, unless that has no room for it.
func castIn(d *ledger.Decided, user, id string, month board.MonthOf, vote article.Vote) {
	next := ledger.MonthLedger{User: user, After: d.Account.Erased}
	if of := d.Account.Months[month]; of != nil {
		next = *of
	}
	before, known := next.Votes[id]
	was := article.Vote(before)
	if was.And(vote) == was || !known && next.Size()+len(id)+voteFrame > ledger.MaxLedgerVotes {
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

// voteFrame is more than a vote takes beside the article's id.
const voteFrame = 16
