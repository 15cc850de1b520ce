package erasure_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"
	"github.com/redis/go-redis/v9"

	"laurel/internal/testserver"
	"laurel/shared/activity"
	"laurel/shared/app"
	"laurel/shared/archive"
	"laurel/shared/archive/embedded"
	"laurel/shared/board"
	"laurel/shared/ledger"
	"laurel/shared/live"
	"laurel/shared/nightly"
	"laurel/shared/people"
)

// gone is the erased user: an id that a search finds everywhere.
const gone = `{0}:zoë "the erased" 100%`

// A cut lets some calls to Redis and the table through and fails all later ones, as if
// the process ended. The first failed one may take effect before its answer is lost.
type cut struct {
	mu     sync.Mutex
	calls  int
	at     int // the first that fails; -1: none
	unsaid bool
}

var errCut = errors.New("interrupted")

func (c *cut) call(do func() error) error {
	c.mu.Lock()
	n, at := c.calls, c.at
	c.calls++
	c.mu.Unlock()
	switch {
	case at < 0 || n < at:
		return do()
	case n == at && c.unsaid:
		_ = do()
	}
	return errCut
}

// DialHook leaves connections alone.
func (c *cut) DialHook(next redis.DialHook) redis.DialHook { return next }

// ProcessHook fails commands.
func (c *cut) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		err := c.call(func() error { return next(ctx, cmd) })
		if errors.Is(err, errCut) {
			cmd.SetErr(err)
		}
		return err
	}
}

// ProcessPipelineHook fails pipelines.
func (c *cut) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return func(ctx context.Context, cmds []redis.Cmder) error {
		err := c.call(func() error { return next(ctx, cmds) })
		if errors.Is(err, errCut) {
			for _, cmd := range cmds {
				cmd.SetErr(err)
			}
		}
		return err
	}
}

// A table is a store whose calls can fail; it has the keys of all items ever written.
type table struct {
	archive.Store
	cut  *cut
	mu   sync.Mutex
	keys map[archive.Key]bool
}

func newTable(t *testing.T, c *cut) *table {
	t.Helper()
	kept, err := embedded.New(time.Now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = kept.Close() })
	return &table{Store: kept, cut: c, keys: map[archive.Key]bool{}}
}

func (s *table) call(do func() error) error {
	err := s.cut.call(do)
	if errors.Is(err, errCut) {
		return fmt.Errorf("%w: %w", archive.ErrUnavailable, err)
	}
	return err
}

func (s *table) remember(key archive.Key) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.keys[key] = true
}

func (s *table) Get(ctx context.Context, keys ...archive.Key) (items []archive.Item, err error) {
	err = s.call(func() (err error) { items, err = s.Store.Get(ctx, keys...); return err })
	return items, err
}

func (s *table) Descend(ctx context.Context, partition, below string, limit int) (items []archive.Item, err error) {
	err = s.call(func() (err error) { items, err = s.Store.Descend(ctx, partition, below, limit); return err })
	return items, err
}

func (s *table) Put(ctx context.Context, item archive.Item) error {
	s.remember(item.Key)
	return s.call(func() error { return s.Store.Put(ctx, item) })
}

func (s *table) Replace(ctx context.Context, item archive.Item, old []byte) error {
	s.remember(item.Key)
	return s.call(func() error { return s.Store.Replace(ctx, item, old) })
}

func (s *table) Delete(ctx context.Context, keys ...archive.Key) error {
	return s.call(func() error { return s.Store.Delete(ctx, keys...) })
}

// items returns all items of the table.
func (s *table) items(t *testing.T) (all []archive.Item) {
	t.Helper()
	for chunk := range slices.Chunk(slices.Collect(maps.Keys(s.keys)), 100) {
		items, err := s.Store.Get(t.Context(), chunk...)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, items...)
	}
	return all
}

// A harness is a forum whose calls to Redis and to the table can be interrupted.
type harness struct {
	cut    *cut
	client *redis.Client
	ledger *ledger.Ledger
	store  *live.Store
	table  *table
	*app.Kept
}

func newHarness(t *testing.T) *harness {
	t.Helper()
	w := &harness{
		cut: &cut{at: -1}, client: testserver.Redis(t),
		ledger: ledger.New(activity.Default(), board.NewCalendar(time.UTC)),
	}
	cutClient := redis.NewClient(w.client.Options())
	t.Cleanup(func() { _ = cutClient.Close() })
	cutClient.AddHook(w.cut)
	w.store, w.table = live.New(cutClient, w.ledger, 2), newTable(t, w.cut)
	w.restart()
	return w
}

