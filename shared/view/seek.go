package view

import (
	"context"
	"strconv"

	"github.com/redis/go-redis/v9"

	"laurel/shared/board"
)

// maxHead is how far from the top a page of a board in several shards may end to be read from the head of
// every shard.
const maxHead = 1_000

// pieces returns which piece of each shard has the page of a view, and how many are before these.
func (s *Store) pieces(ctx context.Context, v board.View) (pieces []piece, before int64, err error) {
	pieces = make([]piece, s.options.Shards)
	end, from := v.Offset+v.Limit, make([]int64, len(pieces))
	switch {
	case v.Limit == 0 || isAfter(v):
		return pieces, 0, nil
	case len(pieces) == 1:
		before, from[0] = v.Offset, v.Offset
	case end > maxHead:
		from, before, err = s.seek(ctx, v)
	}
	length := end - before
	for shard := range pieces {
		pieces[shard] = piece{from[shard], length, len(pieces) == 1 || length <= namedLen}
	}
	return pieces, before, err
}

// seek returns where a page deep in several shards begins: how many places of each shard have less than the
// packed score that it begins at, and all together. It is an exception of at most 55 trips, as each halves the
// scores that may be there.
func (s *Store) seek(ctx context.Context, v board.View) (counts []int64, sum int64, err error) {
	count := func(below string) (counts []int64, sum int64, err error) {
		pipe := s.client.Pipeline()
		cmds := make([]*redis.IntCmd, s.options.Shards)
		for shard := range s.options.Shards {
			cmds[shard] = pipe.ZCount(ctx, s.boardKey(shard, v.Board, v.Period), "-inf", below)
		}
		if _, err := pipe.Exec(ctx); err != nil {
			return nil, 0, unavailable("seek a place", err)
		}
		for _, c := range cmds {
			counts, sum = append(counts, c.Val()), sum+c.Val()
		}
		return counts, sum, nil
	}
	if counts, sum, err = count("+inf"); err != nil || sum <= v.Offset {
		return counts, sum, err
	}
	low, high := int64(board.Pack(board.MaxScore, 0)), int64(0)
	for low < high { // the least packed score with more than Offset places up to it
		middle := low + (high-low)/2
		_, sum, err := count(strconv.FormatInt(middle, 10))
		if err != nil {
			return nil, 0, err
		}
		if sum > v.Offset {
			high = middle
		} else {
			low = middle + 1
		}
	}
	return count("(" + strconv.FormatInt(low, 10))
}
