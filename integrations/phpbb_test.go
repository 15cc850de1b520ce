//go:build forums

package integrations_test

import (
	"fmt"
	"strings"
	"testing"
)

var phpBB = kind{
	name: "phpBB", folder: "phpbb", prefix: "laurel_",
	leave: [][]any{{"delete_user", 3, "remove"}, {"delete_user", 4, "retain"}}, again: []any{"again"},
	nothing: with{"none": ""}, comparison: with{"compare": "1"}, paired: "Paired.",
	pair: func(address, code string) any { return with{"pair": "1", "pair_url": address, "pair_code": code} },
}

// What there was before the extension is not reported again, but what becomes of it is.
func TestPhpBBWithPostsFromBefore(t *testing.T) {
	phpBB.open(t, "BEFORE=1").plays("phpbb/harness/before.txt")
}

// The cron task is runnable, and not due when it has just run.
func TestPhpBBCron(t *testing.T) {
	f := phpBB.open(t)
	call[[]string](f.php, "send")
	if due := call[[]bool](f.php, "due"); !due[0] || due[1] {
		t.Errorf("the cron task is runnable, due: %v; it has just run", due)
	}
}

// The index has the board, and no secret.
func TestPhpBBIndex(t *testing.T) {
	f := phpBB.open(t)
	f.do("user", "ann")
	page := call[map[string]any](f.php, "index", 3)
	guest := call[map[string]any](f.php, "index", nil)
	if page["LAUREL_USER"] != 3.0 || page["U_LAUREL_TOKEN"] == "" || guest["LAUREL_USER"] != 0.0 ||
		guest["U_LAUREL_TOKEN"] != "" {
		t.Errorf("a member's index %v, a guest's %v", page, guest)
	}
	if heading := fmt.Sprint(page["LANGUAGE"]); !strings.Contains(heading, "laurel/leaderboards/common") {
		t.Errorf("the heading has no words: %s", heading)
	}
	for name, value := range page {
		if value == hookSecret || value == userSecret {
			t.Errorf("the page has a secret as %s", name)
		}
	}
}
