package board

import "math"

// A Standing is a user's place on a board. With rank 0 the user is not on it, and
// Percentile and PreviousRank may be nil.
type Standing struct {
	Rank         int64    // 1..Total, or 0
	Score        int64    // 0 when not on the board
	Ticks        int64    // when the score was reached; 0 when not on the board
	Total        int64    // users on the board
	Percentile   *float64 // 100 x (Total - Rank) / (Total - 1) to one decimal; 100 when alone
	ToNext       *int64   // points that bring the next place; nil at the top
	PreviousRank *int64   // the rank in the period before
}

// NewStanding returns a standing. above is the score of the place above, if rank is over 1.
//
// The next place takes a point more than the score above, as the first to reach a score
// keeps the place; who is not on the board is there with one point.
func NewStanding(rank int64, packed Packed, total, above, previousRank int64) Standing {
	s := Standing{Rank: rank, Score: packed.Score(), Ticks: packed.Ticks(), Total: total}
	switch {
	case rank == 0:
		s.ToNext = new(int64(1))
	case rank > 1:
		s.ToNext = new(above - s.Score + 1)
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
