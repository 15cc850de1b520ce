package ledger

import (
	"fmt"
	"slices"
	"strings"

	"laurel/shared/core/activity"
	"laurel/shared/core/board"
)

// openPages are an account's ledgers, as far as they are needed, open to be changed.
type openPages struct {
	ledger  *Ledger
	room    *room
	account *Account
	known   Surroundings
	erased  board.Moment // of the present activity's user
	months  []*month
	days    []*day
	before  []Shown // the places that are touched, before the first change
	follows []FollowChange
}

// openPage are the groups of a page, open.
type openPage struct {
	groups []*group // by action
	dirty  bool
}

// find returns where the group of an action is, or would be.
func (p *openPage) find(action string) (int, bool) {
	return slices.BinarySearchFunc(p.groups, action, func(g *group, action string) int {
		return strings.Compare(g.action, action)
	})
}

// entries returns how many entries the page holds.
func (p *openPage) entries() int {
	n := 0
	for _, g := range p.groups {
		n += len(g.records)
	}
	return n
}

// day is a user's day page, open: the entries that are by day.
type day struct {
	openPage
	date  board.Date
	isNew bool
}

// open returns a user's account, open to be changed, none of its months yet. The caller must close it.
func (l *Ledger) open(a *Account, s Surroundings) *openPages {
	in := l.rooms.Get().(*room) //nolint:forcetypeassert // it has no others
	in.open = openPages{ledger: l, room: in, account: a, known: s}
	return &in.open
}

// close gives the memory of an account's pages back.
func (p *openPages) close() {
	l, in := p.ledger, p.room
	in.reset()
	l.rooms.Put(in)
}

// counted returns months and, where boards over several months need them, all others that the account has.
func (p *openPages) counted(months []board.MonthOf) []board.MonthOf {
	if !p.ledger.KeepsLong() {
		return months
	}
	all := append(p.account.sorted(), months...)
	slices.Sort(all)
	return slices.Compact(all)
}

// final says whether a month counts by the account's totals.
func (p *openPages) final(m board.MonthOf) bool {
	return p.known.Life.Final(board.PeriodOf(board.Month, m.First()))
}

func (p *openPages) openMonths(months []board.MonthOf) error {
	for _, number := range months {
		source := p.account.ledger(number)
		m, err := p.ledger.openMonth(p.room, p.account, number)
		if err != nil {
			return err
		}
		m.size = p.sizesOf(source, false)
		p.months = append(p.months, m)
	}
	return nil
}

// openMonth opens the month page of an account.
func (l *Ledger) openMonth(in *room, a *Account, number board.MonthOf) (*month, error) {
	m, source := l.newMonth(in, number), a.ledger(number)
	m.voidWith, m.own = a.VoidWith, a.Own
	if source == nil {
		return m, nil
	}
	m.awards.take(source.Awards, m.days)
	if source.Month == "" {
		return m, nil
	}
	groups, err := readPage(in, source.Month)
	if err != nil {
		return nil, fmt.Errorf("ledger of %s: %w", number, err)
	}
	m.groups, m.actions = make([]*group, 0, len(groups)+1), make([]*actionTotals, 0, len(groups)+1)
	for i := range groups {
		m.count(m.insert(i, &groups[i]), allDays)
	}
	return m, nil
}

// openDays opens the pages of days on which activities have entries by day.
func (p *openPages) openDays(acts []activity.Activity) error {
	for i := range acts {
		date := p.ledger.calendar.Date(acts[i].At)
		rule := p.ledger.rules.On(date).Find(acts[i].Action)
		if rule == nil || rule.Scope(acts[i].Ref) != activity.PerDay || !p.known.Life.TakesReports(date) {
			continue
		}
		if !slices.ContainsFunc(p.days, func(d *day) bool { return d.date == date }) {
			if err := p.openDay(date); err != nil {
				return err
			}
		}
	}
	return nil
}

// openDay opens a day's page, even an absent one. That of a day that was closed counts for nothing.
func (p *openPages) openDay(date board.Date) error {
	d := p.room.days.one()
	d.date, d.isNew = date, true
	p.days = append(p.days, d)
	source := p.account.ledger(date.Month())
	if source == nil || source.Days[date] == "" || p.wasClosed(date) {
		return nil
	}
	groups, err := readPage(p.room, source.Days[date])
	if err != nil {
		return fmt.Errorf("ledger of %s: page %s: %w", date.Month(), date, err)
	}
	d.isNew = false
	for i := range groups {
		d.groups = append(d.groups, &groups[i])
	}
	return nil
}

// month returns an open month. One that MonthsOf did not name is a mistake of the caller.
func (p *openPages) month(number board.MonthOf) *month {
	if m := p.findMonth(number); m != nil {
		return m
	}
	panic("ledger: the month " + number.String() + " is not open")
}

func (p *openPages) findMonth(number board.MonthOf) *month {
	for _, m := range p.months {
		if m.number == number {
			return m
		}
	}
	return nil
}

func (p *openPages) day(date board.Date) *day {
	for _, d := range p.days {
		if d.date == date {
			return d
		}
	}
	panic("ledger: the day " + date.String() + " is not open")
}

// monthClosed says whether a month takes nothing more.
func (p *openPages) monthClosed(m board.MonthOf) bool {
	return p.known.Life.Closed(board.PeriodOf(board.Month, m.First()))
}

// wasClosed says whether a day is or was closed: all that is left of it is its summaries.
func (p *openPages) wasClosed(day board.Date) bool {
	return p.known.Life.WasClosed(board.PeriodOf(board.Day, day))
}

// group returns the group of an action, a new one where there is none.
func (d *day) group(action string) *group {
	i, found := d.find(action)
	if !found {
		d.groups = slices.Insert(d.groups, i, &group{action: action})
	}
	return d.groups[i]
}

// summarize sums up the standing entries of a day page's group, for the month page. Where the action has entries
// by month too, the two share caps, so all moments are listed that may be within one; else the decisive ones are
// enough.
func summarize(g *group, index int, rule *activity.Rule) daySummary {
	n := daySummary{day: index}
	for i := range g.records {
		if g.records[i].Stands() {
			n.moments = append(n.moments, g.records[i].CountsAt())
		}
	}
	if n.n = int64(len(n.moments)); n.n == 0 {
		return n
	}
	slices.Sort(n.moments)
	all := n.moments[:rule.Counted(len(n.moments))]
	last, caps := all[len(all)-1], rule.Caps()
	shared := rule.TakesRef() && rule.EntryWithRef != rule.Entry
	switch {
	case shared && rule.Cap > 0:
		n.moments = all
	case shared && len(caps) > 0:
		most := min(caps[len(caps)-1], len(all)-1)
		n.moments = append(n.moments[:most], last)
	default:
		n.moments = nil
		for _, limit := range caps {
			if limit < len(all) {
				n.caps, n.moments = append(n.caps, limit), append(n.moments, all[limit-1])
			}
		}
		n.moments = append(n.moments, last)
	}
	return n
}
