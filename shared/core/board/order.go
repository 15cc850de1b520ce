package board

import (
	"cmp"
	"strings"
)

// MaxScore is the highest score on a board; a higher sum is shown as MaxScore.
const MaxScore = 1<<26 - 1

const (
	tickBits = 27
	tickMask = 1<<tickBits - 1
)

// Packed is a score and the moment it was reached as one number that a sorted set of Redis holds exactly
// (below 2^53). Ascending, and then by the bytes of members, it is the board's order.
//
//	 53                        27                          0
//	+---------------------------+---------------------------+
//	|      minus the score      |           ticks           |
//	+---------------------------+---------------------------+
//	packed = ticks - score x 2^27
type Packed int64

// Pack returns the number for a score, set to the nearest in [0, MaxScore], and its ticks.
func Pack(score, ticks int64) Packed {
	score = min(max(score, 0), MaxScore)
	return Packed(ticks&tickMask - score<<tickBits)
}

// Score returns the score in the number.
func (p Packed) Score() int64 { return -(int64(p) >> tickBits) }

// Ticks returns the ticks in the number.
func (p Packed) Ticks() int64 { return int64(p) & tickMask }

// A Member is a user on a board; the user "" was erased.
type Member struct {
	User   string
	Packed Packed
}

// Erased reports whether the user of a final board was erased since: the place and its score stay.
func (e Member) Erased() bool { return e.User == "" }

// Compare orders entries as a board does: negative if a comes before b.
func Compare(a, b Member) int {
	if c := cmp.Compare(a.Packed, b.Packed); c != 0 {
		return c
	}
	return strings.Compare(a.User, b.User)
}
