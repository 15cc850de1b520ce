package httpapi_test

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"laurel/shared/archive"
	"laurel/shared/board"
	"laurel/shared/boards"
	"laurel/shared/httpapi"
	"laurel/shared/live"
)

// Without the archive requests that need it are 503 with Retry-After; what is
// live is answered.
func TestArchiveUnavailable(t *testing.T) {
	t.Parallel()
	h := past(t)
	h.move(t.Context(), "2026-11-20")
	h.Table.Unavailable.Store(true)
	for path, want := range map[string]int{
		"/v1/boards/activity/day?period=2026-11-20":           http.StatusServiceUnavailable,
		"/v1/boards/activity/day?period=2026-11-19":           http.StatusServiceUnavailable, // it may be final by now
		"/v1/boards/activity/day/users/ann?period=2026-11-20": http.StatusServiceUnavailable,
		"/v1/boards/activity/day/users/ann?period=2026-11-21": http.StatusServiceUnavailable, // the rank before
		"/v1/boards/activity/day/periods":                     http.StatusServiceUnavailable,
		"/v1/boards/activity/day?period=2026-11-21":           http.StatusOK,
		"/v1/boards/activity/day":                             http.StatusOK,
		"/v1/boards/activity/day/users/ann":                   http.StatusOK,
		"/v1/users/ann/standings":                             http.StatusOK,
		"/v1/users/ann/activity":                              http.StatusOK,
	} {
		a := h.Get(path, h.Service())
		if a.Status != want || strings.Contains(a.Body, "secret") {
			t.Errorf("%s: %d %s, want %d", path, a.Status, a.Body, want)
		}
		if want == http.StatusServiceUnavailable &&
			(a.Header.Get("Retry-After") != "1" || a.Header.Get("Cache-Control") != "no-store") {
			t.Errorf("%s: %v", path, a.Header)
		}
	}
}

// What is written to the table first is 503 without it, and changes nothing.
func TestTableUnavailableForWhatItKeeps(t *testing.T) {
	t.Parallel()
	f := openFull(t)
	f.Did("ann like 1")
	if a := f.Do(http.MethodPost, "/v1/articles", f.Service(), simple("1", "ann")); a.Status != http.StatusCreated {
		t.Fatalf("%d %s", a.Status, a.Body)
	}
	before := f.State()
	f.Table.Unavailable.Store(true)
	for _, r := range [][3]string{
		{http.MethodPut, "/v1/users/ann/visibility", `{"boards":"hidden"}`},
		{http.MethodPut, "/v1/users/ann/exclusion", ""},
		{http.MethodDelete, "/v1/articles/1", ""},
		{http.MethodPut, "/v1/articles/1", `{"title":"T","author":{"id":"ann"}}`},
		{http.MethodPost, "/v1/articles", simple("2", "ann")},
	} {
		a := f.Do(r[0], r[1], f.Service(), r[2])
		if a.Status != http.StatusServiceUnavailable || a.Header.Get("Retry-After") != "1" ||
			strings.Contains(a.Body, "secret") {
			t.Errorf("%s %s: %d %s", r[0], r[1], a.Status, a.Body)
		}
	}
	if diff := cmp.Diff(before, f.State()); diff != "" {
		t.Errorf("Redis has changed (-before +after):\n%s", diff)
	}
}

// An item that was tampered with is an error of ours that the log names; the rest
// stays readable.
func TestADamagedItemIsNamedInTheLog(t *testing.T) {
	t.Parallel()
	h := past(t)
	for _, day := range []string{"2026-11-19", "2026-11-20"} {
		h.move(t.Context(), day)
	}
	key := archive.Key{Partition: "activity#day", Sort: "2026-11-20"}
	items, err := h.Table.Get(t.Context(), key)
	if err != nil || len(items) != 1 {
		t.Fatal(items, err)
	}
	data := slices.Clone(items[0].Data)
	data[len(data)-1] ^= 1
	if err := h.Table.Replace(t.Context(), archive.Item{Key: key, Data: data}, items[0].Data); err != nil {
		t.Fatal(err)
	}
	a := h.Get("/v1/boards/activity/day?period=2026-11-20", "")
	if p := a.Problem(t); a.Status != http.StatusInternalServerError || strings.Contains(p.Detail, "activity#day") ||
		a.Header.Get("Retry-After") != "" {
		t.Errorf("%d %v %s", a.Status, a.Header, a.Body)
	}
	if !strings.Contains(h.Out.String(), `"level":"ERROR"`) || !strings.Contains(h.Out.String(), key.String()) {
		t.Errorf("the log does not name %s: %s", key, h.Out)
	}
	for _, day := range []string{"2026-11-19", "2026-11-22", "2026-11-24"} {
		if b := read[httpapi.Board](t, h.Get("/v1/boards/activity/day?period="+day, "")); b.Total == 0 {
			t.Errorf("%s is not readable", day)
		}
	}
}

