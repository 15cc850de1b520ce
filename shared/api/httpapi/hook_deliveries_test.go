package httpapi_test

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"laurel/internal/harness"
	"laurel/shared/api/httpapi"
)

const likesOfPosts = `"discourse":{"received":"liked"}`

// discoursePost returns the webhook of Discourse for the second post of a topic.
func discoursePost(post, author int, name string) string {
	return fmt.Sprintf(`{"post":{"id":%d,"post_number":2,"post_type":1,"topic_id":12,`+
		`"created_at":"2026-11-20T11:30:00.000Z","category_id":4,"user_id":%d,"username":"u","name":%q,`+
		`"topic_archetype":"regular"}}`, post, author, name)
}

func discourseLike(post, author, by int) string {
	return fmt.Sprintf(`{"like":{%s,"user":{"id":%d,"username":"by"}}}`,
		strings.Trim(discoursePost(post, author, "Author"), "{}")+"}", by)
}

// sent is a webhook, a while after the one before.
type sent struct {
	as, body string
	after    time.Duration
}

// deliver sends webhooks, each of which is answered 200, and returns the last answer.
func (f *forum) deliver(all ...sent) (last answer) {
	f.TB.Helper()
	for _, s := range all {
		f.Now = f.Now.Add(s.after)
		if last = f.hook(s.as, s.body); last.Status != http.StatusOK {
			f.TB.Fatal(s.as, last.Status, last.Body)
		}
	}
	return last
}

var ofThisRead = regexp.MustCompile(`"(asOf|instance)":"[^"]*"`)

// state returns boards, names and articles, without the times at which they were read.
func (f *forum) state() string {
	f.TB.Helper()
	var all strings.Builder
	for _, path := range []string{
		"/v1/boards/activity/month?period=2026-11", "/v1/boards/activity/month?period=2026-12", "/v1/users/7", "/v1/users/9",
		"/v1/articles?sort=new", "/v1/users/7/exclusion", "/v1/users/9/entries", "/v1/users/7/entries",
	} {
		body := f.Get(path, f.Service()).Body
		body = ofThisRead.ReplaceAllString(body, "")
		all.WriteString(path + " " + body)
	}
	return all.String()
}

// A delivery that comes again changes nothing, even if others came between.
func TestDeliveryAgainChangesNothing(t *testing.T) {
	t.Parallel()
	topic := func(title string) string {
		return `{"topic":{"id":12,"title":"` + title + `","slug":"topic","created_at":"2026-11-20T11:00:00.000Z",` +
			`"archetype":"regular","category_id":4,"user_id":7,"created_by":{"id":7,"username":"user7"}}}`
	}
	post, renamed := discoursePost(81, 7, "First"), discoursePost(82, 7, "Second")
	act := func(action, more string) string {
		return `{"activities":[{"user":"7","action":"` + action + `","target":"t5"` + more + `}]}`
	}
	excluded := func(out bool) string { return fmt.Sprintf(`{"exclusions":[{"user":"7","excluded":%t}]}`, out) }
	for name, all := range map[string][]sent{ // the first comes again after the others
		"deleted and restored": {
			{"discourse post_destroyed 2", post, 0},
			{"discourse post_created 1", post, 0},
			{"discourse post_recovered 3", post, 0},
		},
		"restored and deleted": {
			{"discourse post_recovered 2", post, 0},
			{"discourse post_created 1", post, 0},
			{"discourse post_destroyed 3", post, 0},
		},
		"a topic deleted and restored": {
			{"discourse topic_destroyed 2", topic("A"), 0},
			{"discourse topic_created 1", topic("A"), 0},
			{"discourse topic_recovered 3", topic("A"), 0},
		},
		"a title": {
			{"discourse topic_edited 2", topic("A"), 0},
			{"discourse topic_created 1", topic("A"), 0},
			{"discourse topic_edited 3", topic("B"), 0},
		},
		"a name": {{"discourse post_created 1", post, 0}, {"discourse post_created 2", renamed, 0}},
		"a like that was taken back": {
			{"standard m1", act("like", ""), 0}, {"standard m2", act("unlike", ""), time.Second},
		},
		"taken back and given": {
			{"standard m1", act("unlike", ""), 0}, {"standard m2", act("like", ""), time.Second},
		},
		"a visit of another day": {{"standard m1", act("visit", ""), 0}, {"standard m2", act("like", ""), 30 * time.Hour}},
		"excluded and back":      {{"standard m1", excluded(true), 0}, {"standard m2", excluded(false), 0}},
		"steps":                  {{"standard m1", `{"activities":[{"user":"7","action":"steps","value":9}]}`, 0}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := hooked(t, likesOfPosts)
			f.Do(http.MethodPut, "/v1/hooks/discourse/categories", f.Service(), `{"categories":[4]}`)
			for i := range all {
				all[i].after += time.Second
			}
			f.deliver(all...)
			want := f.state()
			for _, later := range []time.Duration{time.Second, time.Hour, 25 * time.Hour, 46 * time.Hour} {
				again := sent{all[0].as, all[0].body, later}
				if a := f.deliver(again); !strings.Contains(a.Body, "this delivery came before, at 2026-11-20T12:00:01.000Z") {
					t.Errorf("after %s: %s", later, a.Body)
				}
				if got := f.state(); got != want {
					t.Errorf("after %s: %s\nwant %s", later, got, want)
				}
			}
		})
	}
}

