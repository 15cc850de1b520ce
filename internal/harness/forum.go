package harness

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"laurel/internal/testserver"
	"laurel/shared/app"
	"laurel/shared/archive"
	"laurel/shared/ledger"
	"laurel/shared/live"
	"laurel/shared/nightly"
)

// Noon is when tests take place, unless they say otherwise.
var Noon = time.Date(2026, time.November, 20, 12, 0, 0, 0, time.UTC)

// A Forum is an App on a Redis and a table of its own, with a clock that the test
// moves. Periods stay live for 3 days and 2 months.
type Forum struct {
	TB testing.TB
	*app.App
	Redis redis.UniversalClient
	Table *Table
	Now   time.Time
	Out   *Log // what is logged, a line of JSON each

	*Client // sends requests, after Serve
}

// Setup is what a Forum is made with. The zero value is a Redis of its own, the
// built-in rules in UTC, one shard, and noon.
type Setup struct {
	Redis  redis.UniversalClient
	Ledger *ledger.Ledger
	Shards int
	Now    time.Time
}

// NewForum makes a forum.
func NewForum(tb testing.TB, s Setup) *Forum {
	tb.Helper()
	if s.Ledger == nil {
		s.Ledger = UTC()
	}
	if s.Redis == nil {
		s.Redis = testserver.Redis(tb)
	}
	if s.Now.IsZero() {
		s.Now = Noon
	}
	f := &Forum{TB: tb, Redis: s.Redis, Now: s.Now, Out: &Log{}}
	f.Table = &Table{Store: Memory(tb, func() time.Time { return f.Now })}
	f.App = &app.App{
		Config: &app.Config{
			Calendar: s.Ledger.Calendar(), Rules: s.Ledger.Rules(), Shards: cmp.Or(s.Shards, 1), HotDays: 3, HotMonths: 2,
			Tokens: app.Tokens{Audiences: []string{"laurel"}},
		},
		Ledger: s.Ledger, Store: live.New(s.Redis, s.Ledger, cmp.Or(s.Shards, 1)),
		Log: slog.New(slog.NewJSONHandler(f.Out, nil)), Clock: func() time.Time { return f.Now },
	}
	f.KeepIn(f.Table)
	return f
}

// KeepIn has the forum keep in a table what it does not keep in Redis.
func (f *Forum) KeepIn(table archive.Store) {
	f.Kept = app.Keep(table, f.Store, f.Ledger, f.JournalMonths, slog.New(slog.DiscardHandler), f.Clock)
}

// Night lets days go by and runs what runs at night, which has to do all of it.
func (f *Forum) Night(days int, change ...func(*nightly.Options)) nightly.Result {
	f.TB.Helper()
	f.Now = f.Now.AddDate(0, 0, days)
	o := f.Nightly(f.Now)
	o.Log = slog.New(slog.DiscardHandler)
	for _, c := range change {
		c(&o)
	}
	result, err := nightly.Run(f.TB.Context(), o)
	if err != nil || len(result.Left) > 0 || len(result.Failed) > 0 || result.Erasures.Left > 0 {
		f.TB.Fatalf("%+v, %v", result, err)
	}
	return result
}

// ScoreOn is a user's score on the board activity in a period.
func (f *Forum) ScoreOn(period, user string) int64 {
	f.TB.Helper()
	return ScoreOf(f.TB, f.Store, "activity", Period(f.TB, period), user)
}

// State is the whole database, each key with its bytes.
func (f *Forum) State() map[string]string { return dump(f.TB, f.Redis) }

// A Table counts its reads, can be unavailable, and lets something happen after a read.
type Table struct {
	archive.Store
	Reads       atomic.Int64
	Unavailable atomic.Bool
	After       map[int64]func() // by which read; the first that is reached is the only one
	after       sync.Mutex       // of After: several may read at once
}

// read does one read.
func (w *Table) read(get func() ([]archive.Item, error)) ([]archive.Item, error) {
	n := w.Reads.Add(1)
	if w.Unavailable.Load() {
		return nil, fmt.Errorf("%w: the secret of the store", archive.ErrUnavailable)
	}
	if do := w.take(n); do != nil {
		defer do()
	}
	return get()
}

// take is what is to happen after read n, if anything, and nothing after others from then on.
func (w *Table) take(n int64) func() {
	w.after.Lock()
	defer w.after.Unlock()
	do := w.After[n]
	if do != nil {
		w.After = nil
	}
	return do
}

// Get reads items by their keys.
func (w *Table) Get(ctx context.Context, keys ...archive.Key) ([]archive.Item, error) {
	return w.read(func() ([]archive.Item, error) { return w.Store.Get(ctx, keys...) })
}

// Descend reads items of a partition.
func (w *Table) Descend(ctx context.Context, partition, below string, limit int) ([]archive.Item, error) {
	return w.read(func() ([]archive.Item, error) { return w.Store.Descend(ctx, partition, below, limit) })
}

// Ascend reads items of a partition.
func (w *Table) Ascend(
	ctx context.Context, partition, after, last string, limit int,
) ([]archive.Item, error) {
	return w.read(func() ([]archive.Item, error) { return w.Store.Ascend(ctx, partition, after, last, limit) })
}

// Log is a log that many write.
type Log struct {
	mu sync.Mutex
	bytes.Buffer
}

// Write adds to the log.
func (l *Log) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.Buffer.Write(p)
}

// Quote writes text as JSON.
func Quote(text string) string {
	data, _ := json.Marshal(text) // of a string
	return string(data)
}
