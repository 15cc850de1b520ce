package ledger_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"laurel/internal/harness"
	"laurel/shared/core/activity"
	"laurel/shared/core/board"
	"laurel/shared/core/ledger"
)

// uuid returns the n-th of one kind of UUIDs.
func uuid(kind, n int) string {
	return fmt.Sprintf("6b3a2f10-0d5c-4b1e-%04x-%012x", 0x9000+kind, n*104_729)
}

// atTheCaps are all that the default rules let a user have in December: each action up to its cap on each day.
func atTheCaps() (acts []activity.Activity) {
	for day := range 31 {
		start := board.MomentOf(time.Date(2026, time.December, 1+day, 0, 0, 0, 0, time.UTC))
		for kind, do := range []struct {
			action string
			cap    int
		}{{"like", 50}, {"bookmark", 50}, {"comment", 30}, {"follow", 50}, {"visit", 100}} {
			for i := range do.cap {
				a := activity.Activity{User: uuid(9, 9), Action: do.action, Target: uuid(kind, 100*day+i)}
				if do.action == "comment" {
					a.Ref = uuid(8, 100*day+i)
				}
				a.At = start + board.Moment(i*720_000+kind*1_234)
				acts = append(acts, a)
			}
		}
	}
	slices.SortStableFunc(acts, func(a, b activity.Activity) int { return int(a.At - b.At) })
	return acts
}

// A month at all caps with UUIDs counts in full, whether it is reported as it happens, a hundred at a time, or is
// imported afterwards in any order; each entry can be undone and restored, and there is room for all awards.
func TestAMonthHasRoomForItsCaps(t *testing.T) {
	t.Parallel()
	const month = 31 * (2*50 + 2*50 + 3*30 + 2*50 + 100)
	december, acts := november+1, atTheCaps()
	end := momentAt(t, "12-31 23:59")
	live, imported := newAccounts(defaults()), newAccounts(defaults())
	for some := range slices.Chunk(acts, 100) {
		for i, r := range live.record(t, some, ledger.Arrival{Now: some[len(some)-1].At}) {
			if r.Status != ledger.Counted {
				t.Fatalf("%+v: %+v", some[i], r)
			}
		}
	}
	back := slices.Clone(acts)
	slices.Reverse(back)
	for some := range slices.Chunk(back, 2_000) {
		imported.record(t, some, ledger.Arrival{Now: end, AnyAge: true})
	}
	user := acts[0].User
	if !slices.Equal(live.items[user][december], imported.items[user][december]) {
		t.Error("reported and imported, the ledgers differ")
	}
	if got := live.points(user, monthOf(time.December)); got != month {
		t.Errorf("%d points, want %d", got, month)
	}
	live.undoAll(t, acts, end)
	if got := live.points(user, monthOf(time.December)); got != month {
		t.Errorf("%d points after all was undone and restored, want %d", got, month)
	}
	live.awardAll(t, user, 7, end)
	t.Logf("%d entries: %d bytes, with all their moments %d", len(acts), len(imported.items[user][december]),
		len(live.items[user][december]))
}

// live records acts of December, which all count, as they happen, while days close. It returns the last day.
func (s *accounts) live(t *testing.T, acts []activity.Activity) board.Period {
	t.Helper()
	today := day(time.December, 1)
	for some := range slices.Chunk(acts, 70) {
		for today.Last() < s.ledger.Calendar().Date(some[0].At) {
			today = today.Next()
			if due := board.PeriodOf(board.Day, today.First()-4); due.First().Month() == today.First().Month() {
				s.apply(t, board.EventClose, due)
			}
		}
		for i, r := range s.record(t, some, ledger.Arrival{Now: some[len(some)-1].At}) {
			if r.Status != ledger.Counted {
				t.Fatalf("%+v: %+v", some[i], r)
			}
		}
	}
	return today
}

// undoAll takes all acts but visits back at a moment, and restores them.
func (s *accounts) undoAll(t *testing.T, acts []activity.Activity, end board.Moment) {
	t.Helper()
	for i, word := range []string{"un", "re"} {
		undo := make([]activity.Activity, 0, len(acts))
		for _, a := range acts {
			if a.At = end + board.Moment(i); a.Action != "visit" {
				if a.Restores = word == "re"; !a.Restores {
					a.Action = word + a.Action
				}
				undo = append(undo, a)
			}
		}
		for j, r := range s.record(t, undo, ledger.Arrival{Now: end + 1, AnyAge: true}) {
			if r.Status != ledger.Revoked && r.Status != ledger.Counted {
				t.Fatalf("%+v: %+v", undo[j], r)
			}
		}
	}
}

