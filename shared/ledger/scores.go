package ledger

import (
	"cmp"
	"slices"
	"strings"

	"laurel/shared/board"
)

// touch remembers what a day and its longer periods were worth on a board before
// the first change to them. What is closed is not written, so not remembered.
func (b *Book) touch(name string, date board.Date) {
	for _, w := range b.ledger.rules.Windows(name) {
		at := place{name, board.PeriodOf(w, date)}
		if !b.remembers(at) && !b.closed.Has(at.board, at.period) {
			b.before = append(b.before, snapshot{at, b.packed(at)})
		}
	}
}

// remembers looks through what is mostly a day or two and their periods.
func (b *Book) remembers(at place) bool {
	for i := range b.before {
		if b.before[i].place == at {
			return true
		}
	}
	return false
}

// scores returns what the user has on a board in a day and its longer periods,
// the live ones.
func (b *Book) scores(name string, date board.Date) []Score {
	windows := b.ledger.rules.Windows(name)
	scores := make([]Score, 0, len(windows))
	for _, w := range windows {
		at := place{name, board.PeriodOf(w, date)}
		if !b.closed.Has(at.board, at.period) {
			scores = append(scores, Score{w, b.score(at)})
		}
	}
	return scores
}

// score is what a place is worth, held to board.MaxScore.
func (b *Book) score(at place) int64 {
	if at.period.Window() == board.Month {
		if m := b.findMonth(at.period.First().Month()); m != nil {
			return min(m.sums[m.boardIndex(at.board)], board.MaxScore)
		}
	}
	score, _ := b.worth(at)
	return min(score, board.MaxScore)
}

// packed is the number for a place, 0 for who is not on the board.
func (b *Book) packed(at place) board.Packed {
	score, reached := b.worth(at)
	if score == 0 {
		return 0
	}
	return board.Pack(score, b.ledger.calendar.Ticks(at.period, reached))
}

// worth is what the user has in a place, and when it was reached.
func (b *Book) worth(at place) (score int64, reached board.Moment) {
	switch at.period.Window() {
	case board.Day, board.Week:
		for date := at.period.First(); date < at.period.Next().First(); date++ {
			if m := b.findMonth(date.Month()); m != nil {
				s, r := m.day(at.board, int(date-m.days.First))
				score += s
				reached = max(reached, r)
			}
		}
		return score, reached
	case board.Month:
		if m := b.findMonth(at.period.First().Month()); m != nil {
			return m.sum(at.board)
		}
		return 0, 0
	default:
		b.foot()
		return b.totals.sum(at.board, at.period)
	}
}

// foot carries what the changed months come to into the totals. Who has months
// has totals, be they empty: whether the page is there must not depend on what
// came first.
func (b *Book) foot() {
	for _, m := range b.months {
		if !m.dirty {
			continue
		}
		b.totals.dirty = b.totals.dirty || b.totals.isNew
		for _, name := range b.ledger.rules.Boards() {
			score, reached := m.sum(name)
			b.totals.set(total{name, m.of, score, reached})
		}
	}
}

// shown is what the month's scores are, all boards together, each held to
// board.MaxScore.
func (m *month) shown() int64 {
	var shown int64
	for _, sum := range m.sums {
		shown += min(sum, board.MaxScore)
	}
	return shown
}

// addSum adds what a lane is worth on a day to the month's sums, or takes it off.
func (m *month) addSum(ln *lane, day int, sign int64) {
	if ln.cells[day].n == 0 {
		return
	}
	if i := m.boardIndex(m.rule(ln, day).Board); i >= 0 {
		m.sums[i] += sign * m.points(ln, day)
	}
}

// boardIndex returns where a board stands in sums, -1 for none.
func (m *month) boardIndex(name string) int { return slices.Index(m.names, name) }

// Changes are what recording has to write: all of it, or nothing.
type Changes struct {
	Pages  []Page          // that differ from what was read
	Months []board.MonthOf // whose page is new
	Scores []Move          // on live boards; none while the user is hidden
	Join   []string        // who comes onto the follow list, by id
	Leave  []string        // who leaves it
}

// A Page is a page's new bytes.
type Page struct {
	Key  PageKey
	Data string
}

// A Move is a user's new place on a board.
type Move struct {
	Board  string
	Period board.Period
	Packed board.Packed // 0: not on the board any more
}

// Empty says whether there is nothing to write.
func (c Changes) Empty() bool { return len(c.Pages)+len(c.Scores)+len(c.Join)+len(c.Leave) == 0 }

// Changes returns what the activities applied so far have changed, in an order
// that depends on nothing else.
func (b *Book) Changes() Changes {
	var c Changes
	for _, was := range b.before {
		if b.status.Away() {
			break
		}
		if now := b.packed(was.place); now != was.packed {
			c.Scores = append(c.Scores, Move{was.board, was.period, now})
		}
	}
	slices.SortFunc(c.Scores, func(x, y Move) int {
		return cmp.Or(strings.Compare(x.Board, y.Board), x.Period.Compare(y.Period))
	})
	if b.totals != nil {
		if b.foot(); b.totals.dirty {
			c.Pages = append(c.Pages, Page{TotalsPage(), b.totals.encode()})
		}
	}
	for _, m := range b.months {
		if m.dirty {
			c.Pages = append(c.Pages, Page{MonthPage(m.of), m.encode()})
			if m.isNew {
				c.Months = append(c.Months, m.of)
			}
		}
	}
	for _, d := range b.days {
		if d.dirty {
			c.Pages = append(c.Pages, Page{DayPage(d.of), d.encode()})
		}
	}
	if b.follow != nil && b.follow.dirty {
		c.Pages = append(c.Pages, Page{FollowsPage(), b.follow.encode()})
		c.Join, c.Leave = b.follow.moved()
	}
	slices.SortFunc(c.Pages, func(x, y Page) int {
		return cmp.Or(cmp.Compare(x.Key.kind, y.Key.kind), cmp.Compare(x.Key.n, y.Key.n))
	})
	slices.Sort(c.Months)
	return c
}
