package machine_test

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"laurel/internal/machine"
)

func TestALockIsOnesAlone(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	var held, total atomic.Int32 // atomic, as the race detector does not know this kind of lock
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 50 {
				unlock, err := machine.Lock(t.Context(), "test")
				if err != nil {
					t.Error(err)
					return
				}
				if n := held.Add(1); n != 1 {
					t.Errorf("%d hold it", n)
				}
				total.Add(1)
				held.Add(-1)
				unlock()
			}
		})
	}
	all.Wait()
	if n := total.Load(); n != 400 {
		t.Errorf("it was held %d times", n)
	}
	if left, err := os.ReadDir(os.TempDir()); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

func TestWaitingForALockCanBeGivenUp(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	unlock, err := machine.Lock(t.Context(), "test")
	if err != nil {
		t.Fatal(err)
	}
	defer unlock()
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := machine.Lock(ctx, "test"); err == nil {
		t.Error("two hold it")
	}
	if _, free, err := machine.TryLock("test"); free || err != nil {
		t.Errorf("free %v, %v", free, err)
	}
}

func TestBringFillsADirectoryOnce(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	directory := filepath.Join(t.TempDir(), "cache", "thing")
	filled := 0
	for range 2 {
		err := machine.Bring(t.Context(), machine.Here{}, "thing", directory, func(dir string) error {
			filled++
			return os.WriteFile(filepath.Join(dir, "file"), nil, 0o600)
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if _, err := os.Stat(filepath.Join(directory, "file")); err != nil || filled != 1 {
		t.Errorf("filled %d times, %v", filled, err)
	}
}
