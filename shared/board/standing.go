package board

import "math"

// A Standing is where one user is on a board. Rank 0 means not on it; the
// fields that then mean nothing are nil.
type Standing struct {
	Rank         int64    // 1..Total, or 0
	Score        int64    // 0 when not on the board
	Total        int64    // users on the board
	Percentile   *float64 // 100 x (Total - Rank) / (Total - 1) to one decimal; 100 when alone
	ToNext       *int64   // points to the place above, or to the last place when not on the board; nil at the top
	PreviousRank *int64   // the rank in the period before
}

// NewStanding works out a standing. above is the score of the place above, or
// of the last place when rank is 0; hasAbove says whether there is one.
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

// Percentile is the share of the others that a rank is ahead of, in percent, to
// one decimal; 100 for who is alone.
func Percentile(rank, total int64) float64 {
	if total <= 1 {
		return 100
	}
	return math.Round(1000*float64(total-rank)/float64(total-1)) / 10
}
