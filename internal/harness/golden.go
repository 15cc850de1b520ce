package harness

import (
	"flag"
	"os"

	"github.com/google/go-cmp/cmp"
)

// Update is the flag by which tests rewrite committed files.
var Update = flag.Bool("update", false, "rewrite the files that tests compare with, and pictures")

// Golden compares a file with its wanted contents, or writes these.
func Golden(t T, file, now string) {
	t.Helper()
	if *Update {
		OK(t, os.WriteFile(file, []byte(now), 0o600))
	}
	if diff := cmp.Diff(string(Must(os.ReadFile(file))(t)), now); diff != "" {
		t.Errorf("%s differs from the output of -update (-file +now):\n%s", file, diff)
	}
}
