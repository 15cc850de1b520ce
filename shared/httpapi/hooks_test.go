package httpapi_test

import (
	"crypto/hmac"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"laurel/internal/harness"
	"laurel/internal/testserver"
	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/hooks"
	"laurel/shared/httpapi"
	"laurel/shared/ledger"
	"laurel/shared/view"
)

const hookSecret = "the-secret-of-these-tests"

// A hooked is a forum that sends webhooks.
type hooked struct{ *harness.Forum }

// hookRules are the built-in rules with what they say of webhooks.
func hookRules(tb testing.TB, options string) *ledger.Ledger {
	tb.Helper()
	source := strings.TrimSuffix(strings.TrimSpace(string(activity.Default().JSON())), "}")
	source = strings.Replace(source, `"actions": {`, `"actions": {
		"liked": {"undo": "unliked", "board": "activity", "points": 1, "entry": "month", "by": ["service"]},`, 1)
	rules, err := activity.ParseRules([]byte(source + `, "hooks": {` + options + `}}`))
	if err != nil {
		tb.Fatal(err)
	}
	return ledger.New(rules, board.NewCalendar(time.UTC))
}

func openHooked(tb testing.TB, options string, change ...func(*httpapi.Options)) hooked {
	tb.Helper()
	f := harness.NewForum(tb, harness.Setup{Ledger: hookRules(tb, options)})
	return hooked{f.Serve(append([]func(*httpapi.Options){func(o *httpapi.Options) {
		o.Hooks = hooks.Secrets{
			"discourse": {"an-older-secret", hookSecret}, "nodebb": {hookSecret}, "standard": {hookSecret},
		}
	}}, change...)...)}
}

// discourse sends a webhook of Discourse.
func (f hooked) discourse(event, body string) harness.Answer {
	f.TB.Helper()
	mac := hmac.New(sha256.New, []byte(hookSecret))
	mac.Write([]byte(body))
	return f.Do(http.MethodPost, "/v1/hooks/discourse", "", body, "X-Discourse-Event", event,
		"X-Discourse-Instance", "https://f.example", "X-Discourse-Event-Signature", "sha256="+
			hex.EncodeToString(mac.Sum(nil)))
}

// nodeBB sends a webhook of NodeBB's plugin.
func (f hooked) nodeBB(hook, params string) harness.Answer {
	f.TB.Helper()
	body := `{"hook":"` + hook + `","params":{` + params + `}}`
	mac := hmac.New(sha1.New, []byte(hookSecret))
	mac.Write([]byte(body))
	return f.Do(http.MethodPost, "/v1/hooks/nodebb", "", body, "X-Webhook-Signature",
		"sha1="+hex.EncodeToString(mac.Sum(nil)))
}

// standard sends a webhook as Standard Webhooks has it.
func (f hooked) standard(body string) harness.Answer {
	f.TB.Helper()
	at := strconv.FormatInt(f.Now.Unix(), 10)
	mac := hmac.New(sha256.New, []byte(hookSecret))
	mac.Write([]byte("msg_1." + at + "." + body))
	return f.Do(http.MethodPost, "/v1/hooks/standard", "", body, "webhook-id", "msg_1", "webhook-timestamp", at,
		"webhook-signature", "v1,"+base64.StdEncoding.EncodeToString(mac.Sum(nil)))
}

// did says what a webhook has done, a word for each receipt, and the rest as it is.
func (f hooked) did(a harness.Answer) string {
	f.TB.Helper()
	answer := harness.JSON[httpapi.HookAnswer](f.TB, a)
	var all []string
	for _, r := range answer.Receipts {
		all = append(all, fmt.Sprintf("%s %+d", r.Status, r.Points))
	}
	all = append(all, answer.Changed...)
	for _, reason := range answer.Ignored {
		all = append(all, "ignored: "+reason)
	}
	return strings.Join(all, ", ")
}

// discourseTopic, discoursePost and discourseLike are bodies of the forum f.example.
func discourseTopic(author, id int) string {
	return fmt.Sprintf(`{"topic":{"id":%d,"title":"Topic %d","slug":"topic",`+
		`"created_at":"2026-11-20T11:00:00.000Z","archetype":"regular",`+
		`"category_id":4,"user_id":%d,"tags":["go"],"created_by":`+
		`{"id":%d,"username":"user%d","name":"","avatar_template":"/a/{size}.png"}}}`,
		id, id, author, author, author)
}

