package localserver

import (
	"context"
	"sync"
	"time"
)

// Every does some work now and then at an interval, in its own goroutine, until the
// context ends or stop is called. stop waits for work that is under way, whose
// context is cancelled.
func Every(ctx context.Context, interval time.Duration, work func(context.Context)) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	var working sync.WaitGroup
	working.Go(func() {
		ticks := time.NewTicker(interval)
		defer ticks.Stop()
		for ctx.Err() == nil {
			work(ctx)
			select {
			case <-ctx.Done():
			case <-ticks.C:
			}
		}
	})
	return func() {
		cancel()
		working.Wait()
	}
}
