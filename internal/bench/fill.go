package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strconv"

	"github.com/redis/go-redis/v9"

	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/ledger"
)

// Who records: users who have been there this month. The others on the boards
// only make them as large as they are.
const (
	activeUsers   = 200_000
	activeEntries = 30
)

// Keys of the plain side.
const (
	plainDay   = "plain:day"
	plainMonth = "plain:month"
)

func plainUser(user string) string { return "plain:user:" + user }

// plainField is the field of a user's hash that says what was done already.
func plainField(a activity.Activity) string { return a.Action + ":" + a.Target }

// userID is the id of the i-th user.
func userID(i int) string { return strconv.Itoa(1_000_000 + i*7) }

func (b *bench) dayKey() string   { return "laurel:{0}:board:activity:day:" + b.day.String() }
func (b *bench) monthKey() string { return "laurel:{0}:board:activity:month:" + b.month.String() }

// fill makes boards of so many users, of Laurel's and the plain side's, straight
// in Redis, and gives those who record a page and a hash. It returns how many
// they are.
func (b *bench) fill(ctx context.Context, users int) (active int, err error) {
	rng := rand.New(rand.NewPCG(1, uint64(users)))
	const chunk = 500
	for from := 0; from < users; from += chunk {
		pipe := b.client.Pipeline()
		var packed, plain []redis.Z
		for i := from; i < min(from+chunk, users); i++ {
			score, ticks := 1+rng.Int64N(300), rng.Int64N(1<<25)
			packed = append(packed, redis.Z{Member: userID(i), Score: float64(board.Pack(score, ticks))})
			plain = append(plain, redis.Z{Member: userID(i), Score: float64(score)})
		}
		for _, key := range []string{b.dayKey(), b.monthKey()} {
			pipe.ZAdd(ctx, key, packed...)
		}
		for _, key := range []string{plainDay, plainMonth} {
			pipe.ZAdd(ctx, key, plain...)
		}
		if _, err := pipe.Exec(ctx); err != nil {
			return 0, fmt.Errorf("fill boards: %w", err)
		}
	}
	active = min(users, activeUsers)
	return active, b.fillPages(ctx, active, chunk)
}

// fillPages gives all who record the same page, as if each had done the same.
func (b *bench) fillPages(ctx context.Context, active, chunk int) error {
	pages, err := userMonth(b.ledger, activeEntries, b.now)
	if err != nil {
		return err
	}
	fields := []string{"v", "12345678"}
	for key, page := range pages {
		fields = append(fields, key.String(), page)
	}
	var known []any
	for i := range activeEntries {
		known = append(known, plainField(monthly("", i, b.now)), int64(b.now))
	}
	for from := 0; from < active; from += chunk {
		pipe := b.client.Pipeline()
		for i := from; i < min(from+chunk, active); i++ {
			pipe.HSet(ctx, "laurel:{0}:pages:"+userID(i), fields)
			pipe.HSet(ctx, plainUser(userID(i)), known)
		}
		if _, err := pipe.Exec(ctx); err != nil {
			return fmt.Errorf("fill pages: %w", err)
		}
	}
	return nil
}

// userMonth makes a user's pages of a month with so many entries, spread over its
// days before now.
func userMonth(l *ledger.Ledger, entries int, now board.Moment) (ledger.Pages, error) {
	first := l.Calendar().Start(l.Calendar().Date(now).Month().First())
	acts := make([]activity.Activity, entries)
	for i := range acts {
		acts[i] = monthly("user", i, first+(now-first)/board.Moment(entries+1)*board.Moment(i))
	}
	d, err := decide(l, nil, acts, ledger.Arrival{Now: now, AnyAge: true})
	if err != nil {
		return nil, err
	}
	pages := ledger.Pages{}
	for _, p := range d.Pages {
		pages[p.Key] = p.Data
	}
	return pages, nil
}

// decide decides on activities with those of a user's pages that they need.
func decide(
	l *ledger.Ledger, pages ledger.Pages, acts []activity.Activity, arrival ledger.Arrival,
) (ledger.Decision, error) {
	needed := ledger.Pages{}
	for _, key := range l.Needs(acts, arrival) {
		needed[key] = pages[key]
	}
	return l.Decide(needed, nil, acts, arrival)
}

// monthly is the n-th activity with an entry of the month.
func monthly(user string, n int, at board.Moment) activity.Activity {
	a := activity.Activity{
		User: user, Action: []string{"like", "bookmark", "comment"}[n%3],
		Target: strconv.Itoa(100_000 + n*37), At: at,
	}
	if a.Action == "comment" {
		a.Ref = strconv.Itoa(5_000_000 + n*11)
	}
	return a
}
