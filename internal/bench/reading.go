package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"

	"laurel/shared/board"

	"github.com/redis/go-redis/v9"
)

// around is how many neighbours a standing is read with.
const around = 5

// reading compares reads with the plain commands that the same answer needs.
func (b *bench) reading(ctx context.Context, users int) error {
	b.table.section(fmt.Sprintf("reading, boards of %s users", thousands(users)))
	for _, c := range []struct {
		name string
		view board.View
	}{
		{"a page of 30 with a standing", board.View{Limit: 30}},
		{"a standing with 5 neighbours", board.View{Around: around}},
	} {
		c.view.Board, c.view.Period = "activity", b.day
		mine := &side{name: c.name, workers: few, do: func(ctx context.Context, rng *rand.Rand) (int, error) {
			v := c.view
			v.User = userID(rng.IntN(users))
			_, err := b.store.Read(ctx, v)
			return 1, err
		}}
		plain := &side{name: "the plain commands", workers: few, do: func(ctx context.Context, rng *rand.Rand) (int, error) {
			return 1, b.plainRead(ctx, c.view, userID(rng.IntN(users)))
		}}
		if err := b.compare(ctx, []*side{mine, plain}); err != nil {
			return err
		}
		for _, s := range []*side{mine, plain} {
			b.table.figure(s.name, fmt.Sprintf("%s/s, Redis CPU %.1f us each", thousands(int(median(clone(s.perSecond)))),
				median(clone(s.cpu))))
		}
		b.table.most("time against the plain commands", ratio(plain.perSecond, mine.perSecond), 1.3)
	}
	return nil
}

// plainRead asks for the same with plain commands: what is around a place can be
// asked for when the place is known, so it takes two round trips.
func (b *bench) plainRead(ctx context.Context, v board.View, user string) error {
	pipe := b.client.Pipeline()
	pipe.ZCard(ctx, b.dayKey())
	if v.Limit > 0 {
		pipe.ZRangeWithScores(ctx, b.dayKey(), v.Offset, v.Offset+v.Limit-1)
	}
	place := pipe.ZRank(ctx, b.dayKey(), user)
	pipe.ZScore(ctx, b.dayKey(), user)
	pipe.ZRank(ctx, b.dayKey()+":before", user)
	if _, err := pipe.Exec(ctx); err != nil && !errors.Is(err, redis.Nil) {
		return err
	}
	n := max(v.Around, 1)
	return b.client.ZRangeWithScores(ctx, b.dayKey(), max(0, place.Val()-n), place.Val()+n).Err()
}
