package nightly_test

import (
	"errors"
	"fmt"
	"testing"

	"laurel/internal/harness"
	"laurel/internal/testserver"
	"laurel/shared/board"
	"laurel/shared/nightly"
)

// crashEverywhere does something with a crash at every step-th call, in each way, until it
// has no more calls. After each crash the boards are complete, and
// after the calls of after the archive has the same bytes as after a run alone.
func crashEverywhere(t *testing.T, shards, step, atLeast int, now board.Moment,
	do func(*testing.T, *stores, *harness.Crash) error, after func(t *testing.T, f *stores, n int),
) {
	t.Helper()
	for _, how := range []string{harness.Before, harness.Half, harness.After} {
		t.Run(fmt.Sprintf("%d shards, %s", shards, how), func(t *testing.T) {
			t.Parallel()
			f := openFilled(t, shards)
			f.run(t, now)
			bytes := f.dump(t, f.periods...)
			if len(f.filled) < 6 || len(bytes) < 2*len(f.filled) {
				t.Fatalf("only %d boards and %d items", len(f.filled), len(bytes))
			}
			for n := 1 + shards%step; ; n += step {
				c := &harness.Crash{At: n, How: how}
				err := do(t, f, c)
				if err == nil && c.Calls() < n && n >= atLeast {
					return
				}
				if !errors.Is(err, harness.ErrCrash) {
					t.Fatalf("crash at call %d of %d: %v", n, c.Calls(), err)
				}
				f.sameBoards(t, fmt.Sprint("after a crash at call ", n))
				after(t, f, n)
				equal(t, fmt.Sprintf("bytes after call %d, and a run", n), bytes, f.dump(t, f.periods...))
				if t.Failed() {
					t.Fatalf("after a crash at call %d", n)
				}
			}
		})
	}
}

// Promise 5: a run that stopped at any call and a second run leave every entry exactly
// once, the same bytes in the archive as without a crash, and no final entry in Redis; the
// boards are complete and readable throughout.
func TestPromise5NothingIsLost(t *testing.T) {
	t.Parallel()
	now := at(t, "2027-02-10T03:00")
	for _, shards := range []int{1, 2} { // of two steps, the even calls with one shard and the odd ones with two
		crashEverywhere(t, shards, testserver.Step(2, 1), 50, now, func(t *testing.T, f *stores, c *harness.Crash) error {
			t.Helper()
			f.again(t)
			_, err := nightly.Run(t.Context(), f.Crashing(t, c).Night(now))
			return err
		}, func(t *testing.T, f *stores, n int) {
			t.Helper()
			if again := f.run(t, now); len(again.Left) > 0 {
				t.Errorf("%+v", again)
			}
			f.sameBoards(t, fmt.Sprintf("after call %d and a second run", n))
			f.onlyClosed(t)
		})
	}
}
