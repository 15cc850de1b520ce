package articles_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"laurel/internal/harness"
	"laurel/internal/testserver"
	"laurel/shared/live"
	"laurel/shared/redisstore"
)

// On a cluster each script's keys are in one slot; votes and points, which lie on
// several nodes, are recorded side by side.
func TestArticlesOnACluster(t *testing.T) {
	t.Parallel()
	nodes := testserver.RedisCluster(t, 3)
	client, err := redisstore.Dial(fmt.Sprintf("redis://%s?addr=%s", nodes[0], strings.Join(nodes[1:], "&addr=")), true)
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	busySite(t, rand.New(rand.NewPCG(3, 73)),
		[]*live.Store{live.New(client, harness.UTC(), 8), live.New(client, harness.UTC(), 8)}, 1_500)
}
