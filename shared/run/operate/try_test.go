package operate_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"laurel/internal/harness"
	"laurel/shared/core/activity"
	"laurel/shared/core/board"
	"laurel/shared/core/ledger"
	"laurel/shared/forum/night"
	"laurel/shared/forum/people"
	"laurel/shared/forum/trial"
	"laurel/shared/run/operate"
	"laurel/shared/store/table"
)

// rulesFile is a rules file where a like has these points, and a comment these and a cap.
func rulesFile(windows string, like, comment, limit int) []byte {
	return fmt.Appendf(nil, `{"boards":{"activity":{"windows":[%s]},"steps":{"windows":[%s]}},"versions":[{
		"actions":{"visit":{"board":"activity","points":1,"entry":"day","cap":4,"by":["user","service"]},
		"like":{"undo":"unlike","board":"activity","points":%d,"entry":"month","by":["service"]},
		"comment":{"undo":"uncomment","board":"activity","points":%d,"entry":"day","entryWithRef":"month","cap":%d,
			"by":["service"]}},
		"metrics":{"steps":{"board":"steps","max":9000,"by":["service"]}}}]}`, windows, windows, like, comment, limit)
}

const (
	shortWindows = `"day","month"`
	allWindows   = `"day","week","month","year","all"`
)

func forumBy(t *testing.T, file []byte, now time.Time) *harness.Forum {
	t.Helper()
	rules := harness.Must(activity.ParseRules(file))(t)
	return harness.NewForum(t, harness.Setup{Ledger: ledger.New(rules, board.NewCalendar(time.UTC)), Shards: 2, Now: now})
}

// history returns the activities of 45 people in some hours before a time.
func history(r *rand.Rand, until time.Time, hours int) (acts []activity.Activity) {
	actions := []string{"visit", "visit", "like", "like", "unlike", "comment", "comment", "uncomment", "steps"}
	for range 900 {
		a := activity.Activity{
			User: fmt.Sprintf("user-%d", r.IntN(45)), Action: actions[r.IntN(len(actions))],
			Target: fmt.Sprintf("a%d", r.IntN(6)),
			At:     board.MomentOf(until.Add(-time.Duration(r.IntN(hours*60)) * time.Minute)),
		}
		switch {
		case a.Action == "steps":
			a.Target, a.Value = "", new(int64(r.IntN(9000)))
		case strings.HasSuffix(a.Action, "comment") && r.IntN(2) == 0:
			a.Ref = fmt.Sprintf("c%d", r.IntN(3))
		}
		acts = append(acts, a)
	}
	return acts
}

// lives plays a history in a forum: with nights on which days are closed, or without; one of the first users is
// hidden, one excluded.
func lives(f *harness.Forum, seed uint64, nights bool) {
	f.TB.Helper()
	r := rand.New(rand.NewPCG(seed, 1))
	f.Record(history(r, f.Now, 100)...)
	if nights {
		f.Night(5)
		f.Record(history(r, f.Now, 40)...)
	}
	harness.Must(f.People.SetVisibility(f.TB.Context(), "user-1", people.UserVisibility{Boards: "hidden"}))(f.TB)
	harness.OK(f.TB, f.People.SetExclusion(f.TB.Context(), "user-2", people.UserExclusion{Excluded: true}, ""))
	f.Fill() // on a busy machine a report does not wait for the view
}

// top returns the first users of a live board, as readers see it.
func top(f *harness.Forum, name string, p board.Period) trial.Page {
	f.TB.Helper()
	page := harness.Must(f.View.Read(f.TB.Context(), board.View{Board: name, Period: p, Limit: 30}))(f.TB)
	told := trial.Page{Total: page.Total, Entries: []trial.Place{}}
	for _, place := range page.Places {
		told.Entries = append(told.Entries, trial.Place{Rank: place.Rank, Score: place.Packed.Score(), User: place.User})
	}
	return told
}

// itemsOf returns all items of a forum's table, with their bytes.
func itemsOf(f *harness.Forum) map[table.Key]string {
	f.TB.Helper()
	all := harness.Must(f.Table.Items(f.TB.Context()))(f.TB)
	rows := map[table.Key]string{}
	for _, item := range all {
		rows[item.Key] = fmt.Sprintf("%d %x", item.Revision, item.Data)
	}
	return rows
}

