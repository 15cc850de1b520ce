package redisstore_test

import (
	"context"
	"errors"
	"testing"

	"github.com/redis/go-redis/v9"

	"laurel/internal/testserver"
	"laurel/shared/redisstore"
)

// noScan fails to list keys.
type noScan struct{ redis.Hook }

var errNoScan = errors.New("no scan")

// DialHook changes nothing.
func (noScan) DialHook(next redis.DialHook) redis.DialHook { return next }

// ProcessPipelineHook changes nothing.
func (noScan) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return next
}

// ProcessHook fails for SCAN.
func (noScan) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		if cmd.Name() == "scan" {
			cmd.SetErr(errNoScan)
			return errNoScan
		}
		return next(ctx, cmd)
	}
}

// A store that is being removed has no stamp any more, in any number of shards: nothing is
// read of what is left, and nothing is committed.
func TestTheStampsAreRemovedFirst(t *testing.T) {
	t.Parallel()
	client := testserver.Redis(t)
	stamp := redisstore.Stamp{Format: redisstore.Format, Shards: 5, Zone: "UTC", Generation: 7}
	former := redisstore.New(client, 5)
	if err := former.WriteStamp(t.Context(), stamp); err != nil {
		t.Fatal(err)
	}
	client.AddHook(noScan{})
	if err := redisstore.New(client, 2).RemoveAll(t.Context()); !errors.Is(err, errNoScan) {
		t.Fatal(err)
	}
	if lost, err := former.Lacking(t.Context(), stamp); err != nil || len(lost.Shards) != 5 || !lost.Articles {
		t.Errorf("%+v, %v", lost, err)
	}
}