func discoursePost(author, topic, id, number int) string {
	return fmt.Sprintf(`{"post":{"id":%d,"post_number":%d,"post_type":1,"topic_id":%d,`+
		`"created_at":"2026-11-20T11:30:00.000Z",`+
		`"category_id":4,"user_id":%d,"username":"user%d","name":"","topic_archetype":"regular","raw":"hello"}}`,
		id, number, topic, author, author)
}

func discourseLike(by, author, topic, id, number int) string {
	post := strings.TrimSuffix(strings.TrimPrefix(discoursePost(author, topic, id, number), "{"), "}")
	return fmt.Sprintf(`{"like":{%s,"user":{"id":%d,"username":"user%d"}}}`, post, by, by)
}

// What a Discourse says in a day comes to a board with names, whatever is delivered again.
func TestHooksOfDiscourse(t *testing.T) {
	t.Parallel()
	f := openHooked(t, `"discourse":{"received":"liked","ignoreCategories":[9]}`)
	for range 2 {
		for i, c := range []struct{ event, body, first, again string }{
			{"topic_created", discourseTopic(7, 12), "counted +10, article t12, profile 7", "duplicate +0"},
			{"post_created", discoursePost(7, 12, 80, 1), "ignored: the first post of a topic: the topic counts", ""},
			{"post_created", discoursePost(8, 12, 81, 2), "counted +3, profile 8", "duplicate +0"},
			{"post_liked", discourseLike(9, 7, 12, 80, 1), "counted +2, counted +1, profile 9", "duplicate +0, duplicate +0"},
			{"post_liked", discourseLike(9, 8, 12, 81, 2), "counted +2, counted +1", "duplicate +0, duplicate +0"},
			{"ping", `{"ping":"OK"}`, `ignored: "ping" does not count`, ""},
		} {
			got, want := f.did(f.discourse(c.event, c.body)), c.first
			if f.Now.After(harness.Noon) && c.again != "" {
				want = c.again
			}
			if got != want {
				t.Errorf("%d, %s: %s, want %s", i, c.event, got, want)
			}
		}
		f.Now = f.Now.Add(time.Second)
	}
	for request, want := range map[string]string{
		"/v1/boards/activity/day?limit=1": `"score":11,"user":{"id":"7","name":"user7",` +
			`"avatar":"https://f.example/a/144.png","link":"https://f.example/u/user7"}`,
		"/v1/articles": `"votes":2`,
	} {
		if got := f.Get(request, "").Body; !strings.Contains(strings.ReplaceAll(got,
			`"reachedAt":"2026-11-20T12:00:00.000Z",`, ""), want) {
			t.Errorf("%s: %s has no %s", request, got, want)
		}
	}

	for _, c := range []struct{ event, body, want string }{
		{"post_destroyed", discoursePost(8, 12, 81, 2), "revoked -3"},
		{"post_recovered", discoursePost(8, 12, 81, 2), "counted +3"},
		{"topic_destroyed", discourseTopic(7, 12), "revoked -10, article t12"},
		{"topic_recovered", discourseTopic(7, 12), "counted +10, article t12"},
		{"topic_edited", strings.Replace(discourseTopic(7, 12), "Topic 12", "Renamed", 1), "article t12"},
		{"topic_destroyed", discourseTopic(7, 13), "nothing_to_revoke +0, ignored: article t13: it is not known"},
		{
			"topic_created", strings.Replace(discourseTopic(7, 14), "2026-11-20T11", "2026-11-17T11", 1),
			"too_late +0, ignored: article t14: publishedAt must be at most 48 hours ago; use laurel import for older articles",
		},
		{
			"topic_created", strings.Replace(discourseTopic(7, 15), `"category_id":4`, `"category_id":9`, 1),
			"ignored: the rules ignore category 9",
		},
		{"user_updated", `{"user":{"id":7,"username":"user7","name":"Seven"}}`, "profile 7"},
		{
			"user_destroyed", `{"user":{"id":7,"username":"user7"}}`,
			"ignored: erasing by webhook is off: the rules' hooks have no erase",
		},
	} {
		f.Now = f.Now.Add(time.Second)
		if got := f.did(f.discourse(c.event, c.body)); got != c.want {
			t.Errorf("%s: %s, want %s", c.event, got, c.want)
		}
	}
	if got := f.Get("/v1/users/7", "").Body; !strings.Contains(got, "Seven") || !strings.Contains(got, "144.png") {
		t.Errorf("a profile lost its picture: %s", got)
	}
	if strings.Contains(f.Out.String(), "hello") || strings.Contains(f.Out.String(), "user7") {
		t.Error("a body is in the log")
	}
}