// A like that is delivered again counts in the month of its first delivery, also by another delivery of the source.
func TestLikeAgainKeepsItsFirstMoment(t *testing.T) {
	t.Parallel()
	for _, id := range []string{"777", "778", ""} {
		f := hooked(t, likesOfPosts)
		f.Now = time.Date(2026, 11, 30, 23, 59, 57, 0, time.UTC)
		body := discourseLike(81, 7, 9)
		f.deliver(sent{"discourse post_liked 777", body, 0})
		want := f.state()
		f.deliver(sent{"discourse post_liked " + id, body, 5 * time.Second},
			sent{"discourse post_liked " + id, body, time.Hour})
		if got := f.state(); got != want {
			t.Errorf("%q: %s\nwant %s", id, got, want)
		}
		f.deliver(sent{"discourse post_liked 1", discourseLike(81, 7, 10), 0}) // of another user
		if f.ScoreOn("2026-12", "10") != 2 || f.ScoreOn("2026-12", "7") != 1 {
			t.Errorf("%q: %s", id, f.state())
		}
	}
}

// A like by another delivery, after something else took the like back, is a new one, once.
func TestLikeAfterItsUndoCounts(t *testing.T) {
	t.Parallel()
	f := hooked(t, likesOfPosts)
	first := sent{"discourse post_liked 1", discourseLike(81, 7, 9), 0}
	second := sent{"discourse post_liked 2", first.body, 0}
	undo := sent{"standard m1", `{"activities":[{"user":"9","action":"unlike","target":"p81"}]}`, time.Second}
	f.deliver(first, undo, sent{first.as, first.body, time.Second})
	if got := f.ScoreOn("2026-11", "9"); got != 0 {
		t.Error("the delivery of before again:", got)
	}
	f.deliver(sent{second.as, second.body, time.Second})
	if got := f.ScoreOn("2026-11", "9"); got != 2 {
		t.Error("liked again:", got)
	}
	undo.as = "standard m2"
	f.deliver(undo, second, first)
	if got := f.ScoreOn("2026-11", "9"); got != 0 {
		t.Error("taken back again:", got)
	}
}

