package app_test

import (
	"crypto/sha256"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/google/go-cmp/cmp"

	"laurel/internal/harness"
	"laurel/shared/api/httpapi"
	"laurel/shared/api/queue"
	"laurel/shared/core/activity"
	"laurel/shared/core/board"
	"laurel/shared/core/ledger"
	"laurel/shared/core/signatures"
	"laurel/shared/forum/catchup"
	"laurel/shared/store/table"
)

// A leaving forum has people who are erased, by everything that can be done with an id.
type leaving struct {
	*harness.Forum
	secret string
}

// openLeaving is a forum with boards for all windows, three shards, and webhooks.
func openLeaving(t *testing.T, first time.Time) *leaving {
	t.Helper()
	source := strings.TrimSuffix(strings.TrimSpace(string(activity.Default().JSON())), "}")
	source = strings.Replace(source, `["day", "month"]`, `["day", "week", "month", "year", "all"]`, 1)
	rules, err := activity.ParseRules([]byte(source + `, "hooks": {"standard":{"erase":true}}}`))
	if err != nil || !rules.Keeps(board.Year) {
		t.Fatal(err)
	}
	l := &leaving{secret: strings.Repeat("a secret ", 4)}
	l.Forum = harness.NewForum(t, harness.Setup{
		Ledger: ledger.New(rules, board.NewCalendar(time.UTC)), Shards: 3, Now: first,
	}).Serve(func(o *httpapi.Options) { o.Hooks = signatures.Secrets{"standard": {l.secret}} })
	return l
}

// must does a request that has to be done.
func (l *leaving) must(method, path, body string) {
	l.TB.Helper()
	if a := l.Do(method, path, l.Service(), body); a.Status >= http.StatusMultipleChoices {
		l.TB.Errorf("%s %s: %d %s", method, path, a.Status, a.Body)
	}
}

// hook sends a webhook.
func (l *leaving) hook(body string, secret string) int {
	l.TB.Helper()
	headers := harness.Signed("standard", secret, "msg_1", body, l.Now)
	return l.Do(http.MethodPost, "/v1/hooks/standard", "", body, headers...).Status
}

// deliver hands a message of the queue on.
func (l *leaving) deliver(body string) {
	l.TB.Helper()
	o := l.Batches()
	o.Producers = []string{"AROAFORUM"}
	response, err := queue.Handle(o)(l.TB.Context(), events.SQSEvent{Records: []events.SQSMessage{{
		MessageId: "1", Body: body, EventSource: "aws:sqs", Attributes: map[string]string{
			queue.SenderID: "AROAFORUM:backend", queue.SentTimestamp: strconv.FormatInt(l.Now.UnixMilli(), 10),
		},
	}}})
	if err != nil || len(response.BatchItemFailures) > 0 {
		l.TB.Fatal(response, err)
	}
}

// live makes a user do everything that leaves data, and others do the same with the user.
func (l *leaving) live(user, day string) {
	l.TB.Helper()
	id := harness.Quote(user)
	path := "/v1/users/" + url.PathEscape(user)
	l.must(http.MethodPut, path, `{"name":`+harness.Quote("Name of "+user)+`,"link":`+
		harness.Quote("https://f.example/"+url.PathEscape(user))+`}`)
	article := fmt.Sprintf("%s-%x", day, sha256.Sum256([]byte(user)))
	for articleID, author := range map[string]string{"own-" + article: user, article: "ann"} {
		l.must(http.MethodPost, "/v1/articles", fmt.Sprintf(`{"id":%q,"title":"T","author":{"id":%s},"groups":["go"]}`,
			articleID, harness.Quote(author)))
	}
	l.Did(user+" like "+article, user+" visit p1", user+" like void-target", user+" follow ann", user+" unfollow ann",
		user+" bookmark "+article, "ann follow "+user, "bob follow "+user, "bob unfollow "+user, "ann like "+article)
	l.must(http.MethodPost, "/v1/activities", harness.Report(`{"action":"steps","value":900,"user":`+id+`}`,
		`{"action":"comment","target":"p1","ref":"c1","user":`+id+`}`))
	l.must(http.MethodPut, path+"/following", `{"users":[{"id":"ann"},{"id":"cid"}]}`)
	l.must(http.MethodPut, "/v1/users/cid/following", `{"users":[{"id":`+id+`},{"id":"ann"}]}`)
	l.must(http.MethodPut, path+"/visibility", `{"boards":"hidden","days":"public"}`)
	l.must(http.MethodPut, path+"/visibility", `{"boards":"shown","days":"public"}`)
	l.must(http.MethodPut, path+"/exclusion", `{"shadow":true}`)
	l.must(http.MethodDelete, path+"/exclusion", "")
	l.deliver(`{"activities":[{"action":"visit","target":"p2","user":` + id + `}]}`)
	for body, want := range map[string]int{
		`{"activities":[{"action":"visit","target":"p3","user":` + id + `}],"users":[{"id":"dan","name":"Dan"}]}`: 200,
		// Of another author, and no action.
		`{"articles":[{"id":` + harness.Quote(article) + `,"title":"T","author":{"id":` + id + `}}]}`: 200,
		`{"activities":[{"action":"fly","target":` + id + `,"user":` + id + `}]}`:                     422,
	} {
		if status := l.hook(body, l.secret); status != want {
			l.TB.Errorf("%s: %d", body, status)
		}
	}
	if status := l.hook(`{"deletedUsers":[`+id+`]}`, "another"); status != http.StatusUnauthorized {
		l.TB.Errorf("a hook with another secret: %d", status)
	}
}

