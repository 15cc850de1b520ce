//go:build unix

package embedded_test

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"laurel/internal/harness"
	"laurel/shared/store/table/embedded"
)

// A file that root makes in a server's folder is the server's: of the folder's owner, and private. One that is there
// keeps its owner.
func TestRootsFileIsTheFolderOwners(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	owner := os.Getuid()
	if owner == 0 {
		owner = 4711
		harness.OK(t, os.Chown(folder, owner, owner))
	}
	file := filepath.Join(folder, embedded.File)
	for range 2 {
		store := harness.Must(embedded.Open(folder, time.Now, embedded.Options{}))(t)
		harness.OK(t, store.Close())
		info := harness.Must(os.Stat(file))(t)
		stat, ok := info.Sys().(*syscall.Stat_t)
		if !ok || int(stat.Uid) != owner || info.Mode().Perm() != 0o600 {
			t.Errorf("%s is of %d, %s; want %d", file, stat.Uid, info.Mode(), owner)
		}
		if os.Getuid() == 0 { // as a service that was given another user since
			owner = 4712
			harness.OK(t, os.Chown(file, owner, owner))
		}
	}
}
