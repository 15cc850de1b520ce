package people_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"laurel/internal/harness"
	"laurel/shared/core/activity"
	"laurel/shared/core/board"
	"laurel/shared/core/ledger"
	"laurel/shared/forum/people"
	"laurel/shared/store/table/embedded"
)

// withMail returns a forum whose rules have points that were taken sent to two addresses, one of which is private, and
// a board for members, "staff", with the action "help".
func withMail(t *testing.T) *forum {
	t.Helper()
	rules := harness.Must(activity.ParseRules([]byte(`{
		"boards": {"activity": {"windows": ["day", "month"]}, "staff": {"windows": ["month"], "audience": "members"},
			"fans": {"counts": "activity", "windows": ["month"]}},
		"events": [
			{"name": "mail", "url": "https://f.example/mail", "types": ["points.taken"]},
			{"name": "staff", "url": "https://f.example/staff", "types": ["points.taken"], "private": true},
			{"name": "badges", "url": "https://f.example/badges", "types": ["period.final"], "private": true}],
		"versions": [{"actions": {
			"like": {"undo": "unlike", "board": "activity", "points": 2, "entry": "month", "cap": 3, "by": ["service"]},
			"help": {"board": "staff", "points": 5, "entry": "month", "notOwn": true, "by": ["service"]}}}]}`)))(t)
	calendar := board.NewCalendar(time.UTC)
	return openOn(t, harness.Setup{Table: embedded.New(time.Now), Ledger: ledger.New(rules, calendar)})
}

// told returns the events that wait for an address: "ann voided activity 2026-11 2 (a reason)".
func (f *forum) told(address string) (all []string) {
	f.Helper()
	head := harness.Must(f.Items.Head(f.Context()))(f)
	for _, row := range harness.Must(f.Items.Events(f.Context(), address, 100))(f) {
		harness.OK(f, row.Err)
		taken, name := row.Value.Taken, ""
		for _, user := range []string{"ann", "bob", "cid"} {
			if head.KeyOf(user) == taken.Person {
				name = user
			}
		}
		text := name + " " + taken.Kind
		for _, l := range taken.Lost {
			text += fmt.Sprint(" ", l.Board, " ", l.Period, " ", l.Points)
		}
		if taken.Reason != "" {
			text += " (" + taken.Reason + ")"
		}
		all = append(all, text)
	}
	return all
}

func (f *forum) award(user, id string, points int64, name string) {
	f.Helper()
	f.now = f.now.Add(time.Second)
	_, err := f.People.Award(f.Context(), user, activity.Award{ID: id, Points: points, Board: name, Reason: id}, f.now)
	harness.OK(f, err)
}

func (f *forum) takeBack(id string) {
	f.Helper()
	f.now = f.now.Add(time.Second)
	_, _, err := f.People.TakeBack(f.Context(), "ann", id)
	harness.OK(f, err)
}

func (f *forum) exclude(user string, excluded, shadow bool) {
	f.Helper()
	f.now = f.now.Add(time.Second)
	x := people.UserExclusion{Excluded: excluded, Shadow: shadow}
	harness.OK(f, f.People.SetExclusion(f.Context(), user, x, "rude"))
}

func (f *forum) void(user, other string, void bool) {
	f.Helper()
	f.now = f.now.Add(time.Second)
	harness.Must(f.People.SetVoidPair(f.Context(), user, other, void, "a ring"))(f)
}

