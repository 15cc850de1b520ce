package httpapi_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"laurel/shared/activity"
	"laurel/shared/article"
	"laurel/shared/article/reference"
	"laurel/shared/board"
	"laurel/shared/httpapi"
	"laurel/shared/nightly"
)

// A chronicle is a press with the reference beside it, that gets the same.
type chronicle struct {
	*press
	site   *reference.Site
	rng    *rand.Rand
	posted map[string]article.Article // as they were posted first
}

func openChronicle(t *testing.T, seed uint64) *chronicle {
	t.Helper()
	return &chronicle{
		press: openPress(t), site: reference.New(activity.Default().Articles()), rng: rand.New(rand.NewPCG(seed, 7)),
		posted: map[string]article.Article{},
	}
}

var (
	writers = []string{"ann", "bob", "cid", "dan"}
	topics  = []string{"go", "news", "a|b"}
)

func (c *chronicle) topics() []string {
	var some []string
	for _, g := range topics {
		if c.rng.IntN(2) == 0 {
			some = append(some, g)
		}
	}
	return some
}

// articleBody is the body of an article as it is posted or put.
func articleBody(a article.Article, withID bool) string {
	fields := map[string]any{"title": a.Title, "author": a.Author, "publishedAt": a.Published.String(), "groups": append([]string{}, a.Groups...)}
	if withID {
		fields["id"] = a.ID
	}
	text, err := json.Marshal(fields)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// step does something by chance, and looks whether the answer is as the reference has
// it.
func (c *chronicle) step(t *testing.T) {
	t.Helper()
	id := fmt.Sprint("a", c.rng.IntN(14))
	now := board.MomentOf(c.now)
	a, known := c.posted[id]
	service := c.service()
	switch n := c.rng.IntN(20); {
	case n < 4:
		if !known || c.rng.IntN(3) == 0 {
			a = article.Article{ID: id, Author: writers[c.rng.IntN(2)], Published: now, Title: "About " + id, Groups: c.topics()}
		}
		if now-a.Published > 172_800_000 {
			return // it is a fault by now
		}
		_, there := c.posted[id]
		answer := c.do(http.MethodPost, "/v1/articles", service, articleBody(a, true))
		want := http.StatusConflict
		if c.site.Create(a) {
			if want = http.StatusOK; !there {
				want, c.posted[id] = http.StatusCreated, a
			}
		}
		if answer.status != want {
			t.Errorf("post %s: %d, want %d: %s", id, answer.status, want, answer.body)
		}
	case n < 6 && known:
		a.Title, a.Groups = fmt.Sprint("Title ", n), c.topics()
		answer := c.do(http.MethodPut, "/v1/articles/"+id, service, articleBody(a, false))
		if answer.status == http.StatusOK {
			c.site.Change(id, a.Title, a.Link, a.Groups...)
		} else if answer.status != http.StatusConflict {
			t.Errorf("put %s: %d %s", id, answer.status, answer.body)
		}
	case n == 6 && c.rng.IntN(3) == 0:
		want := http.StatusNotFound
		if c.site.Delete(id) {
			want = http.StatusOK
		}
		if answer := c.do(http.MethodDelete, "/v1/articles/"+id, service, ""); answer.status != want {
			t.Errorf("delete %s: %d, want %d: %s", id, answer.status, want, answer.body)
		}
	case n > 6:
		user, undo := writers[c.rng.IntN(len(writers))], c.rng.IntN(3) == 0
		at := now.Add(-time.Duration(c.rng.IntN(47)) * time.Hour)
		word := map[bool]string{false: "like", true: "unlike"}[undo]
		report := list(fmt.Sprintf(`{"action":%q,"target":%q,"user":%q,"at":%q}`, word, id, user, at))
		read[httpapi.Receipts](t, c.post(service, report))
		c.site.Like(user, id, at, undo)
	}
}

// compare compares every article, and the lists of those that are on them, with the
// reference.
func (c *chronicle) compare(t *testing.T, onLists func(id string) bool) {
	t.Helper()
	for _, id := range c.site.IDs() {
		want, score, _ := c.site.Article(id)
		got := read[item](t, c.get("/v1/articles/"+id, ""))
		age := board.MomentOf(c.now) - want.Published
		if got.Votes != want.Votes || got.Score != score || got.Title != want.Title || got.Author["id"] != want.Author || got.VotingOpen != (age < 7*86_400_000) {
			t.Errorf("%s is %+v, want %+v", id, got, want)
		}
	}
	for _, group := range append([]string{""}, topics...) {
		for _, by := range []article.Sort{article.Hot, article.New} {
			want := []string{}
			for _, a := range c.site.List(by, group) {
				if onLists(a.ID) {
					want = append(want, a.ID)
				}
			}
			path := "/v1/articles?limit=5&sort=" + string(by)
			if group != "" {
				path += "&group=" + strings.ReplaceAll(group, "|", "%7C")
			}
			got := []string{}
			for {
				piece := read[items](t, c.get(fmt.Sprint(path, "&offset=", len(got)), ""))
				if got = append(got, piece.ids()...); len(piece.Articles) == 0 {
					if piece.Total != int64(len(got)) {
						t.Errorf("%s: total %d of %d", path, piece.Total, len(got))
					}
					break
				}
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s (-reference +list):\n%s", path, diff)
			}
		}
	}
}

// What is read over HTTP is what the reference has, whatever is done in whatever
// order.
func TestArticlesAreAsInTheReference(t *testing.T) {
	t.Parallel()
	for seed := range uint64(3) {
		c := openChronicle(t, seed)
		for range 120 {
			c.step(t)
			c.now = c.now.Add(time.Duration(c.rng.IntN(20)) * time.Minute)
		}
		c.compare(t, func(string) bool { return true })
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

// Nights go by, and articles leave for the archive: each answers as before, those
// that have left too, and an id is never given again.
func TestArticlesThroughNights(t *testing.T) {
	t.Parallel()
	left := 0
	for seed := range uint64(3) {
		c := openChronicle(t, 10+seed)
		for range 24 {
			for range 12 {
				c.step(t)
				c.now = c.now.Add(time.Duration(c.rng.IntN(180)) * time.Minute)
			}
			c.night(t)
			on := read[items](t, c.get("/v1/articles?limit=100", "")).ids()
			left += len(c.site.IDs()) - len(on)
			c.compare(t, func(id string) bool { return slices.Contains(on, id) })
			if t.Failed() {
				t.Fatalf("seed %d", seed)
			}
		}
	}
	if left == 0 {
		t.Error("nothing has left the lists")
	}
}

// night runs what runs at night; two articles of each list stay.
func (c *chronicle) night(t *testing.T) {
	t.Helper()
	l := activity.Default()
	result, err := nightly.Run(t.Context(), nightly.Options{
		Live: c.store, Archive: c.kept.Archive, Rules: l, Calendar: board.NewCalendar(time.UTC), Now: board.MomentOf(c.now),
		HotDays: 3, HotMonths: 1, Articles: c.store.Articles(), FinalArticles: c.kept.Articles, KeepArticles: 2,
	})
	if err != nil || len(result.Failed) > 0 {
		t.Fatal(result.Failed, err)
	}
}
