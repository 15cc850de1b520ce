package board

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"time"
	"unique"
)

// ErrPeriod is wrapped by every error about the name of a period.
var ErrPeriod = errors.New("board: not a period")

// A Date is a civil day, without a time zone: days since 1970-01-01.
type Date int32

// A MonthOf is a civil month: months since January of the year 0.
type MonthOf int32

// DateOf returns the civil day; values out of range are normalized as by time.Date.
func DateOf(year int, month time.Month, day int) Date {
	return Date(time.Date(year, month, day, 0, 0, 0, 0, time.UTC).Unix() / 86_400)
}

// ParseDate reads a day such as 2026-11-20.
func ParseDate(s string) (Date, error) {
	p, err := ParsePeriod(Day, s)
	return Date(p.n), err
}

// time returns the start of the day in UTC.
func (d Date) time() time.Time { return time.Unix(int64(d)*86_400, 0).UTC() }

// Civil returns the day's year, month and day of the month.
func (d Date) Civil() (year int, month time.Month, day int) { return d.time().Date() }

// Month returns the month that the day is in.
func (d Date) Month() MonthOf {
	y, m, _ := d.Civil()
	return MonthOf(y*12 + int(m) - 1)
}

// String returns the day as 2026-11-20.
func (d Date) String() string { return d.time().Format(windows[Day].layout) }

// MarshalText returns the day as 2026-11-20.
func (d Date) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// UnmarshalText reads a day such as 2026-11-20.
func (d *Date) UnmarshalText(text []byte) (err error) {
	*d, err = ParseDate(string(text))
	return err
}

// Civil returns the month's year and its number in the year.
func (m MonthOf) Civil() (year int, month time.Month) {
	return int(m / 12), time.Month(m%12) + 1
}

// First returns the month's first day; (m + 1).First() is the day after its last.
func (m MonthOf) First() Date {
	y, month := m.Civil()
	return DateOf(y, month, 1)
}

// String returns the month as 2026-11.
func (m MonthOf) String() string { return m.First().time().Format(windows[Month].layout) }

// MarshalText returns the month as 2026-11.
func (m MonthOf) MarshalText() ([]byte, error) { return []byte(m.String()), nil }

// UnmarshalText reads a month as MarshalText writes it.
func (m *MonthOf) UnmarshalText(text []byte) error {
	p, err := ParsePeriod(Month, string(text))
	if err == nil {
		*m = p.First().Month()
	}
	return err
}

// A Period is a day, an ISO week, a month, a quarter, a year, all time, a contest, or the days that end with one; the
// zero Period is none.
type Period struct {
	window Window
	days   uint8 // of a contest
	// The Date, the week since that of 1970-01-01, the MonthOf, the quarter since that of year 0, the year, 0; of a
	// contest its first Date, of the days that end with one the last.
	n     int32
	board unique.Handle[string] // whose contest it is; the zero Handle: not known, or no contest
}

const quarterMonths = 3

// PeriodOf returns the window's period that the day is in; of a window that rolls, the one that ends with it; the zero
// one for Contest, as the rules tell its days.
func PeriodOf(w Window, d Date) Period {
	p := Period{window: w}
	switch w {
	case Day, Last7, Last30:
		p.n = int32(d)
	case Week:
		p.n = (int32(d) + 3) / 7 // 1970-01-01 is a Thursday
	case Month:
		p.n = int32(d.Month())
	case Quarter:
		p.n = int32(d.Month()) / quarterMonths
	case Year:
		y, _, _ := d.Civil()
		p.n = int32(y)
	case All:
	default:
		return Period{}
	}
	return p
}

// Window returns the period's window.
func (p Period) Window() Window { return p.window }

// Prev returns the period before; the zero one if the window does not tile.
func (p Period) Prev() Period { return p.plus(-1) }

// Next returns the period after; the zero one if the window does not tile.
func (p Period) Next() Period { return p.plus(1) }

func (p Period) plus(n int32) Period {
	if !p.window.Tiles() {
		return Period{}
	}
	p.n += n
	return p
}

// Compare orders periods of one window by time: contests by their first days, then by their last.
func (p Period) Compare(q Period) int {
	return cmp.Or(cmp.Compare(p.window, q.window), cmp.Compare(p.n, q.n), cmp.Compare(p.days, q.days),
		strings.Compare(p.Board(), q.Board()))
}

// First returns the period's first day. All starts on 2000-01-01.
func (p Period) First() Date {
	switch p.window {
	case Day:
		return Date(p.n)
	case Week:
		return Date(p.n*7 - 3)
	case Month:
		return MonthOf(p.n).First()
	case Quarter:
		return MonthOf(p.n * quarterMonths).First()
	case Year:
		return DateOf(int(p.n), time.January, 1)
	case Contest:
		return Date(p.n)
	case Last7, Last30:
		return Date(p.n) - p.window.Days() + 1
	default:
		return DateOf(2000, time.January, 1)
	}
}

