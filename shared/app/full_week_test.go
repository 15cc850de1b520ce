package app_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"laurel/internal/harness"
	"laurel/internal/testserver"
	"laurel/shared/activity"
	"laurel/shared/archive"
	"laurel/shared/board"
	"laurel/shared/ledger"
	"laurel/shared/ledger/reference"
	"laurel/shared/redisstore"
)

const (
	usualDays = 15 // what the cache has room for
	fullDays  = 7
	aUser     = 40 // activities of a user on a day
	perBatch  = 5  // users
	lastOnes  = 3  // batches that come when the cache is full
)

// traffic records what users of a cache do, and remembers what was accepted and refused.
type traffic struct {
	*cache
	rng      *rand.Rand
	accepted *reference.Ledger
	pending  []activity.Activity // refused, and not counted yet
}

// batch records what users do in an hour or so, and returns how many were refused.
func (c *traffic) batch(users ...string) (refused int) {
	c.t.Helper()
	var acts []activity.Activity
	actions := []string{"visit", "visit", "visit", "visit", "visit", "comment", "comment", "like", "bookmark"}
	for _, user := range users {
		for range aUser {
			acts = append(acts, activity.Activity{
				User: user, Action: actions[c.rng.IntN(len(actions))], Target: fmt.Sprint("article-", c.rng.IntN(100)),
				At: board.MomentOf(c.Now) + board.Moment(c.rng.IntN(3_600_000)-3_600_000),
			})
		}
	}
	results := c.Store.Record(c.t.Context(), acts, ledger.Arrival{Now: board.MomentOf(c.Now)})
	for i, r := range results {
		switch {
		case r.Err == nil:
			c.accepted.Add(acts[i])
		case errors.Is(r.Err, redisstore.ErrFull):
			c.pending, refused = append(c.pending, acts[i]), refused+1
		default:
			c.t.Fatal(r.Err)
		}
	}
	return refused
}

// compare compares every board, in Redis or in the archive, with the reference of what was
// accepted.
func (c *traffic) compare(when string) {
	c.t.Helper()
	for _, w := range []board.Window{board.Day, board.Month} {
		for _, p := range c.accepted.Periods("activity", w) {
			entries := c.Store.Entries(c.t.Context(), "activity", p)
			if _, err := c.Kept.Archive.Manifest(c.t.Context(), "activity", p); err == nil {
				entries = c.Kept.Archive.Entries(c.t.Context(), "activity", p)
			} else if !errors.Is(err, archive.ErrNotFinal) {
				c.t.Fatal(err)
			}
			var got []board.Entry
			for e, err := range entries {
				if err != nil {
					c.t.Fatal(err)
				}
				got = append(got, e)
			}
			if diff := cmp.Diff(c.accepted.Board("activity", p), got); diff != "" {
				c.t.Fatalf("%s: %s (-reference +forum):\n%.2000s", when, p, diff)
			}
		}
	}
}

func (c *traffic) used() int64 {
	c.t.Helper()
	n, err := strconv.ParseInt(c.client.InfoMap(c.t.Context(), "memory").Item("Memory", "used_memory"), 10, 64)
	if err != nil {
		c.t.Fatal(err)
	}
	return n
}

// A cache that has room for half a month is driven past it every day of a week: what is
// answered is right at any time, what was refused is counted by the night at the latest, and
// after each night the cache takes more.
func TestAWeekInAFullCache(t *testing.T) {
	t.Parallel()
	users := make([]string, testserver.Times(100, 2_000)) // the usual ones; ten times as many come in a week
	for i := range users {
		users[i] = fmt.Sprint("user-", i)
	}
	first := time.Date(2026, time.November, 2, 12, 0, 0, 0, time.UTC)
	c := &traffic{cache: newCache(t, harness.Setup{Now: first}, "noeviction"), rng: rand.New(rand.NewPCG(14, 3))}
	c.accepted = reference.New(c.Rules, c.Calendar)
	for range usualDays {
		for some := range slices.Chunk(users, perBatch) {
			c.batch(some...)
		}
		c.Now = c.Now.AddDate(0, 0, 1)
	}
	next := 0
	c.limit(c.used())
	for day := range fullDays {
		night := c.Night(0)
		for _, a := range c.pending {
			c.accepted.Add(a)
		}
		if len(c.pending) > 0 != (night.Proof.Mended > 0) {
			t.Errorf("night %d: mended %d, %d were refused", day, night.Proof.Mended, len(c.pending))
		}
		c.pending = nil
		c.compare(fmt.Sprint("after night ", day))
		batches, full := 0, 0
		for ; full < lastOnes && batches < 20*len(users); batches++ {
			var some []string
			for len(some) < perBatch && (len(some) == 0 || full == 0) {
				next = (next + 1) % (10 * len(users))
				some = append(some, fmt.Sprint("user-", next))
			}
			if c.batch(some...) > 0 {
				full++
			}
		}
		t.Logf("day %d: %d boards moved, %d bytes, full after %d batches, %d refused", day, len(night.Moved), c.used(),
			batches, len(c.pending))
		if full == 0 || batches == full {
			t.Errorf("day %d: %d batches, %d of them refused", day, batches, full)
		}
		c.compare(fmt.Sprint("in the full cache of day ", day))
		c.Now = c.Now.AddDate(0, 0, 1)
	}
	c.Night(0)
	if n := c.client.InfoMap(t.Context(), "stats").Item("Stats", "evicted_keys"); n != "0" {
		t.Errorf("%s keys were evicted", n)
	}
}
