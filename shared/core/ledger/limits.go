package ledger

import (
	"cmp"

	"laurel/shared/core/activity"
	"laurel/shared/core/board"
)

// Limits of a user's ledger of a month in bytes. The entries that the caps of rules allow in a month have room, as
// MaxMonthEntries says, and a moment of an entry that is kept always fits.
const (
	MaxMonthPage = 220 << 10 // of entries by month
	MaxDayPages  = 20 << 10  // of the pages of days that are not yet over by MaxAge
	MaxVotes     = 8 << 10
	MaxAwardRoom = 40 << 10
	MaxItem      = 395 << 10 // of all, if every entry had each of its moments; DynamoDB's limit is 400 KB
)

// Limits of a month within which entries over their day's cap are kept.
const (
	maxOverCapEntries = 2_000
	maxOverCap        = 24 << 10
)

const (
	maxOther     = 10 // bytes that another person of an entry by month may take
	maxRecord    = 12 // bytes that an entry of one moment takes beside its key
	laterInMonth = 18 // bytes that later moments of an entry may take
	laterInDay   = 15
	minRecord    = 3 // bytes that an entry takes, with its key
	crowd        = 4 // times the cap of a day are its entries, standing or not
)

// sizes are how many bytes a ledger takes, about, without its votes and awards.
type sizes struct {
	month, days, other int
	later              int  // room for later moments of entries by day
	measured           bool // nothing is estimated, and nothing was added since
}

// all returns how many bytes the ledger may come to take.
func (s *sizes) all(entries int) int {
	return s.month + s.days + s.other + s.later + MaxVotes + MaxAwardRoom + laterInMonth*entries
}

// sizesOf returns the sizes of a ledger, nil for none, as it is when it is written next. How many entries pages of days
// have is only estimated if they are not to be measured.
func (p *openPages) sizesOf(m *MonthLedger, measure bool) sizes {
	s := sizes{other: len(p.account.User) + ledgerFrame, measured: measure}
	if m == nil {
		return s
	}
	s.month = len(m.Month)
	for day, page := range m.Days {
		if p.wasClosed(day) { // it leaves
			continue
		}
		s.add(p.isRecent(day), len(page)+dayFrame)
		entries := len(page) / minRecord
		if measure {
			entries = entriesOn(page)
		}
		s.later += laterInDay * entries
	}
	return s
}

func (s *sizes) add(recent bool, n int) {
	if recent {
		s.days += n
	} else {
		s.other += n
	}
}

// entriesOn returns how many entries a page has; of a page that cannot be read the most that it may have.
func entriesOn(page string) (n int) {
	groups, err := readPage(new(room), page)
	if err != nil {
		return len(page) / minRecord
	}
	for i := range groups {
		n += len(groups[i].records)
	}
	return n
}

// isRecent says whether a day is not yet over by MaxAge: it may be reported. Pages of others are filled by imports.
func (p *openPages) isRecent(day board.Date) bool {
	return p.ledger.calendar.Start(day+1).Add(MaxAge) >= p.known.Now
}

// grown returns the sizes of a ledger with the activity's entry, a new one.
func (a *applying) grown(e entered) sizes {
	size, n := e.month.size, len(a.key)+maxRecord
	size.measured = false
	if e.day == nil {
		if size.month += n; a.other != 0 {
			size.month += maxOther
		}
	} else {
		size.add(a.isRecent(e.day.date), n)
		size.month += maxRecord // the day's summary has one moment more
		size.later += laterInDay
	}
	return size
}

// fits says whether the limits leave room for a new entry. An estimate is measured before it refuses one.
func (a *applying) fits(e entered) bool {
	if a.hasRoom(e) {
		return true
	}
	if e.month.size.measured {
		return false
	}
	e.month.size = a.sizesOf(cmp.Or(a.changedLedger(e.month), a.account.ledger(e.month.number)), true)
	return a.hasRoom(e)
}

// hasRoomForOther says whether the limits leave room for another person of an entry, and takes it: a new entry has it.
func (a *applying) hasRoomForOther(e entered) bool {
	size := &e.month.size
	if e.isNew || e.group.records[e.index].other != 0 {
		return true
	}
	if size.month+maxOther > MaxMonthPage || size.all(e.month.entries())+maxOther > MaxItem {
		return false
	}
	size.month += maxOther
	return true
}

func (a *applying) hasRoom(e entered) bool {
	size, entries := a.grown(e), e.month.entries()
	switch {
	case e.day == nil && (entries >= activity.MaxMonthEntries || size.month > MaxMonthPage):
		return false
	case e.day != nil && e.day.entries() >= activity.MaxDayEntries:
		return false
	case e.day != nil && a.isRecent(e.day.date) && size.days > MaxDayPages:
		return false
	case size.all(entries+1) > MaxItem:
		return false
	case a.rule.Cap == 0 || len(e.group.records) < a.rule.Cap:
		return true
	}
	n := a.entriesOfDay(e.group)
	return n < a.rule.Cap || n < crowd*a.rule.Cap && entries < maxOverCapEntries && size.month+size.days <= maxOverCap
}

// entriesOfDay returns how many entries of a group the activity's day has, standing or not.
func (a *applying) entriesOfDay(g *group) (n int) {
	start, until := a.ledger.calendar.Start(a.date), a.ledger.calendar.Start(a.date+1)
	for i := range g.records {
		if first := g.records[i].earliest(); first >= start && first < until {
			n++
		}
	}
	return n
}
