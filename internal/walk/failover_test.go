package walk_test

import (
	"context"
	"strings"
	"sync"
	"testing"

	"github.com/redis/go-redis/v9"

	"laurel/shared/redisstore"
)

// A replica is what a failover leaves of a Redis: all that was there before the at-th call of
// a client that it is a hook of.
type replica struct {
	client *redis.Client // without the hook

	mu    sync.Mutex
	calls int
	at    int // 0: nothing is copied
	keys  []string
	dumps []string
}

// copyAll has Redis return all keys with their values, at one moment.
var copyAll = redis.NewScript(`
local all = {}
for _, key in ipairs(redis.call('KEYS', ARGV[1])) do
  all[#all + 1] = key
  all[#all + 1] = redis.call('DUMP', key)
end
return all`)

// copyBefore has the replica end before a call from now on, the first of which is 1.
func (r *replica) copyBefore(at int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.calls, r.at, r.keys, r.dumps = 0, at, nil, nil
}

// call counts a call.
func (r *replica) call(ctx context.Context) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.calls++; r.at == 0 || r.calls != r.at {
		return nil
	}
	all, err := copyAll.Run(ctx, r.client, nil, redisstore.KeyPrefix+"*").StringSlice()
	for i := 0; i < len(all); i += 2 {
		r.keys, r.dumps = append(r.keys, all[i]), append(r.dumps, all[i+1])
	}
	return err
}

// takeOver has Redis have what the replica has of the keys with a prefix. It says whether
// the replica ends before now.
func (r *replica) takeOver(t *testing.T, prefix string) bool {
	t.Helper()
	defer r.copyBefore(0)
	if r.at == 0 || r.calls < r.at {
		return false
	}
	remove(t, r.client, prefix)
	pipe := r.client.Pipeline()
	for i, key := range r.keys {
		if strings.HasPrefix(key, prefix) {
			pipe.Restore(t.Context(), key, 0, r.dumps[i])
		}
	}
	if _, err := pipe.Exec(t.Context()); err != nil && pipe.Len() > 0 {
		t.Fatal(err)
	}
	return true
}

// remove removes the keys with a prefix.
func remove(t *testing.T, client *redis.Client, prefix string) {
	t.Helper()
	keys, err := client.Keys(t.Context(), prefix+"*").Result()
	if err == nil && len(keys) > 0 {
		err = client.Del(t.Context(), keys...).Err()
	}
	if err != nil {
		t.Fatal(err)
	}
}

// DialHook implements redis.Hook.
func (*replica) DialHook(next redis.DialHook) redis.DialHook { return next }

// ProcessHook implements redis.Hook.
func (r *replica) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		if err := r.call(ctx); err != nil {
			return err
		}
		return next(ctx, cmd)
	}
}

// ProcessPipelineHook implements redis.Hook.
func (r *replica) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return func(ctx context.Context, cmds []redis.Cmder) error {
		if err := r.call(ctx); err != nil {
			return err
		}
		return next(ctx, cmds)
	}
}
