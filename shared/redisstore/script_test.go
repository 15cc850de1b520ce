package redisstore_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"laurel/shared/redisstore"
)

// The statuses that scripts answer with are the ones that Go knows.
func TestScriptsAndGoAgreeOnStatuses(t *testing.T) {
	t.Parallel()
	scripts, err := filepath.Glob("../*/*.lua")
	if err != nil || len(scripts) < 14 {
		t.Fatalf("scripts: %q, %v", scripts, err)
	}
	known := map[string]int64{"DONE": redisstore.Done, "CHANGED": redisstore.Changed}
	for _, script := range scripts {
		text, err := os.ReadFile(script)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`(?m)^local (DONE|CHANGED) = (\d)$`).FindAllStringSubmatch(string(text), -1) {
			if got := int64(m[2][0] - '0'); got != known[m[1]] {
				t.Errorf("%s: %s is %d, in Go %d", script, m[1], got, known[m[1]])
			}
		}
		if !strings.Contains(string(text), "\nlocal DONE") && !strings.Contains(string(text), "\nlocal CHANGED") {
			continue // it answers no status
		}
		if bare := regexp.MustCompile(`return -?\d`).FindString(string(text)); bare != "" {
			t.Errorf("%s answers %q without naming it", script, bare)
		}
	}
}
