package ledger_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/ledger"
)

// step is an activity of one user and the receipt it must get.
type step struct {
	word, target, at string // at: day and time of November or December 2026, UTC; word: "restore" a like
	status           ledger.Status
	points           int64
	day              string
	scores           string // day/month
}

func at(tb testing.TB, text string) board.Moment {
	tb.Helper()
	m, err := time.Parse("01-02 15:04:05.000", text)
	if err != nil {
		m, err = time.Parse("01-02 15:04", text)
	}
	if err != nil {
		tb.Fatal(err)
	}
	return board.MomentOf(m.AddDate(2026, 0, 0))
}

// run decides on steps one by one.
func run(t *testing.T, l *ledger.Ledger, steps []step) *memory {
	t.Helper()
	s := newMemory(l)
	for i, st := range steps {
		a := activity.Activity{User: "ada", Action: st.word, Target: st.target, At: at(t, st.at)}
		if st.word == "restore" {
			a.Action, a.Restores = "like", true
		}
		if st.word == "steps" {
			var value int64
			if _, err := fmt.Sscan(st.target, &value); err != nil {
				t.Fatal(err)
			}
			a.Target, a.Value = "", &value
		}
		r := s.record(t, []activity.Activity{a}, ledger.Arrival{Now: a.At, AnyAge: true})[0]
		scores := ""
		for _, score := range r.Scores {
			if scores != "" {
				scores += "/"
			}
			scores += fmt.Sprint(score.Score)
		}
		got := step{st.word, st.target, st.at, r.Status, r.Points, r.Day.String()[5:], scores}
		if diff := cmp.Diff(st, got, cmp.AllowUnexported(step{})); diff != "" {
			t.Errorf("step %d, %s %s at %s (-want +got):\n%s", i+1, st.word, st.target, st.at, diff)
		}
	}
	return s
}

