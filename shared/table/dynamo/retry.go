package dynamo

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/ratelimit"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go/middleware"

	"laurel/shared/table"
)

// A pace is the number of attempts of a call and the delay between them: twice as long
// each time, up to most, and at random up to half less, so that clients that were
// throttled together do not retry together.
type pace struct {
	attempts    int
	first, most time.Duration
	patience    time.Duration // timeout of one attempt
}

// steady waits at most 11 seconds in all: if throttling lasts longer, the next run
// continues.
var steady = pace{attempts: 10, first: 25 * time.Millisecond, most: 5 * time.Second, patience: 10 * time.Second}

// delay returns the time to wait after so many failures in a row, from 1.
func (p pace) delay(failures int) time.Duration {
	d := p.most
	if shift := max(failures-1, 0); shift < 30 {
		d = min(p.first<<shift, p.most)
	}
	return d - rand.N(d/2+1)
}

func (p pace) wait(ctx context.Context, failures int) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(p.delay(failures)):
		return nil
	}
}

// untilDone calls a batch operation until nothing is left unprocessed, or it made no
// progress p.attempts times in a row.
func (p pace) untilDone(ctx context.Context, call func() (left int, err error)) error {
	before, failures := 0, 0
	for {
		left, err := call()
		if err != nil || left == 0 {
			return err
		}
		if left < before || before == 0 {
			failures = 0
		}
		failures++
		if failures >= p.attempts {
			return fmt.Errorf("%d items unprocessed after %d attempts without progress", left, failures)
		}
		before = left
		if err := p.wait(ctx, failures); err != nil {
			return err
		}
	}
}

// retryer returns the SDK's with the pace. Its quota, which ends retries after many
// failures, is off: a long run is often throttled, and attempts are limited.
func (p pace) retryer() aws.Retryer {
	return retry.NewStandard(func(o *retry.StandardOptions) {
		o.MaxAttempts, o.MaxBackoff = p.attempts, p.most
		o.Backoff = retry.BackoffDelayerFunc(func(n int, _ error) (time.Duration, error) { return p.delay(n), nil })
		o.RateLimiter = ratelimit.None
	})
}

// settings sets the options of every call.
func (s *Store) settings(o *dynamodb.Options) {
	o.Retryer = s.retryer
	o.APIOptions = append(slices.Clone(o.APIOptions), func(stack *middleware.Stack) error {
		return stack.Finalize.Insert(attempt(s.pace.patience), "Retry", middleware.After)
	})
}

// attempt limits the time of one attempt, so that a silent connection is closed while
// there is time for another attempt.
func attempt(patience time.Duration) middleware.FinalizeMiddleware {
	return middleware.FinalizeMiddlewareFunc("AttemptTimeout", func(
		ctx context.Context, in middleware.FinalizeInput, next middleware.FinalizeHandler,
	) (middleware.FinalizeOutput, middleware.Metadata, error) {
		bounded, cancel := context.WithTimeout(ctx, patience)
		defer cancel()
		out, metadata, err := next.HandleFinalize(bounded, in)
		if err != nil && bounded.Err() != nil && ctx.Err() == nil {
			// Not wrapped: the SDK would take it for the caller's own deadline.
			err = silentError(patience)
		}
		return out, metadata, err
	})
}

// silentError is the error of an attempt without an answer; the retryer recognizes it by
// Timeout.
type silentError time.Duration

func (e silentError) Error() string { return fmt.Sprintf("no answer within %s", time.Duration(e)) }

// Timeout returns true: the attempt can be repeated.
func (silentError) Timeout() bool { return true }

// unavailable wraps the error of the last attempt.
func unavailable(operation, item string, err error) error {
	if _, ok := errors.AsType[*types.ResourceNotFoundException](err); ok {
		err = fmt.Errorf("the table is missing: %w", err)
	}
	return fmt.Errorf("%w: %s %s: %w", table.ErrUnavailable, operation, item, err)
}
