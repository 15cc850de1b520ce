package httpapi_test

import (
	"cmp"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"laurel/internal/harness"
	"laurel/internal/testserver"
	"laurel/shared/api/auth"
	"laurel/shared/api/httpapi"
	"laurel/shared/core/activity"
	"laurel/shared/core/board"
	"laurel/shared/core/ledger"
	"laurel/shared/core/signatures"
	"laurel/shared/forum/night"
	"laurel/shared/store/items"
	"laurel/shared/store/view/redisview"
)

// step takes a step of a file, as testdata/requests/README.md says.
func (r *requestsRun) step() (err error) {
	verb, rest, _ := strings.Cut(r.part.step, " ")
	switch verb {
	case "one": // one shard: TestRequestFiles looks for it
	case "forum":
		r.open(rest)
	case "rules":
		r.Setup.Ledger = ledger.New(r.rules(rest), r.Setup.Ledger.Calendar())
		r.App = r.Another(r.Redis, r.Table)
		r.serve(httpapi.Options{})
	case "now":
		r.Now, err = time.Parse(time.RFC3339, rest)
	case "later":
		var took time.Duration
		took, err = time.ParseDuration(rest)
		r.Now = r.Now.Add(took)
	case "report":
		r.report(rest)
	case "night":
		words := strings.Fields(rest + " 0")
		days, _ := strconv.Atoi(words[0])
		r.Night(days, func(o *night.Options) {
			if trim := o.Trim; strings.Contains(rest, "keeping") {
				o.Trim = func(ctx context.Context, _ int64) (int64, error) { return trim(ctx, 2) }
			}
			if strings.Contains(rest, "forgetting") {
				o.ArchiveDays = 1
			}
		})
	case "tick":
		_, err = r.Tick(r.Context())
	case "history":
		err = r.Items.HistoryIsIn(r.Context())
	case "close":
		r.ClosePeriod(harness.Period(r, rest))
	case "voids":
		if rest == "full" {
			harness.FillVoids(r, r.Items, board.MomentOf(r.Now))
		} else {
			_, err = r.Voids.Pass(r.Context(), map[string]time.Duration{"begin": time.Hour}[rest])
		}
	case "pairs":
		for i := 0; i < items.MaxVoidPairs && err == nil; i++ {
			_, err = r.People.SetVoidPair(r.Context(), rest, fmt.Sprint("stranger", i), true, "")
		}
	case "merged":
		user, into, _ := strings.Cut(rest, " ")
		_, err = r.Another(r.Redis, r.Table).People.Merge(r.Context(), user, into, "")
	case "damage":
		r.mend = r.Damage(rest)
	case "mend":
		r.mend()
		r.mend = nil
	case "table":
		r.Table.Unavailable.Store(rest == "unavailable")
	case "redis":
		switch rest {
		case "unavailable":
			r.proxy.All(testserver.CutBefore)
		case "full", "room":
			r.full = rest == "full"
			most := map[bool]string{true: "1", false: "0"}[r.full] // bytes; 0 for any number
			err = r.Redis.ConfigSet(r.Context(), "maxmemory", most).Err()
		case "empty":
			r.Redis.FlushDB(r.Context())
		default:
			r.proxy.All(testserver.NoFault)
		}
	case "left":
		err = r.left()
	case "fill":
		r.Fill()
	case "pairing":
		var code string
		code, _, err = r.Items.NewPairing(r.Context())
		r.last = answer{Header: http.Header{"Code": {code}}}
	case "discourse":
		r.discourse(rest)
	case "queued":
		if got := strings.Join(r.queue.sent, "\n"); got != rest {
			r.Errorf("%s:%d: queued %s", r.file.path, r.part.line, got)
		}
		r.queue.sent = nil
	default:
		err = errors.New("the step is not known")
	}
	if r.cache != nil {
		r.cache.Invalidate()
	}
	return err
}