func TestReceiptsTellWhatHappened(t *testing.T) {
	t.Parallel()
	tests := map[string][]step{
		"a like sent twice": {
			{"like", "1", "11-20 12:00", "counted", 2, "11-20", "2/2"},
			{"like", "1", "11-20 12:00", "duplicate", 0, "11-20", "2/2"},
		},
		"a like repeated on another day is one entry": {
			{"like", "1", "11-20 12:00", "counted", 2, "11-20", "2/2"},
			{"like", "1", "11-21 12:00", "duplicate", 0, "11-20", "2/2"},
			{"like", "1", "11-19 12:00", "duplicate", 0, "11-19", "2/2"},
		},
		"next month it is another": {
			{"like", "1", "11-30 12:00", "counted", 2, "11-30", "2/2"},
			{"like", "1", "12-01 12:00", "counted", 2, "12-01", "2/2"},
		},
		"liked, unliked and liked again": {
			{"like", "1", "11-20 12:00", "counted", 2, "11-20", "2/2"},
			{"unlike", "1", "11-21 12:00", "revoked", -2, "11-20", "0/0"},
			{"unlike", "1", "11-21 13:00", "nothing_to_revoke", 0, "11-20", "0/0"},
			{"like", "1", "11-22 12:00", "counted", 2, "11-22", "2/2"},
			{"like", "1", "11-21 11:00", "duplicate", 0, "11-22", "2/2"},
		},
		"an undo that comes first has decided": {
			{"unlike", "1", "11-20 12:00", "nothing_to_revoke", 0, "11-20", "0/0"},
			{"like", "1", "11-20 11:00", "superseded", 0, "11-20", "0/0"},
			{"like", "1", "11-20 12:00", "superseded", 0, "11-20", "0/0"},
			{"like", "1", "11-20 12:00:00.001", "counted", 2, "11-20", "2/2"},
			{"unlike", "1", "11-20 11:30", "superseded", 0, "11-20", "2/2"},
		},
		"an undo of an earlier time moves the point to the later one": {
			{"like", "1", "11-20 12:00", "counted", 2, "11-20", "2/2"},
			{"like", "1", "11-22 12:00", "duplicate", 0, "11-20", "2/2"},
			{"unlike", "1", "11-21 12:00", "superseded", 0, "11-22", "2/2"},
		},
		"an undo in the next month": {
			{"like", "1", "11-30 12:00", "counted", 2, "11-30", "2/2"},
			{"unlike", "1", "12-01 12:00", "revoked", -2, "11-30", "0/0"},
			{"like", "1", "11-30 13:00", "superseded", 0, "11-30", "0/0"},
		},
		"an undo that takes two months back tells of its own": {
			{"like", "1", "11-30 12:00", "counted", 2, "11-30", "2/2"},
			{"like", "1", "12-01 10:00", "counted", 2, "12-01", "2/2"},
			{"unlike", "1", "12-01 12:00", "revoked", -4, "12-01", "0/0"},
		},
		"an undo is taken back": {
			{"like", "1", "11-20 12:00", "counted", 2, "11-20", "2/2"},
			{"unlike", "1", "11-21 12:00", "revoked", -2, "11-20", "0/0"},
			{"restore", "1", "11-22 12:00", "counted", 2, "11-20", "2/2"}, // where it was earned
			{"restore", "1", "11-22 12:00", "duplicate", 0, "11-20", "2/2"},
			{"unlike", "1", "11-22 11:00", "superseded", 0, "11-20", "2/2"},
			{"unlike", "1", "11-23 12:00", "revoked", -2, "11-20", "0/0"},
		},
		"a restore of what was never done is kept": {
			{"restore", "1", "11-20 12:00", "superseded", 0, "11-20", "0/0"},
			{"unlike", "1", "11-20 11:00", "nothing_to_revoke", 0, "11-20", "0/0"},
			{"like", "1", "11-20 10:00", "counted", 2, "11-20", "2/2"},
		},
		"a restore in the next month": {
			{"like", "1", "11-30 12:00", "counted", 2, "11-30", "2/2"},
			{"unlike", "1", "12-01 12:00", "revoked", -2, "11-30", "0/0"},
			{"restore", "1", "12-02 12:00", "counted", 2, "11-30", "2/2"},
		},
		"at an equal moment the restore wins": {
			{"like", "1", "11-20 12:00", "counted", 2, "11-20", "2/2"},
			{"restore", "1", "11-21 12:00", "duplicate", 0, "11-20", "2/2"},
			{"unlike", "1", "11-21 12:00", "superseded", 0, "11-20", "2/2"},
		},
		"comments by day": {
			{"comment", "1", "11-20 12:00", "counted", 3, "11-20", "3/3"},
			{"comment", "1", "11-20 13:00", "duplicate", 0, "11-20", "3/3"},
			{"comment", "1", "11-21 13:00", "counted", 3, "11-21", "3/6"},
			{"uncomment", "1", "11-21 14:00", "revoked", -3, "11-21", "0/3"},
			{"uncomment", "1", "11-22 14:00", "nothing_to_revoke", 0, "11-22", "0/3"},
		},
		"the day's largest value": {
			{"steps", "0", "11-20 08:00", "duplicate", 0, "11-20", "0/0"},
			{"steps", "500", "11-20 12:00", "counted", 500, "11-20", "500/500"},
			{"steps", "400", "11-20 13:00", "duplicate", 0, "11-20", "500/500"},
			{"steps", "500", "11-20 11:00", "duplicate", 0, "11-20", "500/500"},
			{"steps", "900", "11-20 20:00", "counted", 400, "11-20", "900/900"},
			{"steps", "100", "11-21 20:00", "counted", 100, "11-21", "100/1000"},
		},
		"following oneself": {
			{"follow", "ada", "11-20 12:00", "self", 0, "11-20", ""},
			{"unfollow", "ada", "11-20 12:00", "self", 0, "11-20", ""},
			{"follow", "bob", "11-20 12:00", "counted", 2, "11-20", "2/2"},
		},
	}
	for name, steps := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			run(t, defaults(), steps)
		})
	}
}

