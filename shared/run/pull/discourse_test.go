package pull_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"laurel/internal/harness"
	"laurel/internal/testserver"
	"laurel/shared/api/httpapi"
	"laurel/shared/core/signatures"
)

const secret = "secret-of-discourse"

// onDiscourse returns a Discourse, its Laurel and the puller.
func onDiscourse(t *testing.T) (*harness.Forum, *discourse, *puller) {
	t.Helper()
	f := harness.NewForum(t, harness.Setup{Now: noon}).Serve(func(o *httpapi.Options) {
		o.Hooks = signatures.Secrets{"discourse": {secret}}
	})
	s, p := newDiscourse(t, f), newPuller(t, f)
	s.source.API = p.service("the forum", s.url, http.Header{"Api-Key": {key}, "Api-Username": {"system"}})
	s.source.API.Pace = time.Second
	s.source.Guest = p.service("the forum", s.url, http.Header{})
	p.runner.Source = &s.source
	return f, s, p
}

// told sends Laurel a webhook.
func (s *discourse) told(event string, body any) string {
	s.t.Helper()
	raw := harness.Must(json.Marshal(body))(s.t)
	headers := append(harness.Signed("discourse", secret, "", string(raw), s.forum.Now),
		"X-Discourse-Event", event, "X-Discourse-Instance", "https://forum.example")
	a := s.forum.Do(http.MethodPost, "/v1/hooks/discourse", "", string(raw), headers...)
	if a.Status != http.StatusOK {
		s.t.Fatal(a.Body)
	}
	return a.Body
}

func (s *discourse) toldOfPost(p *written) string {
	if p.number == 1 {
		return s.told("topic_created", map[string]any{"topic": map[string]any{
			"id": p.topic.id, "title": p.topic.title, "slug": "a-topic", "created_at": moment(p.created),
			"category_id": p.topic.category(), "user_id": p.user, "tags": []string{"go"},
			"created_by": map[string]any{"id": p.user, "username": name(p.user)},
		}})
	}
	return s.told("post_created", map[string]any{"post": p.shown()})
}

func (s *discourse) toldOfLike(by int64, p *written) string {
	return s.told("post_liked", map[string]any{"like": map[string]any{
		"post": p.shown(), "user": map[string]any{"id": by, "username": name(by)},
	}})
}

// A topic that guests cannot read counts without its title; once they can, the next run publishes it.
func TestTitlesThatGuestsMayReadOfDiscourse(t *testing.T) {
	t.Parallel()
	f, s, p := onDiscourse(t)
	open, staff := s.write(1, nil), s.write(2, nil)
	staff.topic.closed = true
	published := func() (all []string) {
		t.Helper()
		p.pull()
		body := f.Get("/v1/articles?sort=new", "").Body
		for _, w := range []*written{open, staff} {
			if strings.Contains(body, `"`+w.topic.title+`"`) {
				all = append(all, w.topic.title)
			}
		}
		return append(all, scores(f, 1, 2))
	}
	for _, step := range []struct {
		login, closed bool
		want          string
	}{
		{true, true, "[10 10]"},
		{false, true, "[Topic 1 10 10]"},
		{false, true, "[Topic 1 10 10]"},
		{false, false, "[Topic 1 Topic 2 10 10]"},
	} {
		s.login, staff.topic.closed = step.login, step.closed
		if got := fmt.Sprint(published()); got != step.want {
			t.Errorf("guests have to log in: %t, closed: %t: public are %s, want %s", step.login, step.closed, got, step.want)
		}
	}
}

