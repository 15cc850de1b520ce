package activity_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"laurel/shared/activity"
	"laurel/shared/board"
)

// The defaults, as the design's table has them.
func TestDefaultRulesAreTheTable(t *testing.T) {
	t.Parallel()
	both, service := []activity.Reporter{"user", "service"}, []activity.Reporter{"service"}
	want := map[string]activity.Rule{
		"visit":    {Board: "activity", Points: 1, Entry: "day", Cap: 100, By: both},
		"like":     {Board: "activity", Undo: "unlike", Points: 2, Entry: "month", Cap: 50, By: both},
		"bookmark": {Board: "activity", Undo: "unbookmark", Points: 2, Entry: "month", Cap: 50, By: both},
		"comment":  {Board: "activity", Undo: "uncomment", Points: 3, Entry: "day", EntryWithRef: "month", Cap: 30, By: both},
		"publish":  {Board: "activity", Undo: "unpublish", Points: 10, Entry: "month", By: service},
		"follow":   {Board: "activity", Undo: "unfollow", Points: 2, Entry: "month", Cap: 50, TargetIsUser: true, By: both},
		"steps":    {Board: "steps", Metric: true, Max: 200_000, By: both},
	}
	rules := activity.Default()
	in := rules.On(board.DateOf(2026, 11, 20))
	words := 0
	for name, rule := range want {
		rule.Action = name
		got, _ := in.Rule(name)
		if diff := cmp.Diff(rule, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		if words++; rule.Undo != "" {
			words++
			if undone, _ := in.Rule(rule.Undo); undone.Action != name {
				t.Errorf("%s takes back %q", rule.Undo, undone.Action)
			}
		}
	}
	if len(in.Words()) != words {
		t.Errorf("words: %v", in.Words())
	}
	if diff := cmp.Diff([]board.Window{board.Day, board.Month}, rules.Windows("activity")); diff != "" {
		t.Errorf("windows: %s", diff)
	}
}

func TestRulesChangeAtADay(t *testing.T) {
	t.Parallel()
	rules := parse(t, version("", "like", 2, "month")+","+version("2026-11-20", "like", 5, "month")+","+version("2026-12-01", "like", 7, "day"))
	for day, want := range map[string]int64{"2000-01-01": 2, "2026-11-19": 2, "2026-11-20": 5, "2026-11-30": 5, "2026-12-01": 7, "2030-01-01": 7} {
		d, err := board.ParseDate(day)
		if err != nil {
			t.Fatal(err)
		}
		if rule, _ := rules.On(d).Rule("like"); rule.Points != want {
			t.Errorf("on %s a like is worth %d, want %d", day, rule.Points, want)
		}
	}
}

func version(from, action string, points int, entry string) string {
	if from != "" {
		from = fmt.Sprintf(`"from":%q,`, from)
	}
	return fmt.Sprintf(`{%s"actions":{%q:{"board":"activity","points":%d,"entry":%q,"by":["user"]}}}`, from, action, points, entry)
}

func parse(tb testing.TB, versions string) *activity.Rules {
	tb.Helper()
	rules, err := activity.ParseRules([]byte(`{"boards":{"activity":{"windows":["day"]}},"versions":[` + versions + `]}`))
	if err != nil {
		tb.Fatal(err)
	}
	return rules
}

func TestEveryErrorOfRulesIsListed(t *testing.T) {
	t.Parallel()
	const boards = `"boards":{"activity":{"windows":["day"]}}`
	action := func(fields string) string {
		return `{` + boards + `,"versions":[{"actions":{"like":{` + fields + `}}}]}`
	}
	tests := map[string]struct {
		source string
		want   []string
	}{
		"not JSON":        {`{`, []string{"not a rules file"}},
		"unknown field":   {`{"bords":{}}`, []string{"bords"}},
		"something after": {`{` + boards + `,"versions":[` + version("", "like", 1, "day") + `]} {}`, []string{"follows"}},
		"nothing":         {`{}`, []string{"boards: there must be", "versions: there must be"}},
		"board":           {`{"boards":{"A b":{"windows":[]}},"versions":[]}`, []string{"boards.A b: a name", "boards.A b.windows: there", "versions: there"}},
		"board by digit":  {`{"boards":{"1a":{"windows":[]}},"versions":[]}`, []string{"boards.1a: a name"}},
		"board too long":  {`{"boards":{"` + strings.Repeat("a", 33) + `":{"windows":[]}},"versions":[]}`, []string{"aaa: a name"}},
		"window":          {`{"boards":{"a":{"windows":["hour"]}}}`, []string{`"hour" is not a window`}},
		"window twice":    {`{"boards":{"a":{"windows":["day","day"]}},"versions":[{"actions":{}}]}`, []string{"named twice", "at least one action"}},
		"everything wrong": {
			action(`"board":"b","points":-1,"entry":"week","entryWithRef":"hour","cap":0,"target":"page","by":["robot"],"undo":"Un Like"`),
			[]string{`no board "b"`, "points: -1", `entry: "week"`, `entryWithRef: "hour"`, "cap: 0", `target: "page"`, `by: "robot"`, `"Un Like" is not a name`},
		},
		"nobody":      {action(`"board":"activity","entry":"day"`), []string{"by: nobody"}},
		"own undo":    {action(`"board":"activity","entry":"day","by":["user"],"undo":"like"`), []string{`the word "like" belongs`}},
		"metric":      {`{` + boards + `,"versions":[{"metrics":{"steps":{"board":"activity","min":5,"max":1,"by":["user"]}}}]}`, []string{"min 5 and max 1"}},
		"too much":    {`{` + boards + `,"versions":[{"metrics":{"a":{"board":"activity","max":67108863,"by":["user"]},"b":{"board":"activity","max":1,"by":["user"]}}}]}`, []string{"could be worth 67108864"}},
		"first from":  {`{` + boards + `,"versions":[` + version("2026-01-01", "like", 1, "day") + `]}`, []string{"versions[0].from"}},
		"no from":     {`{` + boards + `,"versions":[` + version("", "like", 1, "day") + `,` + version("", "like", 1, "day") + `]}`, []string{"versions[1].from"}},
		"order":       {`{` + boards + `,"versions":[` + version("", "a", 1, "day") + `,` + version("2026-02-01", "a", 1, "day") + `,` + version("2026-02-01", "a", 1, "day") + `]}`, []string{"versions[2].from", "not after"}},
		"entry moves": {`{` + boards + `,"versions":[` + version("", "like", 1, "day") + `,` + version("2026-02-02", "like", 1, "month") + `]}`, []string{"versions[1].like", "month's start"}},
		"entry moves behind a gap": {
			`{` + boards + `,"versions":[` + version("", "like", 1, "day") + `,` + version("2026-02-10", "other", 1, "day") + `,` + version("2026-02-20", "like", 1, "month") + `]}`,
			[]string{"versions[2].like", "month's start"},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := activity.ParseRules([]byte(tt.source))
			if err == nil {
				t.Fatal("taken")
			}
			for _, want := range tt.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("%q is not in\n%v", want, err)
				}
			}
		})
	}
}

func TestEntryMayMoveAtAMonthsStart(t *testing.T) {
	t.Parallel()
	parse(t, version("", "like", 1, "day")+","+version("2026-02-01", "like", 1, "month")+","+version("2026-02-11", "like", 3, "month"))
}

func FuzzParseRules(f *testing.F) {
	f.Add(activity.Default().JSON())
	f.Add([]byte(`{"boards":{"a":{"windows":["day"]}},"versions":[{"metrics":{"m":{"board":"a","max":1,"by":["user"]}}}]}`))
	f.Fuzz(func(t *testing.T, source []byte) {
		rules, err := activity.ParseRules(source)
		if err != nil {
			return
		}
		for _, word := range rules.On(0).Words() {
			if rule, ok := rules.On(0).Rule(word); !ok || rules.Windows(rule.Board) == nil {
				t.Errorf("%s has no board that keeps anything", word)
			}
		}
	})
}
