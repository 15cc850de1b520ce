package integrations_test

import (
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"laurel/internal/harness"
	"laurel/shared/api/httpapi"
	"laurel/shared/core/activity"
	"laurel/shared/core/board"
	"laurel/shared/core/ledger"
	"laurel/shared/core/signatures"
	"laurel/shared/run/vectors"
)

// A discourse is one whose members act a vector out: it tells Laurel of it by its own webhooks.
type discourse struct {
	*harness.Forum
	secret string
	sent   int
	ids    map[string]int    // of users, topics and posts
	posts  map[string]string // their webhooks' bodies
}

// id returns the id of something, a new one the first time.
func (d *discourse) id(name string) int {
	if d.ids[name] == 0 {
		d.ids[name] = 100 + len(d.ids)
	}
	return d.ids[name]
}

// tell sends a webhook as Discourse signs it.
func (d *discourse) tell(event, body string) {
	d.TB.Helper()
	d.sent++
	headers := append(harness.Signed("discourse", d.secret, "", body, d.Now), "X-Discourse-Event", event,
		"X-Discourse-Instance", "https://forum.example", "X-Discourse-Event-Id", fmt.Sprint(d.sent))
	if a := d.Do(http.MethodPost, "/v1/hooks/discourse", "", body, headers...); a.Status != http.StatusOK {
		d.TB.Fatalf("%s %s: %d %s", event, body, a.Status, a.Body)
	}
}

// does performs an act of a member, on a topic of the author's.
func (d *discourse) does(a *vectorAct) {
	d.TB.Helper()
	d.Now = a.At
	if a.Target != "" && d.ids[a.Target] == 0 {
		d.tell("topic_created", fmt.Sprintf(`{"topic":{"id":%d,"title":"A title","slug":"a-title","created_at":%q,
			"archetype":"regular","visible":true,"category_id":4,"user_id":%d,"created_by":{"id":%[3]d,"username":"author"}}}`,
			d.id(a.Target), a.At.Format(time.RFC3339), d.id("author")))
	}
	post := a.Ref + " of " + a.User
	switch a.kind() {
	case "like": // of the topic's first post
		d.tell("post_liked", fmt.Sprintf(`{"like":{"post":{"id":%d,"post_number":1,"post_type":1,"topic_id":%d,
			"category_id":4,"user_id":%d,"username":"author","topic_archetype":"regular"},"user":{"id":%d,"username":"u"}}}`,
			d.id("first of "+a.Target), d.id(a.Target), d.id("author"), d.id(a.User)))
	case "comment":
		d.posts[post] = fmt.Sprintf(`{"post":{"id":%d,"post_number":2,"post_type":1,"created_at":%q,"topic_id":%d,
			"category_id":4,"user_id":%d,"username":"u","topic_archetype":"regular","hidden":false}}`,
			d.id(post), a.At.Format(time.RFC3339), d.id(a.Target), d.id(a.User))
		d.tell("post_created", d.posts[post])
	case "uncomment":
		d.tell("post_destroyed", d.posts[post])
	case "restore":
		d.tell("post_recovered", d.posts[post])
	default:
		d.TB.Fatalf("no webhook of Discourse tells of %s", a.Action)
	}
}

// Members of a Discourse have the places of a vector, at its moments, by the webhooks of their acts. Of a like that is
// taken back Discourse tells nobody.
func TestDiscourseActsVectorsOut(t *testing.T) {
	t.Parallel()
	rules := harness.Must(activity.ParseRules(harness.Must(os.ReadFile("../rules/wordpress.json"))(t)))(t)
	for _, name := range without(t, "unlike", actedOut) {
		v, acts := actsOf(t, name)
		d := &discourse{secret: strings.Repeat("a secret ", 4), ids: map[string]int{}, posts: map[string]string{}}
		d.Forum = harness.NewForum(t, harness.Setup{
			Ledger: ledger.New(rules, board.NewCalendar(time.UTC)), Now: acts[0].At,
		}).Serve(func(o *httpapi.Options) { o.Hooks = signatures.Secrets{"discourse": {d.secret}} })
		for i := range acts {
			d.does(&acts[i])
		}
		d.Now = harness.Must(time.Parse(time.RFC3339, v.Now))(t)
		harness.Must(d.Tick(t.Context()))(t)
		names := map[string]string{}
		for name, id := range d.ids {
			names[fmt.Sprint(id)] = name
		}
		for _, b := range v.Boards {
			var got []vectors.Entry
			answer := d.Get("/v1/boards/"+b.Board+"/"+b.Window+"?limit=100&period="+b.Period, "")
			for _, e := range harness.JSON[httpapi.Board](t, answer).Entries {
				if user := names[*e.User.ID]; user != "author" { // topics give the author points
					got = append(got, vectors.Entry{
						Rank: int64(len(got) + 1), User: user, Score: e.Score, ReachedAt: e.ReachedAt,
					})
				}
			}
			if diff := cmp.Diff(b.Entries, got); diff != "" {
				t.Errorf("%s, %s %s (-vector +Laurel):\n%s", name, b.Window, b.Period, diff)
			}
		}
	}
}