// awardAll gives a user as many awards of a month as there may be, with ids of a kind and as many bytes as they may
// have. The item then must not be larger than its limit, which is below DynamoDB's 400 KB.
func (s *accounts) awardAll(t *testing.T, user string, kind int, end board.Moment) {
	t.Helper()
	for i := range ledger.MaxAwards {
		a := activity.Activity{User: user, Action: activity.AwardWord, At: end, Award: &activity.Award{
			ID: uuid(kind, i), Points: 1_000, Board: "activity", Reason: strings.Repeat("because ", 17),
		}}
		if r := s.record(t, []activity.Activity{a}, ledger.Arrival{Now: end})[0]; r.Status != ledger.Counted {
			t.Fatalf("award %d beside all entries: %+v", i, r)
		}
	}
	month := s.ledger.Calendar().Date(end).Month()
	if size := len(s.items[user][month]) + ledger.MaxVotes; size > ledger.MaxItem {
		t.Errorf("%d bytes with all moments, awards and votes, at most %d", size, ledger.MaxItem)
	}
}

// A month at all caps with UUIDs, refs and another person of each act counts in full while days close as they do, and
// the pages of the three days that may still change are whole; each entry can be undone and restored, and there is room
// for all awards.
func TestAMonthWithOtherPeopleHasRoomForItsCaps(t *testing.T) {
	t.Parallel()
	const month, byMonth = 31 * (2*50 + 2*50 + 3*30 + 2*50 + 100), 31 * (50 + 50 + 30 + 50)
	s, december, acts := newAccounts(defaults()), november+1, atTheCaps()
	for i := range acts {
		if a := &acts[i]; a.Action != "follow" && a.Action != "visit" {
			a.Other = uuid(6, i)
		}
	}
	today := s.live(t, acts)
	user, end := acts[0].User, momentAt(t, "12-31 23:59")
	s.undoAll(t, acts, end)
	s.awardAll(t, user, 7, end)
	if got := s.points(user, monthOf(time.December)); got != month+200*1_000 {
		t.Errorf("%d points", got)
	}
	kept := map[board.Date]int{}
	for _, e := range harness.Must(s.ledger.ListedOf(s.all(t, user)))(t) {
		if e.Month != december {
			continue // the undos have entered November, too
		}
		if e.State != ledger.EntryCounted || e.Award == nil && (e.Other == 0) != (e.Action == "visit") {
			t.Fatalf("%+v", e)
		}
		if e.Award == nil {
			kept[e.Day]++
		}
	}
	want := map[board.Date]int{0: byMonth}
	for date := today.First() - 3; date <= today.First(); date++ {
		want[date] = 100
	}
	maps.DeleteFunc(kept, func(d board.Date, _ int) bool { return d != 0 && d < today.First()-3 }) // without targets
	if !maps.Equal(kept, want) {
		t.Errorf("%v entries by day, 0 by month, want %v", kept, want)
	}
	t.Logf("%d bytes", len(s.items[user][december]))
}

// Awards have their room in a month that an import has filled with the pages of its days.
func TestAFullMonthHasRoomForAwards(t *testing.T) {
	t.Parallel()
	rules := harness.Must(activity.ParseRules([]byte(`{"boards": {"activity": {"windows": ["day"]}},
		"versions": [{"actions": {"note": {"undo": "unnote", "board": "activity", "points": 1, "entry": "day",
			"by": ["service"]}}}]}`)))(t)
	s := newAccounts(ledger.New(rules, defaults().Calendar()))
	end := momentAt(t, "11-30 23:59")
	var acts []activity.Activity
	for i := range 30 * activity.MaxDayEntries {
		acts = append(acts, activity.Activity{
			User: "ada", Action: "note", Target: fmt.Sprintf("%022d", i),
			At: momentAt(t, "11-01 00:00") + board.Moment(i/30)*1_000 + board.Moment(i%30)*24*3_600_000,
		})
	}
	n := 0
	for some := range slices.Chunk(acts, 1_500) {
		for i, r := range s.record(t, some, ledger.Arrival{Now: end, AnyAge: true}) {
			if r.Status == ledger.Counted {
				acts[n] = some[i]
				n++
			}
		}
	}
	acts = acts[:n]
	for i, word := range []string{"note", "unnote", "note"} {
		later := slices.Clone(acts)
		for j := range later {
			later[j].Action, later[j].Restores = word, i == 2
			later[j].At += 82_000_000 + board.Moment(i)*1_000_000
		}
		s.record(t, later, ledger.Arrival{Now: end, AnyAge: true})
	}
	s.awardAll(t, "ada", 7, end)
	t.Logf("%d entries, %d bytes", n, len(s.items["ada"][november]))
}

