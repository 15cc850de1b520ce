package article

import (
	"cmp"
	"strings"
	"time"

	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/ledger"
)

// Rules are the constants that articles are ranked by, and what follows from
// them.
type Rules activity.Articles

// daySeconds is what VotesPerDay votes are worth.
const daySeconds = 86_400

// VoteSeconds returns how many seconds of freshness a vote is worth.
func (r Rules) VoteSeconds() int64 { return daySeconds / r.VotesPerDay }

// Score returns what an article is ranked by: the moment of its publishing in
// whole seconds since the Unix epoch, and VoteSeconds for each vote.
func (r Rules) Score(a Article) int64 { return seconds(a.Published) + r.VoteSeconds()*a.Votes }

// seconds cuts a moment, which is after the epoch, to its second.
func seconds(m board.Moment) int64 { return int64(m) / 1_000 }

// OwnVotes returns how many votes an article starts with: its author's own.
func (r Rules) OwnVotes() int64 {
	if r.OwnVote {
		return 1
	}
	return 0
}

// IsInteresting says whether an article has votes enough to be called so.
func (r Rules) IsInteresting(a Article) bool { return a.Votes >= r.Interesting }

// Closes returns the moment from which an article takes no votes.
func (r Rules) Closes(a Article) board.Moment {
	return a.Published.Add(time.Duration(r.VotingDays) * daySeconds * time.Second)
}

// Open says whether an article takes votes of the moment: from its publishing
// until it closes, exclusive.
func (r Rules) Open(a Article, at board.Moment) bool {
	return at >= a.Published && at < r.Closes(a)
}

// SettledBefore returns the moment before which articles were published whose
// votes can't change any more at now: their voting has closed, and the last vote
// that may come late has come.
func (r Rules) SettledBefore(now board.Moment) board.Moment {
	return now.Add(-time.Duration(r.VotingDays)*daySeconds*time.Second - ledger.MaxAge)
}

// CompareHot is the order of hot lists, negative when a comes before b: the
// higher score, then the newer, then the id byte by byte.
func (r Rules) CompareHot(a, b Article) int {
	return cmp.Or(cmp.Compare(r.Score(b), r.Score(a)), CompareNew(a, b))
}

// CompareNew is the order of new lists, negative when a comes before b: the newer,
// then the id byte by byte.
func CompareNew(a, b Article) int {
	return cmp.Or(cmp.Compare(b.Published, a.Published), strings.Compare(a.ID, b.ID))
}
