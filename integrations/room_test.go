package integrations_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"laurel/internal/harness"
)

// The style with which plugins keep room for an element, before its module is there, is that of pages.
func TestPluginsKeepRoomAsPagesDo(t *testing.T) {
	t.Parallel()
	rule := regexp.MustCompile(`:not\(:defined\) \{ display: block; .*\} @keyframes laurel \{.*\} \}`)
	page := rule.FindString(string(harness.Must(os.ReadFile("../web/embed/room.css"))(t)))
	if page == "" {
		t.Fatal("room.css has no such rule")
	}
	for _, file := range []string{
		"wordpress/laurel/elements.php", "flarum/laurel/js/forum.js",
		"phpbb/laurel/styles/all/template/event/overall_header_head_append.html",
	} {
		text := string(harness.Must(os.ReadFile(file))(t))
		text = strings.ReplaceAll(text, "' +\n      '", "") // one text in two lines
		if !strings.Contains(text, page) {
			t.Errorf("%s does not have %s", file, page)
		}
	}
}
