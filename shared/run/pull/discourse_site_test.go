package pull_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"laurel/internal/harness"
	"laurel/shared/run/pull"
)

// A discourse answers as a Discourse does, in the form of its own API schemas, to an administrator's
// key. Its pages are short.
type discourse struct {
	t     *testing.T
	forum *harness.Forum // its clock is the site's, too
	url   string

	source pull.Discourse

	mu     sync.Mutex
	posts  []*written // by id
	likes  []given
	seen   map[int64]time.Time
	topics map[int64]*topic
	asked  []string
	busy   int // every so many requests, one is answered with 429
	old    bool
	broken string // a path that is answered with 500
	login  bool   // guests have to log in
}

type topic struct {
	id      int64
	title   string
	deleted bool
	private bool
	closed  bool // in a category that guests cannot read
	posts   int64
}

type written struct {
	id, number, user int64
	topic            *topic
	created          time.Time
	deleted, hidden  bool
	kind             int // 1 is regular
}

type given struct {
	by      int64
	post    *written
	created time.Time
}

const key = "0123456789abcdef"

func newDiscourse(t *testing.T, f *harness.Forum) *discourse {
	t.Helper()
	s := &discourse{
		t: t, forum: f, source: pull.Discourse{Forum: "https://forum.example"},
		seen: map[int64]time.Time{}, topics: map[int64]*topic{},
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /site.json", s.site)
	mux.HandleFunc("GET /posts.json", s.latest)
	mux.HandleFunc("GET /posts/{id}", s.post)
	mux.HandleFunc("GET /t/{id}", s.topic)
	mux.HandleFunc("GET /user_actions.json", s.actions)
	mux.HandleFunc("GET /admin/users/list/active.json", s.users)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.asked = append(s.asked, r.URL.String())
		guest, site := r.Header.Get("Api-Key") == "", r.URL.Path == "/site.json"
		switch {
		case site && (s.login || !guest):
			http.Error(w, `{"errors":["of a guest alone"],"error_type":"not_logged_in"}`, http.StatusForbidden)
		case !site && (r.Header.Get("Api-Key") != key || r.Header.Get("Api-Username") != "system"):
			http.Error(w, `{"errors":["not an administrator"]}`, http.StatusForbidden)
		case s.busy > 0 && len(s.asked)%s.busy == 0:
			w.Header().Set("Retry-After", "7")
			http.Error(w, `{"errors":["You've performed this action too many times."],"error_type":"rate_limit"}`,
				http.StatusTooManyRequests)
		case s.broken != "" && strings.HasPrefix(r.URL.Path, s.broken):
			http.Error(w, "<html>", http.StatusBadGateway)
		default:
			mux.ServeHTTP(w, r)
		}
	}))
	t.Cleanup(server.Close)
	s.url = server.URL
	return s
}

func answer(w http.ResponseWriter, body any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(body)
}

func moment(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }

// shown is a post as the API has it.
func (p *written) shown() map[string]any {
	deleted := any(nil)
	if p.deleted {
		deleted = moment(p.created.Add(time.Second))
	}
	return map[string]any{
		"id": p.id, "name": nil, "username": name(p.user),
		"avatar_template": "/user_avatar/" + name(p.user) + "/{size}/1.png",
		"created_at":      moment(p.created), "cooked": "<p>so</p>", "raw": "so", "post_number": p.number,
		"post_type": p.kind,
		"topic_id":  p.topic.id, "topic_slug": "a-topic", "topic_title": p.topic.title, "category_id": p.topic.category(),
		"user_id": p.user, "hidden": p.hidden, "deleted_at": deleted, "user_deleted": false,
	}
}

func name(user int64) string { return "user" + strconv.FormatInt(user, 10) }

// category returns the category of a topic.
func (t *topic) category() int64 {
	if t.closed {
		return 5
	}
	return 4
}

// site returns a guest's view: it lists a category of which only parts are public, too.
func (s *discourse) site(w http.ResponseWriter, _ *http.Request) {
	answer(w, map[string]any{"categories": []map[string]any{
		{"id": 4, "read_restricted": false}, {"id": 6, "read_restricted": true},
	}})
}