// A run tells Laurel the categories that guests read, when they have changed: Laurel judges later webhooks by them,
// publishes topics that were reported before, and takes topics of a category that was closed since off the lists with
// their points.
func TestPullFillsPublicCategories(t *testing.T) {
	t.Parallel()
	f, s, p := onDiscourse(t)
	early, staff := s.write(1, nil), s.write(2, nil)
	staff.topic.closed = true
	s.toldOfPost(early)
	s.toldOfPost(staff)
	step := func(name, want string, filled bool) {
		t.Helper()
		f.Now = f.Now.Add(time.Second)
		if p.pull(); slices.ContainsFunc(p.sent, func(r string) bool { return strings.Contains(r, "categories") }) != filled {
			t.Errorf("%s: sent %s", name, p.sent)
		}
		var list httpapi.ArticleList
		harness.OK(t, json.Unmarshal([]byte(f.Get("/v1/articles?sort=new", "").Body), &list))
		var titles []string
		for _, a := range list.Articles {
			titles = append(titles, a.Title)
		}
		slices.Sort(titles)
		if got := fmt.Sprint(titles, " ", scores(f, 1, 2, 3)); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	if list := f.Get("/v1/articles", "").Body; strings.Contains(list, "Topic") {
		t.Errorf("before the first run: %s", list)
	}
	step("the first run", "[Topic 1] 10 10 0", true)
	late := s.write(3, nil)
	s.toldOfPost(late)
	step("a topic reported by a webhook", "[Topic 1 Topic 3] 10 10 10", false)
	s.login = true
	step("guests have to log in", "[] 10 10 10", true)
	step("again", "[] 10 10 10", false)
}

// A pull reports the same as webhooks, in pages, and repeats requests that were refused with 429; it leaves out posts
// that do not count, and undoes those that are taken back or deleted.
func TestPullOfDiscourseEqualsItsWebhooks(t *testing.T) {
	t.Parallel()
	for _, old := range []bool{false, true} {
		t.Run(fmt.Sprint("old ", old), func(t *testing.T) {
			t.Parallel()
			f, s, p := onDiscourse(t)
			s.busy, s.old = 4, old
			first, reply, more := s.writeMany()
			if p.pull(); scores(f, 1, 2, 3) != "12 3 22" {
				t.Errorf("%s, sent %q", scores(f, 1, 2, 3), p.sent)
			}
			if !slices.Contains(p.waited, 7*time.Second) || !slices.Contains(p.waited, time.Second) {
				t.Errorf("it waits for %v", p.waited)
			}
			article := f.Get("/v1/articles/t1", "").Body
			for _, want := range []string{
				`"title":"Topic 1"`, `"link":"https://forum.example/t/a-topic/1"`, `"votes":2`, `"groups":["c4"]`, `"name":"user1"`,
				`"avatar":"https://forum.example/user_avatar/user1/144/1.png"`,
			} {
				if !strings.Contains(article, want) {
					t.Errorf("the article lacks %s: %s", want, article)
				}
			}
			for _, receipt := range []string{s.toldOfPost(reply), s.toldOfLike(1, reply), s.toldOfPost(first)} {
				if !strings.Contains(receipt, `"duplicate"`) {
					t.Errorf("a webhook tells something else: %s", receipt)
				}
			}
			for _, step := range []struct {
				name string
				do   func()
				want string
			}{
				{"nothing", func() {}, "12 3 22"},
				{"a like is taken back", func() { s.unlike(1, reply) }, "10 3 22"},
				{"and given again", func() { s.like(1, reply) }, "12 3 22"},
				{"a post is deleted, and its likes", func() {
					reply.deleted = true
					s.seen[1], s.seen[3] = f.Now, f.Now
				}, "10 0 20"},
				{"restored", func() { reply.deleted = false }, "12 3 22"},
				{"the system hides a post", func() { more.hidden = true }, "12 3 22"},
				{"a topic is deleted, and likes in it", func() { first.topic.deleted = true }, "0 3 18"},
				{"restored", func() { first.topic.deleted = false }, "12 3 22"},
				{"a post is deleted for good", func() {
					s.posts = slices.DeleteFunc(s.posts, func(w *written) bool { return w == more })
				}, "12 3 19"},
			} {
				f.Now = f.Now.Add(5 * time.Minute)
				step.do()
				if p.pull(); scores(f, 1, 2, 3) != step.want {
					t.Errorf("%s: %s, want %s; sent %q", step.name, scores(f, 1, 2, 3), step.want, p.sent)
				}
			}
			if a := f.Get("/v1/articles/t1", "").Body; !strings.Contains(a, `"groups":["c4"]`) ||
				strings.Contains(a, `"listed":false`) {
				t.Errorf("the article: %s", a)
			}
		})
	}
}

// writeMany writes topics, replies and likes, including some that do not count.
func (s *discourse) writeMany() (first, reply, more *written) {
	first = s.write(1, nil)
	for range 60 { // ids without a public post
		s.write(2, first.topic).kind = 3
	}
	reply = s.write(2, first.topic)
	for range 6 {
		more = s.write(3, first.topic)
	}
	s.write(2, first.topic).hidden = true
	s.write(-1, first.topic)
	private := s.write(2, nil)
	private.topic.private = true
	for _, liked := range []*written{first, reply, private} {
		s.like(3, liked)
	}
	s.like(1, reply)
	return first, reply, more
}

// A like that a webhook reported, and that was taken back before a pull saw it, is one that Laurel has and the forum
// has not. Likes of other targets are left alone.
func TestLikeThatOnlyLaurelHas(t *testing.T) {
	t.Parallel()
	f, s, p := onDiscourse(t)
	p.pull()
	post := s.write(1, nil)
	s.toldOfPost(post)
	s.like(2, post)
	s.toldOfLike(2, post)
	f.Did("2 like 42", "2 like t99")
	s.unlike(2, post)
	s.write(3, post.topic)
	f.Now = f.Now.Add(time.Minute)
	if p.pull(); scores(f, 1, 2) != "10 2" {
		t.Errorf("%s, want 2 for the like of another target", scores(f, 1, 2))
	}
	if a := f.Get("/v1/articles/t1", "").Body; !strings.Contains(a, `"groups":["c4","go"]`) {
		t.Errorf("the article reported by a webhook: %s", a)
	}
}

// A like is looked for as long as a webhook may report it, not longer, and when its post comes back it counts on its
// own day.
func TestLikesInTime(t *testing.T) {
	t.Parallel()
	f, s, p := onDiscourse(t)
	post, other := s.write(1, nil), s.write(1, nil)
	p.pull()
	s.like(2, post)
	f.Now = f.Now.Add(30 * time.Minute)
	s.toldOfLike(2, post)
	f.Now = f.Now.Add(40 * time.Minute)
	s.seen[2] = f.Now
	s.source.Since = time.Hour
	if p.pull(); scores(f, 2) != "2" {
		t.Errorf("a webhook was late: %s", scores(f, 2))
	}
	s.source.Since = 0
	s.like(3, post)
	p.pull()
	f.Now = f.Now.Add(10 * time.Hour)
	p.pull()
	f.Now = f.Now.Add(10 * time.Hour)
	s.like(3, other)
	if p.pull(); scores(f, 3) != "4" {
		t.Errorf("an older like: %s", scores(f, 3))
	}
	for _, deleted := range []bool{true, false} {
		f.Now = f.Now.Add(10 * time.Minute)
		post.topic.deleted, s.seen[3], s.source.Since = deleted, f.Now, 40*time.Hour
		p.pull()
		if list := f.Get("/v1/articles", "").Body; strings.Contains(list, `"t1"`) == deleted {
			t.Errorf("deleted %v, and the list is %s", deleted, list)
		}
	}
	if first, last := f.ScoreOn("2026-11-20", "3"), f.ScoreOn("2026-11-21", "3"); first != 2 || last != 2 {
		t.Errorf("%d on the first day, %d on the second", first, last)
	}
}

// A forum that does not answer takes nothing back.
func TestForumThatFails(t *testing.T) {
	t.Parallel()
	f, s, p := onDiscourse(t)
	post := s.write(1, nil)
	s.like(2, post)
	p.pull()
	before := harness.Must(os.ReadFile(p.runner.File))(t)
	for _, path := range []string{"/posts.json", "/user_actions.json", "/admin", "/posts/", "/t/"} {
		s.broken = path
		post.deleted, s.likes = path == "/t/", nil
		f.Now = f.Now.Add(time.Minute)
		_, err := p.runner.Run(t.Context())
		after, _ := os.ReadFile(p.runner.File)
		fails := path != "/posts/"
		if (err != nil) != fails || fails && (!bytes.Equal(before, after) || !strings.Contains(err.Error(), "502")) {
			t.Errorf("%s: %v", path, err)
		}
		if fails && scores(f, 1, 2) != "10 2" {
			t.Errorf("%s: %s", path, scores(f, 1, 2))
		}
		if path == "/posts/" { // it was not asked, and the like was taken back
			f.Now = f.Now.Add(time.Minute)
			s.like(2, post)
			p.pull()
			before, _ = os.ReadFile(p.runner.File)
		}
	}
	s.broken = ""
	s.source.API.Header = func() (http.Header, error) { return http.Header{}, nil }
	if _, err := p.runner.Run(t.Context()); err == nil || !strings.Contains(err.Error(), "403") {
		t.Errorf("without a key: %v", err)
	}
}

// After any acts, lost webhooks, and pulls that run or are killed at any time, the month in Laurel equals the
// forum's.
func TestBoardEqualsTheForum(t *testing.T) {
	t.Parallel()
	for seed := range uint64(testserver.Times(3, 6)) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			f, s, p := onDiscourse(t)
			r := rand.New(rand.NewPCG(seed, 1))
			s.write(1, nil)
			for range 250 {
				f.Now = f.Now.Add([]time.Duration{time.Millisecond, time.Minute, 10 * time.Minute}[r.IntN(3)])
				happens(s, p, r)
			}
			f.Now = f.Now.Add(time.Minute)
			for id := range s.seen {
				s.seen[id] = f.Now
			}
			for _, topic := range s.topics { // the forum tells nothing of replies in a deleted topic
				topic.deleted = topic.deleted && topic.posts == 1
			}
			for _, w := range s.posts {
				if w.number == 1 {
					w.deleted = w.topic.deleted
				}
			}
			s.source.Since = 47 * time.Hour
			p.pull()
			want, got := s.month(), map[int64]int64{}
			for user := range want {
				got[user] = f.ScoreOn("2026-11", fmt.Sprint(user))
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("month (-forum +Laurel):\n%s", diff)
			}
			if p.pull(); len(p.sent) > 0 {
				t.Errorf("without news it sends %q", p.sent)
			}
		})
	}
}

