package httpapi_test

import (
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"

	"laurel/shared/httpapi"
)

// A board is answered the same live and final, page by page and standing by
// standing, ranks of the day before among them, wherever that is.
func TestABoardReadsTheSameLiveAndFinal(t *testing.T) {
	t.Parallel()
	h := past(t)
	f := h.at(the24th)
	days := []string{"2026-11-16", "2026-11-17", "2026-11-18", "2026-11-19", "2026-11-20", "2026-11-21", "2026-11-24"}
	before := map[string]httpapi.Board{}
	ranked := 0
	for _, day := range days {
		for _, path := range views(day) {
			a := f.get(path, "")
			b := read[httpapi.Board](t, a)
			if b.Final || a.header.Get("Cache-Control") != "public, max-age=0, s-maxage=2" {
				t.Errorf("%s is final before it is: %v", path, a.header)
			}
			if b.Standing != nil && b.Standing.PreviousRank != nil {
				ranked++
			}
			before[path] = b
		}
	}
	if ranked < 10 {
		t.Errorf("%d previous ranks show nothing", ranked)
	}
	moved := map[string]bool{}
	for _, day := range []string{"2026-11-17", "2026-11-18", "2026-11-19", "2026-11-20"} {
		h.move(t.Context(), day)
		moved[day] = true
		for path, want := range before {
			a := f.get(path, "")
			b := read[httpapi.Board](t, a)
			if want.Final = moved[b.Period]; cmp.Diff(want, b) != "" {
				t.Errorf("%s after %s has moved (-before +after):\n%s", path, day, cmp.Diff(want, b))
			}
			if b.Final != (a.header.Get("Cache-Control") == "public, max-age=86400") {
				t.Errorf("%s: final %t, %v", path, b.Final, a.header)
			}
		}
	}
}

// The pages of today, of yesterday and the standings ask the archive nothing.
func TestWhatIsHotAsksTheArchiveNothing(t *testing.T) {
	t.Parallel()
	h := past(t)
	f := h.at(the24th)
	h.items.reads.Store(0)
	for _, path := range []string{
		"/v1/boards/activity/day", "/v1/boards/activity/day?user=ann", "/v1/boards/activity/day?user=nobody", "/v1/boards/steps/day",
		"/v1/boards/activity/day?period=2026-11-21", "/v1/boards/activity/month?user=ann", "/v1/boards/activity/day?period=2026-11-25", "/v1/users/ann/standings",
	} {
		if a := f.get(path, f.service()); a.status != http.StatusOK || h.items.reads.Load() != 0 {
			t.Errorf("%s: %d, %d reads", path, a.status, h.items.reads.Swap(0))
		}
	}
}
