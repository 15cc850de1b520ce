package ledger_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"laurel/internal/harness"
	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/codec"
	"laurel/shared/ledger"
	"laurel/shared/ledger/reference"
)

// follow records ada's activities, arrived long after.
func (s *memory) follow(t tb, acts ...activity.Activity) []ledger.Receipt {
	t.Helper()
	return s.record(t, acts, ledger.Arrival{Now: board.Latest - 1, AnyAge: true})
}

// replace replaces ada's follow list and returns the page of it.
func (s *memory) replace(t tb, targets []string, at board.Moment) string {
	t.Helper()
	c, _, err := ledger.ReplaceFollows("ada", s.pages["ada"], nil, s.following("ada"), targets, at)
	if err != nil {
		t.Fatalf("ReplaceFollows: %v", err)
	}
	s.write("ada", c)
	return s.pages["ada"][ledger.FollowsPage()]
}

var strangers = []string{"bob", "{0}", "a:b", `"`, "100%", "🙂", "مرحبا", "é", "-1", "007"}

// Follows, unfollows and replaced lists in any mixture are the reference's, the
// same list replaced twice is replaced once, and what joins or leaves fits.
func TestFollowListIsTheReferences(t *testing.T) {
	t.Parallel()
	start := board.MomentOf(time.Date(2026, 11, 30, 23, 0, 0, 0, time.UTC))
	rapid.Check(t, func(t *rapid.T) {
		r := newMemory(defaults())
		ref := reference.New(r.ledger.Rules(), r.ledger.Calendar())
		for range rapid.IntRange(1, 25).Draw(t, "steps") {
			at := start + board.Moment(rapid.IntRange(0, 3).Draw(t, "hour")*3_600_000)
			if rapid.IntRange(0, 3).Draw(t, "kind") == 0 {
				targets := rapid.SliceOfNDistinct(rapid.SampledFrom(strangers), 0, 6, rapid.ID).Draw(t, "list")
				ref.Replace("ada", targets, at)
				if page := r.replace(t, targets, at); r.replace(t, targets, at) != page {
					t.Fatal("the same list again has changed the page")
				}
			} else {
				a := activity.Activity{
					User: "ada", Action: "follow", Target: rapid.SampledFrom(strangers).Draw(t, "target"),
					At: at,
				}
				if rapid.Bool().Draw(t, "undo") {
					a.Action = "unfollow"
				}
				ref.Add(a)
				r.follow(t, a)
			}
			if diff := cmp.Diff(ref.Following("ada"), r.following("ada"), cmpEmpty); diff != "" {
				t.Fatalf("(-reference +list):\n%s", diff)
			}
			l, err := ledger.OpenFollows(r.pages["ada"][ledger.FollowsPage()])
			if err != nil {
				t.Fatal(err)
			}
			for _, id := range strangers {
				if l.Has(id) != slices.Contains(r.following("ada"), id) {
					t.Fatalf("%s: on the page %v, on the list %v", id, l.Has(id), r.following("ada"))
				}
			}
			if l.Len() != len(r.following("ada")) {
				t.Fatalf("%d on the page, %d on the list", l.Len(), len(r.following("ada")))
			}
		}
	})
}

// cmpEmpty has no list be an empty one.
var cmpEmpty = cmp.Transformer("empty", func(s []string) string { return fmt.Sprintf("%q", s) })