func TestTheCapIsMetFromBothSides(t *testing.T) {
	t.Parallel()
	l := defaults()
	var steps []step
	for i := range 30 { // both kinds of comment share the cap, see below
		points := int64(3 * (i + 1))
		steps = append(steps, step{
			"comment", fmt.Sprint(i), "11-20 12:00", "counted", 3, "11-20",
			fmt.Sprintf("%d/%d", points, points),
		})
	}
	steps = append(steps,
		step{"comment", "30", "11-20 11:00", "capped", 0, "11-20", "90/90"},
		step{"uncomment", "0", "11-20 13:00", "revoked", 0, "11-20", "90/90"},
		step{"uncomment", "1", "11-20 13:00", "revoked", -3, "11-20", "87/87"},
		step{"comment", "31", "11-20 14:00", "counted", 3, "11-20", "90/90"},
	)
	s := run(t, l, steps)
	a := activity.Activity{User: "ada", Action: "comment", Target: "1", Ref: "c1", At: at(t, "11-20 15:00")}
	r := s.record(t, []activity.Activity{a}, ledger.Arrival{Now: a.At})[0]
	if r.Status != ledger.Capped || r.Points != 0 {
		t.Errorf("a comment with a ref beside 30 without: %+v, want capped", r)
	}
}

func TestAnActivityIsAcceptedFor48Hours(t *testing.T) {
	t.Parallel()
	l := defaults()
	now := at(t, "11-20 12:00")
	tests := []struct {
		age    time.Duration
		anyAge bool
		want   ledger.Status
	}{
		{48 * time.Hour, false, ledger.Counted},
		{48*time.Hour + time.Millisecond, false, ledger.TooLate},
		{48*time.Hour + time.Millisecond, true, ledger.Counted},
		{-5 * time.Minute, false, ledger.Counted},
		{-5*time.Minute - time.Millisecond, false, ledger.TooEarly},
		{-5*time.Minute - time.Millisecond, true, ledger.TooEarly},
	}
	for _, tt := range tests {
		s := newMemory(l)
		a := activity.Activity{User: "ada", Action: "like", Target: "1", At: now.Add(-tt.age)}
		r := s.record(t, []activity.Activity{a}, ledger.Arrival{Now: now, AnyAge: tt.anyAge})[0]
		if r.Status != tt.want {
			t.Errorf("%s old: %s, want %s", tt.age, r.Status, tt.want)
		}
		if kept := len(s.pages["ada"]) > 0; kept != (tt.want == ledger.Counted) {
			t.Errorf("%s old: kept %v", tt.age, kept)
		}
	}
}

// What would be one entry more than a limit allows is capped and not kept; a moment
// of a kept entry always fits.
func TestLimitsRefuseNewEntries(t *testing.T) {
	t.Parallel()
	l := defaults()
	long := func(i int) string { return fmt.Sprintf("%022d", i) } // 24 bytes in a key
	number := func(i int) string { return fmt.Sprint(i) }
	everyDay := func(i int) board.Moment { return board.Moment(i%20) * 24 * 3_600_000 }
	sameDay := func(i int) board.Moment { return board.Moment(i) }
	tests := map[string]struct {
		do, undo string
		target   func(int) string
		after    func(int) board.Moment
		limit    int
	}{
		"entries of a month":   {"publish", "unpublish", number, everyDay, activity.MaxMonthEntries},
		"bytes of a month":     {"publish", "unpublish", long, everyDay, 1_900},
		"four times the cap":   {"like", "unlike", number, sameDay, 4 * 50},
		"the same by day":      {"comment", "uncomment", number, sameDay, 4 * 30},
		"visits, bytes or not": {"visit", "visit", long, sameDay, 4 * 100},
	}
	for name, tt := range tests {
		s := newMemory(l)
		arrival := ledger.Arrival{Now: at(t, "11-25 12:00"), AnyAge: true}
		kept := 0
		for i := range tt.limit + 300 {
			word := []string{tt.do, tt.undo}[i%2] // those only undone are entries too
			a := activity.Activity{User: "ada", Action: word, Target: tt.target(i), At: at(t, "11-02 12:00") + tt.after(i)}
			d := decide(t, l, s.pagesOf("ada"), nil, arrival, a)
			s.write("ada", d.Changes)
			if d.Changed[0]&ledger.Own != 0 {
				kept++
			} else if r := d.Receipts[0]; d.Changed[0] == 0 && (r.Status != ledger.Capped || r.Points != 0 || !d.Empty()) {
				t.Fatalf("%s: entry %d of a full page: %+v", name, i, d)
			}
		}
		if name == "bytes of a month" {
			page := s.pages["ada"][ledger.MonthPage(board.DateOf(2026, 11, 1).Month())]
			if len(page) > ledger.MaxMonthPage || len(page) < ledger.MaxMonthPage*3/4 {
				t.Errorf("%s: %d entries in %d bytes", name, kept, len(page))
			}
		} else if kept != tt.limit {
			t.Errorf("%s: %d entries are kept, want %d", name, kept, tt.limit)
		}
		again := activity.Activity{User: "ada", Action: tt.undo, Target: tt.target(0), At: arrival.Now - 1}
		if d := decide(t, l, s.pagesOf("ada"), nil, arrival, again); tt.do != tt.undo && d.Changed[0] == 0 &&
			tt.do != "comment" {
			t.Errorf("%s: a moment of a kept entry: %+v", name, d)
		}
	}
}

