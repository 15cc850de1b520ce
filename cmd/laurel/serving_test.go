package main

import (
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"

	"laurel/internal/harness"
)

// systemd goes on with what follows a start when operators' commands reach the server.
func TestServeTellsSystemdWhenItIsReady(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	socket, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: filepath.Join(folder, "notify"), Net: "unixgram"})
	harness.OK(t, err)
	defer socket.Close()
	start(t, folder, append(os.Environ(), "NOTIFY_SOCKET="+filepath.Join(folder, "notify")), "serve", "--data", ".")
	harness.OK(t, socket.SetReadDeadline(time.Now().Add(30*time.Second)))
	said := make([]byte, 100)
	n, err := socket.Read(said)
	if err != nil || string(said[:n]) != "READY=1" {
		t.Errorf("it says %q: %v", said[:n], err)
	}
	if _, err := os.Stat(filepath.Join(folder, socketName)); err != nil {
		t.Errorf("it is ready and has no socket: %v", err)
	}
}
