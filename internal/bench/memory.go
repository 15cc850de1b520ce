package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"time"

	"github.com/redis/go-redis/v9"

	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/night"
	"laurel/shared/record"
	"laurel/shared/records"
)

// memoryUsers are recorded to measure what one takes.
const memoryUsers = 10_000

// A someUser has so many entries at random moments of the last days, and is to take at most so
// many bytes in Redis, names apart, and in a ledger's item, keys included.
type someUser struct {
	entries, days int
	redis, item   float64
}

var someUsers = []someUser{{1, 1, 310, 115}, {30, 19, 540, 410}, {100, 19, 630, 1_200}, {300, 19, 650, 3_400}}

// taken is what a user takes, in bytes.
type taken struct{ redis, item float64 }

// compareMemory measures the users, and writes a line for each.
func compareMemory(ctx context.Context, c invocation) error {
	if err := c.parse(); err != nil {
		return err
	}
	server := side{}
	ctx, stop := context.WithCancel(ctx)
	defer func() { stop(); server.running.Wait() }()
	url, err := server.startRedis(ctx)
	if err != nil {
		return err
	}
	address, err := redis.ParseURL(url)
	if err != nil {
		return err
	}
	client := redis.NewClient(address)
	defer func() { _ = client.Close() }()
	now := board.MomentOf(time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC))
	for _, u := range someUsers {
		t, err := memoryOf(ctx, client, u, memoryUsers, now)
		if err != nil {
			return err
		}
		_, _ = fmt.Fprintf(c.out, "%d entries: %.0f bytes in Redis (at most %.0f), an item of %.0f (at most %.0f)\n",
			u.entries, t.redis, u.redis, t.item, u.item)
	}
	return nil
}

// memoryOf measures users with entries of the last days, on a Redis that it empties.
func memoryOf(ctx context.Context, client *redis.Client, u someUser, users int, now board.Moment) (t taken, err error) {
	if err := client.Do(ctx, "FLUSHALL", "SYNC").Err(); err != nil {
		return t, err
	}
	a, err := newApp(ctx, client, activity.Default(), now)
	if err != nil {
		return t, err
	}
	before, err := usedMemory(ctx, client)
	if err != nil {
		return t, err
	}
	merged, random := []activity.Activity(nil), rand.New(rand.NewPCG(1, 2))
	span := int64(now) - int64(now.Add(-time.Duration(u.days)*24*time.Hour))
	for i := range users {
		for n := range u.entries {
			act := activity.Activity{
				User: userID(i), Action: []string{"like", "bookmark", "comment"}[n%3], Target: number(random),
				At: now - board.Moment(random.Int64N(span)),
			}
			if act.Action == "comment" {
				act.Ref = number(random)
			}
			merged = append(merged, act)
		}
	}
	for _, r := range a.Recorder.Merge(ctx, merged, now) {
		err = errors.Join(err, r.Err)
	}
	if err == nil {
		_, err = a.Recorder.Compare(ctx, record.CompareOptions{})
	}
	if err == nil { // days that are due leave Redis
		a.Wait = time.Nanosecond
		_, err = night.Run(ctx, a.Nights())
	}
	if err != nil {
		return t, err
	}
	after, err := usedMemory(ctx, client)
	t.redis = (after - before) / float64(users)
	if err == nil {
		t.item, err = itemOf(ctx, a.Records, now)
	}
	return t, err
}

func number(random *rand.Rand) string { return strconv.Itoa(10_000_000 + random.IntN(90_000_000)) }

// itemOf returns the mean size of a ledger's item, as DynamoDB counts it.
func itemOf(ctx context.Context, r *records.Store, now board.Moment) (float64, error) {
	month := board.NewCalendar(time.UTC).Date(now).Month()
	size, n := 0, 0
	for bucket := range records.Buckets {
		items, err := r.Table().Ascend(ctx, fmt.Sprintf("LEDGER#%s#%02d", month, bucket), "", "~", memoryUsers)
		if err != nil {
			return 0, err
		}
		for _, item := range items {
			size += item.Size()
			n++
		}
	}
	return float64(size) / float64(n), nil
}

// usedMemory returns the bytes that a server uses when it has freed what was unlinked, and the buffers
// of its connections: it closes all but one of its own.
func usedMemory(ctx context.Context, of *redis.Client) (float64, error) {
	client := redis.NewClient(new(*of.Options()))
	defer func() { _ = client.Close() }()
	err := client.ClientKillByFilter(ctx, "TYPE", "normal").Err()
	info := client.InfoMap(ctx, "memory")
	for info.Err() == nil && info.Item("Memory", "lazyfree_pending_objects") != "0" {
		time.Sleep(10 * time.Millisecond)
		info = client.InfoMap(ctx, "memory")
	}
	used, unread := strconv.ParseFloat(info.Item("Memory", "used_memory"), 64)
	if err = errors.Join(err, info.Err(), unread); err != nil {
		return 0, fmt.Errorf("memory of Redis: %w", err)
	}
	return used, nil
}
