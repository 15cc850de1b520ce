package harness

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/redis/go-redis/v9"

	"laurel/internal/testserver"
	"laurel/shared/live"
)

// A Tape keeps the arguments of the scripts that a client has run.
type Tape struct {
	mu    sync.Mutex
	calls [][]any
}

// DialHook leaves connections alone.
func (*Tape) DialHook(next redis.DialHook) redis.DialHook { return next }

// ProcessHook leaves single commands alone.
func (*Tape) ProcessHook(next redis.ProcessHook) redis.ProcessHook { return next }

// ProcessPipelineHook keeps the scripts of a pipeline.
func (p *Tape) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return func(ctx context.Context, cmds []redis.Cmder) error {
		err := next(ctx, cmds)
		p.mu.Lock()
		defer p.mu.Unlock()
		for _, c := range cmds {
			if strings.HasPrefix(c.Name(), "evalsha") && c.Err() == nil {
				p.calls = append(p.calls, valuesOf(c.Args()))
			}
		}
		return err
	}
}

// valuesOf returns arguments, and texts in place of pointers to them.
func valuesOf(args []any) []any {
	values := slices.Clone(args)
	for i, a := range values {
		if text, ok := a.(*string); ok {
			values[i] = *text
		}
	}
	return values
}

// Take returns what was kept since it was called last.
func (p *Tape) Take() [][]any {
	p.mu.Lock()
	defer p.mu.Unlock()
	calls := p.calls
	p.calls = nil
	return calls
}

// Taped is a store whose scripts are known to the server, and the tape of them.
func Taped(t *testing.T) (*live.Store, *redis.Client, *Tape) {
	t.Helper()
	client, p := testserver.Redis(t), &Tape{}
	store := live.New(client, UTC(), 1)
	TeachScripts(t, store)
	if err := store.ClosePeriod(t.Context(), "activity", Period(t, "2001-01-01")); err != nil {
		t.Fatal(err)
	}
	client.AddHook(p)
	return store, client, p
}
