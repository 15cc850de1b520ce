package httpapi_test

import (
	"fmt"
	"net/http"
	"testing"

	"laurel/shared/httpapi"
)

// put changes an article of ann's, as long as it says, and returns the answer's status.
func (f *forum) putListed(id, listed string) int {
	f.TB.Helper()
	body := `{"title":"About it","groups":["go"]` + listed + `}`
	return f.Do(http.MethodPut, "/v1/articles/"+id, f.Service(), body).Status
}

// An article that is taken off its lists keeps its votes, gets others, and comes back where
// they belong; the author's points go and come with it. Saying so again changes nothing.
func TestListed(t *testing.T) {
	t.Parallel()
	f := open(t)
	f.Post(f.Service(), list(`{"user":"zoe","action":"like","target":"other"}`))
	for _, id := range []string{"first", "other"} {
		body := fmt.Sprintf(`{"id":%q,"title":"About it","author":{"id":"ann"},"groups":["go"]}`, id)
		if a := f.Do(http.MethodPost, "/v1/articles", f.Service(), body); a.Status != http.StatusCreated {
			t.Fatal(a.Body)
		}
	}
	f.Did("bob like first")
	look := func(when string, votes, points int64, lists ...string) {
		t.Helper()
		unlisted := len(lists) == 1
		got := read[item](t, f.Get("/v1/articles/first", ""))
		if got.Votes != votes || (got.Listed != nil) != unlisted || (unlisted && *got.Listed) {
			t.Errorf("%s: %+v", when, got)
		}
		for _, query := range []string{"sort=hot", "sort=new", "sort=hot&group=go", "sort=new&group=go"} {
			on := read[items](t, f.Get("/v1/articles?"+query, ""))
			if len(on.Articles) != len(lists) || on.Total != int64(len(lists)) ||
				(query[5] == 'h' && fmt.Sprint(on.ids()) != fmt.Sprint(lists)) {
				t.Errorf("%s, %s: %v of %d, want %v", when, query, on.ids(), on.Total, lists)
			}
		}
		groups := read[httpapi.Groups](t, f.Get("/v1/groups", ""))
		if len(groups.Groups) != 1 || groups.Groups[0].Articles != int64(len(lists)) {
			t.Errorf("%s: %+v", when, groups)
		}
		if b := read[httpapi.Board](t, f.Get("/v1/boards/activity/day?user=ann", "")); b.Standing.Score != points {
			t.Errorf("%s: %d points, want %d", when, b.Standing.Score, points)
		}
	}
	put := func(listed string) {
		t.Helper()
		f.Now = f.Now.Add(1e6)
		if status := f.putListed("first", listed); status != http.StatusOK {
			t.Errorf("put %s: %d", listed, status)
		}
	}
	look("published", 2, 20, "first", "other")
	for range 2 {
		put(`,"listed":false`)
		look("off", 2, 10, "other")
	}
	put("")
	look("edited", 2, 10, "other")
	f.Did("cid like first", "dan like first", "dan unlike first")
	look("liked", 3, 10, "other")
	for range 2 {
		put(`,"listed":true`)
		look("back", 3, 20, "first", "other")
	}
	put(`,"listed":false`)
	if a := f.Do(http.MethodDelete, "/v1/articles/first", f.Service(), ""); a.Status != http.StatusOK {
		t.Error(a.Body)
	}
	if status := f.putListed("first", `,"listed":true`); status != http.StatusConflict {
		t.Errorf("a deleted one came back: %d", status)
	}
}

// When the author's points can't be recorded, the same request completes it.
func TestListedAgain(t *testing.T) {
	t.Parallel()
	f := open(t)
	body := `{"id":"first","title":"About it","author":{"id":"ann"},"groups":["go"]}`
	f.Do(http.MethodPost, "/v1/articles", f.Service(), body)
	for _, listed := range []bool{false, true} {
		f.Now = f.Now.Add(1e6)
		mend := f.Damage("ann")
		if status := f.putListed("first", fmt.Sprintf(`,"listed":%t`, listed)); status == http.StatusOK {
			t.Error("it is done, though nothing can be recorded")
		}
		mend()
		if status := f.putListed("first", fmt.Sprintf(`,"listed":%t`, listed)); status != http.StatusOK {
			t.Errorf("again: %d", status)
		}
		want := map[bool]int64{true: 10}[listed]
		if b := read[httpapi.Board](t, f.Get("/v1/boards/activity/day?user=ann", "")); b.Standing.Score != want {
			t.Errorf("listed %t: %d points, want %d", listed, b.Standing.Score, want)
		}
	}
}
