package ledger

import (
	"cmp"
	"encoding/binary"
	"slices"

	"laurel/shared/board"
	"laurel/shared/codec"
)

// total is what one month came to on one board, not held to board.MaxScore.
type monthTotal struct {
	board   string
	month   board.MonthOf
	score   int64
	reached board.Moment
}

// totals is a user's totals page, open: it outlives the months' pages, for the
// windows that are longer than a month.
type monthTotals struct {
	months []monthTotal // by board, then month; none without a score
	isNew  bool
	dirty  bool
}

func openTotals(page string) (*monthTotals, error) {
	t := &monthTotals{isNew: page == ""}
	if page == "" {
		return t, nil
	}
	r, err := formatTotals.open(page)
	if err != nil {
		return nil, err
	}
	t.months = make([]monthTotal, r.Count(4))
	for i := range t.months {
		m := monthTotal{r.Text(), board.MonthOf(r.Uvarint()), int64(r.Uvarint()), board.Moment(r.Uvarint())}
		r.Check(i == 0 || compareTotals(t.months[i-1], m) < 0, outOfOrder)
		r.Check(m.score > 0 && m.reached.Valid() && m.month >= 0 && m.month <= 12*2200, outOfRange)
		if t.months[i] = m; r.Failed() {
			break
		}
	}
	return t, r.Done()
}

func (t *monthTotals) encode() string {
	b := binary.AppendUvarint([]byte{formatTotals.number}, uint64(len(t.months)))
	for _, m := range t.months {
		b = codec.AppendText(b, m.board)
		b = binary.AppendUvarint(b, uint64(m.month))
		b = binary.AppendUvarint(b, uint64(m.score))
		b = binary.AppendUvarint(b, uint64(m.reached))
	}
	return seal(b)
}

func compareTotals(a, b monthTotal) int {
	return cmp.Or(cmp.Compare(a.board, b.board), cmp.Compare(a.month, b.month))
}

// set keeps what a month came to.
func (t *monthTotals) set(m monthTotal) {
	i, ok := slices.BinarySearchFunc(t.months, m, compareTotals)
	switch {
	case ok && t.months[i] == m, !ok && m.score == 0:
		return
	case ok && m.score == 0:
		t.months = slices.Delete(t.months, i, i+1)
	case ok:
		t.months[i] = m
	default:
		t.months = slices.Insert(t.months, i, m)
	}
	t.dirty = true
}

// sum returns what the months of a period came to on a board: of a year, or of
// all time.
func (t *monthTotals) sum(name string, p board.Period) (score int64, reached board.Moment) {
	for _, m := range t.months {
		if m.board == name && (p.Window() == board.All || board.PeriodOf(board.Year, m.month.First()) == p) {
			score += m.score
			reached = max(reached, m.reached)
		}
	}
	return score, reached
}
