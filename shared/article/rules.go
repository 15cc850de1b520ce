package article

import (
	"cmp"
	"strings"
	"time"

	"laurel/shared/activity"
	"laurel/shared/board"
)

// Rules rank articles by the constants.
type Rules activity.Articles

// daySeconds is the worth of VotesPerDay votes.
const daySeconds = 86_400

// VoteSeconds returns the worth of a vote in seconds.
func (r Rules) VoteSeconds() int64 { return daySeconds / r.VotesPerDay }

// Score returns an article's score: the moment of its publishing in whole seconds since
// the Unix epoch, plus VoteSeconds for each vote.
func (r Rules) Score(a Article) int64 { return seconds(a.Published) + r.VoteSeconds()*a.Votes }

// seconds returns a moment in whole seconds.
func seconds(m board.Moment) int64 { return int64(m) / 1_000 }

// OwnVotes returns the number of votes that an article starts with.
func (r Rules) OwnVotes() int64 {
	if r.OwnVote {
		return 1
	}
	return 0
}

// IsInteresting reports whether an article has enough votes to be interesting.
func (r Rules) IsInteresting(a Article) bool { return a.Votes >= r.Interesting }

// Closes returns the moment from which an article takes no votes.
func (r Rules) Closes(a Article) board.Moment {
	return a.Published.Add(time.Duration(r.VotingDays) * daySeconds * time.Second)
}

// Open reports whether an article takes votes of the moment: from its publishing until
// it closes, exclusive.
func (r Rules) Open(a Article, at board.Moment) bool {
	return at >= a.Published && at < r.Closes(a)
}

// CompareHot orders articles as hot lists do, negative if a comes before b: the higher
// score, then the newer, then the id byte by byte.
func (r Rules) CompareHot(a, b Article) int {
	return cmp.Or(cmp.Compare(r.Score(b), r.Score(a)), CompareNew(a, b))
}

// CompareNew orders articles as new lists do, negative if a comes before b: the newer,
// then the id byte by byte.
func CompareNew(a, b Article) int {
	return cmp.Or(cmp.Compare(b.Published, a.Published), strings.Compare(a.ID, b.ID))
}
