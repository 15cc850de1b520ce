package machinetest

import (
	"bufio"
	"net"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// holdVariable makes a test binary a process that holds what it starts until it is
// killed.
const holdVariable = "LAUREL_TEST_HOLD"

// Hold runs this test in a process of its own, where start starts something and
// says in a few words where it is, and kills that process as the system would:
// nothing is cleaned up. It returns those words twice: to there while the process
// holds what it started, and to the caller when it is gone.
func Hold(t *testing.T, start func() (words []string), there func(words []string)) (words []string) {
	t.Helper()
	if os.Getenv(holdVariable) != "" {
		_, _ = os.Stdout.WriteString(strings.Join(start(), " ") + "\n")
		time.Sleep(time.Minute)
		os.Exit(1)
	}
	binary, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	holder := exec.CommandContext(t.Context(), binary, "-test.run=^"+t.Name()+"$")
	holder.Env = append(os.Environ(), holdVariable+"=1")
	output, err := holder.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := holder.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(output).ReadString('\n')
	if err != nil {
		t.Fatal(line, err)
	}
	words = strings.Fields(line)
	there(words)
	if err := holder.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = holder.Wait()
	return words
}

// Listens says whether anyone takes connections at host:port.
func Listens(addr string) bool {
	conn, err := net.Dial("tcp", addr)
	if err == nil {
		_ = conn.Close()
	}
	return err == nil
}

// Gone says whether there is nothing at the path.
func Gone(path string) bool {
	_, err := os.Lstat(path)
	return os.IsNotExist(err)
}

// Eventually waits until something is done, and fails the test when that takes more
// than ten seconds.
func Eventually(t *testing.T, what string, done func() bool) {
	t.Helper()
	Within(t, 10*time.Second, what, done)
}

// Within is Eventually with another limit.
func Within(t *testing.T, limit time.Duration, what string, done func() bool) {
	t.Helper()
	for deadline := time.Now().Add(limit); !done(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("waited in vain for %s", what)
		}
	}
}
