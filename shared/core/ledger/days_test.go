package ledger_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"laurel/internal/harness"
	"laurel/shared/core/activity"
	"laurel/shared/core/board"
	"laurel/shared/core/ledger"
)

// handRules have low caps, and in the middle of November a like becomes worth 5 and its cap 3.
const handRules = `{"boards": {"activity": {"windows": ["day"]}, "steps": {"windows": ["day"]}}, "versions": [
 {"actions": {
  "visit": {"board": "activity", "points": 1, "entry": "day", "cap": 2, "by": ["user"]},
  "like": {"undo": "unlike", "board": "activity", "points": 2, "entry": "month", "cap": 2, "by": ["user"]},
  "bookmark": {"undo": "unbookmark", "board": "activity", "points": 0, "entry": "month", "by": ["user"]},
  "comment": {"undo": "uncomment", "board": "activity", "points": 3, "entry": "day", "entryWithRef": "month", "cap": 2,
    "by": ["user"]}}, "metrics": {"steps": {"board": "steps", "min": 0, "max": 200000, "by": ["user"]}}},
 {"from": "2026-11-16", "actions": {
  "like": {"undo": "unlike", "board": "activity", "points": 5, "entry": "month", "cap": 3, "by": ["user"]}}}]}`

// dayCases are worked by hand from the design: ann's activities, and the points of days with the times
// when they were reached.
var dayCases = []struct{ name, zone, did, want string }{
	{
		"past the cap nothing counts, and reached is the cap-th earliest", "UTC",
		"11-02T12:00 like C, 11-02T11:00 like B, 11-02T10:00 like A", "11-02 4 11-02T11:00",
	},
	{
		"taken back within the cap, the next one moves up", "UTC",
		"11-02T10:00 like A, 11-02T11:00 like B, 11-02T12:00 like C, 11-02T13:00 unlike A", "11-02 4 11-02T12:00",
	},
	{
		"both kinds of comment share the one cap", "UTC",
		"11-02T10:00 comment A, 11-02T12:00 comment A 1, 11-02T11:00 comment A 2", "11-02 6 11-02T11:00",
	},
	{
		"an undo of something else takes nothing back", "UTC",
		"11-02T10:00 comment A 1, 11-02T11:00 uncomment A, 11-02T11:00 uncomment A 2, 11-02T11:00 uncomment B 1",
		"11-02 3 11-02T10:00",
	},
	{
		"reached is the latest over the actions worth points, each within its own cap", "UTC",
		"11-02T10:00 like A, 11-02T11:00 like B, 11-02T10:30 visit A, 11-02T12:00 like C, 11-02T13:00 bookmark A",
		"11-02 5 11-02T11:00",
	},
	{
		"a metric is worth its value since it was first reported", "UTC",
		"11-02T10:00 steps 900, 11-02T12:00 steps 1200, 11-02T11:00 steps 1200, 11-03T00:00 steps 5, 11-04T00:00 steps 0",
		"11-02 1200 11-02T11:00, 11-03 5 11-03T00:00, 11-04 0",
	},
	{
		"new rules hold from their day on, and move with an entry", "UTC",
		"11-15T10:00 like A, 11-15T11:00 unlike A, 11-16T10:00 like A, 11-15T23:59 like B, 11-15T23:58 like C, " +
			"11-15T23:57 like D, 11-16T00:00 like E",
		"11-15 4 11-15T23:58, 11-16 10 11-16T10:00",
	},
	{
		"the spring day of 23 hours is one day of the forum's calendar", "Europe/Berlin",
		"03-28T22:59 visit A, 03-28T23:00 visit A, 03-29T21:59 visit B, 03-29T22:00 visit A",
		"03-28 1 03-28T22:59, 03-29 2 03-29T21:59, 03-30 1 03-29T22:00",
	},
	{
		"the autumn day of 25 hours too", "Europe/Berlin",
		"10-25T00:30 like A, 10-25T01:15 unlike A, 10-25T22:59 like B, 10-25T23:00 like C",
		"10-25 2 10-25T22:59, 10-26 2 10-25T23:00",
	},
	{
		"the month is the forum's as well: an entry by its local month", "Asia/Shanghai",
		"10-31T15:59 like A, 10-31T16:00 like A", "10-31 2 10-31T15:59, 11-01 2 10-31T16:00",
	},
}

