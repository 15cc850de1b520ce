package activity_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"laurel/internal/harness"
	"laurel/shared/core/activity"
)

// Caps that allow more entries than a ledger has room for are warned of, whichever version has them.
func TestCapsBeyondALedgersRoomAreWarnedOf(t *testing.T) {
	t.Parallel()
	const action = `"%s":{"board":"b","points":1,"entry":"%s","cap":%d,"by":["user"]}`
	file := func(entry string, caps ...int) *activity.Rules {
		actions := []string{`"free":{"board":"b","points":1,"entry":"month","by":["service"]}`}
		for i, n := range caps {
			actions = append(actions, fmt.Sprintf(action, fmt.Sprint("act", i), entry, n))
		}
		return harness.Must(activity.ParseRules(fmt.Appendf(nil, `{"boards":{"b":{"windows":["day"]}},"versions":[
			{"actions":{%s}},{"from":"2027-01-01","actions":{`+action+`}}]}`,
			strings.Join(actions, ","), "later", entry, 1)))(t)
	}
	for name, c := range map[string]struct {
		rules *activity.Rules
		want  string
	}{
		"the default rules": {activity.Default(), ""},
		"just room":         {file("month", 100, 93), ""},
		"by month": {
			file("month", 100, 94), "the caps of act0, act1 allow 6014 entries in a month, and a ledger has room for 6000",
		},
		"just room by day": {file("day", 250), ""},
		"by day": {
			file("day", 200, 51),
			"the caps of act0, act1 allow 251 entries by day on a day, and a ledger surely has room for 250",
		},
	} {
		if got := strings.Join(c.rules.RoomWarnings(), "; "); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
	for _, path := range harness.Must(filepath.Glob("../../../rules/*.json"))(t) {
		if got := readRules(t, filepath.Base(path)).RoomWarnings(); len(got) > 0 {
			t.Errorf("%s: %q", path, got)
		}
	}
}
