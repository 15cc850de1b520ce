package main

import (
	"errors"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The command is this test once more: it connects to the servers and leaves their
// addresses in a file.
func TestCommandHasServersThatEndWithIt(t *testing.T) {
	file := os.Getenv("WITH_TEST_FILE")
	if file != "" {
		addresses := os.Getenv("LAUREL_REDIS_URL") + "\n" + os.Getenv("LAUREL_DYNAMODB_URL")
		for address := range strings.SplitSeq(addresses, "\n") {
			if err := connect(address); err != nil {
				t.Errorf("%q: %v", address, err)
			}
		}
		if err := os.WriteFile(file, []byte(addresses), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	file = filepath.Join(t.TempDir(), "addresses")
	t.Setenv("WITH_TEST_FILE", file)
	if err := run(t.Context(), []string{"-dynamodb", os.Args[0], "-test.run=^" + t.Name() + "$"}); err != nil {
		t.Fatal(err)
	}
	addresses, err := os.ReadFile(file)
	if err != nil || strings.Count(string(addresses), "://") != 2 {
		t.Fatalf("addresses: %q, %v", addresses, err)
	}
	for address := range strings.SplitSeq(string(addresses), "\n") {
		if connect(address) == nil {
			t.Errorf("%s answers after the command's end", address)
		}
	}
}

func connect(address string) error {
	u, err := url.Parse(address)
	if err != nil {
		return err
	}
	conn, err := net.Dial("tcp", u.Host)
	if err != nil {
		return err
	}
	return conn.Close()
}

func TestExitStatusIsTheCommands(t *testing.T) {
	t.Parallel()
	err := run(t.Context(), []string{"sh", "-c", "exit 7"})
	if exit, ok := errors.AsType[*exec.ExitError](err); !ok || exit.ExitCode() != 7 {
		t.Errorf("got %v", err)
	}
	if err := run(t.Context(), []string{"-dynamodb"}); err == nil || !strings.HasPrefix(err.Error(), "usage:") {
		t.Errorf("no command: %v", err)
	}
}
