package article

import (
	"cmp"
	"strings"
	"time"

	"laurel/shared/core/activity"
	"laurel/shared/core/board"
)

// Rules rank articles by the constants.
type Rules activity.Articles

// daySeconds is the worth of VotesPerDay votes.
const daySeconds = 86_400

// VoteSeconds returns the worth of a vote in seconds.
func (r Rules) VoteSeconds() int64 { return daySeconds / r.VotesPerDay }

// Score returns an article's score: the moment of its publishing in whole seconds since
// the Unix epoch, plus VoteSeconds for each vote.
func (r Rules) Score(a Article) int64 { return a.Seconds() + r.VoteSeconds()*a.Votes }

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

// Open reports whether an article takes votes of the moment: from its publishing until it closes, exclusive.
func (r Rules) Open(a Article, moment board.Moment) bool {
	return moment >= a.Published && moment < r.Closes(a)
}

// CompareHot orders articles as hot lists do, negative if a comes before b: the higher
// score, then the newer, then the id byte by byte.
func (r Rules) CompareHot(a, b Article) int {
	return cmp.Or(cmp.Compare(r.Score(b), r.Score(a)), CompareNew(a, b))
}

// CompareNew orders articles as new lists do, negative if a comes before b: the newer, then the id byte by byte.
func CompareNew(a, b Article) int {
	return cmp.Or(cmp.Compare(b.Published, a.Published), strings.Compare(a.ID, b.ID))
}

// The actions that vote.
const (
	Like   = "like"
	Unlike = "unlike"
)

// A Vote is the decision of a user about an article as one number: the latest of the moments at which it was liked,
// unliked and restored, which of them that is, and whether it was ever liked. Of three moments (ledger.Moments) that is
// all that a later one, or one that arrives late, needs. At an equal moment an unlike goes before a like, and a restore
// before both.
//
//	+-------------------------+----------------+----------+
//	| moment, in ms, 43 bits  | kind, 2 bits   | 1: liked |     0 means no vote
//	+-------------------------+----------------+----------+
//	kind = 0 liked, 1 unliked, 2 restored
type Vote int64

const (
	voteLiked    = 1
	voteUnliked  = 1 << 1
	voteRestored = 2 << 1
	voteKinds    = 3 << 1
	voteBits     = 3
)

// And returns the result of two votes of the same user for the same article; their order and number do not matter.
func (v Vote) And(other Vote) Vote { return max(v, other) | (v|other)&voteLiked }

// Stands reports whether the vote counts.
func (v Vote) Stands() bool { return v&voteLiked != 0 && v&voteKinds != voteUnliked }

// At returns the moment of the vote.
func (v Vote) At() board.Moment { return board.Moment(v >> voteBits) }

// IsVote reports whether an activity is a vote if its target is an article. An undo by a ref alone has no target.
func IsVote(a activity.Activity) bool {
	return a.Target != "" && (a.Action == Like || a.Action == Unlike)
}

// Vote returns an activity's vote for the article; ok is false outside the voting week
// and for the author, whose own vote counts from the start.
func (r Rules) Vote(a Article, act activity.Activity) (v Vote, ok bool) {
	if !IsVote(act) || act.Target != a.ID || act.User == a.Author || !r.Open(a, act.At) {
		return 0, false
	}
	v = Vote(act.At) << voteBits
	switch {
	case act.Action == Unlike:
		return v | voteUnliked, true
	case act.Restores:
		return v | voteRestored, true
	default:
		return v | voteLiked, true
	}
}