// NodeBB's topics go and come back, and what is purged counts for nobody.
func TestHooksOfNodeBB(t *testing.T) {
	t.Parallel()
	f := openHooked(t, `"nodebb":{"instance":"https://f.example","erase":true}`)
	const (
		topic = `{"tid":2,"uid":3,"cid":4,"mainPid":5,"title":"First","slug":"2/first","timestamp":1795172400000,` +
			`"user":{"uid":3,"username":"ada","userslug":"ada"}}`
		post = `{"pid":6,"tid":2,"uid":4,"cid":4,"timestamp":1795172400000}`
	)
	for _, c := range []struct{ hook, params, want string }{
		{"action:topic.post", `"topic":` + topic, "counted +10, article p5, profile 3"},
		{"action:topic.reply", `"post":` + post, "counted +3"},
		{"action:post.upvote", `"pid":5,"uid":4,"owner":3,"current":"unvote"`, "counted +2"},
		{"action:post.unvote", `"pid":5,"uid":4,"owner":3,"current":"upvote"`, "revoked -2"},
		{"action:post.upvote", `"pid":5,"uid":4,"owner":3,"current":"unvote"`, "counted +2"},
		{"action:post.bookmark", `"pid":"5","uid":4`, "counted +2"},
		{"action:user.follow", `"fromUid":4,"toUid":"3"`, "counted +2"},
		{"action:user.follow", `"fromUid":4,"toUid":4`, "self +0"},
		{"action:post.delete", `"post":` + post, "revoked -3"},
		{"action:post.restore", `"post":` + post, "counted +3"},
		{"action:topic.delete", `"topic":` + topic, "revoked -10, article p5"},
		{"action:topic.restore", `"topic":` + topic, "counted +10, article p5"},
		{"action:user.banned", `"uid":"4"`, "exclusion 4"},
		{"action:user.unbanned", `"uid":"4"`, "exclusion 4"},
		{"action:topics.purge", `"topics":[` + topic + `]`, "article p5 deleted, void p5, void t2"},
		{"action:topics.purge", `"topics":[` + topic + `]`, "article p5 deleted, void p5, void t2"},
	} {
		f.Now = f.Now.Add(10 * time.Millisecond)
		if got := f.did(f.nodeBB(c.hook, c.params)); got != c.want {
			t.Errorf("%s: %s, want %s", c.hook, got, c.want)
		}
	}
	for range 2 { // they begin, and are carried out
		if _, err := f.Recorder.VoidPass(t.Context(), 0); err != nil {
			t.Fatal(err)
		}
	}
	if got := []int64{f.ScoreOn("2026-11", "3"), f.ScoreOn("2026-11", "4")}; !slices.Equal(got,
		[]int64{0, 2}) { // the follow
		t.Errorf("scores %v", got)
	}
	f.Now = f.Now.Add(time.Second)
	if got := f.did(f.nodeBB("action:user.delete", `"uid":"4"`)); got != "erasure 4" {
		t.Error(got)
	}
}

