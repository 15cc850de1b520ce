package article

import (
	"fmt"

	"laurel/shared/board"
)

// AgeLen is the number of bytes before the id in a member.
const AgeLen = 11

// Member returns the article's member in a store's lists.
func (a Article) Member() string {
	return fmt.Sprintf("%0*x%s", AgeLen, int64(board.Latest-a.Published), a.ID)
}

// HotScore returns the number that hot lists are sorted by, ascending; Redis's sorted
// sets hold it exactly.
func (r Rules) HotScore(a Article) int64 { return -r.Score(a) }

// NewScore returns the number that new lists are sorted by, ascending.
func (a Article) NewScore() int64 { return -int64(a.Published) }

// Seconds returns the part of the score that votes do not change.
func (a Article) Seconds() int64 { return seconds(a.Published) }
