package nightly_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"laurel/shared/board"
	"laurel/shared/nightly"
)

// look is how often it is looked whether a night is due.
const look = 5 * time.Minute

// nights looks every five minutes from one time until another, runs what is due, and returns
// when that was. run returns what a run comes to.
func nights(
	c *board.Calendar, from, until time.Time, run func(now time.Time) (nightly.Result, error),
) (n nightly.Nights, began []time.Time) {
	for at := from; at.Before(until); at = at.Add(look) {
		now := board.MomentOf(at)
		if n.Due(c, now) {
			n = nightly.ParseNights(n.Try(c, now).String())
			began = append(began, at)
			if run != nil {
				result, err := run(at)
				n = n.After(c.Date(now), result, err)
			}
		}
	}
	return n, began
}

func zoned(t *testing.T, zone string) (*board.Calendar, *time.Location) {
	t.Helper()
	place, err := time.LoadLocation(zone)
	if err != nil {
		t.Fatal(err)
	}
	return board.NewCalendar(place), place
}

// Every day of the forum has one night, which begins with the first look after the day has: on
// days of 23 and 25 hours, where midnight is left out or comes twice, and where a day is left out.
func TestANightForEveryDay(t *testing.T) {
	t.Parallel()
	for zone, first := range map[string]string{
		"UTC": "2026-12-28", "Europe/Berlin": "2026-03-26", "Europe/London": "2026-10-22", "Asia/Kathmandu": "2026-02-26",
		"America/New_York": "2026-10-29", "America/Havana": "2026-10-29", "America/Sao_Paulo": "2018-11-01",
		"Africa/Cairo": "2026-04-21", "Australia/Lord_Howe": "2026-04-02", "Pacific/Apia": "2011-12-27",
	} {
		t.Run(zone, func(t *testing.T) {
			t.Parallel()
			c, place := zoned(t, zone)
			from, err := time.ParseInLocation(time.DateOnly, first, place)
			if err != nil {
				t.Fatal(err)
			}
			until := from.AddDate(0, 0, 8)
			// The looks are not at the full minute.
			n, began := nights(c, from.Add(97*time.Second), until, func(now time.Time) (nightly.Result, error) {
				return nightly.Result{Today: c.Date(board.MomentOf(now))}, nil
			})
			var days []board.Date
			for at := from; at.Before(until); at = at.Add(time.Minute) {
				if day := c.Date(board.MomentOf(at)); !slices.Contains(days, day) {
					days = append(days, day)
				}
			}
			for i, at := range began {
				day := c.Date(board.MomentOf(at))
				if i >= len(days) || day != days[i] || at.Sub(c.Start(day).Time()) > look {
					t.Errorf("night %d began at %s", i, at)
				}
			}
			if len(began) != len(days) || n.Complete != days[len(days)-1] || n.Overdue(c, board.MomentOf(until.Add(-1))) != 0 {
				t.Errorf("%d nights of %d days; %s", len(began), len(days), n)
			}
		})
	}
}

// A night that fails, or is killed, is tried again by the next look, then ever more seldom until
// every 40 minutes; the next day begins anew.
func TestANightThatFailsIsTriedAgain(t *testing.T) {
	t.Parallel()
	c, _ := zoned(t, "UTC")
	from := time.Date(2026, time.November, 24, 0, 0, 0, 0, time.UTC)
	failed := errors.New("no")
	for name, run := range map[string]func(time.Time) (nightly.Result, error){
		"killed": nil,
		"failed": func(time.Time) (nightly.Result, error) { return nightly.Result{}, failed },
		"a period failed": func(time.Time) (nightly.Result, error) {
			return nightly.Result{Failed: make([]nightly.Failure, 1)}, nil
		},
		"stuck": func(time.Time) (nightly.Result, error) {
			return nightly.Result{Short: true, Left: []string{"journal"}}, nil
		},
	} {
		n, began := nights(c, from, from.AddDate(0, 0, 2), run)
		var minutes []int
		for _, at := range began {
			minutes = append(minutes, int(at.Sub(from).Minutes()))
		}
		want := []int{0, 5, 15, 35, 75, 115, 155}
		if len(minutes) < len(want) || !slices.Equal(minutes[:len(want)], want) || len(minutes) > 80 ||
			!slices.Contains(minutes, 24*60) || !slices.Contains(minutes, 24*60+5) {
			t.Errorf("%s: tried after %v minutes", name, minutes)
		}
		last := board.MomentOf(from.AddDate(0, 0, 2).Add(-time.Minute))
		if overdue := n.Overdue(c, last); overdue != 24*time.Hour-time.Minute {
			t.Errorf("%s: overdue by %s", name, overdue)
		}
	}
}

