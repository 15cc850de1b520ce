package ledger_test

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"laurel/internal/harness"
	"laurel/shared/core/activity"
	"laurel/shared/core/board"
	"laurel/shared/core/ledger"
)

// peersHistory are members' activities on a day, one after the other: "member action target ref".
const peersHistory = `ann publish t1
bob comment t1 p2, bob comment t1 p3, bob uncomment t1 p3
bob like t1, ann liked t1/bob
cid like t1, ann liked t1/cid, cid unlike t1, ann unliked t1/cid
bob visit page1, bob visit page2
cid hours_read 2, cid hours_read 3, cid hundreds_read 2
bob solved t1, ann accepted t1`

// peersScores are the month's scores by the rules like a peer's, with 25 likes of one member's posts beside
// the history, as the peer's own formula has them.
var peersScores = map[string]map[string]int64{
	// discourse-gamification at commit 178cb22: 5 for a topic, 2 for a reply, 1 for a like that is given or
	// received, for a day, an hour and a hundred posts read; 10 for an answer that solves a topic.
	"like-discourse": {"ann": 5 + 1, "bob": 2 + 1 + 1 + 10, "cid": 3 + 2, "dan": 25},
	// Vote::updateUserVotes of fof/gamification at commit 08e8ebb: the votes for a user's posts.
	"like-fof": {"ann": 1, "dan": 25},
	// Reputation of Stack Exchange: 10 for a vote for a post, 15 for an accepted answer, 2 for accepting one,
	// and at most 200 a day from votes.
	"like-stack-exchange": {"ann": 10 + 2, "bob": 15, "dan": 200},
}

// With rules made like a peer's, a forum's board has the scores of the peer's own formula.
func TestRulesLikePeersGiveTheirScores(t *testing.T) {
	t.Parallel()
	noon := momentAt(t, "11-20 12:00")
	did := strings.Split(strings.ReplaceAll(peersHistory, "\n", ", "), ", ")
	for i := range 25 {
		did = append(did, fmt.Sprintf("dan liked t9/m%d", i))
	}
	for name, want := range peersScores {
		source := harness.Must(os.ReadFile("../../../rules/" + name + ".json"))(t)
		rules := harness.Must(activity.ParseRules(source))(t)
		s := newAccounts(ledger.New(rules, board.NewCalendar(time.UTC)))
		var acts []activity.Activity
		for i, text := range did {
			words := append(strings.Fields(text), "")
			a := activity.Activity{User: words[0], Action: words[1], Target: words[2], Ref: words[3], At: noon + board.Moment(i)}
			a.Target, a.Other, _ = strings.Cut(a.Target, "/")
			if value, err := strconv.ParseInt(a.Target, 10, 64); err == nil {
				a.Target, a.Value = "", &value
			}
			if rules.On(s.ledger.Calendar().Date(a.At)).Find(a.Action) != nil { // else a forum's adapter leaves it out
				acts = append(acts, a)
			}
		}
		s.record(t, acts, ledger.Arrival{Now: noon + 1_000})
		got := map[string]int64{}
		for place, packed := range s.boards {
			if place.board == "activity" && place.period == monthOf(time.November) {
				got[place.user] = packed.Score()
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-peer +Laurel):\n%s", name, diff)
		}
	}
}

// actionsBy are the rules of a day with these actions and metrics.
func actionsBy(t *testing.T, actions, metrics string) *activity.Ruleset {
	t.Helper()
	rules, err := activity.ParseRules(fmt.Appendf(nil,
		`{"boards":{"a":{"windows":["day"]}},"versions":[{"actions":{%s},"metrics":{%s}}]}`, actions, metrics))
	harness.OK(t, err)
	return rules.On(0)
}

// Gaps of ledgers for other rules are reported for each action, and only gaps.
func TestGapsOfLedgers(t *testing.T) {
	t.Parallel()
	action := func(fields string) string { return `"like":{"undo":"unlike","board":"a","points":1,` + fields + `}` }
	const kept = `"entry":"month","cap":5,"by":["user","service"]`
	metric := `"like":{"board":"a","max":9,"by":["user"]}`
	for name, c := range map[string]struct{ other, metrics, want string }{
		"the same":             {action(kept), "", ""},
		"other points":         {strings.Replace(action(kept), `"points":1`, `"points":9`, 1), "", ""},
		"four times the cap":   {action(`"entry":"month","cap":20,"by":["user","service"]`), "", ""},
		"a larger cap":         {action(`"entry":"month","cap":21,"by":["user","service"]`), "", "like: more than 20 on"},
		"no cap":               {action(`"entry":"month","by":["user","service"]`), "", "like: more than 20 on"},
		"by day":               {action(`"entry":"day","cap":5,"by":["user","service"]`), "", "like: entries count"},
		"with refs":            {action(kept + `,"entryWithRef":"day"`), "", "like: entries count"},
		"a metric":             {"", metric, "like: entries count"},
		"for the service":      {action(`"entry":"month","cap":5,"by":["service"]`), "", "like: what members have reported"},
		"of others' articles":  {action(kept + `,"notOwn":true`), "", "like: what members have reported counts"},
		"of published ones":    {action(kept + `,"targets":"published"`), "", "like: what members have reported counts"},
		"of an older account":  {action(kept + `,"minAgeDays":1`), "", "like: what members have reported counts"},
		"another action":       {`"thank":{"board":"a","points":1,` + kept + `}`, "", "thank: nobody has any"},
		"a former undo":        {`"unlike":{"board":"a","points":1,` + kept + `}`, "", "unlike: nobody has any"},
		"without any of these": {`"like":{"board":"a","points":1,` + kept + `}`, "", ""},
	} {
		got := strings.Join(ledger.Unknown(actionsBy(t, action(kept), ""), actionsBy(t, c.other, c.metrics)), "\n")
		if (c.want == "") != (got == "") || !strings.HasPrefix(got, c.want) || strings.Contains(got, "\n") {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
	uncapped := action(`"entry":"month","by":["user","service"]`)
	strict := action(kept + `,"notOwn":true,"targets":"published","minAgeDays":1`)
	for _, was := range []string{uncapped, strict} {
		for _, rules := range []string{was, action(kept)} {
			if got := ledger.Unknown(actionsBy(t, was, ""), actionsBy(t, rules, "")); got != nil {
				t.Errorf("%s, kept by %s: %q", rules, was, got)
			}
		}
	}
}
