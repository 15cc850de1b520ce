//go:build forums

package integrations_test

import (
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"

	"laurel/internal/harness"
)

var flarum = kind{
	name: "Flarum", folder: "flarum", prefix: "laurel.", leave: [][]any{{"delete_user", 1}},
	again: []any{"send", with{"--again": true}}, comparison: with{"compare": true}, paired: "no report yet, 0 waiting",
	pair: func(address, code string) any { return with{"url": address, "code": code} },
}

// What members do does not wait for Laurel: with PHP-FPM the queue is sent when the page is done.
func TestFlarumMembersDoNotWait(t *testing.T) {
	f := flarum.open(t)
	ann := f.do("user", "ann")
	page := make(chan struct{})
	done := sync.OnceFunc(func() { close(page) })
	t.Cleanup(done)
	f.network.Set(Trouble{}, func(http.ResponseWriter, *http.Request) bool { <-page; return false })
	fpm := f.start("FPM=1")
	ids := call[[]int](fpm, "start", ann, "While it hangs", nil)
	call[int](fpm, "reply", ann, ids[0], nil)
	_ = fpm.in.Close()
	if line, err := fpm.out.ReadString('\n'); line != "\"the page is done\"\n" {
		t.Fatalf("the page is not done before Laurel answers: %q %v %s", line, err, fpm.stderr)
	}
	done()
	if err := fpm.command.Wait(); err != nil {
		t.Fatalf("%v %s", err, fpm.stderr)
	}
	if n := f.waiting(); n != 0 {
		t.Errorf("%d reports wait after the page", n)
	}
	if wrong := f.differs(); wrong != "" {
		t.Error(wrong)
	}
}

// Settings are read by administrators alone, and the extension asks for its route and for a task every minute.
func TestFlarumAsksFor(t *testing.T) {
	asked := call[struct{ Route, Forum, Schedule []string }](flarum.open(t).php, "asked")
	if !slices.Equal(asked.Route, []string{"forum", "/laurel/token"}) || !slices.Contains(asked.Schedule, "everyMinute") {
		t.Errorf("the extension asks for %+v", asked)
	}
	for _, name := range asked.Forum {
		if strings.Contains(name, "secret") {
			t.Errorf("everybody can read the setting %s", name)
		}
	}
}

// The scripts find their places in Flarum 1 and 2, whose forum and session are there only after they ran.
func TestFlarumScripts(t *testing.T) {
	want := string(harness.Must(os.ReadFile("flarum/harness/browser.json"))(t))
	for _, version := range []string{"1", "2"} {
		out, err := exec.Command("node", "flarum/harness/browser.js", version).CombinedOutput()
		if err != nil || string(out) != want {
			t.Errorf("Flarum %s: %v %s", version, err, out)
		}
	}
}
