package board_test

import (
	"testing"

	"laurel/shared/board"
)

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
		p, err := board.ParsePeriod(tt.window, tt.period)
		if err != nil {
			t.Fatal(err)
		}
		today := calendar(t, tt.zone).Date(at(t, tt.now))
		if got := board.Due(p, today, tt.days, tt.months); got != tt.want {
			t.Errorf("%s at %s (%s), %d days and %d months: due is %v", tt.period, tt.now, tt.zone, tt.days, tt.months, got)
		}
	}
}