// A forum's own webhook has activities, profiles and articles in one body, all of it or nothing.
func TestHooksOfAForumsOwn(t *testing.T) {
	t.Parallel()
	f := openHooked(t, `"standard":{"erase":true}`)
	const article = `{"id":"a1","title":"First","author":{"id":"ann"},"link":"https://f.example/1"}`
	for _, c := range []struct{ body, want string }{
		{
			`{"activities":[{"user":"bob","action":"like","target":"x"}],"users":[{"id":"bob","name":"Bob"}],"articles":[` +
				article + `]}`,
			"counted +2, counted +10, article a1, profile bob",
		},
		{`{"articles":[` + article + `]}`, "duplicate +0, article a1"},
		{
			`{"articles":[` + strings.Replace(article, `"id":"a1"`, `"listed":false,"id":"a1"`, 1) + `]}`,
			"duplicate +0, revoked -10, article a1",
		},
		{
			`{"articles":[` + strings.Replace(article, `"id":"a1"`, `"listed":true,"id":"a1"`, 1) + `]}`,
			"superseded +0, counted +10, article a1",
		},
		{
			`{"articles":[` + strings.Replace(article, "ann", "eve", 1) + `]}`,
			"ignored: article a1: the id belongs to an article of another author or moment",
		},
		{`{"deletedArticles":["a1"],"voids":[{"target":"x"}]}`, "article a1 deleted, void x"},
		{`{"deletedArticles":["a0"],"voids":[{"target":"y"}]}`, "void y, ignored: article a0: no such article"},
		{`{"articles":[` + article + `]}`, "ignored: article a1: the article was deleted; its id cannot be used again"},
		{`{"deletedUsers":["bob"]}`, "erasure bob"},
	} {
		f.Now = f.Now.Add(time.Second)
		if got := f.did(f.standard(c.body)); got != c.want {
			t.Errorf("%s: %s, want %s", c.body, got, c.want)
		}
	}
	before := f.State()
	for body, locations := range map[string][]string{
		`{}`: {"body.activities"},
		`{"activities":[{"user":"ann","action":"like","target":"ok"}],` +
			`"articles":[{"id":"a2","title":" ","author":{"id":"ann"}}]}`: {"body.articles[0].title"},
		`{"activities":[{"user":"ann","action":"lick","target":"x"}],` +
			`"users":[{"id":"ann","name":"A"},{"id":"ann","name":"B"}]}`: {
			"body.activities[0].action", "body.users[1].id",
		},
		`{"activities":[{"user":"ann","action":"like","target":"ok"}],"more":1}`: {"body.more"},
		`{"users":[{"id":"eve","name":"E\u202E"}],"deletedUsers":["a","a"]}`: {
			"body.users[0].name",
			"body.deletedUsers[1]",
		},
	} {
		a := f.standard(body)
		var got []string
		for _, v := range harness.JSON[httpapi.Problem](t,
			harness.Answer{Status: 200, Header: a.Header, Body: a.Body}).Errors {
			got = append(got, v.Location)
		}
		slices.Sort(got)
		slices.Sort(locations)
		if a.Status != http.StatusUnprocessableEntity || !slices.Equal(got, locations) {
			t.Errorf("%s: %d %v, want %v: %s", body, a.Status, got, locations, a.Body)
		}
	}
	if diff := cmp.Diff(before, f.State()); diff != "" {
		t.Errorf("a refused webhook has changed something (-before +after):\n%s", diff)
	}
}

// What became of an article may arrive in any order, and again: the last state it had stays.
func TestHooksOfAnArticleInAnyOrder(t *testing.T) {
	t.Parallel()
	state := func(minute int, title string, listed bool) string {
		return fmt.Sprintf(`{"articles":[{"id":"t1","title":%q,"author":{"id":"7"},"publishedAt":"2026-11-20T11:00:00Z",`+
			`"listed":%t,"changedAt":"2026-11-20T11:%02d:00Z"}]}`, title, listed, minute)
	}
	for _, lastListed := range []bool{true, false} {
		states := []string{
			state(0, "A", true), state(10, "A", false), state(20, "B", true), state(30, "C", !lastListed),
			state(40, "D", lastListed),
		}
		for n := range 12 {
			f := openHooked(t, "")
			rng := rand.New(rand.NewPCG(uint64(n), 1))
			order := append(rng.Perm(len(states)), rng.Perm(len(states))[:2]...)
			for _, i := range order {
				if a := f.standard(states[i]); a.Status != http.StatusOK {
					t.Fatal(a.Status, a.Body)
				}
			}
			got := harness.JSON[item](t, f.Do(http.MethodGet, "/v1/articles/t1", "", ""))
			day := harness.JSON[httpapi.Board](t, f.Do(http.MethodGet, "/v1/boards/activity/day", "", ""))
			if got.Title != "D" || (got.Listed == nil) != lastListed || (len(day.Entries) == 1) != lastListed {
				t.Errorf("listed %t, order %v: %+v, %+v", lastListed, order, got, day.Entries)
			}
		}
	}
}