// Promise 3: an undo lands where the point was earned, what is final stays.
func TestPromise3WhatIsClosedStaysAsItWas(t *testing.T) {
	t.Parallel()
	l := defaults()
	day := func(text string) board.Period { return board.PeriodOf(board.Day, l.Calendar().Date(at(t, text))) }
	month := board.PeriodOf(board.Month, l.Calendar().Date(at(t, "11-20 12:00")))
	like := activity.Activity{User: "ada", Action: "like", Target: "1", At: at(t, "11-20 12:00")}
	unlike := activity.Activity{User: "ada", Action: "unlike", Target: "1", At: at(t, "11-21 12:00")}
	arrival := ledger.Arrival{Now: at(t, "11-21 12:00")}
	apply := func(closed *board.Closed, acts ...activity.Activity) ([]ledger.Receipt, ledger.Changes) {
		s := newMemory(l)
		s.record(t, []activity.Activity{like}, arrival)
		d := decide(t, l, s.pages["ada"], closed, arrival, acts...)
		return d.Receipts, d.Changes
	}

	var closed *board.Closed
	closed = closed.With("activity", day("11-20 12:00"))
	receipts, changes := apply(closed, unlike)
	if r := receipts[0]; r.Status != ledger.Revoked || r.Points != -2 || len(r.Scores) != 1 ||
		r.Scores[0].Window != board.Month {
		t.Errorf("an undo of a closed day's like: %+v, want revoked from the month alone", r)
	}
	if len(changes.Scores) != 1 || changes.Scores[0].Period != month {
		t.Errorf("scores to write: %+v, want the month's alone", changes.Scores)
	}
	late := like
	late.Target = "2"
	if receipts, changes = apply(closed, late); receipts[0].Status != ledger.TooLate || !changes.Empty() {
		t.Errorf("a like of a closed day: %+v, %+v, want too_late", receipts[0], changes)
	}
	if receipts, changes = apply(closed.With("activity", month), unlike); receipts[0].Status != ledger.TooLate ||
		!changes.Empty() {
		t.Errorf("an undo in a closed month: %+v, %+v, want too_late", receipts[0], changes)
	}
	// The ledger's own month: its pages take no more writes, the next month's undo leaves it alone.
	next := unlike
	next.At = at(t, "12-01 12:00")
	arrival.Now = next.At
	receipts, changes = apply(closed.With("", month), next)
	if receipts[0].Status != ledger.NothingToRevoke || len(changes.Scores) != 0 || len(changes.Pages) != 1 {
		t.Errorf("an undo from the month after a closed one: %+v, %+v", receipts[0], changes)
	}
}
