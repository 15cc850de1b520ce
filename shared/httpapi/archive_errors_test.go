package httpapi_test

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"laurel/shared/activity"
	"laurel/shared/archive"
	"laurel/shared/board"
	"laurel/shared/httpapi"
	"laurel/shared/ledger"
)

// With the archive away what needs it says so, and when to try again; what is
// live is answered.
func TestArchiveAway(t *testing.T) {
	t.Parallel()
	h := past(t)
	h.move(t.Context(), "2026-11-20")
	f := h.at(the24th)
	h.items.away.Store(true)
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
		a := f.get(path, f.service())
		if a.status != want || strings.Contains(a.body, "secret") {
			t.Errorf("%s: %d %s, want %d", path, a.status, a.body, want)
		}
		if want == http.StatusServiceUnavailable && (a.header.Get("Retry-After") != "1" || a.header.Get("Cache-Control") != "no-store") {
			t.Errorf("%s: %v", path, a.header)
		}
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
	items, err := h.items.Get(t.Context(), key)
	if err != nil || len(items) != 1 {
		t.Fatal(items, err)
	}
	data := slices.Clone(items[0].Data)
	data[len(data)-1] ^= 1
	if err := h.items.Replace(t.Context(), archive.Item{Key: key, Data: data}, items[0].Data); err != nil {
		t.Fatal(err)
	}
	f := h.at(the24th)
	a := f.get("/v1/boards/activity/day?period=2026-11-20", "")
	if p := a.problem(t); a.status != http.StatusInternalServerError || strings.Contains(p.Detail, "activity#day") || a.header.Get("Retry-After") != "" {
		t.Errorf("%d %v %s", a.status, a.header, a.body)
	}
	if !strings.Contains(f.log.String(), "level=ERROR") || !strings.Contains(f.log.String(), key.String()) {
		t.Errorf("the log does not name %s: %s", key, f.log)
	}
	for _, day := range []string{"2026-11-19", "2026-11-22", "2026-11-24"} {
		if b := read[httpapi.Board](t, f.get("/v1/boards/activity/day?period="+day, "")); b.Total == 0 {
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
	h := newHistory(t, ledger.New(activity.Default(), board.NewCalendar(time.UTC)), 1)
	for err, want := range map[error]int{
		archive.ErrUnavailable: http.StatusServiceUnavailable,
		archive.ErrDamaged:     http.StatusInternalServerError,
		errors.New("another"):  http.StatusInternalServerError,
		errors.Join(archive.ErrUnavailable, archive.ErrDamaged): http.StatusInternalServerError,
	} {
		f := openOptions(t, httpapi.Options{
			Store: h.live, Ledger: h.ledger, Now: func() time.Time { return the24th }, Archive: oddArchive{err: err}, HotDays: 3, HotMonths: 2,
		})
		if a := f.get("/v1/boards/activity/day?period=2026-11-20", ""); a.status != want {
			t.Errorf("%v: %d, want %d", err, a.status, want)
		}
	}
}