// String returns the period's name: 2026-11-20, 2026-W47, 2026-11, 2026-Q4, 2026, all or 2026-11-01..2026-11-30. A
// period that rolls has the name of its last day.
func (p Period) String() string {
	switch p.window {
	case Day, Last7, Last30:
		return Date(p.n).String()
	case Week:
		y, m, d := (p.First() + 3).Civil() // the Thursday names the year
		year, week := time.Date(y, m, d, 0, 0, 0, 0, time.UTC).ISOWeek()
		return fmt.Sprintf("%04d-W%02d", year, week)
	case Month:
		return MonthOf(p.n).String()
	case Quarter:
		year, month := MonthOf(p.n * quarterMonths).Civil()
		return fmt.Sprintf("%04d-Q%d", year, (int32(month)-1)/quarterMonths+1)
	case Year:
		return fmt.Sprintf("%04d", p.n)
	case All:
		return "all"
	case Contest:
		return p.First().String() + contestDots + p.Last().String()
	default:
		return ""
	}
}

// Text returns the period's name, of a contest after its board's, autumn:2026-11-01..2026-11-30, and of a period that
// rolls after its window's, 7d:2026-11-20.
func (p Period) Text() string {
	name := p.Board()
	if p.window.Rolls() {
		name = p.window.String()
	}
	if name != "" {
		return name + ":" + p.String()
	}
	return p.String()
}

// MarshalText returns the period's text.
func (p Period) MarshalText() ([]byte, error) { return []byte(p.Text()), nil }

// UnmarshalText reads the text of a period, whose form tells its window.
func (p *Period) UnmarshalText(text []byte) (err error) {
	if name, dates, ok := strings.Cut(string(text), ":"); ok && name != "" {
		if w, unknown := ParseWindow(name); unknown == nil && w.Rolls() && !strings.Contains(dates, contestDots) {
			*p, err = ParsePeriod(w, dates)
			return err
		}
		*p, err = ParsePeriod(Contest, dates)
		*p = p.Of(name)
		return err
	}
	for _, w := range Windows() {
		if *p, err = ParsePeriod(w, string(text)); err == nil {
			return nil
		}
	}
	return fmt.Errorf("%w: %q; the forms are 2026-11-20, 2026-W47, 2026-11, 2026-Q4, 2026, all, "+
		"7d:2026-11-20 and board:2026-11-01..2026-11-30", ErrPeriod, text)
}

// ParsePeriod reads the name of a window's period in its canonical form, with a year from 1999 to 2139.
func ParsePeriod(w Window, s string) (Period, error) {
	if !w.known() {
		return Period{}, fmt.Errorf("%w: %q of %s", ErrPeriod, s, w)
	}
	p, ok := parsePeriod(w, s)
	if !ok || p.String() != s {
		return Period{}, fmt.Errorf("%w of the window %s: %q; the form is %s", ErrPeriod, w, s, windows[w].form)
	}
	if y, _, _ := p.First().Civil(); y < 1998 || y > 2139 {
		return Period{}, fmt.Errorf("%w from 1999 to 2139: %q", ErrPeriod, s)
	}
	return p, nil
}

// parsePeriod reads a name that may be in another form, or of a week that its year has not.
func parsePeriod(w Window, s string) (Period, bool) {
	switch w {
	case All:
		return Period{window: All}, s == "all"
	case Week:
		var year, week int
		_, err := fmt.Sscanf(s, "%d-W%d", &year, &week)
		jan4 := PeriodOf(Week, DateOf(year, time.January, 4)) // always in week 1
		return jan4.plus(int32(week) - 1), err == nil
	case Quarter:
		var year, quarter int
		_, err := fmt.Sscanf(s, "%d-Q%d", &year, &quarter)
		return PeriodOf(Quarter, DateOf(year, time.Month(quarterMonths*quarter), 1)), err == nil
	case Contest:
		return parseContest(s)
	default:
		t, err := time.Parse(windows[w].layout, s)
		return PeriodOf(w, DateOf(t.Date())), err == nil
	}
}

// Due reports whether a period is to be made final: a day, week or contest when hotDays whole days have passed since
// its last day (with 3, the 20th is due on the 24th), a month, quarter or year when hotMonths whole months have passed
// since its last month, All and periods that roll never.
func Due(p Period, today Date, hotDays, hotMonths int) bool {
	switch p.window {
	case Day, Week, Contest:
		return int64(today) > int64(p.Last())+int64(hotDays)
	case Month, Quarter, Year:
		return int64(today.Month()) > int64(p.Last().Month())+int64(hotMonths)
	default:
		return false
	}
}

// Last returns the period's last day. All has none; its first day is returned.
func (p Period) Last() Date {
	switch p.window {
	case All:
		return p.First()
	case Contest:
		return p.First() + Date(p.days) - 1
	case Last7, Last30:
		return Date(p.n)
	default:
		return p.Next().First() - 1
	}
}

// Has says whether a day is in the period.
func (p Period) Has(d Date) bool { return p.window == All || p.First() <= d && d <= p.Last() }

// Meets says whether the period has any of the days from one to another, both included.
func (p Period) Meets(from, to Date) bool {
	return p.window == All || p.First() <= to && from <= p.Last()
}

// Touches says whether a day of the period is in a month.
func (p Period) Touches(m MonthOf) bool { return p.Meets(m.First(), (m+1).First()-1) }
