package night_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"laurel/internal/harness"
	"laurel/shared/core/activity"
	"laurel/shared/core/board"
	"laurel/shared/forum/night"
	"laurel/shared/forum/people"
	"laurel/shared/store/items"
)

// contested is a forum whose November 20 is due: ann leads it, bob and cid follow.
func contested(t *testing.T) *forum {
	t.Helper()
	f := newForum(t, everyWindow(t))
	f.on("2026-11-20")
	f.did("ann like a", "ann like b", "ann like c", "bob like b", "bob like c", "cid like c")
	f.on("2026-11-22")
	f.did("ann like z")
	f.on("2026-11-30")
	return f
}

// diesAt makes nights by a process that dies at one of its writes, and says whether there was one.
func (f *forum) diesAt(write int64, how harness.Fate) (met bool) {
	f.Helper()
	p := f.start()
	p.calls.Before = func(c harness.Call) harness.Fate {
		if c.Writes == 0 || c.Writes != write {
			return harness.Lives
		}
		met = true
		return how
	}
	harness.OK(f, f.ticks(p))
	return met
}

// held returns the wreaths that people have and that boards give: "activity 2026-11-20 1 ann".
func (f *forum) held() (have, stored []string) {
	f.Helper()
	for _, user := range []string{"ann", "bob", "cid", "dan"} {
		row := f.person(user)
		listed := harness.Must(f.People.Wreaths(f.Context(), user, activity.Default()))(f)
		if firsts := row.Value.Public(activity.Default()).Firsts; row.Value != nil && len(listed) != len(row.Value.Wreaths) {
			f.Errorf("%s: %d of %d wreaths are listed, %d first places", user, len(listed), len(row.Value.Wreaths), firsts)
		}
		for _, w := range listed {
			have = append(have, fmt.Sprint(w.Board, " ", w.Period, " ", w.Rank, " ", user))
		}
	}
	for board, users := range f.finals() {
		for i, text := range users {
			stored = append(stored, fmt.Sprint(board, " ", i+1, " ", text[:3]))
		}
	}
	return have, stored
}

// A making that dies at any of its writes leaves no wreath that no stored board gives, and after any undo, void, hiding
// or erasure before the next one, no user keeps the place of another.
func TestKilledMakingLeavesNoWreath(t *testing.T) {
	t.Parallel()
	changes := map[string]func(f *forum){
		"undone": func(f *forum) { f.did("ann unlike a", "ann unlike b", "ann unlike c") },
		"voided": func(f *forum) {
			harness.Must(f.App.Voids.Set(f.Context(), "a", f.moment(), ""))(f)
			harness.Must(f.App.Voids.Set(f.Context(), "b", f.moment(), ""))(f)
		},
		"hidden": func(f *forum) { f.setPerson("ann", func(p *items.Person) { p.Status.Hidden = true }) },
		"erased": func(f *forum) { harness.Must(f.People.Erase(f.Context(), "ann", 0, ""))(f) },
	}
	for name, change := range changes {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for write, met := int64(1), true; met; write++ {
				f := contested(t)
				how := []harness.Fate{harness.DiesBefore, harness.DiesWithin, harness.DiesAfter}[write%3]
				if name == "erased" { // after the boards are stored
					how = harness.DiesAfter
				}
				met = f.diesAt(write, how)
				have, stored := f.held()
				for _, w := range have {
					if !slices.Contains(stored, w) {
						t.Errorf("dead at write %d: the wreath %s is of no board of %q", write, w, stored)
					}
				}
				change(f)
				f.nights()
				f.expect("2026-11-20", board.PeriodRemoved)
				if told := f.audit(); told.Differs[night.WhyWreath] > 0 {
					t.Errorf("dead at write %d: %+v", write, told.Differences)
				}
				if name != "hidden" { // whose wreaths are not listed
					f.crowned()
				}
				if t.Failed() {
					return
				}
			}
		})
	}
}

// A reopened period keeps its wreaths, as its board and its winners, until it is final again; a night that dies on the
// way leaves nobody two first places, and nobody loses one who has it again.
func TestReopenedPeriodKeepsItsWreaths(t *testing.T) {
	t.Parallel()
	for write, met := int64(1), true; met; write++ {
		f := contested(t)
		f.nights()
		before, _ := f.held()
		p := f.period("2026-11-20")
		harness.Must(night.Reopen(t.Context(), f.Options, p, true, ""))(t)
		f.did("ann unlike a", "ann unlike b", "ann unlike c")
		f.tick()
		if after, _ := f.held(); !slices.Equal(before, after) {
			t.Fatalf("reopened: %q, before %q", after, before)
		}
		f.on("2026-12-01")
		met = f.diesAt(write, harness.DiesAfter)
		have, _ := f.held()
		first := 0
		for _, w := range have {
			if len(w) > 22 && w[:21] == "activity 2026-11-20 1" {
				first++
			}
		}
		if first > 1 {
			t.Errorf("dead after write %d: %d first places: %q", write, first, have)
		}
		f.nights()
		f.expect("2026-11-20", board.PeriodRemoved)
		f.crowned()
		if _, stored := f.held(); !slices.Contains(stored, "activity 2026-11-20 1 bob") {
			t.Fatalf("bob is not the first: %q", stored)
		}
		if told := f.audit(); told.Differs[night.WhyWreath] > 0 {
			t.Errorf("dead after write %d: %+v", write, told.Differences)
		}
	}
}

