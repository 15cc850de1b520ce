package machine

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// Cache is the user's directory for what was brought once and can be brought again.
func Cache() string {
	cache, err := os.UserCacheDir()
	if err != nil {
		cache = filepath.Join(os.TempDir(), fmt.Sprintf("laurel-%d", os.Getuid()))
	}
	return cache
}

// Bring makes a directory that is there whole or not at all: fill puts into a new
// one beside it what belongs there, and then that gets the name. Test binaries run
// side by side: one brings it, the others wait and find it.
func Bring(ctx context.Context, sys System, name, directory string, fill func(dir string) error) (err error) {
	unlock, err := sys.Lock(ctx, name)
	if err != nil {
		return err
	}
	defer unlock()
	if _, err := os.Stat(directory); err == nil {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(directory), 0o750); err != nil {
		return err
	}
	dir, err := os.MkdirTemp(filepath.Dir(directory), name+"-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	if err := fill(dir); err != nil {
		return err
	}
	return os.Rename(dir, directory)
}
