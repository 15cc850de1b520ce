package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"laurel/internal/harness"
	"laurel/internal/testserver"
	"laurel/shared/core/activity"
	"laurel/shared/core/board"
	"laurel/shared/run/app"
	"laurel/shared/store/items"
)

// The size of a user in Redis and in the table stays below the promised one. Sizes of allocations are the
// server's, so a real one is measured; fewer users than 10,000 share less.
func TestMemoryOfAUser(t *testing.T) { //nolint:paralleltest // the memory is the server's
	now, users := harness.At(t, "2026-11-20T12:00"), testserver.Times(3_000, 10_000)
	// Entries at random moments of the last days; then bytes at most in Redis, names apart, and in a ledger's item,
	// keys included.
	for _, u := range []struct {
		entries, days int
		redis, item   float64
	}{{1, 1, 310, 115}, {30, 19, 540, 410}, {100, 19, 630, 1_200}, {300, 19, 650, 3_400}}[:testserver.Times(2, 4)] {
		client := testserver.OwnRedis(t).Client()
		a := harness.NewForum(t, harness.Setup{Redis: client, Now: now.Time()})
		before := usedMemory(t, client)
		for _, r := range a.Recorder.Import(t.Context(), entries(users, u.entries, u.days, now), now) {
			harness.OK(t, r.Err)
		}
		a.Fill()
		a.Night(0) // days that are due leave Redis
		taken, item := (usedMemory(t, client)-before)/float64(users), itemOf(t, a.App, now)
		t.Logf("%d entries: %.0f bytes in Redis, an item of %.0f", u.entries, taken, item)
		if taken > 1.15*u.redis || item > u.item {
			t.Errorf("that is more than %.0f and %.0f", u.redis, u.item)
		}
	}
}

// entries are so many of each user, in the last days.
func entries(users, each, days int, now board.Moment) (all []activity.Activity) {
	random := rand.New(rand.NewPCG(1, 2))
	number := func() string { return strconv.Itoa(10_000_000 + random.IntN(90_000_000)) }
	for i := range users {
		for n := range each {
			act := activity.Activity{
				User: userID(i), Action: []string{"like", "bookmark", "comment"}[n%3], Target: number(),
				At: now - board.Moment(random.Int64N(int64(days)*int64(day))),
			}
			if act.Action == "comment" {
				act.Ref = number()
			}
			all = append(all, act)
		}
	}
	return all
}

// itemOf is the mean size of a ledger's item, as DynamoDB counts it.
func itemOf(t *testing.T, a *app.App, now board.Moment) float64 {
	t.Helper()
	month, size, n := board.NewCalendar(time.UTC).Date(now).Month(), 0, 0
	for bucket := range items.Buckets {
		partition := fmt.Sprintf("LEDGER#%s#%02d", month, bucket)
		for _, item := range harness.Must(a.Items.Table().Ascend(t.Context(), partition, "", "~", 10_000))(t) {
			size += item.Size()
			n++
		}
	}
	return float64(size) / float64(n)
}

// settled looks into each sorted set and each hash until the server has freed the table that they grew out of: a look
// moves one bucket, and how many looks a board had by itself depends on how its writes were cut into calls.
var settled = redis.NewScript(`
local looks = {zset = {'ZCARD', 'ZSCORE'}, hash = {'HLEN', 'HGET'}}
for _, key in ipairs(redis.call('KEYS', '*')) do
	local count, get = unpack(looks[redis.call('TYPE', key).ok] or {})
	for _ = 1, count and 2 * redis.call(count, key) or 0 do redis.call(get, key, '') end -- one bucket
end
return 0`)

// usedMemory returns the bytes that a server uses once it has freed unlinked keys, old tables, and the buffers of
// its connections: it closes all but one of its own.
func usedMemory(t *testing.T, server *redis.Client) float64 {
	t.Helper()
	client := redis.NewClient(new(*server.Options()))
	defer func() { _ = client.Close() }()
	harness.OK(t, client.ClientKillByFilter(t.Context(), "TYPE", "normal").Err())
	harness.OK(t, settled.Run(t.Context(), client, nil).Err())
	least := math.Inf(1)
	for same := 0; same < 10; same++ {
		time.Sleep(50 * time.Millisecond)
		info := client.InfoMap(t.Context(), "memory")
		used := harness.Must(strconv.ParseFloat(info.Item("Memory", "used_memory"), 64))(t)
		if used < least || info.Item("Memory", "lazyfree_pending_objects") != "0" {
			least, same = min(least, used), 0
		}
	}
	return least
}
