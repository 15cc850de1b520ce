package records

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"laurel/shared/table"
)

var (
	// ErrUnchanged is returned by a change that leaves the item as it is.
	ErrUnchanged = errors.New("records: nothing to change")
	// ErrZone is wrapped if the table is of a forum in another time zone: nothing is written.
	ErrZone = errors.New("records: the table is of another time zone")
	// ErrFormat is wrapped if the table has a format from the future: nothing is written.
	ErrFormat = errors.New("records: the table has a format of a later version")
	// ErrUnused is returned by a change of the head of a table that was never used: see Head.
	ErrUnused = errors.New("records: the table was never used")
)

// BackOff waits a random while before the next attempt after a conflict, longer after each,
// at most a quarter of a second. The error wraps table.ErrUnavailable: the context has ended.
func BackOff(ctx context.Context, attempt int) error {
	most := min(5*time.Millisecond<<min(attempt, 10), 250*time.Millisecond)
	select {
	case <-ctx.Done():
		return fmt.Errorf("records: %w: after conflicts: %w", table.ErrUnavailable, context.Cause(ctx))
	case <-time.After(rand.N(most)):
		return nil
	}
}

// Again does something again after each conflict, a while later, until the context ends. do begins
// with a read.
func Again(ctx context.Context, do func() error) error {
	for attempt := 0; ; attempt++ {
		err := do()
		if !errors.Is(err, table.ErrConflict) {
			return err
		}
		if err := BackOff(ctx, attempt); err != nil {
			return err
		}
	}
}

// wrap says what an error was met in.
func wrap(operation string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("records: %s: %w", operation, err)
}