// First places beside a name are of final boards alone: none while a making is under way.
func TestFirstsAreOfFinalBoards(t *testing.T) {
	t.Parallel()
	f := contested(t)
	p := f.start()
	p.calls.Before = func(harness.Call) harness.Fate {
		finals := int64(0)
		for _, users := range f.finals() {
			if len(users) > 0 && users[0][:3] == "ann" {
				finals++
			}
		}
		if n := f.person("ann").Value.Public(activity.Default()).Firsts; n > finals {
			t.Errorf("%d first places on %d boards", n, finals)
		}
		return harness.Lives
	}
	harness.OK(t, f.ticks(p))
	f.crowned()
}

// Two runs of a night at once, with the first user of a board erased between them, give the wreaths of the board
// that is stored.
func TestTwoRunsGiveTheWreathsOfOneBoard(t *testing.T) {
	t.Parallel()
	for write, met := int64(1), true; met; write++ {
		f := contested(t)
		p := f.start()
		met = false
		p.calls.Before = func(c harness.Call) harness.Fate {
			if c.Writes == write && !met {
				met = true
				harness.Must(f.People.Erase(t.Context(), "ann", 0, ""))(t)
				harness.Must(night.Tick(t.Context(), f.Options))(t)
			}
			return harness.Lives
		}
		_ = f.ticks(p) // they may report conflicts with the other one
		f.nights()
		f.crowned()
		if told := f.audit(); told.Differs[night.WhyWreath] > 0 || t.Failed() {
			t.Fatalf("at write %d: %+v", write, told.Differences)
		}
	}
}

// The audit of final boards finds every wreath that a board does not give, and each that is missing; a repair mends
// them, beside the numbers of first places.
func TestAuditFindsWreaths(t *testing.T) {
	t.Parallel()
	f := contested(t)
	f.nights()
	day := f.period("2026-11-20")
	f.setPerson("bob", func(p *items.Person) { // as ann has it, too
		for i := range p.Wreaths {
			if p.Wreaths[i].Period == day {
				p.Wreaths[i].Rank = 1
			}
		}
	})
	f.setPerson("cid", func(p *items.Person) { p.Wreaths = nil })
	f.setPerson("dan", func(p *items.Person) {
		p.Wreaths = []items.Wreath{{ID: board.ID{Board: "activity", Period: day}, Rank: 4}}
	})
	told := f.audit()
	got := map[string]string{}
	for _, d := range told.Differences {
		if d.Period == day {
			got[d.User] += fmt.Sprint(d.Board, " ", d.Rank, " ", d.Wreath, " ", d.Why)
		}
	}
	want := map[string]string{
		"bob": "activity 2 1 wreath", "cid": "activity 3 0 wreath", "dan": "activity 0 4 wreath",
	}
	if !maps.Equal(got, want) || told.Unexplained() < 3 {
		t.Errorf("%v, want %v", got, want)
	}
	r := harness.Must(night.Repair(t.Context(), f.Options, nil))(t)
	if len(r.Findings) != 1 || r.Findings[0].Kind != night.FoundWreaths {
		t.Errorf("%+v", r.Findings)
	}
	f.same()
	if again := f.audit(); len(again.Differs) > 0 {
		t.Errorf("%+v", again.Differences)
	}
}

// Wreaths of an erased user stay nobody's when the id is used again and merged into another user; and a merge into a
// user with an earlier erasure keeps them.
func TestMergesKeepErasedWreathsNobodys(t *testing.T) {
	t.Parallel()
	for erased, want := range map[string]int64{"ann": 2, "bob": 1} {
		f := contested(t)
		f.nights()
		harness.Must(f.People.Erase(t.Context(), erased, 0, ""))(t)
		f.nights()
		f.Pass(time.Minute)
		f.did(erased + " like d")
		harness.Must(f.People.Merge(t.Context(), "ann", "bob", ""))(t)
		f.Pass(time.Minute)
		f.nights()
		for range 2 {
			if told := f.audit(); told.Differs[night.WhyWreath] > 0 {
				t.Errorf("%s erased: %+v", erased, told.Differences)
			}
			won := harness.Must(f.People.Wreaths(t.Context(), "bob", activity.Default()))(t)
			won = slices.DeleteFunc(won, func(w people.Wreath) bool { return w.Period != "2026-11-20" })
			if len(won) != 1 || won[0].Rank != want {
				t.Errorf("%s erased: %+v, want rank %d", erased, won, want)
			}
			harness.Must(night.Repair(t.Context(), f.Options, nil))(t)
		}
	}
}

// A user who comes back during an erasure has the wreaths of the days since, and none of before.
func TestWreathsDuringAnErasure(t *testing.T) {
	t.Parallel()
	f := newForum(t, everyWindow(t))
	f.did("ann like a")
	harness.Must(f.People.Erase(t.Context(), "ann", 0, ""))(t) // its second half is a tick's
	f.on("2026-11-21")
	f.did("ann like b")
	f.on("2026-11-30")
	erasures := f.Erasures
	f.Erasures = func(context.Context) (items.Ongoing, error) { return items.Ongoing{}, nil } // it waits
	f.nights()
	f.Erasures = erasures
	f.nights()
	f.crowned()
	won := harness.Must(f.People.Wreaths(t.Context(), "ann", activity.Default()))(t)
	if !slices.ContainsFunc(won, func(w people.Wreath) bool { return w.Period == "2026-11-21" }) {
		t.Errorf("%+v", won)
	}
}
