package localserver

import (
	"context"
	"sync"
	"time"
)

// Every does some work now and then at an interval, or again soon after it has failed, in its own
// goroutine, until the context ends or stop is called. stop waits for work that is under way, whose
// context is cancelled.
func Every(ctx context.Context, interval, again time.Duration, work func(context.Context) error) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	var working sync.WaitGroup
	working.Go(func() {
		for ctx.Err() == nil {
			wait := interval
			if work(ctx) != nil {
				wait = min(interval, again)
			}
			select {
			case <-ctx.Done():
			case <-time.After(wait):
			}
		}
	})
	return func() {
		cancel()
		working.Wait()
	}
}