// Before is each live board as it is, and After that of a forum that has had the other rules from its beginning, ties
// and all. Nothing is written.
func TestTryEqualsAForumByTheOtherRules(t *testing.T) {
	t.Parallel()
	december := time.Date(2026, time.December, 2, 12, 0, 0, 0, time.UTC) // in the week of November's last days
	for name, c := range map[string]struct {
		now, other []byte
		nights     bool
		clock      time.Time
	}{
		"points":              {rulesFile(shortWindows, 2, 4, 3), rulesFile(shortWindows, 4, 2, 3), false, harness.Noon},
		"a larger cap":        {rulesFile(shortWindows, 2, 4, 1), rulesFile(shortWindows, 2, 4, 3), false, harness.Noon},
		"a smaller cap":       {rulesFile(shortWindows, 2, 4, 3), rulesFile(shortWindows, 2, 4, 1), false, harness.Noon},
		"days that are over":  {rulesFile(shortWindows, 2, 4, 3), rulesFile(shortWindows, 4, 2, 3), true, harness.Noon},
		"an action for none":  {rulesFile(shortWindows, 2, 4, 3), rulesFile(shortWindows, 0, 2, 3), true, harness.Noon},
		"longer windows":      {rulesFile(allWindows, 2, 4, 3), rulesFile(allWindows, 4, 2, 2), false, december},
		"windows of the file": {rulesFile(shortWindows, 2, 4, 3), rulesFile(allWindows, 4, 2, 3), false, december},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for seed := range uint64(3) {
				f, other := forumBy(t, c.now, c.clock), forumBy(t, c.other, c.clock)
				lives(f, seed, c.nights)
				lives(other, seed, c.nights)
				tried := tryUnwritten(f, c.other)
				if len(tried.Boards) < 4 || len(tried.Boards[0].Gain)+len(tried.Boards[0].Lose) == 0 {
					t.Errorf("it tells little: %+v", tried)
				}
				for _, b := range tried.Boards {
					period := harness.Must(board.ParsePeriod(b.Window, b.Period))(t)
					if slices.Contains(f.Rules.Windows(b.Board), b.Window) {
						if diff := cmp.Diff(top(f, b.Board, period), b.Before); diff != "" {
							t.Errorf("seed %d: %s %s before (-board +tried):\n%s", seed, b.Board, b.Period, diff)
						}
					}
					if diff := cmp.Diff(top(other, b.Board, period), b.After); diff != "" {
						t.Errorf("seed %d: %s %s after (-board +tried):\n%s", seed, b.Board, b.Period, diff)
					}
				}
			}
		})
	}
}

const contestsText = `cup, 2026-11-18..2026-11-23: a new board, 3 by the file
  place  by the file  score
  1      bob          6
  2      ann          4
  3      cyd          1

gone, 2026-09-01..2026-10-31: a new board, 0 by the file

late, 2027-03-01..2027-03-31: a new board, 0 by the file

not known: gone, 2026-09-01..2026-10-31: the ledgers up to 2026-10 are gone
4 people; nothing was changed
`

