package ledger_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/codec"
	"laurel/shared/ledger"
	"laurel/shared/ledger/reference"
)

// roll is a user's pages and follow list as a store would keep them.
type roll struct {
	ledger *ledger.Ledger
	pages  ledger.Pages
	on     []string
}

func newRoll() *roll {
	l := ledger.New(activity.Default(), board.NewCalendar(time.UTC))
	return &roll{ledger: l, pages: ledger.Pages{}}
}

func (r *roll) write(c ledger.Changes) {
	for _, p := range c.Pages {
		r.pages[p.Key] = p.Data
	}
	r.on = slices.DeleteFunc(r.on, func(id string) bool { return slices.Contains(c.Leave, id) })
	r.on = append(r.on, c.Join...)
	slices.Sort(r.on)
}

// apply records follows at once, arrived long after.
func (r *roll) apply(t tb, acts ...activity.Activity) []ledger.Receipt {
	t.Helper()
	d := decide(t, r.ledger, r.pages, nil, ledger.Arrival{Now: board.Latest - 1, AnyAge: true}, acts...)
	r.write(d.Changes)
	return d.Receipts
}

func (r *roll) replace(t tb, targets []string, at board.Moment) {
	t.Helper()
	c, err := ledger.ReplaceFollows("ada", r.pages, r.on, targets, at)
	if err != nil {
		t.Fatalf("ReplaceFollows: %v", err)
	}
	r.write(c)
}

var strangers = []string{"bob", "{0}", "a:b", `"`, "100%", "🙂", "مرحبا", "é", "-1", "007"}

// Follows, unfollows and replaced lists in any mixture are the reference's, the
// same list replaced twice is replaced once, and what joins or leaves fits.
func TestFollowListIsTheReferences(t *testing.T) {
	t.Parallel()
	start := board.MomentOf(time.Date(2026, 11, 30, 23, 0, 0, 0, time.UTC))
	rapid.Check(t, func(t *rapid.T) {
		r := newRoll()
		ref := reference.New(r.ledger.Rules(), r.ledger.Calendar())
		for range rapid.IntRange(1, 25).Draw(t, "steps") {
			at := start + board.Moment(rapid.IntRange(0, 3).Draw(t, "hour")*3_600_000)
			if rapid.IntRange(0, 3).Draw(t, "kind") == 0 {
				targets := rapid.SliceOfNDistinct(rapid.SampledFrom(strangers), 0, 6, rapid.ID).Draw(t, "list")
				ref.Replace("ada", targets, at)
				r.replace(t, targets, at)
				page := r.pages[ledger.FollowsPage()]
				r.replace(t, targets, at)
				if r.pages[ledger.FollowsPage()] != page {
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
				r.apply(t, a)
			}
			if diff := cmp.Diff(ref.Following("ada"), r.on, cmpEmpty); diff != "" {
				t.Fatalf("(-reference +list):\n%s", diff)
			}
			l, err := ledger.OpenFollows(r.pages[ledger.FollowsPage()])
			if err != nil {
				t.Fatal(err)
			}
			for _, id := range strangers {
				if l.Has(id) != slices.Contains(r.on, id) {
					t.Fatalf("%s: on the page %v, on the list %v", id, l.Has(id), r.on)
				}
			}
			if l.Len() != len(r.on) {
				t.Fatalf("%d on the page, %d on the list", l.Len(), len(r.on))
			}
		}
	})
}

// cmpEmpty has no list be an empty one.
var cmpEmpty = cmp.Transformer("empty", func(s []string) string { return fmt.Sprintf("%q", s) })

// The cap is about points; what is refused does not put anybody on the list.
func TestFollowListIsApartFromThePoints(t *testing.T) {
	t.Parallel()
	r, noon := newRoll(), board.MomentOf(time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC))
	var acts []activity.Activity
	for i := range 60 {
		acts = append(acts, activity.Activity{User: "ada", Action: "follow", Target: fmt.Sprint("u", i), At: noon})
	}
	receipts := r.apply(t, acts...)
	if receipts[59].Status != ledger.Capped || len(r.on) != 60 {
		t.Fatalf("the 60th is %s, %d are followed", receipts[59].Status, len(r.on))
	}
	r.apply(t, activity.Activity{User: "ada", Action: "follow", Target: "ada", At: noon})
	if slices.Contains(r.on, "ada") {
		t.Fatal("ada follows herself")
	}
	r.pages[ledger.StatusPage()] = ledger.UserStatus{Excluded: true}.Page()
	got := r.apply(t, activity.Activity{User: "ada", Action: "follow", Target: "late", At: noon})
	if got[0].Status != ledger.Excluded || slices.Contains(r.on, "late") {
		t.Fatalf("an excluded user: %s, follows %v", got[0].Status, r.on)
	}
}

