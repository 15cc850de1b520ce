package testserver

import (
	"context"
	"fmt"
	"net"
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
	servers, addrs := make([]*Server, nodes), make([]string, nodes)
	for i := range servers {
		server, err := startRedis(tb.Context(), true, nil)
		if err != nil {
			fail(tb, err)
		}
		tb.Cleanup(server.Stop)
		servers[i], addrs[i] = server, server.addr
	}
	ctx, cancel := context.WithTimeout(tb.Context(), 30*time.Second)
	defer cancel()
	if err := join(ctx, servers); err != nil {
		tb.Fatalf("start a cluster: %v", err)
	}
	return addrs
}

// join makes a cluster of servers and waits until every node sees it whole.
func join(ctx context.Context, nodes []*Server) error {
	clients := make([]*redis.Client, len(nodes))
	for i, node := range nodes {
		clients[i] = redis.NewClient(node.Options())
	}
	defer func() {
		for _, client := range clients {
			_ = client.Close()
		}
	}()
	for i := range clients {
		first, last := i*slots/len(nodes), (i+1)*slots/len(nodes)-1
		if err := clients[i].ClusterAddSlotsRange(ctx, first, last).Err(); err != nil {
			return err
		}
		// Nodes that start with the same epoch would have to agree on another first.
		if err := clients[i].Do(ctx, "CLUSTER", "SET-CONFIG-EPOCH", i+1).Err(); err != nil {
			return err
		}
	}
	// Each node meets each, so that none has to hear of another by gossip.
	for i, client := range clients {
		for _, other := range nodes[i+1:] {
			host, port, err := net.SplitHostPort(other.addr)
			if err != nil {
				return err
			}
			if err := client.Do(ctx, "CLUSTER", "MEET", host, port, other.bus).Err(); err != nil {
				return err
			}
		}
	}
	for _, client := range clients {
		if err := whole(ctx, client, len(nodes)); err != nil {
			return err
		}
	}
	return nil
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
