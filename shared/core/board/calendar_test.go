package board_test

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"laurel/internal/harness"
	"laurel/shared/core/board"
)

func calendar(tb testing.TB, zone string) *board.Calendar {
	tb.Helper()
	return harness.Must(board.LoadCalendar(zone))(tb)
}

func moment(tb testing.TB, text string) board.Moment {
	tb.Helper()
	return harness.Must(board.ParseMoment(text))(tb)
}

func TestDayStartsAtFirstInstantOfItsDate(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, zone, day, start string
		hours                  time.Duration
	}{
		{"UTC", "UTC", "2026-11-20", "2026-11-20T00:00:00Z", 24 * time.Hour},
		{"east", "Asia/Shanghai", "2026-11-20", "2026-11-19T16:00:00Z", 24 * time.Hour},
		{"quarter of an hour", "Asia/Kathmandu", "2026-11-20", "2026-11-19T18:15:00Z", 24 * time.Hour},
		{"23 hours", "Europe/Berlin", "2026-03-29", "2026-03-28T23:00:00Z", 23 * time.Hour},
		{"25 hours", "Europe/Berlin", "2026-10-25", "2026-10-24T22:00:00Z", 25 * time.Hour},
		{"half an hour more", "Australia/Lord_Howe", "2026-04-05", "2026-04-04T13:00:00Z", 24*time.Hour + 30*time.Minute},
		{"no midnight", "America/Sao_Paulo", "2018-11-04", "2018-11-04T03:00:00Z", 23 * time.Hour},
		{"midnight comes twice, the whole hour", "America/Sao_Paulo", "2018-02-17", "2018-02-17T02:00:00Z", 25 * time.Hour},
		{"midnight comes twice, a minute in", "America/St_Johns", "2010-11-07", "2010-11-07T02:30:00Z", 25 * time.Hour},
		{"a date that was skipped", "Pacific/Apia", "2011-12-30", "2011-12-30T10:00:00Z", 0},
		{"the day after it", "Pacific/Apia", "2011-12-31", "2011-12-30T10:00:00Z", 24 * time.Hour},
		{"as far east as it goes", "Pacific/Kiritimati", "2026-11-20", "2026-11-19T10:00:00Z", 24 * time.Hour},
		{"as far west", "Etc/GMT+12", "2026-11-20", "2026-11-20T12:00:00Z", 24 * time.Hour},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			day := harness.Must(board.ParseDate(tt.day))(t)
			start, end := calendar(t, tt.zone).Bounds(board.PeriodOf(board.Day, day))
			if start != moment(t, tt.start) || time.Duration(end-start)*time.Millisecond != tt.hours {
				t.Errorf("%s in %s goes from %s to %s, want %s and %s of it", tt.day, tt.zone, start, end, tt.start, tt.hours)
			}
		})
	}
}

// zones with unusual changes since 2000.
var zones = []string{
	"UTC", "Europe/Berlin", "America/New_York", "America/Sao_Paulo", "America/St_Johns", "America/Havana",
	"Asia/Shanghai", "Asia/Kathmandu", "Asia/Gaza", "Asia/Pyongyang", "Africa/Cairo", "Africa/Casablanca",
	"Australia/Lord_Howe", "Pacific/Apia", "Pacific/Kwajalein", "Pacific/Kiritimati", "Antarctica/Troll",
	"America/Caracas",
}

func TestEveryMomentIsInExactlyOneDay(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		c := harness.Must(board.LoadCalendar(rapid.SampledFrom(zones).Draw(t, "zone")))(t)
		m := board.Moment(rapid.Int64Range(int64(board.Earliest), int64(board.Latest)-1).Draw(t, "moment"))
		day := c.Date(m)
		start, end := c.Bounds(board.PeriodOf(board.Day, day))
		if m < start || m >= end {
			t.Fatalf("%s is not in %s, from %s to %s", m, day, start, end)
		}
		// The clocks agree, but for an hour repeated across midnight.
		y, month, d := m.Time().In(c.Zone()).Date()
		if local := board.DateOf(y, month, d); local != day && local != day-1 {
			t.Fatalf("%s is in %s, but the clocks show %s", m, day, local)
		}
		days := c.Month(day.Month())
		for _, instant := range []board.Moment{start, m, end - 1} {
			if got := days.First + board.Date(days.Index(instant)); got != day && start < end {
				t.Fatalf("%s is in %s, by the month's table in %s", instant, day, got)
			}
		}
		if read, err := board.ParseMoment(c.Text(m)); m != 0 && (err != nil || read != m) || c.Text(0) != "" {
			t.Fatalf("%s is written as %s, %v", m, c.Text(m), err)
		}
		contest := board.NewContest("autumn", day-board.Date(rapid.IntRange(0, 40).Draw(t, "before")),
			day+board.Date(rapid.IntRange(0, 59).Draw(t, "after")))
		for _, w := range board.Windows() {
			p := board.PeriodOf(w, day)
			if w == board.Contest {
				p = contest
			}
			if start, end := c.Bounds(p); m < start && w != board.All || m >= end {
				t.Fatalf("%s is not in %s, from %s to %s", m, p, start, end)
			}
			if ticks := c.Ticks(p, m); ticks < 0 || ticks >= 1<<27 || c.AtTicks(p, ticks) > m || c.AtTicks(p, ticks+1) <= m {
				t.Fatalf("%s is tick %d of %s", m, ticks, p)
			}
			if w.Tiles() {
				if _, end := c.Bounds(p.Prev()); end != must(c.Bounds(p)) {
					t.Fatalf("%s does not start where %s ends", p, p.Prev())
				}
			}
		}
	})
}

