package ledger

import (
	"fmt"
	"slices"

	"laurel/shared/activity"
	"laurel/shared/board"
)

// Pages are the bytes of a user's pages; "" or absent where there is no such page.
type Pages map[PageKey]string

// openPages are one user's pages, open to be changed. They are for one goroutine.
type openPages struct {
	ledger *Ledger
	room   *room
	closed *board.Closed
	months []*month
	days   []*day
	totals *monthTotals // nil when no board needs it
	follow *FollowList
	status UserStatus
	before []snapshot
	told   []Score // of all receipts
	user   string  // of voided
	voids  map[string]board.Moment
	voided []Row
	one    merging // the activity that is being merged

	anew    *openPages        // made of all rows of the user; nil if the rows are some
	damaged map[PageKey]error // pages that are made anew

	// Room for what is mostly enough.
	firstMonths [2]*month
	firstBefore [8]snapshot
}

// open opens pages. closed is what takes no more writes.
func (l *Ledger) open(pages Pages, closed *board.Closed) (*openPages, error) {
	return l.openIn(new(room), pages, closed)
}

func (l *Ledger) openIn(in *room, pages Pages, closed *board.Closed) (*openPages, error) {
	p := &in.open
	p.ledger, p.room, p.closed = l, in, closed
	p.months, p.before = p.firstMonths[:0], p.firstBefore[:0]
	for key, page := range pages {
		var err error
		switch key.kind {
		case kindMonth:
			var m *month
			m, err = l.openMonth(in, board.MonthOf(key.n), page)
			p.months = append(p.months, m)
		case kindDay:
			var d *day
			d, err = l.openDay(in, board.Date(key.n), page)
			p.days = append(p.days, d)
		case kindFollows:
			p.follow, err = OpenFollows(page)
		case kindStatus:
			p.status, err = OpenUserStatus(page)
		default:
			p.totals, err = openTotals(page)
		}
		if err != nil {
			return nil, fmt.Errorf("page %s: %w", key, err)
		}
	}
	return p, nil
}

// month returns an open month. One that Needs did not name is a mistake of the
// caller, not of the data.
func (p *openPages) month(of board.MonthOf) *month {
	if m := p.findMonth(of); m != nil {
		return m
	}
	panic(notOpen(MonthPage(of)))
}

func (p *openPages) findMonth(of board.MonthOf) *month {
	for _, m := range p.months {
		if m.of == of {
			return m
		}
	}
	return nil
}

func (p *openPages) day(of board.Date) *day {
	for _, d := range p.days {
		if d.of == of {
			return d
		}
	}
	panic(notOpen(DayPage(of)))
}

func (p *openPages) followList() *FollowList {
	if p.follow == nil {
		panic(notOpen(FollowsPage()))
	}
	return p.follow
}

func notOpen(key PageKey) string { return fmt.Sprintf("ledger: page %s was not given", key) }

// dayClosed says whether a day of a rule's board takes no more writes.
func (p *openPages) dayClosed(rule *activity.Rule, date board.Date) bool {
	return p.closed.Has(rule.Board, board.PeriodOf(board.Day, date))
}

// monthClosed says whether a month's pages take no more writes.
func (p *openPages) monthClosed(m board.MonthOf) bool {
	return p.closed.Has("", board.PeriodOf(board.Month, m.First()))
}

// changed returns the pages that differ from what was opened, by kind and time,
// and the months whose page is new.
func (p *openPages) changed() (pages []Page, months []board.MonthOf) {
	pages = cut(&p.room.pages, len(p.months)+len(p.days)+2)[:0]
	if p.totals != nil && p.totals.dirty {
		pages = append(pages, Page{TotalsPage(), p.totals.encode()})
	}
	for _, m := range p.months {
		if m.dirty {
			pages = append(pages, Page{MonthPage(m.of), m.encode(p.room, p.ledger.entries)})
			if m.isNew {
				months = append(months, m.of)
			}
		}
	}
	for _, d := range p.days {
		if d.dirty {
			pages = append(pages, Page{DayPage(d.of), d.encode(p.room, p.ledger.entries)})
		}
	}
	if p.follow != nil && p.follow.dirty {
		pages = append(pages, Page{FollowsPage(), p.follow.encode()})
	}
	slices.SortFunc(pages, func(x, y Page) int { return x.Key.compare(y.Key) })
	slices.Sort(months)
	return pages, months
}