// restart starts a new process.
func (w *harness) restart() {
	w.Kept = app.Keep(w.table, w.store, w.ledger.Rules(), slog.New(slog.DiscardHandler))
}

var (
	now   = time.Date(2026, time.November, 24, 12, 0, 0, 0, time.UTC)
	names = []string{gone, "ann", "bob", "cid", "dan", "eve"}
)

// fill puts all users, the erased one too, on live and final boards, on each other's
// follow lists, hidden, and with a profile.
func (w *harness) fill(t *testing.T) {
	t.Helper()
	profiles := map[string]people.Profile{}
	for i, user := range names {
		for _, days := range []int{-20, -4, -1, 0} { // two of them are final
			at := board.MomentOf(now.AddDate(0, 0, days))
			acts := []activity.Activity{
				{User: user, Action: "visit", Target: "p", At: at},
				{User: user, Action: "like", Target: fmt.Sprint(days, i%2), At: at},
				{User: user, Action: "steps", Value: new(int64(1_000 + i)), At: at},
				{User: user, Action: "follow", Target: names[(i+1)%len(names)], At: at},
				{User: user, Action: "follow", Target: names[(i+2)%len(names)], At: at},
			}
			for _, r := range w.store.Record(t.Context(), acts, ledger.Arrival{Now: at, AnyAge: true}) {
				if r.Err != nil {
					t.Fatal(r.Err)
				}
			}
		}
		profiles[user] = people.Profile{Name: "I am " + user, Link: "https://forum.example/" + fmt.Sprint(i)}
	}
	if err := w.People.Put(t.Context(), profiles); err != nil {
		t.Fatal(err)
	}
	w.night(t, now)
	if err := w.store.SetHidden(t.Context(), gone, true); err != nil {
		t.Fatal(err)
	}
	if len(w.left(t)) < 8 {
		t.Fatalf("only in %q: nothing to erase", w.left(t))
	}
}

func (w *harness) night(t *testing.T, now time.Time) nightly.Result {
	t.Helper()
	result, err := nightly.Run(t.Context(), nightly.Options{
		Live: w.store, Archive: w.Archive, Erasures: w.Eraser, Rules: w.ledger.Rules(), Calendar: w.ledger.Calendar(),
		Now: board.MomentOf(now), HotDays: 3, HotMonths: 2,
	})
	if err != nil || len(result.Left) > 0 {
		t.Fatalf("%+v, %v", result, err)
	}
	return result
}

var decoder = sync.OnceValue(func() *zstd.Decoder {
	d, err := zstd.NewReader(nil)
	if err != nil {
		panic(err)
	}
	return d
})

// left lists where the erased user still is: keys of Redis, items of the table, compressed
// or not.
func (w *harness) left(t *testing.T) []string {
	t.Helper()
	places := testserver.Grep(t, w.client, gone)
	// As JSON quotes it, for profiles and the like.
	places = append(places, testserver.Grep(t, w.client, `zoë \"the erased\"`)...)
	for _, item := range w.table.items(t) {
		text := item.Partition + item.Sort + string(item.Data)
		if len(item.Data) > 5 { // behind the format and the checksum
			if body, err := decoder().DecodeAll(item.Data[5:], nil); err == nil {
				text += string(body)
			}
		}
		if strings.Contains(text, "the erased") {
			places = append(places, item.String())
		}
	}
	return places
}

// A snapshot is everything that Redis and the table store.
type snapshot struct {
	keys  map[string]string
	items []archive.Item
}

func (w *harness) snapshot(t *testing.T) snapshot {
	t.Helper()
	s := snapshot{keys: map[string]string{}, items: w.table.items(t)}
	all, err := w.client.Keys(t.Context(), "*").Result()
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range all {
		if s.keys[key], err = w.client.Dump(t.Context(), key).Result(); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

func (w *harness) restore(t *testing.T, s snapshot) {
	t.Helper()
	if err := w.client.FlushDB(t.Context()).Err(); err != nil {
		t.Fatal(err)
	}
	for key, data := range s.keys {
		if err := w.client.Restore(t.Context(), key, 0, data).Err(); err != nil {
			t.Fatal(err)
		}
	}
	w.cut.at = -1
	w.table = newTable(t, w.cut)
	for _, item := range s.items {
		if err := w.table.Put(t.Context(), item); err != nil {
			t.Fatal(err)
		}
	}
	w.restart()
}
