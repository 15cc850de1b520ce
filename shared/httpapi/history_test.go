package httpapi_test

import (
	"context"
	"fmt"
	"iter"
	"sync/atomic"
	"testing"
	"time"

	"laurel/internal/testserver"
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
	return &history{tb: tb, ledger: l, live: live.New(testserver.Redis(tb), l, shards), items: items, final: archive.New(items)}
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
