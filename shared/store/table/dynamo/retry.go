package dynamo

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"laurel/shared/store/table"
)

// A pace is the number of attempts of a call and the delay between them: twice as long each time, up to most, and
// at random up to half less, so that clients that were throttled together do not retry together.
type pace struct {
	attempts    int
	first, most time.Duration
	patience    time.Duration // timeout of one attempt
}

// steady waits at most 11 seconds in all: if throttling lasts longer, the next run continues.
var steady = pace{attempts: 10, first: 25 * time.Millisecond, most: 5 * time.Second, patience: 10 * time.Second}

// wait waits after so many failures in a row, from 1.
func (p pace) wait(ctx context.Context, failures int) error {
	d := min(p.first<<min(failures-1, 30), p.most)
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d - rand.N(d/2+1)):
		return nil
	}
}

// untilDone calls a batch operation until nothing is left unprocessed, or it made no
// progress p.attempts times in a row.
func (p pace) untilDone(ctx context.Context, call func() (left int, err error)) error {
	before := math.MaxInt
	for failures := 1; ; failures++ {
		left, err := call()
		if err != nil || left == 0 {
			return err
		}
		if left < before {
			failures = 1
		}
		if failures >= p.attempts {
			return fmt.Errorf("%d items unprocessed after %d attempts without progress", left, failures)
		}
		before = left
		if err := p.wait(ctx, failures); err != nil {
			return err
		}
	}
}

// unavailable wraps the error of the last attempt.
func unavailable(operation, item string, err error) error {
	if refused, ok := errors.AsType[*refusal](err); ok && refused.Kind == "ResourceNotFoundException" {
		err = fmt.Errorf("the table is missing: %w", err)
	}
	return fmt.Errorf("%w: %s %s: %w", table.ErrUnavailable, operation, item, err)
}
