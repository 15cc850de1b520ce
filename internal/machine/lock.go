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
func TryLock(name string) (unlock func(), free bool, err error) {
	path := filepath.Join(os.TempDir(), fmt.Sprintf("laurel-%d-%s.lock", os.Getuid(), name))
	file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, false, fmt.Errorf("lock %s: %w", name, err)
	}
	free, err = lockFile(file)
	if err != nil || !free {
		return nil, false, errors.Join(err, file.Close())
	}
	return func() { _ = file.Close() }, true, nil
}