func TestDaysWorkedByHand(t *testing.T) {
	t.Parallel()
	rules := harness.Must(activity.ParseRules([]byte(handRules)))(t)
	moment := func(text string) board.Moment { return momentAt(t, strings.Replace(text, "T", " ", 1)) }
	for _, c := range dayCases {
		calendar := harness.Must(board.LoadCalendar(c.zone))(t)
		s := newAccounts(ledger.New(rules, calendar))
		for text := range strings.SplitSeq(c.did, ", ") {
			a, words := activity.Activity{User: "ann"}, strings.Fields(text)
			a.At, a.Action, a.Target, a.Ref = moment(words[0]), words[1], words[2], strings.Join(words[3:], "")
			if a.Action == "steps" {
				a.Target, a.Value = "", new(int64)
				_, _ = fmt.Sscan(words[2], a.Value)
			}
			s.record(t, []activity.Activity{a}, ledger.Arrival{Now: a.At})
		}
		for want := range strings.SplitSeq(c.want, ", ") {
			words := append(strings.Fields(want), "")
			p := harness.Must(board.ParsePeriod(board.Day, "2026-"+words[0]))(t)
			packed := s.boards[spot{"activity", p, "ann"}] + s.boards[spot{"steps", p, "ann"}]
			reached := calendar.Start(p.First()) + board.Moment(packed.Ticks())
			if fmt.Sprint(packed.Score()) != words[1] || words[2] != "" && reached != moment(words[2]) {
				t.Errorf("%s: %d at %s, want %s", c.name, packed.Score(), reached, want)
			}
		}
	}
}

// Entries are listed with their worth: the earliest of a day up to the cap, none that is
// undone, hashes for long targets.
func TestListedEntries(t *testing.T) {
	t.Parallel()
	l, noon := defaults(), momentAt(t, "11-20 12:00")
	var acts []activity.Activity
	add := func(action, target string, moment board.Moment) {
		acts = append(acts, activity.Activity{User: "ann", Action: action, Target: target, At: noon + moment})
	}
	for i := range board.Moment(52) { // two above the cap
		add("like", fmt.Sprint("a", int64(i)), i)
	}
	add("unlike", "a1", 100)
	add("visit", "#page", 200)
	add("unbookmark", strings.Repeat("x", 40), 300)
	add("follow", "bob", 400)
	acts = append(acts, activity.Activity{User: "ann", Action: "steps", Value: new(int64(700)), At: noon + 500})
	s := newAccounts(l)
	s.record(t, acts, ledger.Arrival{Now: noon})
	listed := harness.Must(l.ListedOf(s.all(t, "ann")))(t)
	var got []string
	for _, e := range slices.Concat(listed[:8], listed[len(listed)-2:]) {
		target := e.Target
		if e.Hashed {
			target = "hashed"
		}
		on := ""
		if e.On != 0 {
			on = e.On.String()
		}
		got = append(got, fmt.Sprint(e.Action, " ", target, " ", e.State, " ", e.Board, " ", on, " ", e.Points))
	}
	want := []string{
		"steps  counted steps 2026-11-20 700", "follow hashed counted activity 2026-11-20 2",
		"bookmark hashed undone activity  0", "bookmark hashed undone activity  0", // an undo enters two months
		"visit #page counted activity 2026-11-20 1", "like a1 undone activity  0", "like a1 undone activity  0",
		"like a51 over_cap activity 2026-11-20 0", "like a2 counted activity 2026-11-20 2",
		"like a0 counted activity 2026-11-20 2",
	}
	if diff := cmp.Diff(want, got); diff != "" || len(listed) != 58 {
		t.Errorf("%d entries (-want +got):\n%s", len(listed), diff)
	}
	days := harness.Must(l.DaysOf(s.all(t, "ann"), board.DateOf(2026, 11, 19), board.DateOf(2026, 11, 20)))(t)
	tallies := map[string]ledger.Tally{"like": {51, 100}, "visit": {1, 1}, "follow": {1, 2}, "steps": {1, 700}}
	if diff := cmp.Diff(tallies, days[1].Actions); diff != "" || len(days) != 2 || len(days[0].Actions) > 0 {
		t.Errorf("%d days (-want +got):\n%s", len(days), diff)
	}
}

