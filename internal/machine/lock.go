package machine

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// Lock waits until this process alone holds the name among the user's processes
// on this machine, and returns what gives it back; the end of the process does too.
func Lock(ctx context.Context, name string) (unlock func(), err error) {
	for {
		unlock, free, err := TryLock(name)
		if free || err != nil {
			return unlock, err
		}
		// A lock that blocks could not be given up.
		select {
		case <-ctx.Done():
			return nil, fmt.Errorf("lock %s: %w", name, ctx.Err())
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// TryLock is Lock without the wait: free is false when another holds the name.
//
// The name is a file's that goes with the lock. So whoever has locked a file looks
// whether it still has the name: if not, the one before has just removed it.
func TryLock(name string) (unlock func(), free bool, err error) {
	path := filepath.Join(os.TempDir(), fmt.Sprintf("laurel-%d-%s.lock", os.Getuid(), name))
	file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, false, fmt.Errorf("lock %s: %w", name, err)
	}
	free, err = lockFile(file)
	if err == nil && free {
		free, err = named(file, path)
	}
	if err != nil || !free {
		return nil, false, errors.Join(err, file.Close())
	}
	return func() { _ = errors.Join(os.Remove(path), file.Close()) }, true, nil
}

// named says whether it is this file that has the path.
func named(file *os.File, path string) (bool, error) {
	mine, err := file.Stat()
	if err != nil {
		return false, err
	}
	there, err := os.Stat(path)
	if errors.Is(err, os.ErrNotExist) {
		return false, nil
	}
	return err == nil && os.SameFile(mine, there), err
}
