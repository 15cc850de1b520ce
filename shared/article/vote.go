package article

import (
	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/ledger"
)

// The actions that vote.
const (
	Like   = "like"
	Unlike = "unlike"
)

// A Vote is a user's latest decision about an article as one number: the moment, and
// whether the user liked it or took the like back. The greater of two votes wins, so
// their order and number do not matter, and at an equal moment the undo wins.
//
//	+-------------------------+--------+
//	| moment, in ms, 52 bits  | undone |     0 means no vote
//	+-------------------------+--------+
//	vote = 2 x moment + undone
type Vote int64

// VoteOf returns the vote of a like or an unlike at the moment.
func VoteOf(at board.Moment, undone bool) Vote {
	v := Vote(at) << 1
	if undone {
		v++
	}
	return v
}

// And returns the result of two votes of the same user for the same article.
func (v Vote) And(other Vote) Vote { return max(v, other) }

// Stands reports whether the vote counts.
func (v Vote) Stands() bool { return v != 0 && v&1 == 0 }

// At returns the moment of the vote.
func (v Vote) At() board.Moment { return board.Moment(v >> 1) }

// IsVote reports whether an activity is a vote if its target is an article.
func IsVote(a activity.Activity) bool { return a.Action == Like || a.Action == Unlike }

// Vote returns an activity's vote for the article; ok is false outside the voting week
// and for the author, whose own vote counts from the start.
func (r Rules) Vote(a Article, act activity.Activity) (v Vote, ok bool) {
	if !IsVote(act) || act.Target != a.ID || act.User == a.Author || !r.Open(a, act.At) {
		return 0, false
	}
	return VoteOf(act.At, act.Action == Unlike), true
}

// Votes reports whether an activity with this receipt can be a vote. A refused one is not
// kept, so it is none. One that changes no points can be, because votes are stored apart
// from entries.
func Votes(status ledger.Status) bool { return status.Kept() }
