package httpapi_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"laurel/internal/harness"
	"laurel/shared/api/httpapi"
)

// The states of an article may arrive in any order, and again: the last state that it had stays.
func TestHooksOfAnArticleInAnyOrder(t *testing.T) {
	t.Parallel()
	state := func(minute int, title string, listed bool) string {
		return fmt.Sprintf(`{"articles":[{"id":"t1","title":%q,"author":{"id":"7"},"publishedAt":"2026-11-20T11:00:00Z",`+
			`"listed":%t,"changedAt":"2026-11-20T11:%02d:00Z"}]}`, title, listed, minute)
	}
	for _, last := range []bool{true, false} {
		states := []string{
			state(0, "A", true), state(10, "A", false), state(20, "B", true), state(30, "C", !last), state(40, "D", last),
		}
		for n := range 12 {
			f := hooked(t, "")
			rng := rand.New(rand.NewPCG(uint64(n), 1))
			order := append(rng.Perm(len(states)), rng.Perm(len(states))[:2]...)
			for _, i := range order {
				if a := f.hook("standard", states[i]); a.Status != http.StatusOK {
					t.Fatal(a.Status, a.Body)
				}
			}
			got := read[httpapi.Article](t, f.Get("/v1/articles/t1", ""))
			day := read[httpapi.Board](t, f.Get(today, ""))
			if got.Title != "D" || (got.Listed == nil) != last || (len(day.Entries) == 1) != last {
				t.Errorf("listed %t, order %v: %+v, %+v", last, order, got, day.Entries)
			}
		}
	}
}

// Both lists of webhooks are bounded, and an unsigned webhook pushes none out of the other list. Items of
// another version are left out. No log has the content of a webhook.
func TestStatusIsBounded(t *testing.T) {
	t.Parallel()
	f := hooked(t, "")
	f.hook("discourse ping", `{"ping":"OK"}`)
	harness.OK(t, f.View.AddRecent(t.Context(), "hooks", []byte("of another version")))
	for range 60 {
		f.Do(http.MethodPost, "/v1/hooks/nodebb", "", `{}`)
	}
	deep := make([]string, 50)
	for i := range deep {
		deep[i] = fmt.Sprintf(`{"id":"a-member","name":"%d"}`, i)
	}
	f.hook("standard", `{"`+strings.Repeat("x", 10_000)+`":1,"users":[`+strings.Join(deep, ",")+`]}`)
	status := f.Get("/v1/status", f.Service())
	got := map[string]int{}
	for _, h := range read[httpapi.Status](t, status).Hooks {
		got[h.Source]++
	}
	if diff := cmp.Diff(map[string]int{"discourse": 1, "nodebb": 50, "standard": 1}, got); diff != "" {
		t.Errorf("webhooks (-want +got):\n%s", diff)
	}
	if len(status.Body) > 15_000 || strings.Contains(f.Out.String()+status.Body, "a-member") {
		t.Errorf("%d bytes: %s; logged %s", len(status.Body), status.Body, f.Out)
	}
}