// An activity for one entry more than a limit allows is capped and not kept; a moment of a kept entry always fits.
func TestLimitsOfALedgerRefuseNewEntries(t *testing.T) {
	t.Parallel()
	long := func(i int) string { return fmt.Sprintf("%022d", i) } // 24 bytes in a key
	number := func(i int) string { return fmt.Sprint(i) }
	sameDay := func(i int) board.Moment { return board.Moment(i) }
	everyDay := func(i int) board.Moment { return board.Moment(i%20) * 24 * 3_600_000 }
	for name, tt := range map[string]struct {
		do, undo string
		ref      bool
		target   func(int) string
		after    func(int) board.Moment
		recent   bool // reported within 48 h
		entries  int
		least    int // bytes, and most
		most     int
	}{
		"entries of a month":      {"publish", "unpublish", false, number, everyDay, false, 6_000, 0, ledger.MaxMonthPage},
		"over the cap of 20 days": {"like", "unlike", false, number, everyDay, false, 2_000, 0, 24 << 10},
		"bytes over the cap":      {"like", "like", false, long, everyDay, false, 1_000, 24 << 10, 26 << 10},
		"bytes":                   {"thank", "unthank", true, long, everyDay, false, 0, 216 << 10, ledger.MaxMonthPage},
		"bytes of recent days":    {"look", "look", false, long, sameDay, true, 0, 18 << 10, 21 << 10},
		"entries of a day":        {"look", "look", false, long, sameDay, false, 1_000, 0, ledger.MaxItem},
		"bytes of other days":     {"look", "look", false, long, everyDay, false, 0, 200 << 10, ledger.MaxItem},
		"four times the cap":      {"like", "unlike", false, number, sameDay, false, 4 * 50, 0, 24 << 10},
		"the same by day":         {"comment", "uncomment", false, number, sameDay, false, 4 * 30, 0, 24 << 10},
		"undone alone":            {"unlike", "unlike", false, number, sameDay, false, 4 * 50, 0, 24 << 10},
		"registers":               {"uncomment", "uncomment", true, nil, sameDay, false, 4 * 30, 0, 24 << 10},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newAccounts(ledger.New(harness.Must(activity.ParseRules([]byte(limitRules)))(t), defaults().Calendar()))
			arrival := ledger.Arrival{Now: momentAt(t, "11-22 12:00"), AnyAge: true}
			if tt.recent {
				arrival.Now = momentAt(t, "11-02 13:00")
			}
			var acts []activity.Activity
			for i := range 9_000 {
				a := activity.Activity{
					User: "ada", Action: []string{tt.do, tt.undo}[i%2],
					At: momentAt(t, "11-02 12:00") + tt.after(i),
				}
				if tt.target != nil {
					a.Target = tt.target(i)
				}
				if tt.ref {
					a.Ref = long(i)
				}
				acts = append(acts, a)
			}
			var receipts []ledger.Receipt
			for some := range slices.Chunk(acts, 1_300) {
				receipts = append(receipts, s.record(t, some, arrival)...)
			}
			if last := receipts[len(receipts)-1]; last.Status != ledger.Capped {
				t.Errorf("past the limit: %+v", last)
			}
			n, size := entriesIn(t, s), len(s.items["ada"][november])
			if tt.entries > 0 && n != tt.entries || size < tt.least || size > tt.most {
				t.Errorf("%d entries in %d bytes, want %d in %d to %d", n, size, tt.entries, tt.least, tt.most)
			}
			again := acts[0]
			again.At++
			if d := s.decide(t, "ada", arrival, again); len(d.Changed) == 0 || d.Receipts[0].Status == ledger.Capped {
				t.Errorf("a moment of a kept entry: %+v", d.Receipts)
			}
		})
	}
}

// limitRules have the built-in actions, and the actions thank and look without caps.
const limitRules = `{"boards": {"activity": {"windows": ["day"]}}, "versions": [{"actions": {
  "publish": {"undo": "unpublish", "board": "activity", "points": 10, "entry": "month", "by": ["user"]},
  "thank": {"undo": "unthank", "board": "activity", "points": 1, "entry": "month", "entryWithRef": "month",
    "by": ["user"]},
  "like": {"undo": "unlike", "board": "activity", "points": 2, "entry": "month", "cap": 50, "by": ["user"]},
  "look": {"board": "activity", "points": 1, "entry": "day", "by": ["user"]},
  "comment": {"undo": "uncomment", "board": "activity", "points": 3, "entry": "day", "entryWithRef": "month", "cap": 30,
    "by": ["user"]}}}]}`

// entriesIn counts ada's entries of November.
func entriesIn(t *testing.T, s *accounts) (n int) {
	t.Helper()
	listed := harness.Must(s.ledger.ListedOf(s.all(t, "ada")))(t)
	for _, e := range listed {
		if e.Month == november {
			n++
		}
	}
	return n
}