// A contest is shown in its own days, of the ledgers that are kept, those of final months too.
func TestTryOfContests(t *testing.T) {
	t.Parallel()
	f := forumBy(t, rulesFile(shortWindows, 2, 4, 3), harness.Noon)
	did := func(text, at string) { f.Record(harness.Did(t, text, harness.At(t, at))) }
	did("dan visit a1", "2026-09-09T11:00")
	did("dan visit a2", "2026-11-17T23:59")
	did("ann like a1", "2026-11-18T00:00")
	did("cyd visit a1", "2026-11-20T11:00")
	f.Now = harness.At(t, "2026-11-24T12:00").Time()
	did("ann like a2", "2026-11-23T23:59")
	did("bob like a1", "2026-11-20T11:00")
	did("bob comment a1", "2026-11-23T11:00")
	did("bob comment a2", "2026-11-24T00:00")
	f.Night(60, func(o *night.Options) { o.LedgerMonths = 1 }) // January: October is final
	f.Night(30, func(o *night.Options) { o.LedgerMonths = 1 }) // February: and November, and October's ledgers go
	f.Night(0)
	source := strings.Replace(string(rulesFile(shortWindows, 2, 4, 3)), `"boards":{`, `"boards":{
		"cup":{"counts":"activity","from":"2026-11-18","to":"2026-11-23"},
		"gone":{"counts":"activity","from":"2026-09-01","to":"2026-10-31"},
		"late":{"counts":"activity","from":"2027-03-01","to":"2027-03-31"},`, 1)
	tried := tryUnwritten(f, []byte(source))
	text := harness.Must(operate.Here(f.App)(t.Context(), tryOf(t, source), operate.Quiet()))(t).Text
	_, text, _ = strings.Cut(text, "activity, 2027-02: 0 on it, 0 by the file\n\n")
	for _, steps := range []string{"2027-02-22", "2027-02"} {
		text = strings.ReplaceAll(text, "steps, "+steps+": 0 on it, 0 by the file\n\n", "")
	}
	if diff := cmp.Diff(contestsText, text); diff != "" || len(tried.Boards) != 7 {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func tryOf(t *testing.T, rules string) operate.Request {
	t.Helper()
	r, wrong := operate.Ask(&operate.Try{Rules: []byte(rules)})
	harness.OK(t, wrong)
	return r
}

// tryUnwritten tries rules by slices of a function and in this process, with the same answer, and checks that nothing
// was written.
func tryUnwritten(f *harness.Forum, rules []byte) (tried trial.Result) {
	f.TB.Helper()
	kept, view, writes := itemsOf(f), f.State(), f.Table.Writes.Load()
	c := &operate.Try{Rules: rules}
	text, err := inSlices(f, c, &tried)
	r, wrong := operate.Ask(c)
	if err != nil || wrong != nil {
		f.TB.Fatal(err, wrong)
	}
	here, err := operate.Here(f.App)(f.TB.Context(), r, operate.Quiet())
	object, _ := json.Marshal(tried)
	if err != nil || here.Text != text || !bytes.Equal([]byte(here.Object), append(object, '\n')) || here.Differs {
		f.TB.Errorf("a function says otherwise: %v\n%s\n%s", err, text, here.Text)
	}
	if diff := cmp.Diff(kept, itemsOf(f)); diff != "" || f.Table.Writes.Load() != writes {
		f.TB.Errorf("it has written (-before +after):\n%s", diff)
	}
	if diff := cmp.Diff(view, f.State()); diff != "" {
		f.TB.Errorf("it has changed the view (-before +after):\n%s", diff)
	}
	return tried
}

const triedText = `activity, 2026-11-20: 3 on it, 3 by the file
  place  now  score  by the file  score
  1      cyd  6      cyd          15
  2      dan  3      ann          5
  3      ann  2      dan          3
  would gain most places:
    ann  3 -> 2  2 -> 5 points
  would lose most places:
    dan  2 -> 3  3 -> 3 points

activity, 2026-11: 3 on it, 3 by the file
  place  now  score  by the file  score
  1      cyd  6      cyd          15
  2      dan  3      ann          5
  3      ann  2      dan          3
  would gain most places:
    ann  3 -> 2  2 -> 5 points
  would lose most places:
    dan  2 -> 3  3 -> 3 points

steps, 2026-11-20: 0 on it, 0 by the file

steps, 2026-11: 0 on it, 0 by the file

1 people are damaged, and left out
4 people; nothing was changed
`

// A trial works without Redis, and one person's damage affects no other.
func TestTryWithoutRedis(t *testing.T) {
	t.Parallel()
	f := forumBy(t, rulesFile(shortWindows, 2, 4, 3), harness.Noon)
	like := func(user string, likes int) {
		for i := range likes {
			f.Record(harness.Did(t, fmt.Sprintf("%s like a%d", user, i), harness.At(t, "2026-11-20T11:00")))
		}
	}
	like("ann", 1)
	like("bob", 2)
	like("cyd", 3)
	for _, page := range []string{"a1", "a2", "a3"} {
		f.Record(harness.Did(t, "dan visit "+page, harness.At(t, "2026-11-20T11:00")))
	}
	f.Damage("bob")
	harness.OK(t, f.Redis.Close())
	var tried trial.Result
	text, err := inSlices(f, &operate.Try{Rules: rulesFile(shortWindows, 5, 4, 3)}, &tried)
	if diff := cmp.Diff(triedText, text); err != nil || tried.Damaged != 1 || tried.People != 4 || diff != "" {
		t.Errorf("%v, %+v (-want +got):\n%s", err, tried, diff)
	}
}

// A dry run of an act tells of the boards whose windows roll and of contests, too.
func TestDryRunOfRollingBoards(t *testing.T) {
	t.Parallel()
	source := strings.Replace(string(rulesFile(`"day","7d"`, 2, 4, 3)), `"boards":{`,
		`"boards":{"cup":{"counts":"activity","from":"2026-11-18","to":"2026-11-23"},`, 1)
	f := forumBy(t, []byte(source), harness.Noon)
	f.Record(harness.Did(t, "ann like a1", board.MomentOf(f.Now)), harness.Did(t, "bob visit a1", board.MomentOf(f.Now)))
	var told operate.Previewed
	harness.OK(t, operate.Here(f.App).Object(t.Context(), &operate.Exclude{
		Person: operate.Person{User: "ann"}, DryRun: operate.DryRun{DryRun: true},
	}, &told))
	try := harness.Must(operate.Ask(&operate.Try{Rules: []byte(source)}))(t)
	text := harness.Must(operate.Here(f.App).Run(t.Context(), try, operate.Quiet(), nil))(t).Text
	for _, line := range []string{
		"activity, 2026-11-20: 2", "activity, 7 days to 2026-11-20: 2", "cup, 2026-11-18..2026-11-23: 2",
	} {
		if !strings.Contains(text, "\n"+line) && !strings.HasPrefix(text, line) {
			t.Errorf("no %q in:\n%s", line, text)
		}
	}
	var moved []string
	for _, b := range told.Boards {
		moved = append(moved, fmt.Sprint(b.Board, " ", b.Window, ": ", b.Before.Total, " then ", b.After.Total))
	}
	want := []string{"activity day: 2 then 1", "activity 7d: 2 then 1", "cup contest: 2 then 1"}
	if !slices.Equal(moved, want) {
		t.Errorf("moved %q", moved)
	}
}
