package article

import (
	"laurel/shared/activity"
	"laurel/shared/board"
)

// The actions that vote.
const (
	Like   = "like"
	Unlike = "unlike"
)

// A Vote is what a user has decided about an article as one number: the latest of the
// moments at which it was liked, unliked and restored, which of them that is, and whether it
// was ever liked. Of three moments (ledger.Moments) that is all that a later one, or one
// that arrives late, needs. At an equal moment an unlike goes before a like, and a restore
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

// voteOf returns the vote of an activity.
func voteOf(act activity.Activity) Vote {
	v := Vote(act.At) << voteBits
	switch {
	case act.Action == Unlike:
		return v | voteUnliked
	case act.Restores:
		return v | voteRestored
	default:
		return v | voteLiked
	}
}

// And returns the result of two votes of the same user for the same article; their order
// and number do not matter.
func (v Vote) And(other Vote) Vote { return max(v, other) | (v|other)&voteLiked }

// Stands reports whether the vote counts.
func (v Vote) Stands() bool { return v&voteLiked != 0 && v&voteKinds != voteUnliked }

// At returns the moment of the vote.
func (v Vote) At() board.Moment { return board.Moment(v >> voteBits) }

// IsVote reports whether an activity is a vote if its target is an article.
func IsVote(a activity.Activity) bool { return a.Action == Like || a.Action == Unlike }

// Vote returns an activity's vote for the article; ok is false outside the voting week
// and for the author, whose own vote counts from the start.
func (r Rules) Vote(a Article, act activity.Activity) (v Vote, ok bool) {
	if !IsVote(act) || act.Target != a.ID || act.User == a.Author || !r.Open(a, act.At) {
		return 0, false
	}
	return voteOf(act), true
}
