package localserver_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/alicebob/miniredis/v2"
	"github.com/google/go-cmp/cmp"
	"github.com/redis/go-redis/v9"

	"laurel/internal/harness"
	"laurel/shared/localserver"
)

// The embedded Redis, which keeps sets in order, answers scripts as one does that sorts at each command, whatever was
// written between, by scripts, by commands and by transactions.
func TestOrderOfTheEmbeddedRedis(t *testing.T) {
	t.Parallel()
	url, stop, err := localserver.StartRedis()
	harness.OK(t, err)
	defer stop()
	kept := redis.NewClient(harness.Must(redis.ParseURL(url))(t))
	plain := redis.NewClient(&redis.Options{Addr: miniredis.RunT(t).Addr()})
	defer func() { _, _ = kept.Close(), plain.Close() }()
	const script = `local r = {}
		for i, member in ipairs(ARGV) do
			if i % 7 == 0 then redis.call('ZADD', KEYS[1 + i % 2], i, member) end
			local rank = redis.call('ZRANK', KEYS[1], member)
			r[#r + 1] = {rank, redis.call('ZRANK', KEYS[2], member)}
			r[#r + 1] = redis.call('ZRANGE', KEYS[1], (rank or 0), (rank or 0) + 2, 'WITHSCORES')
			r[#r + 1] = redis.call('ZRANGE', KEYS[1], -2, -1, 'WITHSCORES')
			r[#r + 1] = redis.call('ZRANGE', KEYS[1], 3, 2, 'WITHSCORES')
		end
		return r`
	member := func() string { return fmt.Sprint("m", rand.IntN(30)) }
	for range 300 {
		key, some, score := fmt.Sprint("k", 1+rand.IntN(2)), member(), float64(rand.IntN(5))
		write := []func(context.Context, redis.Cmdable) redis.Cmder{
			func(ctx context.Context, c redis.Cmdable) redis.Cmder {
				return c.ZAdd(ctx, key, redis.Z{Score: score, Member: some})
			},
			func(ctx context.Context, c redis.Cmdable) redis.Cmder { return c.ZRem(ctx, key, some) },
			func(ctx context.Context, c redis.Cmdable) redis.Cmder { return c.Rename(ctx, key, "k1") },
			func(ctx context.Context, c redis.Cmdable) redis.Cmder { return c.Del(ctx, "other", key) },
		}[min(rand.IntN(40), 39)%4]
		members, inTransaction := []any{}, rand.IntN(2) == 0
		for range 10 {
			members = append(members, member())
		}
		var answers []any
		for _, c := range []*redis.Client{kept, plain} {
			if inTransaction {
				_, _ = c.TxPipelined(t.Context(), func(p redis.Pipeliner) error { write(t.Context(), p); return nil })
			} else {
				write(t.Context(), c)
			}
			answers = append(answers, harness.Must(c.Eval(t.Context(), script, []string{"k1", "k2"}, members...).Result())(t))
		}
		if diff := cmp.Diff(answers[1], answers[0]); diff != "" {
			t.Fatal(diff)
		}
	}
}
