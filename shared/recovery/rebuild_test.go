package recovery_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"sync/atomic"
	"testing"

	"github.com/redis/go-redis/v9"

	"laurel/internal/testserver"
	"laurel/shared/board"
	"laurel/shared/recovery"
	"laurel/shared/redisstore"
)

// Promise 5: Redis may be emptied at any moment, whole or in part, and every answer
// becomes again what it was.
func TestPromise5EmptiedAtAnyMoment(t *testing.T) {
	t.Parallel()
	var late atomic.Int64
	t.Cleanup(func() {
		if late.Load() == 0 {
			t.Error("nothing of somebody erased was late")
		}
	})
	for i := range testserver.Rounds(10, 100) {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			t.Parallel()
			f := newForum(t, rand.New(rand.NewPCG(uint64(i), 77)), 1+i%3)
			end := f.Calendar.Start(f.From + 85)
			for n := 0; f.now < end; n++ {
				if f.step(); f.rng.IntN(25) > 0 {
					continue
				}
				before := f.answers()
				if users, err := recovery.Check(t.Context(), f.options()); err != nil || len(users) > 0 {
					t.Errorf("of a Redis that is whole: %q, %v", users, err)
				}
				switch part := f.rng.IntN(4); part {
				case 0, 1:
					f.lose("")
				case 2:
					f.lose(fmt.Sprint(f.rng.IntN(f.shards)))
				default:
					f.lose("articles")
				}
				if err := f.stores[0].CheckStamp(t.Context()); !errors.Is(err, redisstore.ErrStamp) {
					t.Fatalf("of a lost part: %v", err)
				}
				result := f.rebuild()
				t.Logf("%d: %+v", n, result)
				f.compare(before, f.answers())
			}
			late.Add(f.late.Load())
		})
	}
}

// A node of a cluster that comes back empty loses what is of its slots, be it parts or
// single keys beside whole parts, and all answers come back.
func TestPromise5EmptiedNodeOfACluster(t *testing.T) {
	t.Parallel()
	nodes := testserver.RedisCluster(t, 3)
	client := redis.NewClusterClient(&redis.ClusterOptions{Addrs: nodes})
	t.Cleanup(func() { _ = client.Close() })
	f := forumOn(t, client, rand.New(rand.NewPCG(1, 78)), 5)
	for day := 20; day <= 60; day += 10 {
		for end := f.Calendar.Start(f.From + board.Date(day)); f.now < end; {
			f.step()
		}
		before := f.answers()
		node := redis.NewClient(&redis.Options{Addr: nodes[day/10%len(nodes)]})
		keys := node.DBSize(t.Context()).Val()
		f.must(node.FlushAll(t.Context()).Err())
		f.must(node.Close())
		t.Logf("%d keys are lost; %+v", keys, f.rebuild())
		f.compare(before, f.answers())
	}
}
