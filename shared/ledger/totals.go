package ledger

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
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

// marks says whether it only marks a month of a page that is kept as known: what the page
// has not of the month is 0.
func (m monthTotal) marks() bool { return m == monthTotal{month: m.month} }

// totals is a user's totals page, open: it outlives the months' pages, for the
// windows that are longer than a month.
type monthTotals struct {
	months []monthTotal // by board, then month; none without a score but marks
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
		r.Check((m.score > 0 && m.reached.Valid() || m.marks()) && m.month >= 0 && m.month <= 12*2200, outOfRange)
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

// A Total is what a month came to on a board.
type Total struct {
	Board  string
	Month  board.MonthOf
	Packed board.Packed // of the month's board
}

// MergeTotals merges what is known of months whose pages are closed into the totals page:
// from one that was kept, "" for none, and what final months came to, which says more. A
// month that has the same score keeps its moment, which is more exact; Ticks of the longer
// windows do not tell them apart. pages are the totals and the status page. Damaged totals
// are made anew. It may be done again.
func (l *Ledger) MergeTotals(pages Pages, closed *board.Closed, kept string, totals []Total) (Changes, error) {
	_, err := openTotals(pages[TotalsPage()])
	damaged := errors.Is(err, codec.ErrDamaged)
	if damaged {
		pages = maps.Clone(pages)
		pages[TotalsPage()] = ""
	}
	p, err := l.open(pages, closed)
	if err != nil {
		return Changes{}, err
	}
	from, err := openTotals(kept)
	if err != nil {
		return Changes{}, err
	}
	for _, t := range totals {
		period := board.PeriodOf(board.Month, t.Month.First())
		at := l.calendar.AtTicks(period, t.Packed.Ticks())
		if m := (monthTotal{t.Board, t.Month, t.Packed.Score(), at}); !from.has(m) {
			from.set(m)
		}
	}
	from.months = slices.DeleteFunc(from.months, func(m monthTotal) bool { return m.marks() || !p.monthClosed(m.month) })
	for _, m := range from.months {
		p.touch(m.board, m.month.First())
	}
	for _, m := range from.months {
		if !p.totals.has(m) {
			p.totals.set(m)
		}
	}
	p.totals.dirty = p.totals.dirty || damaged // also where nothing is known of any month
	return p.changes(), nil
}

// A MonthTotal is what a month came to on a board, and when that was reached.
type MonthTotal struct {
	Board   string
	Month   board.MonthOf
	Score   int64
	Reached board.Moment
}

// MonthTotals reads a totals page, "" for none: by board, then month. The error is that of
// Decide.
func MonthTotals(page string) ([]MonthTotal, error) {
	t, err := openTotals(page)
	if err != nil {
		return nil, fmt.Errorf("page %s: %w", TotalsPage(), err)
	}
	all := make([]MonthTotal, 0, len(t.months))
	for _, m := range t.months {
		if !m.marks() {
			all = append(all, MonthTotal{m.board, m.month, m.score, m.reached})
		}
	}
	return all, nil
}

// KeepTotals returns the totals page that is to be kept of a user, with what a month came to,
// whose pages are about to be removed. It takes that from the user's page, and of other months
// what was kept until now, "" for none; not what is damaged.
func KeepTotals(kept, page string, month board.MonthOf) (string, error) {
	to, err := openTotals(kept)
	if errors.Is(err, codec.ErrDamaged) {
		to, err = &monthTotals{}, nil
	}
	if err != nil {
		return "", err
	}
	from, err := openTotals(page)
	if err != nil {
		return "", err
	}
	to.months = slices.DeleteFunc(to.months, func(m monthTotal) bool { return m.month == month })
	to.months = append(to.months, monthTotal{month: month})
	for _, m := range from.months {
		if m.month == month {
			to.months = append(to.months, m)
		}
	}
	slices.SortFunc(to.months, compareTotals)
	return to.encode(), nil
}

// KeptMonths returns the months of which KeepTotals has put into a page what they came to.
func KeptMonths(kept string) ([]board.MonthOf, error) {
	t, err := openTotals(kept)
	if err != nil {
		return nil, err
	}
	var months []board.MonthOf
	for _, m := range t.months {
		if m.marks() {
			months = append(months, m.month)
		}
	}
	return months, nil
}

// CutTotals returns a totals page with the months that are kept alone.
func CutTotals(page string, keep func(board.MonthOf) bool) (string, error) {
	t, err := openTotals(page)
	if err != nil {
		return "", err
	}
	t.months = slices.DeleteFunc(t.months, func(m monthTotal) bool { return !keep(m.month) })
	return t.encode(), nil
}

// has says whether a month has the score, as its board shows it.
func (t *monthTotals) has(m monthTotal) bool {
	i, ok := slices.BinarySearchFunc(t.months, m, compareTotals)
	return ok && min(t.months[i].score, board.MaxScore) == m.score
}