// oddArchive is an archive with which everything goes wrong.
type oddArchive struct {
	httpapi.Archive
	err error
}

func (o oddArchive) Read(context.Context, board.View) (board.Page, error) {
	return board.Page{}, o.err
}

func TestErrorsOfTheArchive(t *testing.T) {
	t.Parallel()
	for err, want := range map[error]int{
		archive.ErrUnavailable: http.StatusServiceUnavailable,
		archive.ErrDamaged:     http.StatusInternalServerError,
		errors.New("another"):  http.StatusInternalServerError,
		errors.Join(archive.ErrUnavailable, archive.ErrDamaged): http.StatusInternalServerError,
	} {
		f := openFull(t, func(o *httpapi.Options) { o.Archive = oddArchive{err: err} })
		f.Now = the24th
		if a := f.Get("/v1/boards/activity/day?period=2026-11-20", ""); a.Status != want {
			t.Errorf("%v: %d, want %d", err, a.Status, want)
		}
	}
}

// between is a store that lets something happen before a board is read.
type between struct {
	*live.Store
	before func(context.Context)
}

func (b *between) Read(ctx context.Context, v board.View) (boards.Page, error) {
	if b.before != nil {
		b.before(ctx)
	}
	return b.Store.Read(ctx, v)
}

// While a period moves a reader sees the one or the other, whole.
func TestWhileAPeriodMovesItIsWhole(t *testing.T) {
	t.Parallel()
	for _, path := range views("2026-11-20") {
		h := past(t)
		want := read[httpapi.Board](t, h.Get(path, ""))
		want.Final = true
		store := &between{Store: h.Store}
		store.before = func(ctx context.Context) { h.move(ctx, "2026-11-20"); store.before = nil }
		h.Serve(noPeople, func(o *httpapi.Options) { o.Store = store })
		if got := read[httpapi.Board](t, h.Get(path, "")); cmp.Diff(want, got) != "" {
			t.Errorf("%s while it moves (-before +while):\n%s", path, cmp.Diff(want, got))
		}
	}
	// The same after each read of the archive.
	for _, i := range []int{0, 4, 6, 11} {
		path := views("2026-11-20")[i]
		for n := int64(1); n <= 4; n++ {
			h := past(t)
			want := read[httpapi.Board](t, h.Get(path, ""))
			h.Table.Reads.Store(0)
			h.Table.After = map[int64]func(){n: func() { h.move(t.Context(), "2026-11-20") }}
			got := read[httpapi.Board](t, h.Get(path, ""))
			if want.Final = got.Final; cmp.Diff(want, got) != "" {
				t.Errorf("%s while it moves after read %d (-before +while):\n%s", path, n, cmp.Diff(want, got))
			}
		}
	}
	// Copied, and not yet removed from everywhere: Redis no longer counts.
	h := past(t)
	want := read[httpapi.Periods](t, h.Get("/v1/boards/activity/day/periods", ""))
	h.copy(t.Context(), "2026-11-20")
	for i := range want.Periods {
		want.Periods[i].Final = want.Periods[i].Period == "2026-11-20"
	}
	if got := read[httpapi.Periods](t, h.Get("/v1/boards/activity/day/periods", "")); cmp.Diff(want, got) != "" {
		t.Errorf("periods (-want +got):\n%s", cmp.Diff(want, got))
	}
}

// A period that was moved when less was hot is still found.
func TestWhatIsFinalAndNotDueIsFound(t *testing.T) {
	t.Parallel()
	for _, path := range views("2026-11-23") {
		if strings.Contains(path, "nobody") {
			continue
		}
		h := past(t)
		want := read[httpapi.Board](t, h.Get(path, ""))
		want.Final = true
		h.move(t.Context(), "2026-11-23")
		if got := read[httpapi.Board](t, h.Get(path, "")); cmp.Diff(want, got) != "" {
			t.Errorf("%s (-before +after):\n%s", path, cmp.Diff(want, got))
		}
	}
}