// Of a month there are the places of its days up to tomorrow, also without points, and of later ones
// those with some; there are totals of boards with something.
func TestPlacesOfAMonth(t *testing.T) {
	t.Parallel()
	rules := harness.Must(activity.ParseRules([]byte(`{"boards":{"a":{"windows":["day","week","month","year"]},
		"b":{"windows":["month"]}},"versions":[{"actions":{"like":{"undo":"unlike","board":"a","points":2,
		"entry":"month","cap":5,"by":["user"]},"rare":{"board":"b","points":1,"entry":"month","by":["user"]}}}]}`)))(t)
	s := newAccounts(ledger.New(rules, board.NewCalendar(time.UTC)))
	s.did(t, "like", "A", "11-25 10:00")
	places := harness.Must(s.ledger.Places(s.all(t, "ada"), nil, board.DateOf(2026, time.November, 20), november))(t)
	got := map[string]int64{}
	for _, p := range places {
		if p.Packed != 0 || p.Period.First() > board.DateOf(2026, time.November, 18) {
			got[p.Board+" "+p.Period.String()] = p.Packed.Score()
		}
	}
	want := map[string]int64{
		"a 2026-11-19": 0, "a 2026-11-20": 0, "a 2026-11-21": 0, "a 2026-11-25": 2,
		"a 2026-W48": 2, "a 2026-11": 2, "a 2026": 2,
	}
	if diff := cmp.Diff(want, got); diff != "" || len(places) != 22+5+1+1+1 {
		t.Errorf("%d places (-want +got):\n%s", len(places), diff)
	}
	totals := harness.Must(s.ledger.MonthTotals(s.all(t, "ada"), november))(t)
	total := ledger.MonthTotal{Board: "a", Month: november, Score: 2, Reached: momentAt(t, "11-25 10:00")}
	if len(totals) != 1 || totals[0] != total {
		t.Errorf("totals %+v", totals)
	}
}

// The cost of further boards of two windows: a report of one like, on a ledger of thirty entries, and a month's places.
func BenchmarkFurtherBoards(b *testing.B) {
	for _, further := range []int{0, 1, 3} {
		boards := `"a":{"windows":["day","month"]}`
		for i := range further {
			boards += fmt.Sprintf(`,"b%d":{"counts":{"like":%d,"visit":{"points":1,"cap":2}},"windows":["day","month"]}`, i, i+2)
		}
		rules := harness.Must(activity.ParseRules([]byte(`{"boards":{` + boards + `},"versions":[{"actions":{
			"like":{"undo":"unlike","board":"a","points":2,"entry":"month","cap":50,"by":["user"]},
			"visit":{"board":"a","points":1,"entry":"day","cap":100,"by":["user"]}}}]}`)))(b)
		s := newAccounts(ledger.New(rules, board.NewCalendar(time.UTC)))
		noon := harness.At(b, "2026-11-20T12:00")
		for i := range 30 {
			s.decide(b, "ada", ledger.Arrival{Now: noon}, activity.Activity{
				User: "ada", Action: []string{"like", "visit"}[i%2], Target: fmt.Sprint(i), At: noon,
			})
		}
		next := activity.Activity{User: "ada", Action: "like", Target: "next", At: noon}
		b.Run(fmt.Sprint("report ", further), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				account := s.account(b, "ada", november)
				harness.Must(s.ledger.DecideAccount(account, []activity.Activity{next}, ledger.Surroundings{Now: noon}))(b)
			}
		})
		b.Run(fmt.Sprint("places ", further), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				harness.Must(s.ledger.Places(s.account(b, "ada", november), nil, november.First()+19, november))(b)
			}
		})
	}
}
