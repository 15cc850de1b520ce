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
	f := phpBB.open(t, "BEFORE=1")
	ann, bob := f.do("user", "ann"), f.do("user", "bob")
	topic, first := f.begin(ann, "From before", nil)
	reply := f.do("reply", bob, topic)
	f.do("like", bob, first)
	f.do("install")
	f.send()
	if sent := f.network.Seen(); len(sent) != 0 {
		t.Fatalf("reported, though it is imported: %v", sent)
	}
	f.do("unlike", bob, first)
	f.do("show_post", reply, 2)
	f.do("show", topic, 2)
	f.send()
	all := strings.Join(f.network.Seen(), "\n")
	for _, undo := range []string{
		`"action":"unlike","user":"4"`, `"user":"4","target":"t1","action":"uncomment"`,
		`"user":"3","target":"t1","action":"unpublish"`, `"listed":false`,
	} {
		if !strings.Contains(all, undo) {
			t.Errorf("there is no %s: %s", undo, all)
		}
	}
	f.do("show", topic, 1)
	f.do("like", bob, first)
	f.send()
	f.do("show_post", reply, 1)
	f.send()
	if f.compare() == "" { // the article was never reported: it is imported
		t.Error("an article from before was made")
	}
	rows, listed := f.shows()
	if rows[fmt.Sprint(ann)].Score != 10 || rows[fmt.Sprint(bob)].Score != 5 || len(listed) != 0 {
		t.Errorf("%v %v", rows, listed)
	}
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
