package httpapi_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"laurel/internal/redistest"
	"laurel/shared/activity"
	"laurel/shared/archive"
	"laurel/shared/archive/embedded"
	"laurel/shared/board"
	"laurel/shared/httpapi"
	"laurel/shared/ledger"
	"laurel/shared/live"
)

// history is a forum with a past: a store, an archive, and a handler at any time.
type history struct {
	tb     testing.TB
	ledger *ledger.Ledger
	live   *live.Store
	items  *watchedItems
	final  *archive.Archive
}

// watchedItems is the archive's store: it counts reads, can be away, and lets
// something happen after a read.
type watchedItems struct {
	archive.Store
	reads atomic.Int64
	away  atomic.Bool
	after map[int64]func() // by which read
}

func (w *watchedItems) happen(n int64) {
	if do := w.after[n]; do != nil {
		w.after = nil
		do()
	}
}

func (w *watchedItems) ask() error {
	w.reads.Add(1)
	if w.away.Load() {
		return fmt.Errorf("%w: the secret of the store", archive.ErrUnavailable)
	}
	return nil
}

func (w *watchedItems) Get(ctx context.Context, keys ...archive.Key) ([]archive.Item, error) {
	if err := w.ask(); err != nil {
		return nil, err
	}
	defer w.happen(w.reads.Load())
	return w.Store.Get(ctx, keys...)
}

func (w *watchedItems) Descend(ctx context.Context, partition, below string, limit int) ([]archive.Item, error) {
	if err := w.ask(); err != nil {
		return nil, err
	}
	defer w.happen(w.reads.Load())
	return w.Store.Descend(ctx, partition, below, limit)
}

func newHistory(tb testing.TB, l *ledger.Ledger, shards int) *history {
	tb.Helper()
	store, err := embedded.New(time.Now)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = store.Close() })
	items := &watchedItems{Store: store}
	return &history{tb: tb, ledger: l, live: live.New(redistest.Client(tb), l, shards), items: items, final: archive.New(items)}
}

// past is a history in UTC: five users, whose likes of the 17th to the 24th make a
// board for each day, each in another order, with ties.
func past(tb testing.TB) *history {
	tb.Helper()
	h := newHistory(tb, ledger.New(activity.Default(), board.NewCalendar(time.UTC)), 1)
	for day := 17; day <= 24; day++ {
		now := time.Date(2026, 11, day, 12, 0, 0, 0, time.UTC)
		var acts []string
		for i, user := range []string{"ann", "bob", "cid", "dan", "eve"} {
			for n := range 1 + (i*day+day/3)%4 {
				if user != "eve" || day%3 != 0 {
					acts = append(acts, fmt.Sprintf(`{"action":"like","target":"%d-%d","user":%q}`, day, n, user))
				}
			}
		}
		f := h.at(now)
		read[httpapi.Receipts](tb, f.post(f.service(), list(acts...)))
	}
	return h
}

// at is the forum at a time, over the store and the archive.
func (h *history) at(now time.Time) *forum {
	h.tb.Helper()
	return h.over(h.live, now)
}

func (h *history) over(store httpapi.Store, now time.Time) *forum {
	h.tb.Helper()
	return openOptions(h.tb, httpapi.Options{
		Store: store, Ledger: h.ledger, Now: func() time.Time { return now }, Archive: h.final, HotDays: 3, HotMonths: 2,
	})
}

// copy makes a day of the board activity final; move also takes it out of Redis.
func (h *history) copy(ctx context.Context, day string) board.Period {
	h.tb.Helper()
	p, err := board.ParsePeriod(board.Day, day)
	if err != nil {
		h.tb.Fatal(err)
	}
	total, err := h.live.Total(ctx, "activity", p)
	if err == nil {
		err = h.live.ClosePeriod(ctx, "activity", p)
	}
	if err == nil {
		source := archive.Source{Total: total}
		source.Entries = func(ctx context.Context) iter.Seq2[board.Entry, error] { return h.live.Entries(ctx, "activity", p) }
		_, err = h.final.Write(ctx, "activity", p, source, 0)
	}
	if err != nil {
		h.tb.Fatal(err)
	}
	return p
}

func (h *history) move(ctx context.Context, day string) {
	h.tb.Helper()
	if err := h.live.RemoveBoard(ctx, "activity", h.copy(ctx, day)); err != nil {
		h.tb.Fatal(err)
	}
}

// the24th is when the 20th is due and the 21st is not.
var the24th = time.Date(2026, time.November, 24, 18, 0, 0, 0, time.UTC)

// views are addresses of a day's board: pages, standings, neighbours.
func views(day string) []string {
	var all []string
	for _, query := range []string{"limit=2", "limit=2&offset=2", "limit=100", "offset=9", "limit=1&user=eve", "user=nobody"} {
		all = append(all, "/v1/boards/activity/day?period="+day+"&"+query)
	}
	for _, user := range []string{"ann", "bob", "cid", "dan", "eve", "nobody"} {
		all = append(all, "/v1/boards/activity/day/users/"+user+"?around=1&period="+day)
	}
	return all
}

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

