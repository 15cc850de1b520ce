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
	t.Setenv("TABLE_NAME", "")
	t.Setenv("HOT_DAYS", "many")
	err := run(t.Context())
	if !errors.Is(err, app.ErrRedisMissing) || !errors.Is(err, app.ErrTableMissing) ||
		!strings.Contains(err.Error(), "HOT_DAYS") {
		t.Errorf("error %v", err)
	}
}