// An article of a user who was erased can still be changed, which says nothing of the user.
func TestHooksOfAnErasedUsersArticle(t *testing.T) {
	t.Parallel()
	f := openHooked(t, `"standard":{"erase":true}`)
	state := func(minute int, title string, listed bool) string {
		f.Now = f.Now.Add(time.Minute)
		return f.did(f.standard(fmt.Sprintf(`{"articles":[{"id":"t1","title":%q,"author":{"id":"7"},`+
			`"publishedAt":"2026-11-20T11:00:00Z","listed":%t,"changedAt":"2026-11-20T12:%02d:00Z"}]}`, title, listed, minute)))
	}
	state(0, "A", true)
	f.standard(`{"deletedUsers":["7"]}`)
	if _, err := f.Tick(t.Context()); err != nil {
		t.Fatal(err)
	}
	for minute, listed := range []bool{false, true, false} {
		title := fmt.Sprint("B", minute)
		if got := state(minute+1, title, listed); got != "article t1" {
			t.Errorf("listed %t: %s", listed, got)
		}
		got := harness.JSON[item](t, f.Do(http.MethodGet, "/v1/articles/t1", "", ""))
		if got.Title != title || (got.Listed == nil) != listed || got.Author["id"] != nil {
			t.Errorf("listed %t: %+v", listed, got)
		}
	}
	if got := f.Get("/v1/users/7/entries", f.Service()); strings.Contains(got.Body, "publish") {
		t.Errorf("the user is back: %s", got.Body)
	}
}

// A moment of publishing that is too old changes an article that is known, and makes none.
func TestHooksOfAnOldArticle(t *testing.T) {
	t.Parallel()
	f := openHooked(t, "")
	const old = `{"articles":[{"id":"%s","title":"New","author":{"id":"0"},"publishedAt":"2000-01-01T00:00:00Z",` +
		`"listed":%t}]}`
	f.standard(`{"articles":[{"id":"t1","title":"Old","author":{"id":"7"}}]}`)
	f.Now = f.Now.Add(72 * time.Hour)
	for _, c := range []struct{ body, want string }{
		{fmt.Sprintf(old, "t1", false), "revoked -10, article t1"},
		{fmt.Sprintf(old, "t1", true), "counted +10, article t1"},
		{
			fmt.Sprintf(old, "t2", true),
			"too_late +0, ignored: article t2: publishedAt must be at most 48 hours ago; use laurel import for older articles",
		},
	} {
		if got := f.did(f.standard(c.body)); got != c.want {
			t.Errorf("%s: %s, want %s", c.body, got, c.want)
		}
	}
	if got := harness.JSON[item](t, f.Do(http.MethodGet, "/v1/articles/t1", "", "")); got.Title != "New" {
		t.Errorf("the title is %q", got.Title)
	}
}

// What nobody signed, or no source sends, is refused, and changes nothing.
func TestHooksThatAreRefused(t *testing.T) {
	t.Parallel()
	f := openHooked(t, `"discourse":{"instance":"https://f.example"}`)
	body := discoursePost(8, 12, 81, 2)
	mac := hmac.New(sha256.New, []byte(hookSecret))
	mac.Write([]byte(body))
	sum := "sha256=" + hex.EncodeToString(mac.Sum(nil))
	f.Get("/v1/boards/activity/day", "") // it makes its stamp then
	before := f.State()
	send := func(source, body string, headers ...string) harness.Answer {
		return f.Do(http.MethodPost, "/v1/hooks/"+source, f.Service(), body, headers...)
	}
	const signature = "X-Discourse-Event-Signature"
	for name, c := range map[string]struct {
		answer harness.Answer
		status int
		code   string
	}{
		"no signature": {send("discourse", body), 401, "bad_signature"},
		"a byte changed": {
			send("discourse", strings.Replace(body, "81", "82", 1), signature, sum), 401,
			"bad_signature",
		},
		"another source": {send("nodebb", body, signature, sum), 401, "bad_signature"},
		"unknown source": {send("flarum", body, signature, sum), 404, "not_found"},
		"a query":        {send("discourse?x=1", body, signature, sum), 422, "invalid"},
		"an open form":   {send("discourse", body, signature, sum, "Content-Type", "text/plain"), 415, "media_type"},
		"over 1 MiB":     {send("discourse", `"`+strings.Repeat("x", 1<<20)+`"`, signature, sum), 413, "too_large"},
		"not JSON":       {f.discourse("post_created", "{"), 422, "not_of_source"},
		"a name twice":   {f.discourse("post_created", `{"post":{"id":1,"id":2}}`), 422, "not_of_source"},
		"no UTF-8":       {f.discourse("post_created", "{\"post\":{\"raw\":\"\xff\"}}"), 422, "not_of_source"},
		"deep": {f.discourse("post_created", `{"post":`+strings.Repeat("[", 11_000)+
			strings.Repeat("]", 11_000)+"}"), 422, "not_of_source"},
		"a number with a point": {
			f.discourse("post_created", strings.Replace(body, `"user_id":8`, `"user_id":8.5`, 1)), 422,
			"not_of_source",
		},
		"another event": {f.discourse("topic_created", body), 422, "not_of_source"},
	} {
		problem := harness.JSON[httpapi.Problem](t, harness.Answer{Status: 200, Header: c.answer.Header, Body: c.answer.Body})
		if c.answer.Status != c.status || string(problem.Code) != c.code {
			t.Errorf("%s: %d %s, want %d %s", name, c.answer.Status, c.answer.Body, c.status, c.code)
		}
	}
	if diff := cmp.Diff(before, f.State()); diff != "" {
		t.Errorf("a refused webhook has changed something (-before +after):\n%s", diff)
	}
	none := hooked{harness.NewForum(t, harness.Setup{}).Serve()}
	if a := none.discourse("ping", "{}"); a.Status != http.StatusUnauthorized ||
		!strings.Contains(a.Body, "no secret of discourse") {
		t.Errorf("without a secret: %d %s", a.Status, a.Body)
	}
}