// Exactly the acts that take points write an event, once each, for the addresses that want it, with the losses on
// boards that these may know.
func TestActsThatTakePointsHaveAnEvent(t *testing.T) {
	t.Parallel()
	f := withMail(t)
	f.given("ann like 1 bob", "ann like 2 cid", "ann like 3 bob", "ann like 4 cid", "ann help 5 bob")
	f.award("ann", "good", 50, "activity") // no loss
	f.award("ann", "bad", -7, "activity")
	f.award("ann", "quiet", -3, "staff")
	f.takeBack("good")
	f.takeBack("good")
	f.takeBack("bad") // that gives points
	f.void("bob", "ann", true)
	f.void("bob", "ann", true)
	f.void("ann", "bob", false)
	f.exclude("bob", true, true) // bob must not notice
	f.exclude("bob", false, false)
	f.exclude("cid", true, false)
	f.exclude("cid", true, false)
	f.exclude("cid", false, false)
	f.now = f.now.Add(time.Second)
	harness.Must(f.People.SetVisibility(f.Context(), "ann", people.UserVisibility{Boards: "hidden"}))(f)
	public := []string{
		"ann award activity 2026-11-20 7 (bad)", "ann award_revoked activity 2026-11-20 50 (good)",
		"ann voided activity 2026-11 2 (a ring)", "cid excluded (rude)",
	}
	if diff := cmp.Diff(public, f.told("mail")); diff != "" {
		t.Errorf("mail (-want +got):\n%s", diff)
	}
	all := []string{
		public[0], "ann award staff 2026-11-20 3 (quiet)", public[1],
		"ann voided activity 2026-11 2 staff 2026-11 5 (a ring)", public[3],
	}
	if diff := cmp.Diff(all, f.told("staff")); diff != "" {
		t.Errorf("staff (-want +got):\n%s", diff)
	}
	if got := f.told("badges"); len(got) > 0 {
		t.Errorf("badges: %q", got)
	}
}

// A merge writes an event if the person of both has less than one of the two had, or is excluded as the other was, and
// for each who loses points as a void pair takes in another account.
func TestMergesThatTakePointsHaveAnEvent(t *testing.T) {
	t.Parallel()
	merge := func(f *forum) {
		f.now = f.now.Add(time.Second)
		for range 2 {
			harness.Must(f.People.Merge(f.Context(), "ann", "bob", "one person"))(f)
			f.endMerges()
		}
	}
	for name, tt := range map[string]struct {
		before      func(*forum)
		mail, staff []string
	}{
		"more than either": {func(f *forum) { f.given("ann like 1 cid", "bob like 1 cid", "bob like 2 cid") }, nil, nil},
		"acts for each other": {
			func(f *forum) { f.given("bob help 1 ann", "bob like 2 ann") }, nil,
			[]string{"bob merged staff 2026-11 5 (one person)"},
		},
		"less than the old account": {
			func(f *forum) { f.given("ann help 1 bob", "ann help 2 cid") }, nil,
			[]string{"bob merged staff 2026-11 5 (one person)"},
		},
		"an award below zero": {
			func(f *forum) {
				f.given("bob like 1 cid")
				f.award("ann", "bad", -7, "activity")
				f.given("ann like 2 cid")
			},
			[]string{"ann award activity 2026-11-20 7 (bad)", "bob merged activity 2026-11 5 (one person)"},
			nil,
		},
		"a void pair": {
			func(f *forum) {
				f.given("bob like 1 cid", "bob like 2 ann", "cid like 3 bob", "cid help 4 bob")
				f.void("ann", "cid", true)
			},
			[]string{"bob merged activity 2026-11 2 (one person)", "cid voided activity 2026-11 2 (a ring)"},
			[]string{
				"bob merged activity 2026-11 2 (one person)", "cid voided activity 2026-11 2 staff 2026-11 5 (a ring)",
			},
		},
		"an exclusion": {
			func(f *forum) { f.given("bob like 1 cid"); f.exclude("ann", true, false) },
			[]string{"ann excluded (rude)", "bob excluded (one person)"},
			nil,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := withMail(t)
			tt.before(f)
			merge(f)
			if diff := cmp.Diff(tt.mail, slices.Sorted(slices.Values(f.told("mail")))); diff != "" {
				t.Errorf("mail (-want +got):\n%s", diff)
			}
			want := tt.staff
			if want == nil {
				want = tt.mail
			}
			if diff := cmp.Diff(want, slices.Sorted(slices.Values(f.told("staff")))); diff != "" {
				t.Errorf("staff (-want +got):\n%s", diff)
			}
		})
	}
}