func must(start, _ board.Moment) board.Moment { return start }

func TestUnknownZoneIsAnError(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"", "Local", "Mars/Olympus", "../etc/passwd"} {
		if _, err := board.LoadCalendar(name); err == nil {
			t.Errorf("zone %q is accepted", name)
		}
	}
}

func TestDueByTheForumsCalendar(t *testing.T) {
	t.Parallel()
	tests := []struct {
		window       board.Window
		period, now  string // now is a moment of the zone
		zone         string
		days, months int
		want         bool
	}{
		{board.Day, "2026-11-20", "2026-11-23T23:59:59Z", "UTC", 3, 2, false},
		{board.Day, "2026-11-20", "2026-11-24T00:00:00Z", "UTC", 3, 2, true},
		{board.Day, "2026-11-20", "2026-11-20T23:59:59Z", "UTC", 0, 0, false},
		{board.Day, "2026-11-20", "2026-11-21T00:00:00Z", "UTC", 0, 0, true},
		{board.Day, "2026-12-30", "2027-01-02T12:00:00Z", "UTC", 3, 2, false},
		{board.Day, "2026-12-30", "2027-01-03T00:00:00Z", "UTC", 3, 2, true},
		// Days of 23 and 25 hours are whole days.
		{board.Day, "2026-03-27", "2026-03-30T21:59:59Z", "Europe/Berlin", 3, 2, false},
		{board.Day, "2026-03-27", "2026-03-30T22:00:00Z", "Europe/Berlin", 3, 2, true},
		{board.Day, "2026-10-23", "2026-10-26T22:59:59Z", "Europe/Berlin", 3, 2, false},
		{board.Day, "2026-10-23", "2026-10-26T23:00:00Z", "Europe/Berlin", 3, 2, true},
		{board.Day, "2026-11-20", "2026-11-23T16:00:00Z", "Asia/Shanghai", 3, 2, true},
		{board.Week, "2026-W47", "2026-11-25T12:00:00Z", "UTC", 3, 2, false}, // to the 22nd
		{board.Week, "2026-W47", "2026-11-26T00:00:00Z", "UTC", 3, 2, true},
		{board.Week, "2026-W53", "2027-01-06T12:00:00Z", "UTC", 3, 2, false}, // to 2027-01-03
		{board.Week, "2026-W53", "2027-01-07T00:00:00Z", "UTC", 3, 2, true},
		{board.Month, "2026-11", "2027-01-31T23:59:59Z", "UTC", 3, 2, false},
		{board.Month, "2026-11", "2027-02-01T00:00:00Z", "UTC", 3, 2, true},
		{board.Month, "2026-11", "2026-11-30T23:59:59Z", "UTC", 3, 0, false},
		{board.Month, "2026-11", "2026-12-01T00:00:00Z", "UTC", 3, 0, true},
		{board.Year, "2026", "2027-02-28T23:59:59Z", "UTC", 3, 2, false},
		{board.Year, "2026", "2027-03-01T00:00:00Z", "UTC", 3, 2, true},
		{board.All, "all", "2138-12-31T00:00:00Z", "UTC", 0, 0, false},
	}
	for _, tt := range tests {
		p := harness.Must(board.ParsePeriod(tt.window, tt.period))(t)
		today := calendar(t, tt.zone).Date(moment(t, tt.now))
		if got := board.Due(p, today, tt.days, tt.months); got != tt.want {
			t.Errorf("%s at %s (%s), %d days and %d months: due is %v", tt.period, tt.now, tt.zone, tt.days, tt.months, got)
		}
	}
}
