package harness

import (
	"flag"
	"os"

	"github.com/google/go-cmp/cmp"
)

// Update is the flag by which tests write anew what is committed.
var Update = flag.Bool("update", false, "write anew what tests compare with, and pictures")

// Golden compares a file with what is to be in it, or writes that.
func Golden(t T, file, now string) {
	t.Helper()
	if *Update {
		OK(t, os.WriteFile(file, []byte(now), 0o600))
	}
	if diff := cmp.Diff(string(Must(os.ReadFile(file))(t)), now); diff != "" {
		t.Errorf("%s is not what -update writes (-file +now):\n%s", file, diff)
	}
}
