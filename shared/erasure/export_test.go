package erasure_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"laurel/internal/harness"
	"laurel/shared/archive"
	"laurel/shared/board"
	"laurel/shared/export"
)

// told are the parts of an export that tell what a place holds, by what is in the place's
// name: the keys of Redis and the items of the table in which an erasure's search finds the
// user.
var told = []struct{ place, part string }{
	{"}:suppressed", "hidden"},
	{"STATUS#", "hidden"},
	{"}:profiles", "profile"},
	{"USER#", "profile"},
	{"{articles}:authors", "profile"},
	{"{articles}:voters:", "votes"},
	{"{articles}:", "articles"},
	{"ARTICLE", "articles"},
	{"AUTHOR#", "articles"},
	{"}:board:", "standings"},
	{"}:month:", "entries"},
	{"}:lists", "follows"},
	{"TOTALS#", "months"},
	{"PENDING#", "pending"},
	{"SEAL#", "journal"},
	{"#day", "final"}, // of boards, last: their partitions begin with the board
}

// partOf returns the part of the export that tells what a place holds, "" for none.
func partOf(place string) string {
	own := strings.Contains(place, gone)
	switch {
	case strings.Contains(place, "}:pages:"), strings.Contains(place, "}:friends:"), strings.HasPrefix(place, "FOLLOWS#"):
		if own && strings.Contains(place, "}:pages:") {
			return "entries"
		} else if own {
			return "follows"
		}
		return "followers"
	}
	for _, one := range told {
		if strings.Contains(place, one.place) {
			return one.part
		}
	}
	return ""
}

// whole returns the export of the erased user, and its parts that are not empty.
func (w *process) whole(t *testing.T) (data export.WholeData, parts []string) {
	t.Helper()
	data, err := w.Export.Whole(t.Context(), gone, board.MomentOf(w.time))
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(data)
	if err != nil {
		t.Fatal(err)
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(text, &fields); err != nil {
		t.Fatal(err)
	}
	for name, value := range fields {
		if !slices.Contains([]string{"[]", "null", "false", "0"}, string(value)) && name != "user" && name != "timezone" {
			parts = append(parts, name)
		}
	}
	slices.Sort(parts)
	return data, parts
}

// Every place in which an erasure would find the user is told by an export; after the erasure
// it tells the erasure alone.
func TestExportTellsWhatAnErasureRemoves(t *testing.T) {
	t.Parallel()
	w := start(t)
	data, parts := w.whole(t)
	for _, place := range w.left(t) {
		if part := partOf(place); !slices.Contains(parts, part) {
			t.Errorf("%q is not told, by %q", place, part)
		}
	}
	want := []string{
		"articles", "days", "entries", "final", "followers", "follows", "hidden", "journal", "pending", "profile",
		"standings", "votes",
	}
	if diff := cmp.Diff(want, parts); diff != "" {
		t.Errorf("parts (-want +got):\n%s", diff)
	}
	if data.Followers != 4 || data.Profile.Name != "I am "+gone || len(data.Final) != 5 {
		t.Errorf("%d followers, profile %+v, final %+v", data.Followers, data.Profile, data.Final)
	}
	if state, err := w.Eraser.Erase(t.Context(), gone); err != nil || state.State != archive.ErasureDone {
		t.Fatalf("%+v, %v", state, err)
	}
	if data, parts = w.whole(t); len(parts) != 1 || data.Erasure == nil || data.Erasure.State != archive.ErasureDone {
		t.Errorf("after the erasure: %q, %+v", parts, data)
	}
	harness.Exclude(t, w.Live, gone, true)
	if data, _ = w.whole(t); !data.Excluded {
		t.Error("the exclusion is not told")
	}
}
