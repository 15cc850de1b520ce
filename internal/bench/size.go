package main

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/ledger"
)

// memory records a user's month and asks Redis what its pages take.
func (b *bench) memory(ctx context.Context) error {
	b.table.section("memory of a user's month")
	first := b.ledger.Calendar().Start(b.month.First())
	for _, c := range []struct {
		entries, visits int
		atMost          float64 // in KB of 1,000 bytes; 0: no bar
	}{{100, 0, 1.6}, {600, 0, 8}, {100, 50, 0}, {600, 300, 0}} {
		user := fmt.Sprintf("%d-%d", c.entries, c.visits)
		var acts []activity.Activity
		months := c.entries - c.visits
		for i := range months {
			acts = append(acts, monthly(user, i, first+
				board.Moment(i)*board.Moment(19*24*time.Hour.Milliseconds()/int64(months))))
		}
		for i := range c.visits { // on ten days
			at := first.Add(time.Duration(i%10)*48*time.Hour + time.Duration(i)*137*time.Second)
			acts = append(acts, activity.Activity{User: user, Action: "visit", Target: strconv.Itoa(200_000 + i*41), At: at})
		}
		for _, r := range b.store.Record(ctx, acts, ledger.Arrival{Now: b.now, AnyAge: true}) {
			if r.Err != nil {
				return r.Err
			}
		}
		size, err := b.client.MemoryUsage(ctx, "laurel:{0}:pages:"+user, 0).Result()
		if err != nil {
			return err
		}
		name := fmt.Sprintf("%d entries, KB", c.entries)
		if c.visits > 0 {
			name = fmt.Sprintf("%d entries, %d of them visits on 10 days", c.entries, c.visits)
			b.table.figure(name, fmt.Sprintf("%.2f KB", float64(size)/1_000))
			continue
		}
		b.table.most(name, float64(size)/1_000, c.atMost)
	}
	return nil
}

// apply times what a batch costs in Go for one user: open a page, apply ten
// activities, write it.
func (b *bench) apply(ctx context.Context) error {
	b.table.section("deciding, in Go")
	const runs, times = 15, 200
	for _, c := range []struct {
		entries int
		atMost  float64 // microseconds
	}{{100, 40}, {600, 0}} {
		pages, err := userMonth(b.ledger, c.entries, b.now)
		if err != nil {
			return err
		}
		var took []float64
		for range runs {
			start := time.Now()
			for range times {
				if err := b.applyTen(pages); err != nil {
					return err
				}
			}
			took = append(took, float64(time.Since(start).Nanoseconds())/1_000/times)
		}
		name := fmt.Sprintf("10 activities on a page of %d entries, us", c.entries)
		if c.atMost == 0 {
			b.table.figure(name, fmt.Sprintf("%.1f", median(took)))
			continue
		}
		b.table.most(name, median(took), c.atMost)
	}
	return ctx.Err()
}

func (b *bench) applyTen(pages ledger.Pages) error {
	acts := make([]activity.Activity, 10)
	for i := range acts {
		word := []string{"like", "unlike", "bookmark", "comment", "follow"}[i%5]
		acts[i] = activity.Activity{User: "1", Action: word, Target: strconv.Itoa(900_000 + i*7), At: b.now - board.Moment(i)}
	}
	_, err := decide(b.ledger, pages, acts, ledger.Arrival{Now: b.now})
	return err
}