// finals are the items of all final boards.
func (l *leaving) finals() map[string]string {
	l.TB.Helper()
	items := harness.Must(l.Table.Items(l.TB.Context()))(l.TB)
	items = slices.DeleteFunc(items, func(i table.Item) bool {
		return !strings.HasPrefix(i.Partition, "activity#") && !strings.HasPrefix(i.Partition, "steps#")
	})
	all := map[string]string{}
	for _, item := range items {
		all[item.String()] = string(item.Data)
	}
	return all
}

// No byte of an erased id, as text or in the form that numbers and UUIDs are kept in, is in Redis or in
// the table once an erasure is done, after all of the user's actions, and final boards are byte for byte
// as they were.
func TestNothingHoldsAnErasedID(t *testing.T) {
	t.Parallel()
	l := openLeaving(t, time.Date(2026, time.August, 20, 12, 0, 0, 0, time.UTC))
	ids := []string{"zoe☼17", "0198c2f3-5d1e-7c4a-9b52-6f0a4c1e8d37", "8675309867530986"}
	var acts []activity.Activity
	for n := range 130 { // final boards have pages
		acts = append(acts, harness.Did(t, fmt.Sprintf("user-%d visit p1", n), board.MomentOf(l.Now)))
	}
	l.Record(acts...)
	for _, user := range ids {
		l.live(user, "august")
	}
	l.Night(92) // August is final
	for _, user := range ids {
		l.live(user, "november")
	}
	l.Night(4) // and so is the day; the month is live
	for _, user := range ids {
		l.Did(user + " visit p1")
	}
	l.must(http.MethodPut, "/v1/targets/void-target/void", "")
	month := board.DateOf(2026, time.November, 1).Month()
	harness.OK(t, l.Items.MarkImport(t.Context(), "1", "history.csv", board.MomentOf(l.Now), month))
	for _, user := range ids {
		r := l.Recorder.Import(t.Context(), []activity.Activity{
			harness.Did(t, user+" like x", harness.At(t, "2026-11-22T12:00")),
		}, board.MomentOf(l.Now))
		if r[0].Err != nil || r[0].Status != ledger.Counted {
			t.Fatal(r)
		}
	}
	if done, err := l.Catchup.Run(t.Context(), catchup.Request{Budget: 1}); err != nil || !done.Left {
		t.Fatal(done, err) // it continues from a cursor
	}
	before := l.finals()
	if len(before) < 10 || len(l.Table.Grep(t, ids[1])) < 8 || len(harness.Grep(t, l.Redis, ids[1])) < 5 {
		t.Fatalf("%d items of final boards; the id is in %q, %q", len(before), l.Table.Grep(t, ids[1]),
			harness.Grep(t, l.Redis, ids[1]))
	}
	l.Now = l.Now.Add(time.Second)
	l.must(http.MethodDelete, "/v1/users/"+url.PathEscape(ids[0]), "")
	l.deliver(`{"erase":"` + ids[1] + `"}`)
	if status := l.hook(`{"deletedUsers":["`+ids[2]+`"]}`, l.secret); status != http.StatusOK {
		t.Fatal(status)
	}
	for range 5 {
		time.Sleep(time.Millisecond)
		harness.Must(l.Tick(t.Context()))(t)
	}
	for _, user := range ids {
		a := l.Get("/v1/users/"+url.PathEscape(user)+"/erasure", l.Service())
		if !strings.Contains(a.Body, `"state":"done"`) {
			t.Errorf("the erasure of %s: %d %s", user, a.Status, a.Body)
		}
		l.Nowhere(user)
	}
	if diff := cmp.Diff(before, l.finals()); diff != "" {
		t.Errorf("final boards (-before +after):\n%s", diff)
	}
	if audit, err := l.Catchup.Run(t.Context(), catchup.Request{Audit: true}); err != nil || audit.Differ > 0 {
		t.Errorf("%+v, %v", audit, err)
	}
}
