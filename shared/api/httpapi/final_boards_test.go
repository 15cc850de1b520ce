package httpapi_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"laurel/internal/harness"
	"laurel/shared/api/httpapi"
	"laurel/shared/core/board"
	"laurel/shared/core/profile"
	"laurel/shared/forum/night"
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
	h.Now = time.Date(2026, time.November, 24, 18, 0, 0, 0, time.UTC)
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
		harness.Must(night.Tick(f.TB.Context(), o))(f.TB)
		if harness.Must(f.Items.Head(f.TB.Context()))(f.TB).Life.State(p) == state {
			return
		}
	}
	f.TB.Fatalf("%s does not become %s", day, state)
}

// views are addresses of a day's board: pages, standings, neighbours.
func views(day string) []string {
	var all []string
	for _, query := range []string{
		"limit=2", "limit=2&offset=2", "limit=100", "offset=9", "limit=1&user=eve", "user=nobody", "with=movement",
		"limit=1&user=eve&with=movement&users=eve&users=nobody&users=bob",
	} {
		all = append(all, today+"?period="+day+"&"+query)
	}
	for _, user := range []string{"ann", "bob", "cid", "dan", "eve", "nobody"} {
		all = append(all, today+"/users/"+user+"?around=1&with=movement&period="+day)
	}
	return all
}

// butFirsts leaves out the numbers of first places, which grow as boards become final.
var butFirsts = cmpopts.IgnoreFields(profile.User{}, "Firsts")

// same reads a board again: it must be as it was, final or not.
func (f *forum) same(path string, want httpapi.Board, final bool, when string) {
	f.TB.Helper()
	a := f.Get(path, "")
	got := read[httpapi.Board](f.TB, a)
	if want.Final = final; cmp.Diff(want, got, butFirsts) != "" {
		f.TB.Errorf("%s %s (-before +after):\n%s", path, when, cmp.Diff(want, got, butFirsts))
	}
	if caches := map[bool]string{true: "public, max-age=300", false: "public, max-age=0, s-maxage=2"}[final]; caches !=
		a.Header.Get("Cache-Control") {
		f.TB.Errorf("%s: final %t, %v", path, final, a.Header)
	}
}

// A board is answered the same live and final, page by page and standing by standing, ranks of the day before among
// them, wherever that is: also when it is not due, as it was moved when less was hot.
func TestABoardReadsTheSameLiveAndFinal(t *testing.T) {
	t.Parallel()
	h := past(t)
	before := map[string]httpapi.Board{}
	ranked := 0
	for d := 16; d <= 24; d++ {
		day := fmt.Sprint("2026-11-", d)
		for _, path := range views(day) {
			b := read[httpapi.Board](t, h.Get(path, ""))
			h.same(path, b, false, "is live")
			if b.Standing != nil && b.Standing.PreviousRank != nil {
				ranked++
			}
			before[path] = b
		}
	}
	if ranked < 10 {
		t.Errorf("%d previous ranks show nothing", ranked)
	}
	for _, day := range []string{"2026-11-17", "2026-11-18", "2026-11-20", "2026-11-23"} {
		h.move(day)
		if day == "2026-11-23" { // the day after it, which is live, takes it for one that is
			maps.DeleteFunc(before, func(_ string, b httpapi.Board) bool { return b.Period == "2026-11-24" })
		}
		for path, want := range before {
			h.same(path, want, want.Period != "2026-11-16" && want.Period <= day, "after "+day+" has moved")
		}
	}
}

// While a period moves a reader sees the one or the other, whole: after each read of the table.
func TestWhileAPeriodMovesItIsWhole(t *testing.T) {
	t.Parallel()
	for i, path := range views("2026-11-20") {
		for n := int64(1); n == 1 || n <= 4 && slices.Contains([]int{0, 4, 6, 11}, i); n++ {
			h := past(t)
			want := read[httpapi.Board](t, h.Get(path, ""))
			h.Table.AfterCall(n, func() { h.move("2026-11-20") })
			got := read[httpapi.Board](t, h.Get(path, ""))
			if want.Final = got.Final; cmp.Diff(want, got, butFirsts) != "" || n == 1 && !got.Final {
				t.Errorf("%s while it moves after read %d (-before +while):\n%s", path, n, cmp.Diff(want, got, butFirsts))
			}
		}
	}
	// Copied, and not yet removed from everywhere: Redis no longer counts.
	h := past(t)
	want := read[httpapi.Periods](t, h.Get(today+"/periods", ""))
	h.copy("2026-11-20")
	for i := range want.Periods {
		want.Periods[i].Final = want.Periods[i].Period <= "2026-11-20"
	}
	if got := read[httpapi.Periods](t, h.Get(today+"/periods", "")); cmp.Diff(want, got) != "" {
		t.Errorf("periods (-want +got):\n%s", cmp.Diff(want, got))
	}
}
