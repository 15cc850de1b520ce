package ledger_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"

	"laurel/shared/core/activity"
	"laurel/shared/core/board"
	"laurel/shared/core/ledger"
)

// After any undos, repetitions, restores and voids of closed days, the scores of a day and a week,
// both then and now, lie within the bounds.
func TestBoundsHaveTheScoresOfPeriods(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s, first := newAccounts(defaults()), day(time.November, 16)
		moment := func(start, days int) board.Moment { // spread over the days, as rapid prefers small numbers
			hour := start*24 + rapid.IntRange(0, days*24-1).Draw(t, "hour")*61%(days*24)
			return s.ledger.Calendar().Start(first.First()) + board.Moment(hour)*3_600_000
		}
		do := func(name string, start, days int) {
			for range rapid.IntRange(0, 20).Draw(t, name) {
				a := activity.Activity{
					User:   "ada",
					Action: rapid.SampledFrom([]string{"like", "unlike", "comment"}).Draw(t, "action"),
					Target: rapid.SampledFrom([]string{"A", "B"}).Draw(t, "target"),
					At:     moment(start, days),
				}
				a.Restores = a.Action == "like" && rapid.IntRange(0, 3).Draw(t, "restores") == 0
				s.record(t, []activity.Activity{a}, ledger.Arrival{Now: a.At, AnyAge: true})
			}
		}
		var awards []activity.Activity
		for i := range rapid.IntRange(0, 3).Draw(t, "awards") {
			given := &activity.Award{ID: fmt.Sprint(i), Points: 10, Board: "activity", Reason: "a talk"}
			a := activity.Activity{User: "ada", Action: activity.AwardWord, At: moment(0, 7), Award: given}
			s.record(t, []activity.Activity{a}, ledger.Arrival{Now: a.At})
			awards = append(awards, a)
		}
		do("before", 0, 7)
		was := map[board.Period]int64{}
		week := board.PeriodOf(board.Week, first.First())
		for p := first; p.First() <= week.Last(); p = p.Next() {
			was[p] = s.points("ada", p)
			was[week] += was[p]
			s.apply(t, board.EventClose, p)
		}
		for _, a := range awards {
			if a.Award = (&activity.Award{ID: a.Award.ID, Taken: true}); rapid.Bool().Draw(t, "taken back") {
				s.record(t, []activity.Activity{a}, ledger.Arrival{Now: a.At})
			}
		}
		do("after", 0, 10) // an import brings earlier activities last
		s.void(t, map[string]board.Moment{"A": moment(0, 10)})
		for p, then := range was {
			days, err := s.ledger.DaysOf(s.all(t, "ada"), p.First(), p.Last())
			now := int64(0)
			for _, d := range days {
				now += d.Scores["activity"]
			}
			r, failed := s.ledger.Bounds(s.all(t, "ada"), "activity", p)
			if errors.Join(err, failed) != nil || then != now && !r.Has(then) || now < r.Least || now > r.Most {
				t.Fatalf("%s came to %d, and comes to %d: the bounds are %+v, %v", p, then, now, r, failed)
			}
		}
	})
}

// An entry that was never undone counts for certain, up to its day's cap; metrics and other boards are apart.
func TestBounds(t *testing.T) {
	t.Parallel()
	s := newAccounts(defaults())
	s.did(t, "like", "A", "11-20 10:00")
	s.did(t, "like", "B", "11-20 11:00")
	s.did(t, "unlike", "B", "11-25 11:00")
	s.did(t, "like", "C", "11-19 11:00")
	s.did(t, "unlike", "C", "11-19 12:00")
	s.did(t, "like", "C", "11-22 12:00")
	for i := range 52 {
		s.did(t, "like", string(rune('a'+i)), "11-23 10:00")
	}
	s.did(t, "unlike", "a", "11-24 10:00")
	s.did(t, "like", "D", "11-17 10:00")
	s.did(t, "restore", "D", "11-18 10:00") // an undo of before it may come
	s.did(t, "like", "E", "11-15 10:00")
	s.did(t, "like", "E", "11-13 10:00") // by an import, once the day of the 15th was closed
	steps := activity.Activity{User: "ada", Action: "steps", Value: new(int64(700)), At: momentAt(t, "11-20 10:00")}
	s.record(t, []activity.Activity{steps}, ledger.Arrival{Now: steps.At})
	for p, want := range map[board.Period]ledger.Range{
		day(time.November, 13): {0, 2, true},
		day(time.November, 15): {0, 2, true},
		day(time.November, 17): {0, 2, true},
		day(time.November, 20): {2, 6, true},
		day(time.November, 21): {0, 2, true},
		day(time.November, 23): {100, 100, true},
		day(time.November, 24): {0, 0, false},
		board.PeriodOf(board.Week, day(time.November, 20).First()): {2, 14, true},
	} {
		if r, err := s.ledger.Bounds(s.all(t, "ada"), "activity", p); err != nil || r != want {
			t.Errorf("%s: %+v, want %+v, %v", p, r, want, err)
		} else if r.Has(r.Least-1) || r.Has(r.Most+1) || r.Has(r.Least) != r.Vague || r.Has(r.Most) != r.Vague {
			t.Errorf("%s: the range is %+v", p, r)
		}
	}
	r, err := s.ledger.Bounds(s.all(t, "ada"), "steps", day(time.November, 20))
	if want := (ledger.Range{Least: 700, Most: 700}); err != nil || r != want {
		t.Errorf("steps: %+v, %v", r, err)
	}
}
