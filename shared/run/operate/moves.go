package operate

import (
	"fmt"
	"strconv"
	"strings"
	"text/tabwriter"

	"laurel/shared/core/board"
	"laurel/shared/forum/people"
)

// A Moved is a place of one of two people on a live board, before and after. A rank of 0 is off the board.
type Moved struct {
	User      string       `json:"user"`
	Board     string       `json:"board"`
	Window    board.Window `json:"window"`
	Period    string       `json:"period"`
	Score     int64        `json:"score"`
	NextScore int64        `json:"nextScore"`
	Rank      int64        `json:"rank"`
	NextRank  int64        `json:"nextRank"`
}

func movedOf(moves []people.Move) []Moved {
	all := make([]Moved, len(moves))
	for i, m := range moves {
		all[i] = Moved{
			User: m.User, Board: m.Board, Window: m.Period.Window(), Period: m.Period.String(),
			Score: m.Score, NextScore: m.NextScore, Rank: m.Rank, NextRank: m.NextRank,
		}
	}
	return all
}

// writeMoves writes places as a table if there are any, and that a dry run has changed nothing.
func writeMoves(b *strings.Builder, moves []Moved, dry bool) {
	rows := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
	if len(moves) > 0 {
		_, _ = fmt.Fprintln(rows, "person\tboard\tperiod\tscore\tthen\tplace\tthen")
	}
	for _, m := range moves {
		_, _ = fmt.Fprintf(rows, "%s\t%s\t%s\t%d\t%d\t%s\t%s\n", m.User, m.Board, periodText(m.Window, m.Period),
			m.Score, m.NextScore, placeOf(m.Rank), placeOf(m.NextRank))
	}
	_ = rows.Flush() // into memory
	if dry {
		fmt.Fprintf(b, "places that would move: %d; nothing was changed\n", len(moves))
	}
}

// periodText returns the name of a period, of a window that rolls with its days: 7 days to 2026-11-20.
func periodText(w board.Window, name string) string {
	if w.Rolls() {
		return fmt.Sprintf("%d days to %s", w.Days(), name)
	}
	return name
}

// placeOf returns a rank as text.
func placeOf(rank int64) string {
	if rank == 0 {
		return "-"
	}
	return strconv.FormatInt(rank, 10)
}
