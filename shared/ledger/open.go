package ledger

import (
	"fmt"
	"slices"

	"laurel/shared/activity"
	"laurel/shared/board"
)

// openPages are an account's ledgers, as far as they are needed, open to be changed. They are
// for one goroutine.
type openPages struct {
	ledger  *Ledger
	room    *room
	account *Account
	known   Surroundings
	months  []*month
	days    []*day
	before  []snapshot
	told    []Score // of all receipts
	follows []FollowChange
	voided  int     // entries met on targets that are void, and undone
	one     merging // the activity that is being merged
}

// openAccount returns a user's account, open to be changed, none of its months yet.
func (l *Ledger) openAccount(in *room, a *Account, s Surroundings) *openPages {
	p := &in.open
	p.ledger, p.room, p.account, p.known = l, in, a, s
	return p
}

// counted returns months and, where boards over several months need them, all others that the
// account has.
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
	for _, of := range months {
		from, m := p.account.ledger(of), p.ledger.newMonth(p.room, of)
		if m.size = p.sizesOf(from); from != nil && from.Month != "" {
			groups, err := readPage(p.room, from.Month)
			if err != nil {
				return fmt.Errorf("ledger of %s: %w", of, err)
			}
			m.setGroups(groups)
		}
		p.months = append(p.months, m)
	}
	return nil
}

// openDays opens the pages of days on which activities have entries by day.
func (p *openPages) openDays(acts []activity.Activity) error {
	for i := range acts {
		date := p.ledger.calendar.Date(acts[i].At)
		rule := p.ledger.rules.On(date).Find(acts[i].Action)
		if rule == nil || rule.Metric || rule.Scope(acts[i].Ref) != activity.PerDay || !p.known.Life.TakesReports(date) {
			continue
		}
		if !slices.ContainsFunc(p.days, func(d *day) bool { return d.of == date }) {
			if err := p.openDay(date); err != nil {
				return err
			}
		}
	}
	return nil
}

// openDay opens a day's page, be it absent. That of a day that was closed counts for nothing.
func (p *openPages) openDay(date board.Date) error {
	d := p.room.days.one()
	d.of, d.isNew = date, true
	p.days = append(p.days, d)
	from := p.account.ledger(date.Month())
	if from == nil || from.Days[date] == "" || p.wasClosed(date) {
		return nil
	}
	groups, err := readPage(p.room, from.Days[date])
	if err != nil {
		return fmt.Errorf("ledger of %s: page %s: %w", date.Month(), date, err)
	}
	d.isNew = false
	for i := range groups {
		d.groups = append(d.groups, &groups[i])
	}
	return nil
}

// month returns an open month. One that MonthsOf did not name is a mistake of the caller, not
// of the data.
func (p *openPages) month(of board.MonthOf) *month {
	if m := p.findMonth(of); m != nil {
		return m
	}
	panic("ledger: the month " + of.String() + " is not open")
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
	panic("ledger: the day " + of.String() + " is not open")
}

// monthClosed says whether a month takes nothing more.
func (p *openPages) monthClosed(m board.MonthOf) bool {
	return p.known.Life.Closed(board.PeriodOf(board.Month, m.First()))
}

// wasClosed says whether a day is or was closed: all that is left of it is its summaries.
func (p *openPages) wasClosed(day board.Date) bool {
	return p.known.Life.WasClosed(board.PeriodOf(board.Day, day))
}

// isDue says whether a day is due to be closed.
func (p *openPages) isDue(day board.Date) bool {
	return board.Due(board.PeriodOf(board.Day, day), p.today(), p.known.HotDays, 0)
}

// today returns the day that it is.
func (p *openPages) today() board.Date {
	if p.known.Today != 0 {
		return p.known.Today
	}
	return p.ledger.calendar.Date(p.known.Now)
}
