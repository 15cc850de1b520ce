package httpapi_test

import (
	"fmt"
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"laurel/internal/harness"
	"laurel/shared/board"
	"laurel/shared/httpapi"
	"laurel/shared/night"
)

// past is a forum on the 24th at 18:00, when the 20th is due and the 21st is not: five
// users, whose likes of the 17th to the 24th make a board for each day, each in another
// order, with ties.
func past(tb testing.TB) *forum {
	tb.Helper()
	h := open(tb)
	for day := 17; day <= 24; day++ {
		h.Now = time.Date(2026, 11, day, 12, 0, 0, 0, time.UTC)
		var acts []string
		for i, user := range []string{"ann", "bob", "cid", "dan", "eve"} {
			for n := range 1 + (i*day+day/3)%4 {
				if user != "eve" || day%3 != 0 {
					acts = append(acts, fmt.Sprintf("%s like %d-%d", user, day, n))
				}
			}
		}
		h.Did(acts...)
	}
	h.Now = the24th
	return h
}

// move makes the days up to one final, as the nights up to four days later do, and takes them
// out of the view; copy leaves them there.
func (f *forum) move(day string) { f.moveTo(day, board.PeriodRemoved) }
func (f *forum) copy(day string) { f.moveTo(day, board.PeriodFinal) }

func (f *forum) moveTo(day string, state board.PeriodState) {
	f.TB.Helper()
	p, o := harness.Period(f.TB, day), f.Nights()
	o.Clock = func() time.Time { return harness.At(f.TB, day+"T12:00").Time().AddDate(0, 0, 4) }
	for range 10 {
		if _, err := night.Tick(f.TB.Context(), o); err != nil {
			f.TB.Fatal(err)
		}
		head, err := f.Recorder.Head(f.TB.Context())
		if err != nil {
			f.TB.Fatal(err)
		}
		if head.Life.State(p) == state {
			return
		}
	}
	f.TB.Fatalf("%s does not become %s", day, state)
}

// the24th is when past is read.
var the24th = time.Date(2026, time.November, 24, 18, 0, 0, 0, time.UTC)

// views are addresses of a day's board: pages, standings, neighbours.
func views(day string) []string {
	var all []string
	for _, query := range []string{
		"limit=2", "limit=2&offset=2", "limit=100", "offset=9", "limit=1&user=eve",
		"user=nobody", "with=movement", "limit=1&user=eve&with=movement&users=eve&users=nobody&users=bob",
	} {
		all = append(all, "/v1/boards/activity/day?period="+day+"&"+query)
	}
	for _, user := range []string{"ann", "bob", "cid", "dan", "eve", "nobody"} {
		all = append(all, "/v1/boards/activity/day/users/"+user+"?around=1&with=movement&period="+day)
	}
	return all
}

// A board is answered the same live and final, page by page and standing by
// standing, ranks of the day before among them, wherever that is.
func TestABoardReadsTheSameLiveAndFinal(t *testing.T) {
	t.Parallel()
	h := past(t)
	days := []string{"2026-11-16", "2026-11-17", "2026-11-18", "2026-11-19", "2026-11-20", "2026-11-21", "2026-11-24"}
	before := map[string]httpapi.Board{}
	ranked := 0
	for _, day := range days {
		for _, path := range views(day) {
			a := h.Get(path, "")
			b := read[httpapi.Board](t, a)
			if b.Final || a.Header.Get("Cache-Control") != "public, max-age=0, s-maxage=2" {
				t.Errorf("%s is final before it is: %v", path, a.Header)
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
		h.move(day)
		moved[day] = true
		for path, want := range before {
			a := h.Get(path, "")
			b := read[httpapi.Board](t, a)
			if want.Final = moved[b.Period]; cmp.Diff(want, b) != "" {
				t.Errorf("%s after %s has moved (-before +after):\n%s", path, day, cmp.Diff(want, b))
			}
			if b.Final != (a.Header.Get("Cache-Control") == "public, max-age=300") {
				t.Errorf("%s: final %t, %v", path, b.Final, a.Header)
			}
		}
	}
}

// The pages of today and of yesterday ask the table nothing.
func TestWhatIsHotAsksTheTableNothing(t *testing.T) {
	t.Parallel()
	h := past(t)
	h.Table.Reads.Store(0)
	for _, path := range []string{
		"/v1/boards/activity/day", "/v1/boards/activity/day?user=ann",
		"/v1/boards/steps/day",
		"/v1/boards/activity/day?period=2026-11-21", "/v1/boards/activity/month?user=ann",
		"/v1/boards/activity/day?period=2026-11-25",
	} {
		if a := h.Get(path, h.Service()); a.Status != http.StatusOK || h.Table.Reads.Load() != 0 {
			t.Errorf("%s: %d, %d reads", path, a.Status, h.Table.Reads.Swap(0))
		}
	}
}

// Live and final periods are one list, in pages, the newest first.
func TestPeriodsAreMerged(t *testing.T) {
	t.Parallel()
	h := past(t)
	want := []string{
		"2026-11-24", "2026-11-23", "2026-11-22", "2026-11-21", "2026-11-20", "2026-11-19", "2026-11-18",
		"2026-11-17",
	}
	for _, moved := range []string{"", "2026-11-17", "2026-11-18", "2026-11-19"} {
		if moved != "" {
			h.move(moved)
		}
		for _, limit := range []int{1, 2, 3, 7, 8, 31, 100} {
			var got []string
			path := fmt.Sprintf("/v1/boards/activity/day/periods?limit=%d", limit)
			for next := path; ; next = path + "&before=" + got[len(got)-1] {
				page := read[httpapi.Periods](t, h.Get(next, "")).Periods
				for _, p := range page {
					b := read[httpapi.Board](t, h.Get("/v1/boards/activity/day?limit=1&period="+p.Period, ""))
					if b.Final != p.Final || b.Total != p.Total || b.StartsAt != p.StartsAt || *b.EndsAt != *p.EndsAt {
						t.Errorf("%+v is listed as %+v", b, p)
					}
					got = append(got, p.Period)
				}
				if len(page) < limit {
					break
				}
			}
			if !slices.Equal(got, want) {
				t.Errorf("by %d: %q, want %q", limit, got, want)
			}
		}
	}
	for query, want := range map[string]int{
		"?before=2026-11-17": 0, "?before=2026-11-18": 1, "?before=2030-01-01": 8,
		"?before=2000-01-01": 0,
	} {
		if got := read[httpapi.Periods](t, h.Get("/v1/boards/activity/day/periods"+query, "")).Periods; len(got) != want {
			t.Errorf("%s: %+v", query, got)
		}
	}
}
