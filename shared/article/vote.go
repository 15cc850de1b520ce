package article

import (
	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/ledger"
)

// The words of the activities that vote.
const (
	Like   = "like"
	Unlike = "unlike"
)

// A Vote is what a user has decided about an article, as one number. Of section
// 4's moments it keeps what decides: the latest at which the user liked it or
// took that back, and which of the two. So votes merge to the greater, whatever
// their order and number, and at an equal moment the undo wins.
//
//	+-------------------------+--------+
//	| moment, in ms, 52 bits  | undone |     0 is none
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

// And returns what two votes of the same user for the same article come to.
func (v Vote) And(other Vote) Vote { return max(v, other) }

// Stands says whether the vote counts.
func (v Vote) Stands() bool { return v != 0 && v&1 == 0 }

// At returns the moment of the vote.
func (v Vote) At() board.Moment { return board.Moment(v >> 1) }

// IsVote says whether an activity would be a vote, were its target an article.
func IsVote(a activity.Activity) bool { return a.Action == Like || a.Action == Unlike }

// Vote returns the vote that an activity is for the article. It is none when its
// moment is not in the voting week, and of the author, whose own vote counts from
// the start and for good.
func (r Rules) Vote(a Article, act activity.Activity) (v Vote, ok bool) {
	if !IsVote(act) || act.Target != a.ID || act.User == a.Author || !r.Open(a, act.At) {
		return 0, false
	}
	return VoteOf(act.At, act.Action == Unlike), true
}

// Votes says whether an activity with a receipt of this status is a vote at all:
// of what is refused (too late, too early, excluded, of oneself) nothing is kept,
// and so no vote. What changes no points may be one, as votes have entries of
// their own.
func Votes(status ledger.Status) bool {
	switch status {
	case ledger.Counted, ledger.Capped, ledger.Duplicate, ledger.Superseded, ledger.Revoked, ledger.NothingToRevoke:
		return true
	default:
		return false
	}
}
