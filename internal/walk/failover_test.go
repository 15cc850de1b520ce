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
	fails int // the call at which Redis becomes the replica; 0: none
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
	r.calls, r.at, r.keys, r.dumps, r.fails = 0, at, nil, nil, 0
}

// failAt has the replica take over before a call from now on, the first of which is 1.
func (r *replica) failAt(at int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.calls, r.at, r.fails = 0, 0, at
}

// call counts a call.
func (r *replica) call(ctx context.Context) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.calls++; r.fails > 0 && r.calls == r.fails {
		return r.become(ctx, redisstore.KeyPrefix)
	}
	if r.at == 0 || r.calls != r.at {
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
	if err := r.become(t.Context(), prefix); err != nil {
		t.Fatal(err)
	}
	return true
}

// become has Redis have what the replica has of the keys with a prefix.
func (r *replica) become(ctx context.Context, prefix string) error {
	if err := removeKeys(ctx, r.client, prefix); err != nil {
		return err
	}
	pipe := r.client.Pipeline()
	for i, key := range r.keys {
		if strings.HasPrefix(key, prefix) {
			pipe.Restore(ctx, key, 0, r.dumps[i])
		}
	}
	_, err := pipe.Exec(ctx)
	return err
}

// remove removes the keys with a prefix.
func remove(t *testing.T, client *redis.Client, prefix string) {
	t.Helper()
	if err := removeKeys(t.Context(), client, prefix); err != nil {
		t.Fatal(err)
	}
}

func removeKeys(ctx context.Context, client *redis.Client, prefix string) error {
	keys, err := client.Keys(ctx, prefix+"*").Result()
	if err == nil && len(keys) > 0 {
		err = client.Del(ctx, keys...).Err()
	}
	return err
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
