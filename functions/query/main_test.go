package main

import (
	"errors"
	"strings"
	"testing"

	"laurel/shared/app"
)

// A function whose environment is at fault says all of it and does not start.
func TestFaultyEnvironment(t *testing.T) {
	t.Setenv("REDIS_URL", "")
	t.Setenv("FORUM_TIMEZONE", "Mars")
	err := run(t.Context())
	if !errors.Is(err, app.ErrRedisMissing) || !strings.Contains(err.Error(), "FORUM_TIMEZONE") {
		t.Errorf("error %v", err)
	}
}