func TestFollowListIsNotReplaced(t *testing.T) {
	t.Parallel()
	_, err := ledger.ReplaceFollows("ada", nil, nil, []string{"bob", "ada"}, 1)
	if !errors.Is(err, ledger.ErrSelf) {
		t.Errorf("oneself: %v", err)
	}
	_, err = ledger.ReplaceFollows("ada", nil, nil, make([]string, ledger.MaxReplaced+1), 1)
	if !errors.Is(err, ledger.ErrTooMany) {
		t.Errorf("too many: %v", err)
	}
	_, err = ledger.ReplaceFollows("ada", ledger.Pages{ledger.FollowsPage(): "nonsense"}, nil, nil, 1)
	if !errors.Is(err, codec.ErrDamaged) {
		t.Errorf("a damaged page: %v", err)
	}
	excluded := ledger.Pages{ledger.StatusPage(): ledger.UserStatus{Excluded: true}.Page()}
	_, err = ledger.ReplaceFollows("ada", excluded, nil, []string{"bob"}, 1)
	if !errors.Is(err, ledger.ErrExcluded) {
		t.Errorf("excluded: %v", err)
	}
}

func numbered(from, to int) (ids []string) {
	for i := from; i < to; i++ {
		ids = append(ids, fmt.Sprint("user-", i))
	}
	return ids
}

// Past the limit who was unfollowed longest ago is forgotten; with everybody
// followed there is no room for one more. A new list has room always.
func TestFollowListIsBounded(t *testing.T) {
	t.Parallel()
	const now = 1_800_000_000_000
	page, on := "", []string(nil)
	replace := func(from, to int, at board.Moment) {
		t.Helper()
		c, err := ledger.ReplaceFollows("ada", ledger.Pages{ledger.FollowsPage(): page}, on, numbered(from, to), at)
		if err != nil {
			t.Fatal(err)
		}
		page, on = c.Pages[0].Data, numbered(from, to)
	}
	for i := range 6 { // six lists of 5,000, each unfollowing the one before
		replace(5_000*i, 5_000*(i+1), now+board.Moment(i))
	}
	l, err := ledger.OpenFollows(page)
	if err != nil || l.Len() != 5_000 || !l.Has("user-25000") || !l.Has("user-29999") || l.Has("user-24999") {
		t.Fatalf("%d on the list, %v", l.Len(), err)
	}
	r := newRoll()
	r.pages[ledger.FollowsPage()] = page
	full := &roll{ledger: r.ledger, pages: ledger.Pages{ledger.FollowsPage(): page}}
	full.apply(t, activity.Activity{User: "ada", Action: "follow", Target: "one more", At: now + 9})
	if !slices.Contains(full.on, "one more") {
		t.Fatal("no room was made for one more")
	}
}

// An erased target is as if it had never been followed.
func TestForgottenTargetCanBeFollowedAgain(t *testing.T) {
	t.Parallel()
	r, noon := newRoll(), board.MomentOf(time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC))
	follow := activity.Activity{User: "ada", Action: "follow", Target: "bob", At: noon}
	r.apply(t, follow, activity.Activity{User: "ada", Action: "follow", Target: "cy", At: noon})
	c, err := ledger.ForgetFollow(r.pages[ledger.FollowsPage()], "bob")
	if err != nil {
		t.Fatal(err)
	}
	if r.write(c); !slices.Equal(r.on, []string{"cy"}) {
		t.Fatalf("on the list: %v", r.on)
	}
	got := r.apply(t, follow)
	if !slices.Equal(r.on, []string{"bob", "cy"}) || got[0].Status != ledger.Duplicate {
		t.Fatalf("on the list: %v, %s", r.on, got[0].Status)
	}
}
