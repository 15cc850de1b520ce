package board

import "math"

// A Standing is a user's place on a board. With rank 0 the user is not on it, and
// Percentile and PreviousRank may be nil.
type Standing struct {
	Rank         int64    // 1..Total, or 0
	Score        int64    // 0 when not on the board
	Total        int64    // users on the board
	Percentile   *float64 // 100 x (Total - Rank) / (Total - 1) to one decimal; 100 when alone
	ToNext       *int64   // points to the place above, or to the last place when not on the board; nil at the top
	PreviousRank *int64   // the rank in the period before
}

// NewStanding returns a standing. above is the score of the place above, or of the
// last place if rank is 0; hasAbove says whether there is one.
func NewStanding(rank, score, total int64, above int64, hasAbove bool, previousRank int64) Standing {
	s := Standing{Rank: rank, Score: score, Total: total}
	if hasAbove {
		s.ToNext = new(above - score)
	}
	if rank > 0 {
		s.Percentile = new(Percentile(rank, total))
	}
	if previousRank > 0 {
		s.PreviousRank = new(previousRank)
	}
	return s
}

// Percentile returns the share of the other users that a rank is ahead of, in percent
// to one decimal; 100 if there are no others.
func Percentile(rank, total int64) float64 {
	if total <= 1 {
		return 100
	}
	return math.Round(1000*float64(total-rank)/float64(total-1)) / 10
}