// latest lists 3 public posts: with smaller ids, or in an older Discourse those of the last 50
// ids up to one.
func (s *discourse) latest(w http.ResponseWriter, r *http.Request) {
	before, err := strconv.ParseInt(cmp.Or(r.FormValue("before"), "999999"), 10, 64)
	if err != nil {
		s.t.Error(err)
	}
	page := []map[string]any{}
	for _, p := range slices.Backward(s.posts) {
		in := p.id < before
		if s.old {
			in = p.id <= before && p.id > min(before, s.posts[len(s.posts)-1].id)-50
		}
		if in && !p.deleted && !p.topic.deleted && !p.topic.private && p.kind == 1 && (len(page) < 3 || s.old) {
			page = append(page, p.shown())
		}
	}
	answer(w, map[string]any{"latest_posts": page})
}

func (s *discourse) post(w http.ResponseWriter, r *http.Request) {
	for _, p := range s.posts {
		if r.PathValue("id") == fmt.Sprintf("%d.json", p.id) {
			answer(w, p.shown())
			return
		}
	}
	http.NotFound(w, r)
}

func (s *discourse) topic(w http.ResponseWriter, r *http.Request) {
	id, _ := strconv.ParseInt(strings.TrimSuffix(r.PathValue("id"), ".json"), 10, 64)
	topic, ok := s.topics[id]
	if !ok {
		http.NotFound(w, r)
		return
	}
	deleted := any(nil)
	if topic.deleted {
		deleted = moment(s.forum.Now)
	}
	answer(w, map[string]any{"id": topic.id, "title": topic.title, "deleted_at": deleted})
}

// actions lists 2 likes of a user: an administrator sees those in private messages and of deleted posts, but not in
// deleted topics.
func (s *discourse) actions(w http.ResponseWriter, r *http.Request) {
	offset, err := strconv.Atoi(r.FormValue("offset"))
	if err != nil || r.FormValue("filter") != "1" {
		s.t.Errorf("%s: %v", r.URL, err)
	}
	page := []map[string]any{}
	for _, l := range slices.Backward(s.likes) {
		if name(l.by) != r.FormValue("username") || l.post.topic.deleted {
			continue
		}
		if offset--; offset >= 0 || len(page) == 2 {
			continue
		}
		category := any(4)
		if l.post.topic.private {
			category = nil
		}
		page = append(page, map[string]any{
			"excerpt": "so", "action_type": 1, "created_at": moment(l.created), "topic_id": l.post.topic.id,
			"target_user_id": l.by, "target_username": name(l.by), "post_number": l.post.number, "post_id": l.post.id,
			"username": name(l.post.user), "user_id": l.post.user, "acting_username": name(l.by), "acting_user_id": l.by,
			"deleted": l.post.deleted, "hidden": nil, "post_type": nil, "category_id": category,
		})
	}
	answer(w, map[string]any{"user_actions": page})
}

// users lists 2 users by the time when they were seen, the last first.
func (s *discourse) users(w http.ResponseWriter, r *http.Request) {
	page, _ := strconv.Atoi(r.FormValue("page"))
	all := []map[string]any{}
	for id, seen := range s.seen {
		all = append(all, map[string]any{"id": id, "username": name(id), "last_seen_at": moment(seen)})
	}
	slices.SortFunc(all, func(a, b map[string]any) int {
		return cmp.Compare(fmt.Sprint(b["last_seen_at"], b["id"]), fmt.Sprint(a["last_seen_at"], a["id"]))
	})
	answer(w, all[min((page-1)*2, len(all)):min(page*2, len(all))])
}

// The acts of members.

func (s *discourse) write(user int64, in *topic) *written {
	if in == nil {
		in = &topic{id: int64(len(s.topics) + 1), title: fmt.Sprintf("Topic %d", len(s.topics)+1)}
		s.topics[in.id] = in
	}
	in.posts++
	p := &written{id: int64(len(s.posts) + 1), number: in.posts, user: user, topic: in, created: s.forum.Now, kind: 1}
	if n := len(s.posts); n > 0 {
		p.id = s.posts[n-1].id + 1
	}
	s.posts = append(s.posts, p)
	s.seen[user] = s.forum.Now
	return p
}

// like returns whether a member could like a post: nobody likes the own one, or one twice.
func (s *discourse) like(by int64, p *written) bool {
	s.seen[by] = s.forum.Now
	if by == p.user || slices.ContainsFunc(s.likes, func(l given) bool { return l.by == by && l.post == p }) {
		return false
	}
	s.likes = append(s.likes, given{by, p, s.forum.Now})
	return true
}

func (s *discourse) unlike(by int64, p *written) {
	s.seen[by] = s.forum.Now
	s.likes = slices.DeleteFunc(s.likes, func(l given) bool { return l.by == by && l.post == p })
}
