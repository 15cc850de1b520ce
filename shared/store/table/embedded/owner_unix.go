//go:build unix

package embedded

import (
	"os"
	"path/filepath"
	"syscall"
)

// giveToFolder gives a new file of root's to the owner of its folder, whose server has to open it.
func giveToFolder(path string) error {
	info, err := os.Stat(filepath.Dir(path))
	if err != nil || os.Geteuid() != 0 {
		return err
	}
	if owner, ok := info.Sys().(*syscall.Stat_t); ok && owner.Uid != 0 {
		return os.Chown(path, int(owner.Uid), int(owner.Gid))
	}
	return nil
}
