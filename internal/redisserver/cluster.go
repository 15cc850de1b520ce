package redisserver

import (
	"context"
	"fmt"
	"net"
	"strconv"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"
)

// slots is how many slots a cluster divides its keys into.
const slots = 16384

// StartCluster starts a cluster of n masters without replicas, the slots divided
// evenly and in order, and waits until every node says that the cluster is whole.
// That takes some two seconds: a new node waits so long before it takes writes.
// It needs a server of version 7.0 or later.
func (s *Source) StartCluster(ctx context.Context, n int) ([]*Server, error) {
	if n < 1 {
		return nil, fmt.Errorf("a cluster of %d nodes", n)
	}
	nodes, err := s.start(ctx, n, true, nil)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, startsWithin)
	defer cancel()
	if err := join(ctx, nodes); err != nil {
		for _, node := range nodes {
			node.Stop()
		}
		return nil, fmt.Errorf("start a cluster of %s: %w", s, err)
	}
	return nodes, nil
}

func join(ctx context.Context, nodes []*Server) error {
	clients := make([]*redis.Client, len(nodes))
	for i, node := range nodes {
		clients[i] = redis.NewClient(Options(node.addr))
	}
	defer func() {
		for _, client := range clients {
			_ = client.Close()
		}
	}()
	for i, client := range clients {
		first, last := i*slots/len(nodes), (i+1)*slots/len(nodes)-1
		if err := client.ClusterAddSlotsRange(ctx, first, last).Err(); err != nil {
			return err
		}
		// Nodes that start with the same epoch would have to settle it first.
		if err := client.Do(ctx, "CLUSTER", "SET-CONFIG-EPOCH", i+1).Err(); err != nil {
			return err
		}
	}
	// Each meets each, so that none has to hear of another by gossip.
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
