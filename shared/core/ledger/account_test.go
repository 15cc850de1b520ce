package ledger_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"laurel/internal/harness"
	"laurel/shared/core/activity"
	"laurel/shared/core/board"
	"laurel/shared/core/ledger"
)

// did records one activity of ada's and returns its receipt.
func (s *accounts) did(t *testing.T, word, target, when string, now ...string) ledger.Receipt {
	t.Helper()
	a := activity.Activity{User: "ada", Action: word, Target: target, At: momentAt(t, when)}
	if word == "restore" {
		a.Action, a.Restores = "like", true
	}
	arrival := ledger.Arrival{Now: a.At, AnyAge: true}
	for _, at2 := range now {
		arrival = ledger.Arrival{Now: momentAt(t, at2)}
	}
	return s.record(t, []activity.Activity{a}, arrival)[0]
}

func day(month time.Month, d int) board.Period {
	return board.PeriodOf(board.Day, board.DateOf(2026, month, d))
}

func monthOf(month time.Month) board.Period {
	return board.PeriodOf(board.Month, board.DateOf(2026, month, 1))
}

var november = board.DateOf(2026, time.November, 1).Month()

// expect fails the test unless a receipt has a status, points and a day.
func expect(t *testing.T, deed string, r ledger.Receipt, status ledger.Status, points int64, day string) {
	t.Helper()
	if r.Status != status || r.Points != points || r.Day.String()[5:] != day {
		t.Errorf("%s: %s, %d points on %s, want %s, %d, %s", deed, r.Status, r.Points, r.Day, status, points, day)
	}
}

// An activity of the time up to the erasure, by its moment or arrival, is erased, and so is
// following a user who was erased since; a ledger of before it is as none, and the next write
// takes its place.
func TestErasedIsAsNeverReported(t *testing.T) {
	t.Parallel()
	s := newAccounts(defaults())
	s.did(t, "like", "A", "11-20 10:00")
	s.user("ada").Erased = momentAt(t, "11-20 12:00")
	if places := s.shown(t).boards; len(places) > 0 {
		t.Errorf("on boards after the erasure: %v", places)
	}
	expect(t, "before", s.did(t, "like", "B", "11-20 12:00", "11-20 13:00"), ledger.WasErased, 0, "11-20")
	expect(t, "arrived before", s.did(t, "like", "B", "11-20 12:02", "11-20 12:00"), ledger.WasErased, 0, "11-20")
	expect(t, "after", s.did(t, "like", "B", "11-20 12:00:00.001", "11-20 13:00"), ledger.Counted, 2, "11-20")
	m := s.all(t, "ada").Months[november]
	listed, err := s.ledger.ListedOf(s.all(t, "ada"))
	if err != nil || len(listed) != 1 || m.After != s.user("ada").Erased || m.User != "ada" {
		t.Errorf("the new ledger has %v, after %s, %v", listed, m.After, err)
	}
	around := s.around(ledger.Arrival{Now: momentAt(t, "11-20 15:00")})
	around.Erased = map[string]board.Moment{"bob": momentAt(t, "11-20 14:00")}
	around.Voids = around.Erased
	for _, c := range []struct {
		action, target, moment string
		want                   ledger.Status
	}{
		{"follow", "bob", "11-20 14:00", ledger.WasErased},
		{"follow", "bob", "11-20 14:00:00.001", ledger.Counted},
		{"like", "bob", "11-20 14:00", ledger.Superseded}, // as a target it is void
		{"like", "C", "11-20 14:00", ledger.Counted},
	} {
		act := activity.Activity{User: "ada", Action: c.action, Target: c.target, At: momentAt(t, c.moment)}
		d, err := s.ledger.DecideAccount(s.all(t, "ada"), []activity.Activity{act}, around)
		if err != nil || d.Receipts[0].Status != c.want || len(d.Changed) > 0 != c.want.Kept() {
			t.Errorf("beside the erasure of who is followed: %+v: %+v, %v", c, d, err)
		}
	}
	around.Voids = map[string]board.Moment{"bob": momentAt(t, "11-20 15:00")}
	follow := activity.Activity{User: "ada", Action: "follow", Target: "bob", At: momentAt(t, "11-20 14:30")}
	d, err := s.ledger.DecideAccount(s.all(t, "ada"), []activity.Activity{follow}, around)
	if err != nil || d.Receipts[0].Status != ledger.Counted {
		t.Errorf("following whose id is that of a void target: %+v, %v", d, err)
	}
}