// happens makes one random change in the forum, or pulls.
func happens(s *discourse, p *puller, r *rand.Rand) {
	user, post := 1+r.Int64N(6), s.posts[r.IntN(len(s.posts))]
	switch r.IntN(13) {
	case 0, 1:
		in := post.topic
		if r.IntN(3) == 0 {
			in = nil
		}
		if w := s.write(user, in); r.IntN(2) == 0 {
			s.toldOfPost(w)
		}
	case 2, 3, 4, 5:
		if !post.deleted && !post.topic.deleted && s.like(user, post) && r.IntN(2) == 0 {
			s.toldOfLike(user, post)
		}
	case 6, 7, 8:
		s.unlike(user, post)
	case 9:
		if post.number == 1 {
			post.topic.deleted = !post.topic.deleted
			post.deleted = post.topic.deleted
		} else {
			post.deleted = !post.deleted
		}
	case 10, 11:
		p.pull()
	case 12:
		p.kill(1+r.IntN(4), r.IntN(2) == 0)
	}
}

// month returns the points of users by the posts and likes of the forum.
func (s *discourse) month() map[int64]int64 {
	want := map[int64]int64{}
	for _, w := range s.posts {
		switch {
		case w.number == 1 && !w.deleted:
			want[w.user] += 10
		case w.number > 1 && !w.deleted:
			want[w.user] += 3
		}
	}
	for _, l := range s.likes {
		if !l.post.deleted && !l.post.topic.deleted {
			want[l.by] += 2
		}
	}
	return want
}
