package laurel

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strconv"
	"time"
)

// The waits before the second and any later try, where the answer does not say more: twice as long each time.
const (
	firstWait = 200 * time.Millisecond
	lastWait  = 5 * time.Second
)

// wait returns how long to wait before a request is sent again, and whether it is to be: after what may pass,
// within the tries, and if the deadline leaves the time.
func (c *Client) wait(ctx context.Context, err error, try int) (wait time.Duration, again bool) {
	if try >= c.Tries || ctx.Err() != nil || errors.Is(err, errUnsent) {
		return 0, false
	}
	if p, ok := errors.AsType[*Problem](err); ok {
		if !mayPass(p.Status) || p.RetryAfter > c.MaxWait {
			return 0, false
		}
		wait = p.RetryAfter
	}
	wait += backoff(try)
	if deadline, ok := ctx.Deadline(); ok && time.Until(deadline) < wait {
		return 0, false
	}
	return wait, true
}

// mayPass says whether the same request may be answered otherwise a moment later.
func mayPass(status int) bool {
	switch status {
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return true
	default:
		return false
	}
}

// backoff is a wait with jitter, from half of it on, so that clients that failed together do not come together again.
func backoff(try int) time.Duration {
	most := firstWait
	for range try - 1 {
		most = min(2*most, lastWait)
	}
	return most/2 + rand.N(most/2)
}

// sleep waits, and returns the context's error and why it waited if the context ends first.
func sleep(ctx context.Context, wait time.Duration, why error) error {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("%w; before: %w", ctx.Err(), why)
	}
}

// retryAfter reads the header Retry-After: seconds, or a moment, which proxies send. It is 0 for none.
func retryAfter(header http.Header) time.Duration {
	text := header.Get("Retry-After")
	if seconds, err := strconv.Atoi(text); err == nil {
		return time.Duration(max(seconds, 0)) * time.Second
	}
	moment, err := http.ParseTime(text)
	if err != nil {
		return 0
	}
	return max(time.Until(moment), 0)
}
