package testserver

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
)

// slots is how many slots a cluster divides its keys into.
const slots = 16384

// RedisCluster starts a cluster of so many masters without replicas, the slots
// divided evenly and in order, and returns their addresses, host:port. It ends with
// the test. A test asks for it once: a new node takes no writes for two seconds. It
// needs a server of version 7.0 or later.
func RedisCluster(tb testing.TB, nodes int) []string {
	tb.Helper()
	addrs := make([]string, nodes)
	clients := make([]*redis.Client, nodes)
	ctx, cancel := context.WithTimeout(tb.Context(), startsWithin)
	defer cancel()
	do := func(client *redis.Client, command ...any) {
		tb.Helper()
		must(tb, client.Do(ctx, command...).Err())
	}
	var buses []string
	for i := range nodes {
		server, err := startRedis(ctx, true, nil)
		must(tb, err)
		tb.Cleanup(server.Stop)
		addrs[i], clients[i], buses = server.addr, connect(tb, server.Options()), append(buses, server.bus)
		do(clients[i], "CLUSTER", "ADDSLOTSRANGE", i*slots/nodes, (i+1)*slots/nodes-1)
		do(clients[i], "CLUSTER", "SET-CONFIG-EPOCH", i+1) // nodes with one epoch would have to agree on others first
	}
	for i, client := range clients { // each meets each, so that none has to hear of another by gossip
		for j := i + 1; j < nodes; j++ {
			host, port, _ := strings.Cut(addrs[j], ":")
			do(client, "CLUSTER", "MEET", host, port, buses[j])
		}
	}
	for _, client := range clients {
		must(tb, whole(ctx, client, nodes))
	}
	return addrs
}

// whole waits until a node sees all the others and every slot served.
func whole(ctx context.Context, client *redis.Client, nodes int) error {
	want := []string{
		"cluster_state:ok", "cluster_slots_ok:" + strconv.Itoa(slots),
		"cluster_known_nodes:" + strconv.Itoa(nodes), "cluster_size:" + strconv.Itoa(nodes),
	}
	for {
		info, err := client.ClusterInfo(ctx).Result()
		if err != nil {
			return err
		}
		missing := ""
		for _, line := range want {
			if !strings.Contains(info, line+"\r\n") {
				missing = line
			}
		}
		if missing == "" {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("%s has no %s: %w", client, missing, ctx.Err())
		case <-time.After(20 * time.Millisecond):
		}
	}
}
