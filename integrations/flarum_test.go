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

	"github.com/google/go-cmp/cmp"

	"laurel/internal/harness"
)

var flarum = kind{
	name: "Flarum", folder: "flarum", prefix: "laurel.", leave: [][]any{{"delete_user", 1}},
	again: []any{"send", with{"--again": true}}, comparison: with{"compare": true}, paired: "no report yet, 0 waiting",
	pair: func(address, code string) any { return with{"url": address, "code": code} },
}

// Members do not wait for Laurel: with PHP-FPM the queue is sent when the page is done.
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

// A member leaves the board by the page of settings, and comes back; if Laurel does not accept that, the page shows
// it.
func TestFlarumMemberHidesInTheSettings(t *testing.T) {
	f := flarum.open(t)
	ann := f.do("user", "ann")
	call[[]int](f.php, "start", ann, "A title", nil)
	f.same("a discussion")
	type answer struct {
		Known bool
		State string
	}
	ask := func(viewer, given any) answer { return call[answer](f.php, "visibility", viewer, given) }
	for _, c := range []struct {
		viewer, given any
		want          answer
		visible       bool
	}{
		{ann, nil, answer{true, "shown"}, true},
		{ann, with{"shown": false}, answer{true, "hidden"}, false},
		{ann, nil, answer{true, "hidden"}, false},
		{nil, with{"shown": true}, answer{}, false},
		{ann, with{"shown": true}, answer{true, "shown"}, true},
	} {
		if got := ask(c.viewer, c.given); got != c.want || f.visible(ann) != c.visible {
			t.Errorf("%v %v: %+v, want %+v; on the board: %v", c.viewer, c.given, got, c.want, f.visible(ann))
		}
	}
	f.network.Set(Trouble{}, answers(http.StatusServiceUnavailable))
	if got := ask(ann, with{"shown": false}); got != (answer{Known: true}) || !f.visible(ann) {
		t.Errorf("without Laurel: %+v", got)
	}
}

// Administrators choose among Laurel's boards; invalid choices are left out.
func TestFlarumElementsAreChosen(t *testing.T) {
	f := flarum.open(t)
	type answer struct {
		Boards   []struct{ Name string }
		Elements map[string]map[string]any
		Kept     string
	}
	first := call[answer](f.php, "elements")
	if len(first.Boards) != 1 || first.Boards[0].Name != "activity" || first.Elements["board"]["place"] != "sidebar" ||
		first.Elements["winners"]["place"] != "nowhere" || first.Kept != "" {
		t.Errorf("before anything is chosen: %+v", first)
	}
	got := call[answer](f.php, "elements", with{
		"board":   with{"place": "moon", "board": `"><b>`, "windows": "week hour", "layout": "huge", "limit": "x"},
		"winners": with{"place": "profile", "window": "week", "limit": 5000}, "nothing": with{"place": "sidebar"},
	})
	want := map[string]map[string]any{
		"board":   {"place": "nowhere", "board": "activity", "windows": "week", "layout": "compact", "limit": 10.0},
		"winners": {"place": "profile", "board": "activity", "window": "week", "limit": 31.0},
	}
	for kind, names := range want {
		if diff := cmp.Diff(names, got.Elements[kind]); diff != "" {
			t.Errorf("%s (-want +got):\n%s", kind, diff)
		}
	}
	ever := with{"winners": with{"window": "30d"}, "standing": with{"window": "30d"}}
	none := call[answer](f.php, "elements", ever).Elements
	if none["winners"]["window"] != "month" || none["standing"]["window"] != "30d" {
		t.Errorf("a window without winners: %+v", none)
	}
	if len(got.Elements) != 6 || !strings.Contains(got.Kept, `"place":"profile"`) {
		t.Errorf("kept: %s", got.Kept)
	}
}
