package board

import (
	"fmt"
	"sort"
	"strings"
	"sync"
	"time"
)

// A Calendar converts moments to the forum's days. It is safe for concurrent use.
//
// A day starts at the first instant at which the zone's clocks show its date, and ends where the next one
// starts. So days have 23 or 25 hours where the clocks change, a day without a midnight starts with its first
// hour, an hour repeated across midnight belongs to the day that had begun, and a skipped date is an empty day.
type Calendar struct {
	zone   *time.Location
	months sync.Map // MonthOf -> *MonthDays
}

// MonthDays holds where the days of one month start.
type MonthDays struct {
	First Date // the month's first day
	Days  int  // the number of its days
	start [32]Moment
}

// Start returns the first moment of the month's day i, from 0; of Days the first one after the month.
func (m *MonthDays) Start(i int) Moment { return m.start[i] }

// Index returns the day of the month, from 0, that the moment is in or nearest to.
func (m *MonthDays) Index(moment Moment) int {
	return sort.Search(m.Days-1, func(i int) bool { return moment < m.start[i+1] })
}

// NewCalendar returns the calendar of a time zone.
func NewCalendar(zone *time.Location) *Calendar { return &Calendar{zone: zone} }

// LoadCalendar returns the calendar of an IANA time zone such as Asia/Shanghai.
func LoadCalendar(name string) (*Calendar, error) {
	zone, err := time.LoadLocation(name)
	if name == "" || name == "Local" || err != nil {
		return nil, fmt.Errorf("%q is not an IANA time zone such as Europe/Berlin", name)
	}
	return NewCalendar(zone), nil
}

// Zone returns the calendar's time zone.
func (c *Calendar) Zone() *time.Location { return c.zone }

// Text returns a moment as answers have it: RFC 3339 in the calendar's zone, with milliseconds; "" for 0, none.
func (c *Calendar) Text(m Moment) string {
	if m == 0 {
		return ""
	}
	return m.Time().In(c.zone).Format("2006-01-02T15:04:05.000Z07:00")
}

// Date returns the day that the moment is in.
func (c *Calendar) Date(m Moment) Date {
	d := Date(int64(m) / 86_400_000) // of UTC, at most a day off
	for m < c.Start(d) {
		d--
	}
	for m >= c.Start(d+1) {
		d++
	}
	return d
}

// Start returns the first moment of a day.
func (c *Calendar) Start(d Date) Moment {
	// Estimated from the mean length of a month; the loops correct it by one.
	month := MonthOf((int64(d) + 719_528) * 4800 / 146_097)
	days := c.Month(month)
	for d < days.First {
		month--
		days = c.Month(month)
	}
	for d >= days.First+Date(days.Days) {
		month++
		days = c.Month(month)
	}
	return days.start[d-days.First]
}

// Bounds returns the first moment of the period and the first one after it: Earliest and Latest for All.
func (c *Calendar) Bounds(p Period) (start, end Moment) {
	if p.window == All {
		return Earliest, Latest
	}
	return c.Start(p.First()), c.Start(p.Last() + 1)
}

func (c *Calendar) begin(p Period) Moment {
	if p.window == All {
		return Earliest
	}
	return c.Start(p.First())
}

// Ticks returns the time from the period's start (Earliest for All) to the moment in the window's steps. It is
// always in [0, 2^27).
func (c *Calendar) Ticks(p Period, m Moment) int64 {
	return min(max(int64((m-c.begin(p))/c.step(p)), 0), tickMask)
}

// AtTicks returns the first moment with these ticks in a period.
func (c *Calendar) AtTicks(p Period, ticks int64) Moment {
	return c.begin(p) + Moment(ticks)*c.step(p)
}

// step returns the tick of a period: of a contest the smallest power of two of milliseconds for which it has at most
// 2^27 ticks.
func (c *Calendar) step(p Period) Moment {
	if step := windows[p.window].step; step > 0 {
		return step
	}
	start, end := c.Bounds(p)
	step := Moment(1)
	for end-start > step<<tickBits {
		step *= 2
	}
	return step
}

// Month returns where the days of a month start.
func (c *Calendar) Month(m MonthOf) *MonthDays {
	if known, ok := c.months.Load(m); ok {
		return known.(*MonthDays)
	}
	first := m.First()
	ms := &MonthDays{First: first, Days: int((m + 1).First() - first)}
	for i := range ms.Days + 1 {
		ms.start[i] = c.findStart(first + Date(i))
	}
	known, _ := c.months.LoadOrStore(m, ms)
	return known.(*MonthDays)
}

// findStart returns the first instant whose local date is d or later. Local midnight is within 15 hours of
// UTC's, and offsets are whole quarters of an hour, so it steps by quarters to the date and then searches the
// last quarter: a date after a skipped one may start anywhere.
func (c *Calendar) findStart(d Date) Moment {
	const quarter = 15 * 60
	midnight := int64(d) * 86_400
	reached := func(t int64) bool {
		y, m, day := time.Unix(t, 0).In(c.zone).Date()
		return DateOf(y, m, day) >= d
	}
	t := midnight - 16*3600
	for !reached(t) {
		t += quarter
	}
	within := sort.Search(quarter-1, func(i int) bool { return reached(t - quarter + 1 + int64(i)) })
	return Moment(t-quarter+1+int64(within)) * 1000
}

// A Moment is a point in time in whole milliseconds since the Unix epoch, 0 for none.
type Moment int64

// The range of valid moments: from Earliest (included) to Latest (excluded), in which the ticks of All have at
// most 27 bits.
const (
	Earliest Moment = 946_684_800_000   // 2000-01-01T00:00:00Z
	Latest   Moment = 5_333_126_400_000 // 2139-01-01T00:00:00Z
)

// MomentOf returns t without digits finer than a millisecond.
func MomentOf(t time.Time) Moment { return Moment(t.UnixMilli()) }

// ParseMoment reads an RFC 3339 date and time with its zone, without digits finer than a millisecond. A moment
// outside [Earliest, Latest) is an error.
func ParseMoment(s string) (Moment, error) {
	m, err := parseMoment(s)
	if err == nil && !m.Valid() {
		return 0, fmt.Errorf("board: %q is not between %s and %s", s, Earliest, Latest)
	}
	return m, err
}

// ParseNearest reads the texts that ParseMoment reads, and a moment outside [Earliest, Latest) as the nearest in it.
func ParseNearest(s string) (Moment, error) {
	m, err := parseMoment(s)
	if err != nil {
		return 0, err
	}
	return min(max(m, Earliest), Latest-1), nil
}

// parseMoment reads a moment of any year.
func parseMoment(s string) (Moment, error) {
	t, err := time.Parse(time.RFC3339Nano, s)
	// Parse accepts a comma instead of the point, and hours of one digit.
	if err != nil || strings.Contains(s, ",") || s[len("2026-11-20T15")] != ':' {
		return 0, fmt.Errorf("board: %q is not an RFC 3339 date and time with a zone, such as 2026-11-20T12:00:00Z", s)
	}
	return MomentOf(t), nil
}

// Valid reports whether the moment is in [Earliest, Latest).
func (m Moment) Valid() bool { return m >= Earliest && m < Latest }

// Add returns the moment d later, or earlier when d is negative.
func (m Moment) Add(d time.Duration) Moment { return m + Moment(d.Milliseconds()) }

// Time returns the moment in UTC.
func (m Moment) Time() time.Time { return time.UnixMilli(int64(m)).UTC() }

// String returns the moment in RFC 3339, in UTC.
func (m Moment) String() string { return m.Time().Format(time.RFC3339Nano) }