// The cap is about points; what is refused does not put anybody on the list.
func TestFollowListIsApartFromThePoints(t *testing.T) {
	t.Parallel()
	r, noon := newMemory(defaults()), board.MomentOf(time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC))
	var acts []activity.Activity
	for i := range 60 {
		acts = append(acts, activity.Activity{User: "ada", Action: "follow", Target: fmt.Sprint("u", i), At: noon})
	}
	receipts := r.follow(t, acts...)
	if receipts[59].Status != ledger.Capped || len(r.following("ada")) != 60 {
		t.Fatalf("the 60th is %s, %d are followed", receipts[59].Status, len(r.following("ada")))
	}
	r.follow(t, activity.Activity{User: "ada", Action: "follow", Target: "ada", At: noon})
	if slices.Contains(r.following("ada"), "ada") {
		t.Fatal("ada follows herself")
	}
	r.pages["ada"][ledger.StatusPage()] = ledger.UserStatus{Excluded: true}.Page()
	got := r.follow(t, activity.Activity{User: "ada", Action: "follow", Target: "late", At: noon})
	if got[0].Status != ledger.Excluded || slices.Contains(r.following("ada"), "late") {
		t.Fatalf("an excluded user: %s, follows %v", got[0].Status, r.following("ada"))
	}
}

func TestFollowListIsNotReplaced(t *testing.T) {
	t.Parallel()
	_, _, err := ledger.ReplaceFollows("ada", nil, nil, nil, []string{"bob", "ada"}, 1)
	if !errors.Is(err, ledger.ErrSelf) {
		t.Errorf("oneself: %v", err)
	}
	_, _, err = ledger.ReplaceFollows("ada", nil, nil, nil, make([]string, ledger.MaxReplaced+1), 1)
	if !errors.Is(err, ledger.ErrTooMany) {
		t.Errorf("too many: %v", err)
	}
	_, _, err = ledger.ReplaceFollows("ada", ledger.Pages{ledger.FollowsPage(): "nonsense"}, nil, nil, nil, 1)
	if !errors.Is(err, codec.ErrDamaged) {
		t.Errorf("a damaged page: %v", err)
	}
	excluded := ledger.Pages{ledger.StatusPage(): ledger.UserStatus{Excluded: true}.Page()}
	_, _, err = ledger.ReplaceFollows("ada", excluded, nil, nil, []string{"bob"}, 1)
	if !errors.Is(err, ledger.ErrExcluded) {
		t.Errorf("excluded: %v", err)
	}
}

// Past the limit who was unfollowed longest ago is forgotten; with everybody
// followed there is no room for one more. A new list has room always.
func TestFollowListIsBounded(t *testing.T) {
	t.Parallel()
	const now = 1_800_000_000_000
	r, page := newMemory(defaults()), ""
	for i := range 6 { // six lists of 5,000, each unfollowing the one before
		page = r.replace(t, harness.Numbered(5_000*i, 5_000*(i+1)), now+board.Moment(i))
	}
	l, err := ledger.OpenFollows(page)
	if err != nil || l.Len() != 5_000 || !l.Has("user-25000") || !l.Has("user-29999") || l.Has("user-24999") {
		t.Fatalf("%d on the list, %v", l.Len(), err)
	}
	r.follow(t, activity.Activity{User: "ada", Action: "follow", Target: "one more", At: now + 9})
	if !slices.Contains(r.following("ada"), "one more") {
		t.Fatal("no room was made for one more")
	}
}

// An erased target is as if it had never been followed.
func TestForgottenTargetCanBeFollowedAgain(t *testing.T) {
	t.Parallel()
	r, noon := newMemory(defaults()), board.MomentOf(time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC))
	follow := activity.Activity{User: "ada", Action: "follow", Target: "bob", At: noon}
	r.follow(t, follow, activity.Activity{User: "ada", Action: "follow", Target: "cy", At: noon})
	c, err := ledger.ForgetFollow(r.pages["ada"][ledger.FollowsPage()], "bob", board.Latest)
	if err != nil {
		t.Fatal(err)
	}
	if r.write("ada", c); !slices.Equal(r.following("ada"), []string{"cy"}) {
		t.Fatalf("on the list: %v", r.following("ada"))
	}
	got := r.follow(t, follow)
	if !slices.Equal(r.following("ada"), []string{"bob", "cy"}) || got[0].Status != ledger.Duplicate {
		t.Fatalf("on the list: %v, %s", r.following("ada"), got[0].Status)
	}
}