// between is a store that lets something happen before or after a board is read.
type between struct {
	*live.Store
	before, after func(context.Context)
}

func (b *between) Read(ctx context.Context, v board.View) (board.Page, error) {
	if b.before != nil {
		b.before(ctx)
	}
	page, err := b.Store.Read(ctx, v)
	if b.after != nil {
		b.after(ctx)
	}
	return page, err
}

// While a period moves a reader sees the one or the other, whole.
func TestWhileAPeriodMovesItIsWhole(t *testing.T) {
	t.Parallel()
	for _, path := range views("2026-11-20") {
		h := past(t)
		want := read[httpapi.Board](t, h.at(the24th).get(path, ""))
		want.Final = true
		store := &between{Store: h.live}
		store.before = func(ctx context.Context) { h.move(ctx, "2026-11-20"); store.before = nil }
		if got := read[httpapi.Board](t, h.over(store, the24th).get(path, "")); cmp.Diff(want, got) != "" {
			t.Errorf("%s while it moves (-before +while):\n%s", path, cmp.Diff(want, got))
		}
	}
	// The same after each read of the archive.
	for _, path := range []string{views("2026-11-20")[0], views("2026-11-20")[4], views("2026-11-20")[6], views("2026-11-20")[11]} {
		for n := int64(1); n <= 4; n++ {
			h := past(t)
			f := h.at(the24th)
			want := read[httpapi.Board](t, f.get(path, ""))
			h.items.reads.Store(0)
			h.items.after = map[int64]func(){n: func() { h.move(t.Context(), "2026-11-20") }}
			got := read[httpapi.Board](t, f.get(path, ""))
			if want.Final = got.Final; cmp.Diff(want, got) != "" {
				t.Errorf("%s while it moves after read %d (-before +while):\n%s", path, n, cmp.Diff(want, got))
			}
		}
	}
	// Copied, and not yet removed from everywhere: Redis no longer counts.
	h := past(t)
	want := read[httpapi.Periods](t, h.at(the24th).get("/v1/boards/activity/day/periods", ""))
	h.copy(t.Context(), "2026-11-20")
	for i := range want.Periods {
		want.Periods[i].Final = want.Periods[i].Period == "2026-11-20"
	}
	if got := read[httpapi.Periods](t, h.at(the24th).get("/v1/boards/activity/day/periods", "")); cmp.Diff(want, got) != "" {
		t.Errorf("periods (-want +got):\n%s", cmp.Diff(want, got))
	}
}

// A period that was moved when less was hot is still found.
func TestWhatIsFinalAndNotDueIsFound(t *testing.T) {
	t.Parallel()
	h := past(t)
	f := h.at(the24th)
	for _, path := range views("2026-11-23") {
		if strings.Contains(path, "nobody") {
			continue
		}
		want := read[httpapi.Board](t, f.get(path, ""))
		want.Final = true
		h.move(t.Context(), "2026-11-23")
		if got := read[httpapi.Board](t, f.get(path, "")); cmp.Diff(want, got) != "" {
			t.Errorf("%s (-before +after):\n%s", path, cmp.Diff(want, got))
		}
		h = past(t)
		f = h.at(the24th)
	}
}

// Live and final periods are one list, in pages, the newest first.
func TestPeriodsAreMerged(t *testing.T) {
	t.Parallel()
	h := past(t)
	f := h.at(the24th)
	want := []string{"2026-11-24", "2026-11-23", "2026-11-22", "2026-11-21", "2026-11-20", "2026-11-19", "2026-11-18", "2026-11-17"}
	for _, moved := range []string{"", "2026-11-17", "2026-11-19", "2026-11-18"} {
		if moved != "" {
			h.move(t.Context(), moved)
		}
		for _, limit := range []int{1, 2, 3, 7, 8, 31, 100} {
			var got []string
			path := fmt.Sprintf("/v1/boards/activity/day/periods?limit=%d", limit)
			for next := path; ; next = path + "&before=" + got[len(got)-1] {
				page := read[httpapi.Periods](t, f.get(next, "")).Periods
				for _, p := range page {
					b := read[httpapi.Board](t, f.get("/v1/boards/activity/day?limit=1&period="+p.Period, ""))
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
	for query, want := range map[string]int{"?before=2026-11-17": 0, "?before=2026-11-18": 1, "?before=2030-01-01": 8, "?before=2000-01-01": 0} {
		if got := read[httpapi.Periods](t, f.get("/v1/boards/activity/day/periods"+query, "")).Periods; len(got) != want {
			t.Errorf("%s: %+v", query, got)
		}
	}
}

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
