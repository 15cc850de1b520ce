package activity_test

import (
	"os"
	"path/filepath"
	"testing"

	"laurel/shared/activity"
)

// The rules files that are made to be taken are rules.
func TestReadyRulesAreRules(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("../../rules/*.json")
	if err != nil || len(files) < 5 {
		t.Fatal(files, err)
	}
	for _, name := range files {
		source, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := activity.ParseRules(source); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