// left has the head say that the view is behind, that periods wait and an import is in progress, and has two
// events wait for the address badges.
func (r *requestsRun) left() error {
	now, begun := board.MomentOf(r.Now), board.DateOf(2026, 10, 1)
	_, err := r.Items.ChangeHead(r.Context(), func(h *items.Head) (err error) {
		h.From = begun.Month()
		for d := begun; d <= board.DateOf(2026, 11, 15) && err == nil; d++ {
			for _, e := range []board.PeriodEvent{board.EventClose, board.EventMake, board.EventRemove} {
				if err == nil && (e == board.EventClose || d < board.DateOf(2026, 11, 15)) {
					h.Life, err = h.Life.Apply(board.PeriodOf(board.Day, d), e, now-1_000)
				}
			}
		}
		h.Life = h.Life.Hold("i", h.From+1)
		h.Imports = []items.Import{{ID: "i", Name: "a.csv", Since: now - 2_000, Months: []board.MonthOf{h.From + 1}}}
		h.Behind = &items.Behind{Since: now - 3_000, Reason: "a test", Number: 1}
		return err
	})
	for _, id := range []string{"evt_1", "evt_2"} {
		err = errors.Join(err, r.Items.WriteUnlessChanged(r.Context(), items.Change{Event: &items.Event{
			EventKey: items.EventKey{Address: "badges", At: now, ID: id}, Type: activity.EventPeriodFinal, Board: "activity",
			Period: harness.Period(r, "2026-11-20"), Total: 1, Since: now, Attempts: 3, Next: now + 1_000,
			Trouble: "the receiver answers 500",
		}}))
	}
	return err
}

// discourse makes the forum know the visitor that the last answer has sent to it, by some values. The next requests
// have the data with which the visitor returns: {{Cookie}}, {{Sso}} and {{Sig}}.
func (r *requestsRun) discourse(values string) {
	values, again := strings.CutPrefix(values, "again ")
	asked := harness.Must(url.Parse(r.last.Header.Get("Location")))(r)
	text := harness.Must(base64.StdEncoding.DecodeString(asked.Query().Get("sso")))(r)
	payload := harness.Must(url.ParseQuery(string(text)))(r)
	cookie, _, _ := strings.Cut(r.last.Header.Get("Set-Cookie"), ";")
	if back := payload.Get("return_sso_url"); again && cookie != r.visitor.Get("Cookie") ||
		!strings.HasPrefix(back, "https://boards.example/v1/login/discourse?return=") {
		r.Errorf("%s:%d: the cookie is %s, and the way back %s", r.file.path, r.part.line, cookie, back)
	}
	known := harness.Must(url.ParseQuery(values))(r)
	known.Set("nonce", payload.Get("nonce"))
	sso := base64.StdEncoding.EncodeToString([]byte(known.Encode()))
	mac := hmac.New(sha256.New, []byte(hookSecret))
	mac.Write([]byte(sso))
	r.visitor = http.Header{
		"Cookie": {cookie}, "Sso": {url.QueryEscape(sso)}, "Sig": {hex.EncodeToString(mac.Sum(nil))},
	}
	r.last = answer{Header: r.visitor}
}

// report reports activities: "ann like 1, bob like 2 = duplicate".
func (r *requestsRun) report(all string) {
	for one := range strings.SplitSeq(all, ", ") {
		did, want, looked := strings.Cut(one, " = ")
		if got := r.Did(did)[0].Status; looked && got != want {
			r.Errorf("%s:%d: %s is %s", r.file.path, r.part.line, did, got)
		}
	}
}

