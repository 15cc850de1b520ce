package items

import (
	"cmp"
	"encoding/binary"
	"slices"
	"strings"

	"laurel/shared/core/board"
	"laurel/shared/core/codec"
)

// Limits of wreaths.
const (
	WreathRanks = 10  // places of a final board that have one
	mostWreaths = 250 // that are kept of a person: the newest
)

// A Wreath is one of the first places of a final board.
type Wreath struct {
	board.ID
	Rank int64 // 1 to WreathRanks
}

// compareWreaths orders wreaths as they are kept: the newest end first, the longer window of two that
// end together, then by board; of a merged person's two by rank.
func compareWreaths(a, b Wreath) int {
	return cmp.Or(cmp.Compare(b.Period.Last(), a.Period.Last()), cmp.Compare(b.Period.Window(), a.Period.Window()),
		strings.Compare(a.Board, b.Board), cmp.Compare(a.Rank, b.Rank))
}

// Rewreathed returns wreaths with those of some boards replaced by the ones won there.
func Rewreathed(wreaths []Wreath, made func(Wreath) bool, won []Wreath) []Wreath {
	kept := append(slices.DeleteFunc(slices.Clone(wreaths), made), won...)
	slices.SortFunc(kept, compareWreaths)
	return kept[:min(len(kept), mostWreaths)]
}

// appendWreaths writes for each board its name and its wreaths: the period's first day and its window
// in one number, of a contest how many days come after that, and the rank.
func appendWreaths(b []byte, wreaths []Wreath) []byte {
	sorted := slices.SortedStableFunc(slices.Values(wreaths), func(a, b Wreath) int {
		return strings.Compare(a.Board, b.Board)
	})
	for _, piece := range byBoard(sorted, func(w Wreath) string { return w.Board }) {
		b = binary.AppendUvarint(codec.AppendText(b, piece[0].Board), uint64(len(piece)))
		for _, w := range piece {
			b = binary.AppendUvarint(b, uint64(w.Period.First())<<windowBits|uint64(w.Period.Window()))
			if w.Period.Window() == board.Contest {
				b = append(b, byte(w.Period.Last()-w.Period.First()))
			}
			b = append(b, byte(w.Rank))
		}
	}
	return b
}

const windowBits = 4

func readWreaths(r *codec.Reader) (wreaths []Wreath) {
	for r.Len() > 0 {
		name := r.Text()
		for n := r.Count(2); n > 0; n-- {
			w := Wreath{ID: board.ID{Board: name, Period: readWreathPeriod(r, name)}, Rank: int64(r.Byte())}
			r.Check(w.Rank >= 1 && w.Rank <= WreathRanks, outOfRange)
			wreaths = append(wreaths, w)
		}
	}
	slices.SortFunc(wreaths, compareWreaths)
	return wreaths
}

func readWreathPeriod(r *codec.Reader, name string) (p board.Period) {
	number := r.Uvarint()
	window, first := board.Window(number&(1<<windowBits-1)), board.Date(number>>windowBits)
	known := number>>windowBits < lastDay
	switch {
	case !known:
	case window == board.Contest:
		days := r.Byte()
		if known = days < board.MaxContestDays; known {
			p = board.NewContest(name, first, first+board.Date(days))
		}
	default:
		p = board.PeriodOf(window, first)
		known = window.Tiles() && p.First() == first
	}
	r.Check(known, outOfRange)
	return p
}

const lastDay = 366 * 200 // from 1970 on
