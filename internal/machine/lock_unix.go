//go:build unix

package machine

import (
	"errors"
	"os"
	"syscall"
)

func lockFile(file *os.File) (free bool, err error) {
	for {
		err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		switch {
		case err == nil:
			return true, nil
		case errors.Is(err, syscall.EWOULDBLOCK):
			return false, nil
		case !errors.Is(err, syscall.EINTR):
			return false, os.NewSyscallError("flock", err)
		}
	}
}