// A closed day or month takes no activities, one that is due still does. The page of a day
// that was closed leaves with the next write, its summary stays, also when it is reopened.
func TestClosedDaysAndMonths(t *testing.T) {
	t.Parallel()
	s := newAccounts(defaults())
	s.did(t, "comment", "A", "11-20 10:00")
	s.did(t, "like", "A", "11-20 10:00")
	s.apply(t, board.EventClose, day(time.November, 20))
	expect(t, "a like of a closed day", s.did(t, "like", "B", "11-20 11:00"), ledger.TooLate, 0, "11-20")
	if d := s.decide(t, "ada", ledger.Arrival{Now: momentAt(t, "11-20 11:00")}); d.Changed != nil {
		t.Errorf("nothing happened, changed are %v", d.Changed)
	}
	r := s.did(t, "unlike", "A", "11-21 12:00")
	if expect(t, "its undo of later", r, ledger.Revoked, -2, "11-20"); len(r.Scores) != 1 ||
		r.Scores[0] != (ledger.Score{Window: board.Month, Score: 3}) {
		t.Errorf("scores of a closed day: %v, want the month's 3 alone", r.Scores)
	}
	if days := s.all(t, "ada").Months[november].Days; len(days) > 0 {
		t.Errorf("pages of closed days stay: %v", days)
	}
	s.apply(t, board.EventMake, day(time.November, 20))
	s.apply(t, board.EventReopen, day(time.November, 20))
	expect(t, "a comment of a reopened day", s.did(t, "comment", "B", "11-20 11:00"), ledger.TooLate, 0, "11-20")
	expect(t, "a like of it", s.did(t, "like", "B", "11-20 11:00"), ledger.Counted, 2, "11-20")
	s.void(t, map[string]board.Moment{"A": momentAt(t, "12-10 12:00")})
	if got := s.points("ada", day(time.November, 20)); got != 5 {
		t.Errorf("%d points on the reopened day, want the comment's 3 and the like's 2", got)
	}
	s.did(t, "comment", "C", "11-22 10:00")
	before := s.items["ada"][november]
	s.void(t, map[string]board.Moment{"C": momentAt(t, "11-21 12:00")})
	if !slices.Equal(before, s.items["ada"][november]) {
		t.Error("a comment of the day after a void's moment has changed")
	}
	s.apply(t, board.EventClose, monthOf(time.November))
	expect(t, "a like of a closed month", s.did(t, "like", "C", "11-25 12:00"), ledger.TooLate, 0, "11-25")
	before = s.items["ada"][november]
	expect(t, "an undo of the month after", s.did(t, "unlike", "B", "12-01 12:00"), ledger.NothingToRevoke, 0, "12-01")
	s.void(t, map[string]board.Moment{"B": momentAt(t, "12-10 12:00"), "C": momentAt(t, "12-10 12:00")})
	if !slices.Equal(before, s.items["ada"][november]) {
		t.Error("the closed month's ledger has changed")
	}
}

// Comments by day and with a reference share the cap of a board: a closed day that is below it keeps all moments, so
// that an entry with a reference still takes its place among them. Rules give a board no cap without one of the action,
// but an earlier version may lack that.
func TestClosedDaysBelowTheCapOfABoard(t *testing.T) {
	t.Parallel()
	const rules = `{"boards": {"few": {"counts": {"comment": {"points": 1, "cap": 3}}, "windows": ["day", "month"]},
	  "activity": {"windows": ["day"]}}, "versions": [{"actions": {"comment": {"undo": "uncomment", "board": "activity",
	  "points": 3, "entry": "day", "entryWithRef": "month", "by": ["user"]}}}, {"from": "2027-01-01", "actions": {
	  "comment": {"undo": "uncomment", "board": "activity", "points": 3, "entry": "day", "entryWithRef": "month", "cap": 9,
	  "by": ["user"]}}}]}`
	s := newAccounts(ledger.New(harness.Must(activity.ParseRules([]byte(rules)))(t), defaults().Calendar()))
	s.did(t, "comment", "A", "11-20 10:00")
	s.did(t, "comment", "B", "11-20 12:00")
	for _, e := range []board.PeriodEvent{board.EventClose, board.EventMake, board.EventReopen} {
		s.apply(t, e, day(time.November, 20))
	}
	for i, moment := range []string{"11-20 11:00", "11-20 11:30"} {
		a := activity.Activity{User: "ada", Action: "comment", Target: "C", Ref: fmt.Sprint(i), At: momentAt(t, moment)}
		s.record(t, []activity.Activity{a}, ledger.Arrival{Now: a.At})
	}
	place := s.boards[spot{"few", day(time.November, 20), "ada"}]
	reached := s.ledger.Calendar().Start(day(time.November, 20).First()) + board.Moment(place.Ticks())
	if place.Score() != 3 || reached != momentAt(t, "11-20 11:30") {
		t.Errorf("%d points, reached at %s, want 3 at 11:30, the third of four", place.Score(), reached)
	}
}

// A process that does not know yet that a day is closed does not make its page again.
func TestAPageThatHasLeftIsNotMadeAgain(t *testing.T) {
	t.Parallel()
	s := newAccounts(defaults())
	s.did(t, "comment", "A", "11-20 10:00")
	s.apply(t, board.EventClose, day(time.November, 20))
	s.did(t, "like", "A", "11-21 10:00")
	s.life = nil
	expect(t, "a comment", s.did(t, "comment", "B", "11-20 11:00"), ledger.TooLate, 0, "11-20")
}

// A decision stays as it is while others are made, at the same time and after it.
func TestDecisionsShareNoMemory(t *testing.T) {
	t.Parallel()
	s, noon := newAccounts(defaults()), momentAt(t, "11-30 12:00")
	for i := range 30 {
		s.did(t, []string{"like", "bookmark", "publish"}[i%3], fmt.Sprint(i%9), fmt.Sprintf("11-%02d 12:00", 1+i%29))
	}
	decide := func(t *testing.T, n int) (ledger.Decided, string) {
		t.Helper()
		var acts []activity.Activity
		for i, word := range []string{"like", "unlike", "visit", "comment", "follow", "bookmark"}[n%5:] {
			a := activity.Activity{User: "ada", Action: word, Target: fmt.Sprint(n%9, i), At: noon - board.Moment(n)}
			acts = append(acts, a)
		}
		d := s.decide(t, "ada", ledger.Arrival{Now: noon}, acts...)
		return d, textOf(d)
	}
	for n := range 8 {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			t.Parallel()
			first, text := decide(t, n)
			for other := range 50 {
				decide(t, n+other)
			}
			if _, again := decide(t, n); textOf(first) != text || again != text {
				t.Errorf("%q became %q, and is decided again as %q", text, textOf(first), again)
			}
		})
	}
}

func textOf(d ledger.Decided) string {
	return fmt.Sprintf("%+v %+v %+v %q", d.Receipts, d.Moved, d.Follows, d.Account.Months[november].Encode())
}
