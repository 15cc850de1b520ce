package activity_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"laurel/internal/harness"
	"laurel/shared/core/activity"
	"laurel/shared/core/board"
)

// The built-in rules are those of the design's table.
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
		if diff := gocmp.Diff(&rule, in.Find(name), cmpopts.IgnoreUnexported(activity.Rule{})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		if words++; rule.Undo != "" {
			words++
			if undone := in.Find(rule.Undo); undone == nil || undone.Action != name {
				t.Errorf("%s is the undo of %+v", rule.Undo, undone)
			}
		}
	}
	if len(in.Words()) != words {
		t.Errorf("words: %v", in.Words())
	}
	if diff := gocmp.Diff([]board.Window{board.Day, board.Month}, rules.Windows("activity")); diff != "" {
		t.Errorf("windows: %s", diff)
	}
}

// The strict rules believe users' own tokens nothing that nobody can check.
func TestStrictRules(t *testing.T) {
	t.Parallel()
	in := readRules(t, "strict.json").On(0)
	words := slices.Clone(activity.Default().On(0).Words())
	words = slices.DeleteFunc(words, func(word string) bool { return word == "steps" })
	if diff := gocmp.Diff(words, in.Words()); diff != "" {
		t.Errorf("(-default +strict):\n%s", diff)
	}
	for _, word := range in.Words() {
		rule := in.Find(word)
		if rule.MayReport(activity.ByUser) && (rule.Metric || rule.MinAgeDays == 0 || rule.Cap == 0 ||
			!rule.TargetIsUser && (!rule.Published || !rule.NotOwn)) {
			t.Errorf("%s: %+v", word, rule)
		}
	}
}

func TestRulesChangeAtADay(t *testing.T) {
	t.Parallel()
	rules := parse(t, version("", "like", 2, "month")+","+version("2026-11-20", "like", 5, "month")+","+
		version("2026-12-01", "like", 7, "day"))
	for day, want := range map[string]int64{
		"2000-01-01": 2, "2026-11-19": 2, "2026-11-20": 5, "2026-11-30": 5,
		"2026-12-01": 7, "2030-01-01": 7,
	} {
		d := harness.Must(board.ParseDate(day))(t)
		if rule := rules.On(d).Find("like"); rule.Points != want {
			t.Errorf("on %s a like is worth %d, want %d", day, rule.Points, want)
		}
	}
}

func version(firstDay, action string, points int, entry string) string {
	if firstDay != "" {
		firstDay = fmt.Sprintf(`"from":%q,`, firstDay)
	}
	const format = `{%s"actions":{%q:{"board":"activity","points":%d,"entry":%q,"by":["user"]}}}`
	return fmt.Sprintf(format, firstDay, action, points, entry)
}

// file returns a rules file with these versions.
func file(versions ...string) string {
	return `{"boards":{"activity":{"windows":["day"]}},"versions":[` + strings.Join(versions, ",") + `]}`
}

func parse(tb testing.TB, versions ...string) *activity.Rules {
	tb.Helper()
	return harness.Must(activity.ParseRules([]byte(file(versions...))))(tb)
}

// Each block of errors.txt is a member of a rules file or several, in place of those of the built-in rules, or a whole
// file; and after - parts of the error.
func TestEveryErrorOfRulesIsNamed(t *testing.T) {
	t.Parallel()
	text := string(harness.Must(os.ReadFile("testdata/errors.txt"))(t))
	for block := range strings.SplitSeq(strings.TrimSpace(text), "\n\n") {
		members := map[string]json.RawMessage{}
		harness.OK(t, json.Unmarshal(activity.Default().JSON(), &members))
		var whole, want []string
		for line := range strings.SplitSeq(block, "\n") {
			switch mark, rest, _ := strings.Cut(line, " "); mark {
			case "#":
			case "-":
				want = append(want, rest)
			case "rules":
				whole = append(whole, rest)
			default:
				members[mark] = json.RawMessage(rest)
			}
		}
		source := cmp.Or(strings.Join(whole, "\n"), string(harness.Must(json.Marshal(members))(t)))
		_, err := activity.ParseRules([]byte(source))
		if err == nil {
			t.Errorf("accepted: %s", block)
			continue
		}
		for _, part := range want {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("%q is not in\n%v", part, err)
			}
		}
	}
}

