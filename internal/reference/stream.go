package reference

import (
	_ "embed"
	"fmt"
	"math/rand/v2"
	"time"

	"laurel/shared/core/activity"
	"laurel/shared/core/board"
)

// edgeRules are rules made to be met at every edge: every window, low caps, an
// action without a cap, two kinds of entries under one cap, and versions that
// change points, caps and boards in the middle of a month and the kind of an
// entry at the start of one.
//
//go:embed edge.json
var edgeRules string

// A Forum is where random activities take place: few users and targets, moments that crowd
// around midnights, month ends and clock changes, toggles, equal moments, and caps low enough to
// be met from both sides.
type Forum struct {
	Rules    *activity.Rules
	Calendar *board.Calendar
	From     board.Date // the first day
	Days     int
}

// places are zones and months in which something happens to the clocks.
var places = []struct {
	zone  string
	first board.Date // of the earlier of two months
}{
	{"UTC", board.DateOf(2025, time.December, 1)},              // the year ends between them
	{"Europe/Berlin", board.DateOf(2026, time.March, 1)},       // 2026-03-29 has 23 hours
	{"America/New_York", board.DateOf(2026, time.November, 1)}, // 2026-11-01 has 25 hours
	{"America/Sao_Paulo", board.DateOf(2018, time.October, 1)}, // 2018-11-04 has no midnight
	{"Pacific/Apia", board.DateOf(2011, time.December, 1)},     // there is no 2011-12-30
	{"America/St_Johns", board.DateOf(2010, time.October, 1)},  // midnight comes twice
	{"Asia/Shanghai", board.DateOf(2024, time.January, 1)},     // a leap February
	{"Australia/Lord_Howe", board.DateOf(2026, time.March, 1)}, // half an hour of summer time
	{"Asia/Kathmandu", board.DateOf(2026, time.June, 1)},       // UTC+05:45
}

// NewForum returns one of the forums, with the default rules or with those made to be met at every edge.
func NewForum(rng *rand.Rand) (Forum, error) {
	midnight := places[rng.IntN(len(places))]
	calendar, err := board.LoadCalendar(midnight.zone)
	if err != nil {
		return Forum{}, fmt.Errorf("reference: %w", err)
	}
	f := Forum{Rules: activity.Default(), Calendar: calendar, From: midnight.first + 12, Days: 34}
	if rng.IntN(4) > 0 {
		text := fmt.Sprintf(edgeRules, midnight.first.Month(), midnight.first.Month()+1)
		if f.Rules, err = activity.ParseRules([]byte(text)); err != nil {
			return Forum{}, fmt.Errorf("reference: %w", err)
		}
	}
	return f, nil
}

// Activities makes n activities of the forum by the given users.
func (f Forum) Activities(rng *rand.Rand, n int, users []string) []activity.Activity {
	moments := f.moments(rng)
	targets := []string{
		"1", "007", "-42", "9223372036854775807", "a-page", "6b3a2f10-0d5c-4b1e-9a7e-0123456789ab",
		"a-page-with-a-long-name-1",
	}
	acts := make([]activity.Activity, 0, n)
	for len(acts) < n {
		a := activity.Activity{
			User:   users[rng.IntN(len(users))],
			Target: targets[rng.IntN(len(targets))],
			At:     moments[rng.IntN(len(moments))],
		}
		words := f.Rules.On(f.Calendar.Date(a.At)).Words()
		a.Action = words[rng.IntN(len(words))]
		rule := f.Rules.On(f.Calendar.Date(a.At)).Find(a.Action)
		switch {
		case rule.Metric:
			a.Target, a.Value = "", new(int64(rng.IntN(4)*500))
		case rule.TargetIsUser:
			a.Target = someone(rng, users, a)
		case rule.TakesRef() && rng.IntN(2) == 0:
			a.Ref = fmt.Sprint("c", rng.IntN(2))
		}
		if rule.ByOther || rng.IntN(3) == 0 {
			a.Other = users[rng.IntN(min(len(users), 5))]
		}
		acts = append(acts, a)
	}
	return acts
}

// WithModeration returns the activities, of which some that can be undone take an undo back in place of doing it, and
// of those that undo or restore by a ref some leave out the target.
func (f Forum) WithModeration(rng *rand.Rand, acts []activity.Activity) []activity.Activity {
	for i := range acts {
		rule := f.Rules.On(f.Calendar.Date(acts[i].At)).Find(acts[i].Action)
		acts[i].Restores = rule.Undo != "" && acts[i].Action != rule.Undo && rng.IntN(4) == 0
		if acts[i].Ref != "" && (acts[i].Restores || acts[i].Action == rule.Undo) && rng.IntN(2) == 0 {
			acts[i].Target = ""
		}
	}
	return acts
}

// someone returns the user that an activity follows: one of the first users, or one without
// activities. There are not so many that a day's follows meet the limit of entries.
func someone(rng *rand.Rand, users []string, a activity.Activity) string {
	if other := users[rng.IntN(min(len(users), 5))]; other != a.User && rng.IntN(3) > 0 {
		return other
	}
	return "someone-" + a.Target
}

// moments makes the pool that activities draw from, so that equal ones meet.
func (f Forum) moments(rng *rand.Rand) []board.Moment {
	var pool []board.Moment
	days := []board.Date{f.From + board.Date(rng.IntN(f.Days)), f.From + board.Date(rng.IntN(f.Days))}
	for d := f.From; d < f.From+board.Date(f.Days); d++ {
		// The month's last days, and those on which the clocks change.
		if start, end := f.Calendar.Start(d), f.Calendar.Start(d+1); d.Month() != (d+2).Month() || end-start != 86_400_000 {
			days = append(days, d)
		}
	}
	for _, d := range days {
		start := f.Calendar.Start(d)
		pool = append(pool, start, start-1, start+1, start+7, start+31, start+33, start+86_399_999)
		for range 8 {
			pool = append(pool, start+board.Moment(rng.Int64N(86_400_000)))
		}
	}
	return pool
}

// Deliver repeats some of the activities, shuffles them and cuts them into
// batches of at most limit.
func Deliver(rng *rand.Rand, acts []activity.Activity, limit int) [][]activity.Activity {
	all := append([]activity.Activity(nil), acts...)
	for range len(acts) / 5 {
		all = append(all, acts[rng.IntN(len(acts))])
	}
	rng.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	var batches [][]activity.Activity
	for len(all) > 0 {
		n := min(1+rng.IntN(limit), len(all))
		batches = append(batches, all[:n])
		all = all[n:]
	}
	return batches
}
