package ledger

import (
	"laurel/shared/activity"
	"laurel/shared/board"
)

// Limits of a user's pages in bytes. New entries are refused past them; a moment
// on a kept entry always fits.
const (
	MaxMonthPage = 64 << 10
	MaxDayPage   = 16 << 10
)

const (
	maxRecord = 12 // bytes that an entry of one moment takes beside its key
	crowd     = 4  // times the cap of a day are its entries, standing or not
)

// entered is the entry that an activity falls in, and where it is kept.
type entered struct {
	month  *month
	totals *actionTotals
	day    *day // nil when the entry is by month
	group  *group
	at     int // of the group's records
}

func (e entered) moments() Moments { return e.group.records[e.at].Moments }

// start returns the first moment at which the entry can be done.
func (e entered) start() board.Moment {
	if e.day != nil {
		return e.month.days.Start(int(e.day.of - e.month.days.First))
	}
	return e.month.days.Start(0)
}

// enter returns the activity's entry in the month, a new one when the limits leave
// room for it. On a void target it is undone.
func (a *merging) enter(m *month) (entered, bool) {
	e := entered{month: m, totals: m.action(a.rule.Action)}
	e.group = e.totals.group
	if a.scope == activity.PerDay {
		e.day = a.openPages.day(a.date)
		e.group = e.day.group(a.rule.Action)
	}
	if e.at = e.group.find(a.key); e.at < 0 {
		if a.limited && !a.fits(e) {
			return e, false
		}
		a.add(&e)
	}
	if a.void != 0 && !a.rule.TargetIsUser {
		a.raise(&e, a.void)
	}
	return e, true
}

// add adds a new entry without moments.
func (a *merging) add(e *entered) {
	e.at = len(e.group.records)
	e.group.records = append(e.group.records, record{key: a.key})
	if e.day != nil {
		e.day.size += len(a.key) + maxRecord
	} else {
		e.month.size += len(a.key) + maxRecord
	}
}

// fits says whether the limits leave room for a new entry.
func (a *merging) fits(e entered) bool {
	size := len(a.key) + maxRecord
	if e.day != nil && (e.day.size+size > MaxDayPage || e.day.entries() >= activity.MaxDayEntries) {
		return false
	}
	if e.day == nil && (e.month.size+size > MaxMonthPage || e.month.entries() >= activity.MaxMonthEntries) {
		return false
	}
	limit := crowd * a.rule.Cap
	if limit == 0 || len(e.group.records) < limit {
		return true
	}
	days := a.ledger.calendar.Month(a.date.Month())
	from := days.Start(int(a.date - days.First))
	until := days.Start(int(a.date-days.First) + 1)
	n := 0
	for i := range e.group.records {
		if at := e.group.records[i].earliest(); at >= from && at < until {
			n++
		}
	}
	return n < limit
}

func (e entered) page() PageKey {
	if e.day != nil {
		return DayPage(e.day.of)
	}
	return MonthPage(e.month.of)
}

// raise undoes an entry on a target that is void up to a moment. Where the entry can
// only be done after it, nothing changes.
func (a *merging) raise(e *entered, until board.Moment) {
	old := e.moments()
	if until < e.start() || old.Undone >= until {
		return
	}
	a.voided = append(a.voided, Row{
		Activity: activity.Activity{User: a.user, Action: e.group.action, At: until},
		Changed:  Own, Key: e.group.records[e.at].key, Page: e.page(),
	})
	changed := a.changed
	a.become(e, old.undone(until))
	a.changed = changed // by the void, not by the activity
}