// open makes a forum: zone=Europe/Berlin rules=strict hooks={"standard":{}} origins=... queue=full awaits
func (r *requestsRun) open(options string) {
	set, change := harness.Setup{Shards: r.shards}, httpapi.Options{}
	calendar, rules := board.NewCalendar(time.UTC), activity.Default()
	var queue *box
	for option := range strings.FieldsSeq(options) {
		name, value, _ := strings.Cut(option, "=")
		switch name {
		case "zone":
			calendar = harness.Must(board.LoadCalendar(value))(r)
		case "rules":
			rules = r.rules(value)
		case "events":
			for name := range strings.SplitSeq(value, ",") {
				rules = rules.WithEvents(activity.EventAddress{
					Name: name, URL: "https://f.example/?key=hidden", Types: activity.EventTypes(),
				})
			}
		case "hooks":
			rules = hookRules(r, strings.TrimSuffix(strings.TrimPrefix(value, "{"), "}")).Rules()
			change.Hooks = hookSecrets()
		case "awaits":
			set.Awaits = true
		case "origins":
			change.EmbedOrigins = strings.Split(value, ",")
		case "login":
			change.SignUser = func(user string) (string, error) { return "token-of-" + user, nil }
			change.UserSecret = "the-users-secret-of-tests-of-32-bytes"
		case "queue":
			queue = &box{err: map[string]error{
				"full": fmt.Errorf("%w: 3 wait", httpapi.ErrQueueFull), "broken": errors.New("secret"),
			}[value]}
			change.Queue = queue
		default:
			r.Fatalf("%s:%d: the option %s is not known", r.file.path, r.part.line, name)
		}
	}
	set.Ledger = ledger.New(rules, calendar)
	server := testserver.RedisOptions(r)
	if r.file.has("redis full") { // the whole server is full then
		server = testserver.OwnRedis(r, "--maxmemory-policy", "volatile-lru").Options()
	}
	set.Redis, r.trips = testserver.Counted(r, server)
	if r.file.has("redis unavailable") {
		proxy, through := testserver.ProxyURL(r, testserver.RedisURL(r))
		client := harness.Must(redisview.Dial(through, false, nil))(r)
		r.Cleanup(func() { _ = client.Close() })
		set.Redis, r.proxy = client, proxy
	}
	r.forum, r.queue = &forum{harness.NewForum(r, set)}, queue
	r.serve(change)
}

// serve has the forum's process answer requests, with some options.
func (r *requestsRun) serve(change httpapi.Options) {
	o := r.Requests()
	o.Hooks, o.EmbedOrigins, o.Queue = change.Hooks, change.EmbedOrigins, change.Queue
	o.SignUser, o.UserSecret = change.SignUser, change.UserSecret
	handler := r.handler(o)
	r.cache, _ = handler.(*httpapi.ResponseCache)
	r.ServeBy(handler)
}

// rules reads the rules of a test, or those that the repository has.
func (r *requestsRun) rules(name string) *activity.Rules {
	source, err := os.ReadFile("testdata/rules/" + name + ".json")
	if err != nil {
		source, err = os.ReadFile("../../../rules/" + name + ".json")
	}
	harness.OK(r, err)
	return harness.Must(activity.ParseRules(source))(r)
}

const hookSecret = "the-secret-of-these-tests-of-32-bytes"

func hookSecrets() signatures.Secrets {
	return signatures.Secrets{
		"discourse": {"an-older-secret", hookSecret}, "nodebb": {hookSecret}, "standard": {hookSecret},
	}
}

// hookRules are the built-in rules with their part about webhooks.
func hookRules(tb testing.TB, options string) *ledger.Ledger {
	tb.Helper()
	source := strings.TrimSuffix(strings.TrimSpace(string(activity.Default().JSON())), "}")
	source = strings.Replace(source, `"actions": {`, `"actions": {
		"liked": {"undo": "unliked", "board": "activity", "points": 1, "entry": "month", "byOther": true,
			"by": ["service"]},`, 1)
	rules := harness.Must(activity.ParseRules([]byte(source + `, "hooks": {` + options + `}}`)))(tb)
	return ledgerOf(rules)
}

func ledgerOf(rules *activity.Rules) *ledger.Ledger {
	return ledger.New(rules, board.NewCalendar(time.UTC))
}

// signed are the headers of a webhook of a source, with those that it has beside its signature:
// "discourse post_created", "nodebb", "standard".
func signed(as, body string, now time.Time) []string {
	words := append(strings.Fields(as), "", "")
	source, event, id := words[0], words[1], words[2] // of Standard Webhooks an id alone
	if source == "discourse" {
		headers := harness.Signed(source, hookSecret, "", body, now)
		return append(headers, "X-Discourse-Event", event, "X-Discourse-Instance", "https://f.example",
			"X-Discourse-Event-Id", id)
	}
	return harness.Signed(source, hookSecret, cmp.Or(event, "msg_1"), body, now)
}

// box is a queue that keeps its messages.
type box struct {
	sent []string
	err  error
}

// Send remembers a message and its sender.
func (b *box) Send(_ context.Context, body []byte, sender auth.Caller) (string, error) {
	if b.err != nil {
		return "", b.err
	}
	b.sent = append(b.sent, map[bool]string{true: "service"}[sender.Service]+sender.User+" "+string(body))
	return "id-1", nil
}
