package pages_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/redis/go-redis/v9"

	"laurel/internal/harness"
	"laurel/internal/stream"
	"laurel/internal/testserver"
	"laurel/shared/ledger"
	"laurel/shared/ledger/reference"
	"laurel/shared/live"
	"laurel/shared/redisstore"
)

// On a cluster each script's keys are in one slot, and boards of one shard or of
// several, which lie on several nodes, are the reference's.
func TestCluster(t *testing.T) {
	t.Parallel()
	nodes := testserver.RedisCluster(t, 3)
	url := fmt.Sprintf("redis://%s?addr=%s", nodes[0], strings.Join(nodes[1:], "&addr="))
	client, err := redisstore.Dial(url, true)
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	for i, shards := range []int{1, 8} {
		rng := rand.New(rand.NewPCG(uint64(i), 31))
		forum, err := stream.NewForum(rng)
		if err != nil {
			t.Fatal(err)
		}
		var users []string
		for n := range 12 {
			users = append(users, fmt.Sprint("user-", n))
		}
		acts := forum.Activities(rng, 2_500, users)
		ref := reference.New(forum.Rules, forum.Calendar)
		for _, a := range acts {
			ref.Add(a)
		}
		l := ledger.New(forum.Rules, forum.Calendar)
		points := harness.RecordAll(t, client, l, shards, 4, stream.Deliver(rng, acts, 100))
		store := live.New(client, l, shards)
		harness.CompareBoards(t, store, forum, ref)
		for user, sum := range points {
			if want := ref.MonthPoints(user); sum != want {
				t.Errorf("%d shards: receipts of %s add up to %d, the month scores to %d", shards, user, sum, want)
			}
		}
		for _, node := range nodes {
			emptyNode(t, node, shards == 8)
		}
	}
}

// emptyNode empties a node for the next episode; one that should have something
// of what was recorded fails the test when it has nothing.
func emptyNode(t *testing.T, addr string, used bool) {
	t.Helper()
	node := redis.NewClient(&redis.Options{Addr: addr})
	defer node.Close()
	if n := node.DBSize(t.Context()).Val(); used && n == 0 {
		t.Errorf("nothing of 8 shards is on %s", addr)
	}
	if err := node.FlushAll(t.Context()).Err(); err != nil {
		t.Fatal(err)
	}
}
