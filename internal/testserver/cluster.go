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

// keysAtOnce is how many keys of a slot move at once.
const keysAtOnce = 4

// A Cluster is a Redis cluster of a test's own.
type Cluster struct {
	tb    testing.TB
	nodes []*node
}

type node struct {
	*Server
	client *redis.Client
	id     string
}

// StartCluster starts a cluster of so many masters without replicas, the slots divided evenly
// and in order. It ends with the test. A test asks for it once: a new node takes no writes
// for two seconds. It needs a server of version 7.0 or later.
func StartCluster(tb testing.TB, nodes int) *Cluster {
	tb.Helper()
	c := &Cluster{tb: tb}
	ctx, cancel := context.WithTimeout(tb.Context(), startsWithin)
	defer cancel()
	for i := range nodes {
		n := c.start(ctx)
		c.do(n, "CLUSTER", "ADDSLOTSRANGE", i*slots/nodes, (i+1)*slots/nodes-1)
		c.do(n, "CLUSTER", "SET-CONFIG-EPOCH", i+1) // nodes with one epoch would have to agree on others first
	}
	for i, n := range c.nodes { // so that none has to hear of another by gossip
		host, port, _ := strings.Cut(n.addr, ":")
		for _, other := range c.nodes[:i] {
			c.do(other, "CLUSTER", "MEET", host, port, n.bus)
		}
	}
	for _, n := range c.nodes {
		must(tb, whole(ctx, n.client, nodes))
	}
	return c
}

// Addrs returns the addresses of the nodes, host:port.
func (c *Cluster) Addrs() (all []string) {
	for _, n := range c.nodes {
		all = append(all, n.addr)
	}
	return all
}

// URL returns the address of the cluster for redisview.Dial.
func (c *Cluster) URL() string {
	return "redis://" + strings.Replace(strings.Join(c.Addrs(), "&addr="), "&", "?", 1)
}

func (c *Cluster) start(ctx context.Context) *node {
	c.tb.Helper()
	server, err := startRedis(ctx, true)
	must(c.tb, err)
	c.tb.Cleanup(server.Stop)
	n := &node{Server: server, client: connect(c.tb, server.Options())}
	n.id, err = n.client.ClusterMyID(ctx).Result()
	must(c.tb, err)
	c.nodes = append(c.nodes, n)
	return n
}

func (c *Cluster) do(n *node, command ...any) {
	c.tb.Helper()
	must(c.tb, n.client.Do(c.tb.Context(), command...).Err())
}

// Owner returns the slot of a key, and the master that has it, unless it was moved.
func (c *Cluster) Owner(key string) (slot, master int) {
	c.tb.Helper()
	n, err := c.nodes[0].client.ClusterKeySlot(c.tb.Context(), key).Result()
	must(c.tb, err)
	for slot = int(n); (master+1)*slots/len(c.nodes) <= slot; {
		master++
	}
	return slot, master
}

// Move moves the slot of a key to another master while it is used, a few keys at a time, with
// a pause between them.
func (c *Cluster) Move(key string, node int, pause time.Duration) {
	c.tb.Helper()
	slot, owner := c.Owner(key)
	ctx, source, target := c.tb.Context(), c.nodes[owner], c.nodes[node]
	c.do(target, "CLUSTER", "SETSLOT", slot, "IMPORTING", source.id)
	c.do(source, "CLUSTER", "SETSLOT", slot, "MIGRATING", target.id)
	host, port, _ := strings.Cut(target.addr, ":")
	for {
		keys, err := source.client.ClusterGetKeysInSlot(ctx, slot, keysAtOnce).Result()
		must(c.tb, err)
		if len(keys) == 0 {
			break
		}
		command := []any{"MIGRATE", host, port, "", 0, startsWithin.Milliseconds(), "KEYS"}
		for _, key := range keys {
			command = append(command, key)
		}
		c.do(source, command...)
		time.Sleep(pause)
	}
	c.do(target, "CLUSTER", "SETSLOT", slot, "NODE", target.id)
	c.do(source, "CLUSTER", "SETSLOT", slot, "NODE", target.id)
}

// whole waits until a node sees all the others, each a master with slots, and every slot served.
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
