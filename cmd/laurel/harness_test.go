package main

import (
	"bytes"
	"context"
	"strings"
	"sync"
	"testing"
	"time"
)

// quick is the pace of tests.
var quick = pace{step: time.Millisecond, tick: 100 * time.Millisecond}

// screen is where a command writes; it may be read meanwhile.
type screen struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (s *screen) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.Write(p)
}

func (s *screen) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.String()
}

// laurel runs a command and returns what it says and its exit code.
func laurel(t *testing.T, stdin string, args ...string) (out, errs string, code int) {
	t.Helper()
	return laurelContext(t.Context(), stdin, args...)
}

func laurelContext(ctx context.Context, stdin string, args ...string) (out, errs string, code int) {
	var stdout, stderr screen
	code = run(ctx, args, streams{in: strings.NewReader(stdin), out: &stdout, err: &stderr, pace: quick})
	return stdout.String(), stderr.String(), code
}
