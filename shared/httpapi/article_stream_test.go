package httpapi_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"laurel/internal/harness"
	"laurel/internal/testserver"
	"laurel/shared/activity"
	"laurel/shared/article"
	"laurel/shared/article/reference"
	"laurel/shared/board"
	"laurel/shared/httpapi"
	"laurel/shared/night"
)

// A chronicle is a forum with the reference beside it, that gets the same.
type chronicle struct {
	*forum
	site   *reference.Site
	rng    *rand.Rand
	posted map[string]article.Article // as they were posted first
}

func openChronicle(t *testing.T, seed uint64) *chronicle {
	t.Helper()
	return &chronicle{
		forum: open(t), site: reference.New(activity.Default().Articles()), rng: rand.New(rand.NewPCG(seed, 7)),
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
	fields := map[string]any{
		"title": a.Title, "author": map[string]string{"id": a.Author}, "publishedAt": a.Published.String(),
		"groups": append([]string{}, a.Groups...),
	}
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
	now := board.MomentOf(c.Now)
	a, known := c.posted[id]
	service := c.Service()
	switch n := c.rng.IntN(20); {
	case n < 4:
		if !known || c.rng.IntN(3) == 0 {
			a = article.Article{ID: id, Author: writers[c.rng.IntN(2)], Published: now, Title: "About " + id, Groups: c.topics()}
		}
		if now-a.Published > 172_800_000 {
			return // it is a fault by now
		}
		_, there := c.posted[id]
		answer := c.Do(http.MethodPost, "/v1/articles", service, articleBody(a, true))
		want := http.StatusConflict
		if c.site.Create(a) {
			if want = http.StatusOK; !there {
				want, c.posted[id] = http.StatusCreated, a
			}
		}
		if answer.Status != want {
			t.Errorf("post %s: %d, want %d: %s", id, answer.Status, want, answer.Body)
		}
	case n < 6 && known:
		a.Title, a.Groups = fmt.Sprint("Title ", n), c.topics()
		body, listed := articleBody(a, false), c.rng.IntN(2) == 0
		said := c.rng.IntN(2) == 0
		if said {
			body = fmt.Sprintf(`{"listed":%t,%s`, listed, body[1:])
		}
		answer := c.Do(http.MethodPut, "/v1/articles/"+id, service, body)
		if answer.Status == http.StatusOK {
			if c.site.Change(id, a.Title, a.Link, a.Groups...); said {
				c.site.Show(id, listed)
			}
		} else if answer.Status != http.StatusConflict {
			t.Errorf("put %s: %d %s", id, answer.Status, answer.Body)
		}
	case n == 6 && c.rng.IntN(3) == 0:
		want := http.StatusNotFound
		if c.site.Delete(id) {
			want = http.StatusOK
		}
		if answer := c.Do(http.MethodDelete, "/v1/articles/"+id, service, ""); answer.Status != want {
			t.Errorf("delete %s: %d, want %d: %s", id, answer.Status, want, answer.Body)
		}
	case n > 6:
		user, kind := writers[c.rng.IntN(len(writers))], c.rng.IntN(6)
		at := now.Add(-time.Duration(c.rng.IntN(47)) * time.Hour)
		act := activity.Activity{User: user, Action: "like", Target: id, At: at, Restores: kind == 5}
		if kind < 2 {
			act.Action = "unlike"
		}
		if act.Restores {
			c.site.Restore(user, id, at)
		} else {
			c.site.Like(user, id, at, kind < 2)
		}
		read[httpapi.Receipts](t, c.Post(service, list(harness.Reported(act, true))))
	}
}

// compare compares every article, and the lists of those that are on them, with the
// reference.
func (c *chronicle) compare(t *testing.T, onLists func(id string) bool) {
	t.Helper()
	for _, id := range c.site.IDs() {
		want, score, _ := c.site.Article(id)
		got := read[item](t, c.Get("/v1/articles/"+id, ""))
		age := board.MomentOf(c.Now) - want.Published
		if got.Votes != want.Votes || got.Score != score || got.Title != want.Title || got.Author["id"] != want.Author ||
			got.VotingOpen != (age < 7*86_400_000) || (got.Listed != nil) != want.Unlisted {
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
				piece := read[items](t, c.Get(fmt.Sprint(path, "&offset=", len(got)), ""))
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

// Nights go by, and articles leave for the archive: each answers as before, those
// that have left too, and an id is never given again.
func TestArticlesThroughNights(t *testing.T) {
	t.Parallel()
	left := 0
	for seed := range testserver.Rounds(3, 30) {
		c := openChronicle(t, 10+uint64(seed))
		for range 24 {
			for range 12 {
				c.step(t)
				c.Now = c.Now.Add(time.Duration(c.rng.IntN(180)) * time.Minute)
			}
			c.articleNight(0)
			on := read[items](t, c.Get("/v1/articles?limit=100", "")).ids()
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

// articleNight is a nightly run some days later; two articles of each list stay.
func (f *forum) articleNight(days int) {
	f.TB.Helper()
	f.Night(days, func(o *night.Options) {
		trim := o.Trim
		o.Trim = func(ctx context.Context, _ int64) (int64, error) { return trim(ctx, 2) }
	})
}
