package harness

import (
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"laurel/internal/testserver"
	"laurel/shared/archive"
	"laurel/shared/board"
	"laurel/shared/ledger"
	"laurel/shared/live"
	"laurel/shared/nightly"
	"laurel/shared/redisstore"
	"laurel/shared/state"
	"laurel/shared/table/embedded"
)

// Stores are a Redis and an archive of a test's own, for a forum in UTC with the default
// rules.
type Stores struct {
	Client *redis.Client
	Ledger *ledger.Ledger
	Live   *live.Store
	Kept   archive.Store
}

// Open opens empty stores; the archive's clock is now.
func Open(t *testing.T, shards int, now func() time.Time) *Stores {
	t.Helper()
	s := &Stores{Client: testserver.Redis(t), Ledger: UTC(), Kept: Memory(t, now)}
	s.Live = live.New(s.Client, s.Ledger, shards)
	return s
}

// Memory returns an empty archive's store in memory.
func Memory(tb testing.TB, now func() time.Time) *embedded.Store {
	tb.Helper()
	kept, err := embedded.New(now)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = kept.Close() })
	return kept
}

// Crashing returns the same stores as a process sees them that c can stop.
func (s *Stores) Crashing(t *testing.T, c *Crash) *Stores {
	t.Helper()
	options := *s.Client.Options()
	client := redis.NewClient(&options)
	t.Cleanup(func() { _ = client.Close() })
	client.AddHook(c)
	c.Store = s.Kept
	return &Stores{Client: client, Ledger: s.Ledger, Live: live.New(client, s.Ledger, s.Live.Shards()), Kept: c}
}

// Night returns the options of a nightly run at a moment, which keeps three days and two
// months in Redis.
func (s *Stores) Night(now board.Moment) nightly.Options {
	return nightly.Options{
		Live: s.Live, Archive: archive.New(s.Kept), Rules: s.Ledger.Rules(), Calendar: s.Ledger.Calendar(),
		Now: now, HotDays: 3, HotMonths: 2, Units: s.Kept.Units, Totals: state.New(s.Kept, time.Now),
	}
}

// Dump returns every key of Redis with its serialized value, but for what is recent.
func (s *Stores) Dump(t *testing.T) map[string]string { return dump(t, s.Client) }

func dump(tb testing.TB, client redis.UniversalClient) map[string]string {
	tb.Helper()
	keys, err := client.Keys(tb.Context(), redisstore.KeyPrefix+"*").Result()
	if err != nil {
		tb.Fatal(err)
	}
	found := map[string]string{}
	for _, key := range keys {
		if found[key], err = client.Dump(tb.Context(), key).Result(); err != nil {
			tb.Fatal(err)
		}
	}
	return found
}

// Flush removes everything from Redis and puts back what Dump returned.
func (s *Stores) Flush(t *testing.T, was map[string]string) {
	t.Helper()
	if err := s.Client.FlushDB(t.Context()).Err(); err != nil {
		t.Fatal(err)
	}
	for key, data := range was {
		if err := s.Client.Restore(t.Context(), key, 0, data).Err(); err != nil {
			t.Fatal(err)
		}
	}
}
