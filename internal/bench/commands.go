package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/redis/go-redis/v9"

	"laurel/shared/activity"
	"laurel/shared/board"
)

// activities makes new activities of random users.
func (p *plain) activities(n int) []activity.Activity {
	acts := make([]activity.Activity, n)
	for i := range acts {
		acts[i] = did(userID(rand.IntN(p.active)), activeEntries+int(p.last.Add(1)), p.now-board.Moment(rand.IntN(60_000)))
	}
	return acts
}

// recording compares recording with plain commands.
func (p *plain) recording(ctx context.Context, users int) error {
	store := func(n int) func(context.Context) error {
		return func(ctx context.Context) error { return p.record(ctx, p.activities(n)) }
	}
	seven := &way{name: "seven plain calls in sequence", connections: many, events: 1, do: p.sevenCalls}
	single := &way{name: "single activities", connections: many, events: 1, do: store(1)}
	batches := &way{name: "batches of 100", connections: many, events: batch, do: store(batch)}
	fewer := &way{name: "batches of 100", connections: few, events: batch, do: store(batch)}
	pipeline := &way{name: "plain pipelines of 100", connections: few, events: batch, do: func(ctx context.Context) error {
		pipe := p.client.Pipeline()
		for _, a := range p.activities(batch) {
			pipe.HSet(ctx, plainUser(a.User), plainField(a), int64(a.At))
			pipe.ZIncrBy(ctx, plainDay, 2, a.User)
			pipe.ZIncrBy(ctx, plainMonth, 2, a.User)
		}
		_, err := pipe.Exec(ctx)
		return err
	}}
	_, _ = fmt.Fprintf(p.table, "\nrecording, boards of %d users\n", users)
	if err := p.compare(ctx, seven, batches, single, fewer, pipeline); err != nil {
		return err
	}
	least, most := 0.6, 1.4
	if users < 100_000 {
		least, most = 0.25, 2.5
	}
	p.bar("batches against the seven calls, events/s", ratio(batches.perSecond, seven.perSecond), 2.2, false)
	p.bar("single activities against the seven calls, events/s", ratio(single.perSecond, seven.perSecond), 1, false)
	p.bar("batches against the plain pipelines, events/s", ratio(fewer.perSecond, pipeline.perSecond), least, false)
	p.bar("batches against the plain pipelines, Redis CPU an event", ratio(fewer.redis, pipeline.redis), most, true)
	return nil
}

// sevenCalls does what such systems usually do for an activity, one call after the
// other.
func (p *plain) sevenCalls(ctx context.Context) error {
	a, c := p.activities(1)[0], p.client
	key := plainUser(a.User)
	if err := c.HGet(ctx, key, plainField(a)).Err(); err != nil && !errors.Is(err, redis.Nil) {
		return err
	}
	return errors.Join(
		c.HSet(ctx, key, plainField(a), int64(a.At)).Err(),
		c.Expire(ctx, key, 62*24*time.Hour).Err(),
		c.ZIncrBy(ctx, plainDay, 2, a.User).Err(),
		c.ZIncrBy(ctx, plainMonth, 2, a.User).Err(),
		c.TTL(ctx, plainDay).Err(),
		c.TTL(ctx, plainMonth).Err(),
	)
}

// reading compares reads with the plain commands that the same answer takes: what is
// around a place can be read once the place is known, so they take two round trips.
func (p *plain) reading(ctx context.Context, users int) error {
	_, _ = fmt.Fprintf(p.table, "\nreading, boards of %d users\n", users)
	for i, view := range []board.View{{Limit: 30}, {Around: 5}} {
		name := []string{"a page of 30 with a standing", "a standing with 5 neighbours"}[i]
		view.Board, view.Period = "activity", p.period
		store := &way{name: name, connections: few, events: 1, do: func(ctx context.Context) error {
			view := view
			view.User = userID(rand.IntN(users))
			_, err := p.store.Read(ctx, view)
			return err
		}}
		commands := &way{name: "plain commands", connections: few, events: 1, do: func(ctx context.Context) error {
			user, pipe := userID(rand.IntN(users)), p.client.Pipeline()
			pipe.ZCard(ctx, p.day)
			if view.Limit > 0 {
				pipe.ZRangeWithScores(ctx, p.day, 0, view.Limit-1)
			}
			place := pipe.ZRank(ctx, p.day, user)
			pipe.ZScore(ctx, p.day, user)
			pipe.ZRank(ctx, p.day+":before", user)
			if _, err := pipe.Exec(ctx); err != nil && !errors.Is(err, redis.Nil) {
				return err
			}
			n := max(view.Around, 1)
			return p.client.ZRangeWithScores(ctx, p.day, max(0, place.Val()-n), place.Val()+n).Err()
		}}
		if err := p.compare(ctx, store, commands); err != nil {
			return err
		}
		p.bar("time against plain commands", ratio(commands.perSecond, store.perSecond), 1.3, true)
	}
	return nil
}
