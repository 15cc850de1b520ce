package operate

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"text/tabwriter"

	"laurel/shared/forum/people"
)

// A Voided tells the places that moved, or would move.
type Voided struct {
	Void   bool        `json:"void"`
	DryRun bool        `json:"dryRun,omitempty"`
	Moves  []MovedPair `json:"moves"`
}

// A MovedPair is a place of one of two people on a live board, before and after. A rank of 0 is off the board.
type MovedPair struct {
	User      string `json:"user"`
	Board     string `json:"board"`
	Window    string `json:"window"`
	Period    string `json:"period"`
	Score     int64  `json:"score"`
	NextScore int64  `json:"nextScore"`
	Rank      int64  `json:"rank"`
	NextRank  int64  `json:"nextRank"`
}

func (v *Void) checkPair() error {
	switch {
	case v.Other == "":
		return Usage("name two people, or a target: laurel void ada bob, or laurel void --target 42")
	case v.User == v.Other:
		return Usage("name two people: nobody is void with oneself")
	case v.Target != "" || v.Until != "":
		return Usage("--target and --until are for a target, without people")
	}
	return checkReason(v.Reason)
}

// doPair makes a pair of people void, or lifts that, in one slice.
func (v *Void) doPair(ctx context.Context, s *slice) (Result, error) {
	told := Voided{Void: !v.Lift, DryRun: v.DryRun.DryRun, Moves: []MovedPair{}}
	moves, err := s.People.PairMoves(ctx, v.User, v.Other, !v.Lift)
	if err == nil && !v.DryRun.DryRun {
		_, err = s.People.SetVoidPair(ctx, v.User, v.Other, !v.Lift, v.Reason)
	}
	for _, m := range moves {
		told.Moves = append(told.Moves, movedPair(m))
	}
	return ended(told, Voided.String, err)
}

func movedPair(m people.PairMove) MovedPair {
	return MovedPair{
		User: m.User, Board: m.Board, Window: m.Period.Window().String(), Period: m.Period.String(),
		Score: m.Score, NextScore: m.NextScore, Rank: m.Rank, NextRank: m.NextRank,
	}
}

// String shows the places.
func (v Voided) String() string {
	var b strings.Builder
	if len(v.Moves) > 0 {
		rows := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
		_, _ = fmt.Fprintln(rows, "person\tboard\tperiod\tscore\tthen\tplace\tthen")
		for _, m := range v.Moves {
			_, _ = fmt.Fprintf(rows, "%s\t%s\t%s\t%d\t%d\t%s\t%s\n", m.User, m.Board, m.Period, m.Score, m.NextScore,
				placeOf(m.Rank), placeOf(m.NextRank))
		}
		_ = rows.Flush() // into memory
	}
	state := map[bool]string{true: "void", false: "lifted"}[v.Void]
	switch {
	case v.DryRun:
		fmt.Fprintf(&b, "places that would move: %d; nothing was changed\n", len(v.Moves))
	default:
		fmt.Fprintf(&b, "the pair is %s; places that moved: %d\n", state, len(v.Moves))
	}
	return b.String()
}

// placeOf returns a rank as text.
func placeOf(rank int64) string {
	if rank == 0 {
		return "-"
	}
	return strconv.FormatInt(rank, 10)
}