// A sender may use one id for several bodies, and none: nothing of that is taken for a repetition.
func TestAnotherBodyIsAnotherDelivery(t *testing.T) {
	t.Parallel()
	f := hooked(t, "")
	for n := range 3 {
		f.deliver(sent{"standard m1", fmt.Sprintf(`{"activities":[{"user":"7","action":"like","target":"t%d"}]}`, n), 0})
	}
	vote := func(hook string) string {
		return `{"hook":"action:post.` + hook + `","params":{"pid":1,"uid":9,"owner":7,"current":"upvote"}}`
	}
	f.deliver(sent{"nodebb", vote("upvote"), 0}, sent{"nodebb", vote("unvote"), time.Second},
		sent{"nodebb", vote("upvote"), time.Second})
	if a, b := f.ScoreOn("2026-11", "7"), f.ScoreOn("2026-11", "9"); a != 6 || b != 2 {
		t.Error(a, b)
	}
}

// Wherever a process dies within a delivery, the same again completes it with its first moment, and once more
// changes nothing; neither does one that a store refused.
func TestDeliveryThatFailedIsCompleted(t *testing.T) {
	t.Parallel()
	like := sent{"discourse post_liked 777", discourseLike(81, 7, 9), 0}
	start := time.Date(2026, 11, 30, 23, 59, 57, 0, time.UTC)
	f := hooked(t, likesOfPosts)
	before := f.Table.All.Load()
	f.deliver(like)
	all := f.Table.All.Load() - before
	for _, fate := range []harness.Fate{harness.DiesBefore, harness.DiesWithin, harness.DiesAfter, harness.LosesAnswer} {
		for n := range all {
			f := hooked(t, likesOfPosts)
			f.Now = start
			f.Table.DieAt(n+1, fate)
			f.hook(like.as, like.body)
			f.Table.Reset()
			f.deliver(sent{like.as, like.body, 5 * time.Second})
			f.Fill()
			in := "2026-11"
			if f.ScoreOn(in, "9") == 0 && n == 0 { // the table has never heard of it
				in = "2026-12"
			}
			if a, b := f.ScoreOn(in, "9"), f.ScoreOn(in, "7"); a != 2 || b != 1 {
				t.Errorf("%s at %d: %d, %d", fate, n+1, a, b)
			}
			want := f.state()
			f.deliver(like, like)
			if got := f.state(); got != want || in == "2026-11" && f.ScoreOn("2026-12", "9") != 0 {
				t.Errorf("%s at %d: %s\nwant %s", fate, n+1, got, want)
			}
		}
	}
	if all < 4 {
		t.Error("calls of a delivery:", all)
	}
}

// A delivery that was answered 503 counts when it comes again.
func TestDeliveryOfAnUnavailableStoreComesAgain(t *testing.T) {
	t.Parallel()
	f := hooked(t, likesOfPosts)
	f.Table.Unavailable.Store(true)
	if a := f.hook("discourse post_liked 1", discourseLike(81, 7, 9)); a.Status != http.StatusServiceUnavailable {
		t.Fatal(a.Status, a.Body)
	}
	f.Table.Unavailable.Store(false)
	f.deliver(sent{"discourse post_liked 1", discourseLike(81, 7, 9), time.Minute})
	if got := f.ScoreOn("2026-11", "9"); got != 2 {
		t.Error(got)
	}
}

// Copies of a delivery at once have one moment.
func TestCopiesAtOnceCountOnce(t *testing.T) {
	t.Parallel()
	f := hooked(t, likesOfPosts, func(o *httpapi.Options) {
		var mu sync.Mutex
		now := time.Date(2026, 11, 30, 23, 59, 59, 990_000_000, time.UTC)
		o.Now = func() time.Time {
			mu.Lock()
			defer mu.Unlock()
			now = now.Add(time.Millisecond)
			return now
		}
	})
	f.Now = time.Date(2026, 11, 30, 23, 59, 59, 0, time.UTC)
	var all sync.WaitGroup
	for range 10 {
		all.Go(func() { f.hook("discourse post_liked 777", discourseLike(81, 7, 9)) })
	}
	all.Wait()
	if a, b := f.ScoreOn("2026-11", "9"), f.ScoreOn("2026-12", "9"); a+b != 2 {
		t.Error(a, b, f.state())
	}
}