// A value that cannot be read has one fault: those that follow from it are left out. The faults of its neighbours are
// there, also of one whose name begins alike.
func TestFaultsThatFollowAreNotTold(t *testing.T) {
	t.Parallel()
	_, err := activity.ParseRules([]byte(`{"boards":{"a":5,"ab":{"windows":[]},"b":{"windows":["day"]}},
		"versions":[{"actions":{"like":{"board":"b","points":1,"entry":"day","by":["user"]}}}]}`))
	var places []string
	for line := range strings.Lines(fmt.Sprint(err)) {
		place, _, _ := strings.Cut(strings.SplitN(line, ": ", 2)[1], ": ")
		places = append(places, place)
	}
	equal(t, "boards.a boards.ab.windows", strings.Join(places, " "))
}

// long is a text that is longer than a label.
var long = strings.Repeat("é", activity.MaxLabel+1)

// withText returns a rules file whose board has these texts.
func withText(text string) string {
	return strings.Replace(file(version("", "like", 1, "day")), `{"windows"`, `{`+text+`,"windows"`, 1)
}

// The names of boards are read by language, and a board may do without.
func TestTextsOfBoards(t *testing.T) {
	t.Parallel()
	for source, want := range map[string]activity.BoardText{
		file(version("", "like", 1, "day")): {Labels: map[string]string{}, Unit: map[string]string{}},
		withText(`"labels":{"zh-Hant-TW":"活躍榜","de":"Karma"},"unit":{"de":"Punkte"}`): {
			Labels: map[string]string{"zh-Hant-TW": "活躍榜", "de": "Karma"}, Unit: map[string]string{"de": "Punkte"},
		},
	} {
		rules := harness.Must(activity.ParseRules([]byte(source)))(t)
		if diff := gocmp.Diff(want, rules.Text("activity")); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
	for _, rules := range []*activity.Rules{activity.Default(), readRules(t, "strict.json")} {
		for _, name := range rules.Boards() {
			text := rules.Text(name)
			for _, language := range []string{"en", "zh", "vi"} {
				if text.Labels[language] == "" || text.Unit[language] == "" {
					t.Errorf("%s has no texts in %s", name, language)
				}
			}
		}
	}
}

func TestEntryMayMoveAtAMonthsStart(t *testing.T) {
	t.Parallel()
	parse(t, version("", "like", 1, "day"), version("2026-02-01", "like", 1, "month"),
		version("2026-02-11", "like", 3, "month"))
	parse(t, version("", "like", 1, "day"), version("2026-02-01", "other", 1, "day"),
		version("2026-02-11", "like", 3, "month"))
}

// Everything that has a limit may be at it.
func TestRulesAtTheirLimits(t *testing.T) {
	t.Parallel()
	name, language := strings.Repeat("a", 32), "abc-12345678-12345678-12345678-1234"
	labels := []string{fmt.Sprintf("%q:%q", language, long[len("é"):])}
	for i := range 99 {
		labels = append(labels, fmt.Sprintf(`"a%c%c":"x"`, 'a'+i/10, 'a'+i%10))
	}
	var events []string
	for i := range 16 {
		events = append(events, fmt.Sprintf(`{"name":"e%d","url":"https://%s","types":["period.final"]}`, i,
			strings.Repeat("f", activity.MaxURL-len("https://"))))
	}
	source := fmt.Sprintf(`{"boards":{%[1]q:{"windows":["day"],"labels":{%[2]s}},"b":{"windows":["day"]}},"events":[%[3]s],
		"versions":[{
		"actions":{"like":{"board":%[1]q,"points":10000,"entry":"day","entryWithRef":"day","cap":1000,"minAgeDays":3650,
			"labels":{%[2]s},
			"by":["user"]},"dislike":{"board":%[1]q,"points":-10000,"entry":"month","by":["user"]}},
		"metrics":{"steps":{"board":"b","min":67108863,"max":67108863,"labels":{%[2]s},"by":["user"]}}}]}`,
		name, strings.Join(labels, ","), strings.Join(events, ","))
	if _, err := activity.ParseRules([]byte(source)); err != nil {
		t.Error(err)
	}
}

func FuzzParseRules(f *testing.F) {
	f.Add(activity.Default().JSON())
	f.Add([]byte(file(`{"metrics":{"m":{"board":"activity","max":1,"by":["user"]}}}`)))
	f.Add([]byte(memberRules))
	f.Fuzz(func(t *testing.T, source []byte) {
		rules, err := activity.ParseRules(source)
		if err != nil {
			return
		}
		for _, word := range rules.On(0).Words() {
			if rule := rules.On(0).Find(word); rule == nil || rules.Windows(rule.Board) == nil {
				t.Errorf("%s has no board that keeps anything", word)
			}
		}
		if guests := rules.Guests().JSON(); !json.Valid(guests) {
			t.Errorf("guests read %s", guests)
		}
	})
}