// Of nights that are not complete the oldest tells for how long, until one is.
func TestOverdue(t *testing.T) {
	t.Parallel()
	c, berlin := zoned(t, "Europe/Berlin")
	at := func(text string) board.Moment {
		when, err := time.ParseInLocation("2006-01-02T15:04", text, berlin)
		if err != nil {
			t.Fatal(err)
		}
		return board.MomentOf(when)
	}
	done := nightly.Nights{Complete: c.Date(at("2026-10-24T12:00"))}
	for text, want := range map[string]time.Duration{
		"2026-10-24T23:59": 0, "2026-10-25T00:10": 10 * time.Minute,
		"2026-10-25T06:00": 7 * time.Hour, "2026-10-26T01:00": 26 * time.Hour, // a day of 25 hours
		"2026-10-23T02:00": 2 * time.Hour, // the clock was ahead
	} {
		if got := done.Overdue(c, at(text)); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
	if got := (nightly.Nights{}).Overdue(c, at("2026-10-24T05:00")); got != 5*time.Hour {
		t.Errorf("of a new forum: %s", got)
	}
}

// A run that had no time for all of its work is followed by another at once, as long as it gets
// on.
func TestALongNightGoesOn(t *testing.T) {
	t.Parallel()
	c, _ := zoned(t, "UTC")
	from := time.Date(2026, time.November, 24, 0, 0, 0, 0, time.UTC)
	runs := 0
	n, began := nights(c, from, from.Add(time.Hour), func(now time.Time) (nightly.Result, error) {
		r := nightly.Result{Today: c.Date(board.MomentOf(now)), Moved: make([]nightly.Moved, 1)}
		if runs++; runs < 8 {
			r.Left, r.Short = []string{"activity day 2026-11-20"}, true
		}
		return r, nil
	})
	if len(began) != 8 || began[7].Sub(from) != 35*time.Minute || n.Complete != c.Date(board.MomentOf(from)) {
		t.Errorf("%v, %s", began, n)
	}
}

// A clock that was ahead, and a run that somebody asked for as of another day, leave today's
// night due.
func TestNightsOfOtherClocks(t *testing.T) {
	t.Parallel()
	c, _ := zoned(t, "UTC")
	now := board.MomentOf(time.Date(2026, time.November, 24, 9, 0, 0, 0, time.UTC))
	today := c.Date(now)
	run := func(day board.Date) nightly.Result { return nightly.Result{Today: day} }
	ahead := nightly.Nights{Complete: today + 400}
	if !ahead.Due(c, now) || ahead.After(today, run(today), nil).Complete != today {
		t.Error("the clock was ahead")
	}
	if n := (nightly.Nights{Day: today, Tries: 9, Tried: now.Add(time.Minute)}); !n.Due(c, now) {
		t.Error("the clock was ahead when it was tried")
	}
	done := nightly.Nights{Complete: today}
	for _, day := range []board.Date{today - 3, today + 3} {
		if done.After(today, run(day), nil) != done {
			t.Errorf("a run as of %s", day)
		}
	}
	if n := done.After(today, run(today), errors.New("no")); n != done {
		t.Errorf("a run that failed after one that was complete: %s", n)
	}
	if n := nightly.ParseNights("{"); !n.Due(c, now) {
		t.Errorf("of a damaged item %s is known", n)
	}
}
