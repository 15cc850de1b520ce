package night_test

import (
	"context"
	"maps"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"laurel/internal/harness"
	"laurel/shared/core/activity"
	"laurel/shared/forum/catchup"
	"laurel/shared/forum/night"
	"laurel/shared/store/items"
)

// lostKeys are the kinds of keys of the view, by a pattern, and the finding when one is lost. A lost
// key of seen revisions harms nobody.
var lostKeys = map[string]night.Kind{
	"laurel:{*}:marker":             night.FoundEmptied,
	"laurel:{?}:board:*":            night.FoundDiffers,
	"laurel:{?}:teams:*":            night.FoundDiffers,
	"laurel:{?}:names":              night.FoundDiffers,
	"laurel:{?}:suppressed":         night.FoundDiffers,
	"laurel:{?}:seen:2026-11:*":     "",
	"laurel:{?}:seen:people:*":      "",
	"laurel:{articles}:articles":    night.FoundDiffers,
	"laurel:{articles}:votes":       night.FoundDiffers,
	"laurel:{articles}:votes:2026*": night.FoundDiffers,
	"laurel:{articles}:groups":      night.FoundDiffers,
	"laurel:{articles}:hot":         night.FoundDiffers,
	"laurel:{articles}:new":         night.FoundDiffers,
	"laurel:{articles}:group:*:hot": night.FoundDiffers,
	"laurel:{articles}:group:*:new": night.FoundDiffers,
}

// shownForum is a forum whose view has keys of every kind.
func shownForum(t *testing.T) *forum {
	t.Helper()
	f := newForum(t, withTeams(t, activity.Default()))
	f.did("ann visit p1")
	f.nights() // nothing is due
	f.articles("a1", "a2")
	f.did("ann like a1", "bob like a1", "bob visit p1", "cid like a2", "hid like a1")
	for user, change := range map[string]func(*items.Person){
		"ann": func(p *items.Person) { p.ID, p.Profile.Name, p.Profile.Groups = "ann", "Ann", []string{"red"} },
		"fay": func(p *items.Person) { p.ID, p.Profile.Name = "fay", "Fay" },
		"hid": func(p *items.Person) { p.ID, p.Status.Hidden, p.Profile.Groups = "hid", true, []string{"red"} },
	} {
		f.showPerson(user, change)
	}
	f.tick()
	return f
}

// A repair finds any single lost key of the view, says so, and everything is as it was.
func TestRecoverALostKey(t *testing.T) {
	t.Parallel()
	for pattern, kind := range lostKeys {
		t.Run(strings.NewReplacer("*", "x", "?", "n").Replace(pattern), func(t *testing.T) {
			t.Parallel()
			f := shownForum(t)
			was := harness.Everything(t, f.client)
			lost := ""
			for _, key := range slices.Sorted(maps.Keys(was)) {
				if matched, err := path.Match(pattern, key); err != nil {
					t.Fatal(err)
				} else if matched && lost == "" {
					lost = key
				}
			}
			if n := f.client.Del(t.Context(), lost).Val(); n != 1 {
				t.Fatalf("no key %s", pattern)
			}
			var told []night.Finding
			r, err := night.Repair(t.Context(), f.Options, func(f night.Finding) { told = append(told, f) })
			if err != nil || r.Left || r.Audit == nil || r.Audit.Differ != 0 {
				t.Errorf("without %s: %+v, %v", lost, r, err)
			}
			if kind != "" && (len(told) != 1 || told[0].Kind != kind) {
				t.Errorf("without %s: found %+v, want %s", lost, told, kind)
			}
			if diff := cmp.Diff(was, harness.Everything(t, f.client)); diff != "" {
				t.Errorf("without %s (-before +repaired):\n%s", lost, diff)
			}
		})
	}
	for key := range harness.Everything(t, shownForum(t).client) {
		found := false
		for pattern := range lostKeys {
			matches, _ := path.Match(pattern, key)
			found = found || matches
		}
		if !found {
			t.Errorf("%s is of no kind", key)
		}
	}
}

// A repair beside a comparison waits for it.
func TestRecoverBesideAComparison(t *testing.T) {
	t.Parallel()
	f := shownForum(t)
	compare, busy := f.CatchUp, 2
	f.CatchUp = func(ctx context.Context, o catchup.Request) (catchup.Result, error) {
		if busy > 0 && !o.Audit {
			busy--
			return catchup.Result{Busy: true, Left: true}, nil
		}
		return compare(ctx, o)
	}
	if r, err := night.Repair(t.Context(), f.Options, nil); err != nil || r.Left || r.Audit == nil || busy > 0 {
		t.Errorf("%+v, %v", r, err)
	}
}