// While Redis is unavailable webhooks are taken, articles among them, and counted; a user whose
// ledger cannot be read has the webhook fail, so that it is sent again.
func TestHooksWithoutRedis(t *testing.T) {
	t.Parallel()
	server := testserver.OwnRedis(t)
	client, err := view.Dial(server.URL(), false)
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	f := hooked{harness.NewForum(t, harness.Setup{Redis: client, Ledger: hookRules(t, "")})}
	f.Serve(func(o *httpapi.Options) { o.Hooks = hooks.Secrets{"discourse": {hookSecret}, "standard": {hookSecret}} })
	server.Stop()
	for _, c := range []struct {
		answer harness.Answer
		want   string
	}{
		{f.discourse("post_created", discoursePost(8, 12, 81, 2)), "counted +3, profile 8"},
		{f.discourse("topic_created", discourseTopic(7, 12)), "counted +10, article t12, profile 7"},
		{f.standard(`{"articles":[{"id":"a1","title":"First","author":{"id":"ann"}}]}`), "counted +10, article a1"},
	} {
		if got := f.did(c.answer); got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
	mend := f.Damage("8")
	if a := f.discourse("post_created", discoursePost(8, 12, 82, 3)); a.Status != http.StatusServiceUnavailable ||
		a.Header.Get("Retry-After") == "" {
		t.Errorf("of a damaged ledger: %d %s", a.Status, a.Body)
	}
	mend()
	if got := f.did(f.discourse("post_created", discoursePost(8, 12, 82, 3))); got != "counted +3" {
		t.Errorf("again: %s", got)
	}
}

// Of an excluded person undos are kept, through each forum's webhooks: comment, exclude, uncomment,
// include: no points.
func TestHooksKeepUndosOfTheExcluded(t *testing.T) {
	t.Parallel()
	const post = `"post":{"pid":6,"tid":2,"uid":4,"cid":4,"timestamp":1795172400000}`
	comment := func(action string) string {
		return `{"activities":[{"user":"4","action":"` + action + `","target":"x","ref":"c1"}]}`
	}
	for source, do := range map[string][2]func(f hooked) harness.Answer{
		"discourse": {
			func(f hooked) harness.Answer { return f.discourse("post_created", discoursePost(4, 12, 81, 2)) },
			func(f hooked) harness.Answer { return f.discourse("post_destroyed", discoursePost(4, 12, 81, 2)) },
		},
		"nodebb": {
			func(f hooked) harness.Answer { return f.nodeBB("action:topic.reply", post) },
			func(f hooked) harness.Answer { return f.nodeBB("action:post.delete", post) },
		},
		"standard": {
			func(f hooked) harness.Answer { return f.standard(comment("comment")) },
			func(f hooked) harness.Answer { return f.standard(comment("uncomment")) },
		},
	} {
		f := openHooked(t, "")
		if got := f.did(do[0](f)); !strings.HasPrefix(got, "counted +3") {
			t.Errorf("%s: done: %s", source, got)
		}
		f.Put("/v1/users/4/exclusion", f.Service(), "")
		f.Now = f.Now.Add(time.Second)
		if got := f.did(do[1](f)); got != "excluded +0" {
			t.Errorf("%s: undone: %s", source, got)
		}
		f.Delete("/v1/users/4/exclusion", f.Service())
		if got := f.ScoreOn("2026-11-20", "4"); got != 0 {
			t.Errorf("%s: %d points", source, got)
		}
	}
}
