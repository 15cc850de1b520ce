package redisview

import (
	"context"
	"errors"
	"strings"
	"sync"

	"github.com/redis/go-redis/v9"
)

// Eviction returns the policy by which a full Redis throws away the view's keys, such as allkeys-lru; "" if it throws
// away none. Policies named volatile-... take only keys with a time to live, which no key of the view has. It fails
// where the server does not tell: a managed one may refuse INFO.
func (s *Store) Eviction(ctx context.Context) (policy string, err error) {
	var mu sync.Mutex
	ask := func(ctx context.Context, node redis.UniversalClient) error {
		text, err := node.Info(ctx, "memory").Result()
		if err != nil {
			return err
		}
		_, after, found := strings.Cut(text, "\nmaxmemory_policy:")
		if !found {
			return errors.New("view: the server does not tell maxmemory_policy")
		}
		name, _, _ := strings.Cut(after, "\r")
		if mu.Lock(); strings.HasPrefix(name, "allkeys-") {
			policy = name
		}
		mu.Unlock()
		return nil
	}
	if cluster, ok := s.client.(*redis.ClusterClient); ok {
		err = cluster.ForEachMaster(ctx, func(ctx context.Context, node *redis.Client) error { return ask(ctx, node) })
		return policy, err
	}
	return policy, ask(ctx, s.client)
}
