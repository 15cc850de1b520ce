package nightly_test

import (
	"errors"
	"fmt"
	"testing"

	"laurel/shared/archive"
	"laurel/shared/nightly"
	"laurel/shared/redisstore"
)

// Promise 5: a run that stopped at any call and a second run leave every entry exactly
// once, the same bytes in the archive as without a crash, and no final entry in Redis; the
// boards are complete and readable throughout.
func TestPromise5NothingIsLost(t *testing.T) {
	t.Parallel()
	for _, shards := range []int{1, 2} {
		for _, how := range ways {
			t.Run(fmt.Sprintf("%d shards, %s", shards, how), func(t *testing.T) {
				t.Parallel()
				crashEverywhere(t, shards, how)
			})
		}
	}
}

func crashEverywhere(t *testing.T, shards int, how string) {
	t.Helper()
	f, now := open(t, shards), at(t, "2027-02-10T03:00")
	f.fill(t)
	periods := f.periods(t)
	boards := f.boards(t, periods)
	f.run(t, now)
	bytes := f.dump(t, periods)
	if len(boards) < 6 || len(bytes) < 3*len(boards) {
		t.Fatalf("%d boards and %d items are no forum", len(boards), len(bytes))
	}
	for n := 1; ; n++ {
		if err := f.client.FlushDB(t.Context()).Err(); err != nil {
			t.Fatal(err)
		}
		f.kept = memory(t)
		f.fill(t)
		c := &crash{at: n, how: how}
		result, err := nightly.Run(t.Context(), f.crashing(t, c, shards).options(now))
		if err == nil {
			if c.calls >= n {
				t.Fatalf("a crash at call %d went unnoticed: %+v", n, result)
			}
			if n < 50 {
				t.Fatalf("a run has only %d calls", n)
			}
			return // there are no more calls
		}
		if !errors.Is(err, errCrash) {
			t.Fatalf("crash at call %d: %v", n, err)
		}
		equal(t, fmt.Sprintf("boards after a crash at call %d", n), boards, f.boards(t, periods))
		again := f.run(t, now)
		if len(again.Left)+len(again.Failed) > 0 {
			t.Fatalf("the run after a crash at call %d: %+v", n, again)
		}
		equal(t, fmt.Sprintf("boards after call %d and a second run", n), boards, f.boards(t, periods))
		equal(t, fmt.Sprintf("bytes after call %d and a second run", n), bytes, f.dump(t, periods))
		if f.onlyClosed(t); t.Failed() {
			t.Fatalf("after a crash at call %d and a second run", n)
		}
	}
}

// A restore that stopped at any call loses nothing, with or without a run in between. The
// next restore completes it, and the run after that writes the same bytes.
func TestRestoreStoppedAnywhere(t *testing.T) {
	t.Parallel()
	for _, how := range ways {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			restoreEverywhere(t, how)
		})
	}
}

func restoreEverywhere(t *testing.T, how string) {
	t.Helper()
	f, now, day := open(t, 2), at(t, "2026-12-10T03:00"), period(t, "2026-11-19")
	f.fill(t)
	periods := f.periods(t)
	boards := f.boards(t, periods)
	f.run(t, now)
	bytes := f.dump(t, periods)
	for n := 1; ; n++ {
		c := &crash{at: n, how: how}
		broken := f.crashing(t, c, 2)
		_, err := nightly.Restore(t.Context(), broken.store, archive.New(c), "activity", day)
		if err == nil {
			if c.calls >= n || n < 10 {
				t.Fatalf("a crash at call %d of %d went unnoticed", n, c.calls)
			}
			return
		}
		if !errors.Is(err, errCrash) {
			t.Fatalf("crash at call %d: %v", n, err)
		}
		equal(t, fmt.Sprintf("boards after a crash at call %d", n), boards, f.boards(t, periods))
		if n%2 == 0 {
			if _, err := nightly.Run(t.Context(), f.options(now)); err != nil && !errors.Is(err, redisstore.ErrRestoring) {
				t.Fatalf("a run after call %d: %v", n, err)
			}
			equal(t, fmt.Sprintf("boards after call %d and a run", n), boards, f.boards(t, periods))
		}
		_, err = nightly.Restore(t.Context(), f.store, archive.New(f.kept), "activity", day)
		if err != nil && !errors.Is(err, archive.ErrNotFinal) { // the crash came after the end
			t.Fatalf("the restore after call %d: %v", n, err)
		}
		if _, err := archive.New(f.kept).Manifest(t.Context(), "activity", day); !errors.Is(err, archive.ErrNotFinal) {
			t.Fatalf("after call %d the archive has it still: %v", n, err)
		}
		equal(t, fmt.Sprintf("boards after call %d and a restore", n), boards, f.boards(t, periods))
		f.run(t, now)
		equal(t, fmt.Sprintf("bytes after call %d, a restore and a run", n), bytes, f.dump(t, periods))
	}
}
