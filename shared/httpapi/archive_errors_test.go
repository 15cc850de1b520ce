package httpapi_test

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"laurel/shared/board"
	"laurel/shared/codec"
	"laurel/shared/httpapi"
	"laurel/shared/table"
	"laurel/shared/view"
)

// Without the archive requests that need it are 503 with Retry-After; what is
// live is answered.
func TestArchiveUnavailable(t *testing.T) {
	t.Parallel()
	h := past(t)
	h.move("2026-11-20")
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

// An item that was tampered with is an error of ours that the log names; the rest
// stays readable.
func TestADamagedItemIsNamedInTheLog(t *testing.T) {
	t.Parallel()
	h := past(t)
	for _, day := range []string{"2026-11-19", "2026-11-20"} {
		h.move(day)
	}
	key := table.Key{Partition: "activity#day", Sort: "2026-11-20"}
	items, err := h.Table.Get(t.Context(), key)
	if err != nil || len(items) != 1 {
		t.Fatal(items, err)
	}
	data := slices.Clone(items[0].Data)
	data[len(data)-1] ^= 1
	if err := h.Table.Replace(t.Context(), table.Item{Key: key, Data: data}, items[0].Data); err != nil {
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

// oddFinals are final boards with which everything goes wrong.
type oddFinals struct {
	httpapi.Finals
	err error
}

func (o oddFinals) Read(context.Context, board.View) (board.Page, map[string]string, error) {
	return board.Page{}, nil, o.err
}

func TestErrorsOfFinalBoards(t *testing.T) {
	t.Parallel()
	for err, want := range map[error]int{
		table.ErrUnavailable:  http.StatusServiceUnavailable,
		codec.ErrDamaged:      http.StatusInternalServerError,
		errors.New("another"): http.StatusInternalServerError,
		errors.Join(table.ErrUnavailable, codec.ErrDamaged): http.StatusInternalServerError,
	} {
		f := open(t, func(o *httpapi.Options) { o.Finals = oddFinals{err: err} })
		f.Now = the24th
		if a := f.Get("/v1/boards/activity/day?period=2026-11-20", ""); a.Status != want {
			t.Errorf("%v: %d, want %d", err, a.Status, want)
		}
	}
}

// between is a store that lets something happen before a board is read.
type between struct {
	httpapi.View
	before func()
}

func (b *between) Read(ctx context.Context, v board.View) (view.Page, error) {
	if b.before != nil {
		b.before()
	}
	return b.View.Read(ctx, v)
}

// While a period moves a reader sees the one or the other, whole.
func TestWhileAPeriodMovesItIsWhole(t *testing.T) {
	t.Parallel()
	for _, path := range views("2026-11-20") {
		h := past(t)
		want := read[httpapi.Board](t, h.Get(path, ""))
		want.Final = true
		store := &between{View: h.View}
		store.before = func() { h.move("2026-11-20"); store.before = nil }
		h.Serve(func(o *httpapi.Options) { o.View = store })
		if got := read[httpapi.Board](t, h.Get(path, "")); cmp.Diff(want, got) != "" {
			t.Errorf("%s while it moves (-before +while):\n%s", path, cmp.Diff(want, got))
		}
	}
	// The same after each read of the table.
	for _, i := range []int{0, 4, 6, 11} {
		path := views("2026-11-20")[i]
		for n := int64(1); n <= 4; n++ {
			h := past(t)
			want := read[httpapi.Board](t, h.Get(path, ""))
			h.Table.Reads.Store(0)
			h.Table.After = map[int64]func(){n: func() { h.move("2026-11-20") }}
			got := read[httpapi.Board](t, h.Get(path, ""))
			if want.Final = got.Final; cmp.Diff(want, got) != "" {
				t.Errorf("%s while it moves after read %d (-before +while):\n%s", path, n, cmp.Diff(want, got))
			}
		}
	}
	// Copied, and not yet removed from everywhere: Redis no longer counts.
	h := past(t)
	want := read[httpapi.Periods](t, h.Get("/v1/boards/activity/day/periods", ""))
	h.copy("2026-11-20")
	for i := range want.Periods {
		want.Periods[i].Final = want.Periods[i].Period <= "2026-11-20"
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
		h.move("2026-11-23")
		if got := read[httpapi.Board](t, h.Get(path, "")); cmp.Diff(want, got) != "" {
			t.Errorf("%s (-before +after):\n%s", path, cmp.Diff(want, got))
		}
	}
}
