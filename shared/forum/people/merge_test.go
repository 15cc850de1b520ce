package people_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"laurel/internal/harness"
	"laurel/internal/testserver"
	"laurel/shared/core/activity"
	"laurel/shared/core/board"
	"laurel/shared/core/ledger"
	"laurel/shared/core/profile"
	"laurel/shared/forum/people"
	"laurel/shared/store/items"
	"laurel/shared/store/table"
	"laurel/shared/store/table/embedded"
)

// A facet is all that readers see of a forum with three people, without boards and entries of days that are closed: the
// entries are gone when the ledger is written next.
type facet struct {
	Boards  map[string][]board.Place
	Follows map[string][]string
	Votes   map[string]int64
	Entries []string
	Profile profile.Profile
}

// facet reads it. The entries and the profile are those of a user.
func (f *forum) facet(user string) facet {
	f.Helper()
	all := facet{Boards: map[string][]board.Place{}, Follows: map[string][]string{}, Votes: map[string]int64{}}
	head := harness.Must(f.Items.Head(f.Context()))(f)
	for _, w := range []board.Window{board.Day, board.Month} {
		for day := range board.Date(4) {
			asked := board.View{Board: "activity", Period: board.PeriodOf(w, f.Ledger.Calendar().Date(f.now)-day), Limit: 100}
			if head.Life.Closed(asked.Period) {
				continue
			}
			page := harness.Must(f.View.Read(f.Context(), asked))(f)
			all.Boards[asked.Period.String()] = page.Places
		}
	}
	for _, follower := range []string{user, "cid"} {
		all.Follows[follower], _, _ = f.People.Following(f.Context(), follower, 0, 100)
	}
	for id, shown := range harness.Must(f.View.Articles(f.Context(), "a1", "a2"))(f) {
		all.Votes[id] = shown.Votes
	}
	for _, e := range harness.Must(f.People.Entries(f.Context(), user, ""))(f) {
		if e.Scope == activity.PerDay && head.Life.Closed(board.PeriodOf(board.Day, e.Day)) {
			continue
		}
		if e.Action == "follow" { // its target is a hash of the forum's
			e.Target = ""
		}
		all.Entries = append(all.Entries, fmt.Sprint(e.Action, e.Target, e.Ref, e.State, e.Points, e.Moments, e.Value))
	}
	var err error
	all.Profile, _, err = f.People.Get(f.Context(), user)
	harness.OK(f, err)
	return all
}

// endMerges continues merges until none is running.
func (f *forum) endMerges() {
	f.Helper()
	for range 50 {
		done, err := f.People.GoOnMerging(f.Context())
		if harness.OK(f, err); done.Left == 0 {
			return
		}
		time.Sleep(time.Millisecond)
	}
	f.Fatal("a merge does not end")
}

// merge merges ann into bob; the process continues a while later.
func (f *forum) merge() {
	f.Helper()
	if m, err := f.People.Merge(f.Context(), "ann", "bob", ""); err != nil || m.State != "running" || m.Into != "bob" {
		f.Fatalf("%+v, %v", m, err)
	}
}

// Two accounts that are merged at any moment are as one that did all of both: while reports arrive and days become
// final, after a process has died within the merge, merged onwards, in a void pair, or erased.
func TestMergedAccountsAreOne(t *testing.T) {
	t.Parallel()
	for name, on := range map[string]struct {
		acts int
		open func(*testing.T) items.Table
	}{
		"embedded": {testserver.Times(500, 10_000), func(*testing.T) items.Table { return embedded.New(time.Now) }},
		"DynamoDB": {testserver.Times(100, 1_000), dynamoTable},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			left, i := testserver.Soak(t, on.acts), 0
			for ; left > 0 && !t.Failed(); i++ {
				rng := rand.New(rand.NewPCG(uint64(i), 5))
				tale := newTale(rng)
				tale.thicken(rng)
				left -= len(tale.acts)
				t.Run(fmt.Sprint(i), func(t *testing.T) { // so that its databases are given back
					openOn(t, harness.Setup{Table: on.open(t), Shards: 1 + i%2*2}).isAsOne(rng, tale)
				})
			}
			t.Logf("%d histories", i)
		})
	}
}

// isAsOne fails the test unless the forum, where people are merged, is as one where they always were one.
func (f *forum) isAsOne(rng *rand.Rand, tale *tale) {
	f.Helper()
	control := open(f.T, 1)
	control.tell(tale, true, nil)
	killed := rng.IntN(2) == 0
	f.tell(tale, false, func() {
		if killed {
			f.dieMerging(rng)
			f.mergeAgain()
		} else {
			f.merge()
		}
		if rng.IntN(2) == 0 {
			f.endMerges()
		}
	})
	erased := rng.IntN(5) == 0
	if !erased || rng.IntN(2) == 0 {
		f.endMerges()
	}
	if erased {
		for forum, id := range map[*forum]string{control: tale.last(), f: []string{"ann", "bob", tale.last()}[rng.IntN(3)]} {
			forum.now = forum.now.Add(24 * time.Hour)
			harness.Must(forum.People.Erase(f.Context(), id, 0, ""))(f)
			forum.finish()
		}
		f.endMerges()
		if cid := harness.Must(f.People.Whole(f.Context(), "cid"))(f); len(cid.VoidPairs) > 0 {
			f.Errorf("%s: void with cid after the erasure: %v", tale, cid.VoidPairs)
		}
	}
	if killed { // before it has shown its writes
		f.Fill()
	}
	want := control.facet(tale.last())
	if diff := cmp.Diff(want, f.facet(tale.last())); diff != "" {
		f.Fatalf("%s (-one +merged):\n%s", tale, diff)
	}
	f.Redis.FlushDB(f.Context())
	f.Fill()
	if diff := cmp.Diff(want.Boards, f.facet(tale.last()).Boards); diff != "" {
		f.Fatalf("%s, filled (-one +merged):\n%s", tale, diff)
	}
	if m, err := f.People.MergeOf(f.Context(), "ann"); !erased && (err != nil || !m.Done() || m.Into != tale.last()) {
		f.Errorf("%+v, %v", m, err)
	}
}

// dieMerging merges ann into bob with a process that dies at some write.
func (f *forum) dieMerging(rng *rand.Rand) {
	f.Helper()
	f.Table.Reset()
	last, fate := 1+rng.Int64N(16), []harness.Fate{
		harness.DiesBefore, harness.DiesWithin, harness.DiesAfter, harness.LosesAnswer,
	}[rng.IntN(4)]
	f.Table.Before = func(c harness.Call) harness.Fate { return map[bool]harness.Fate{true: fate}[c.Writes == last] }
	_, _ = f.People.Merge(f.Context(), "ann", "bob", "")
	_, _ = f.People.GoOnMerging(f.Context())
	f.Table.Reset()
}

// A process that dies at any write of a merge changes nothing of its end: no month is taken twice, and none half.
func TestMergeKilledAtAnyWrite(t *testing.T) {
	t.Parallel()
	tale := newTale(rand.New(rand.NewPCG(3, 3)))
	tale.merge = len(tale.acts)
	for _, user := range []string{"ann", "bob"} { // a target twice would be counted twice on a day that is closed
		for _, target := range []string{"t8", "t9"} {
			a := activity.Activity{User: user, Action: "visit", Target: target, At: noon.Add(-40 * time.Hour)}
			tale.acts = append([]activity.Activity{a}, tale.acts...)
		}
	}
	tale.merge = len(tale.acts)
	calm := open(t, 1)
	calm.tell(tale, false, func() { calm.passed(); calm.merge(); calm.endMerges() })
	calm.Fill()
	want := calm.facet("bob")
	for n, died := int64(1), true; died; n++ {
		for _, fate := range []harness.Fate{harness.DiesBefore, harness.DiesAfter, harness.LosesAnswer} {
			f := open(t, 1)
			f.tell(tale, false, f.passed)
			f.Table.Reset()
			if died = false; n > 1000 {
				t.Fatal("it does not end")
			}
			f.Table.Before = func(c harness.Call) harness.Fate {
				if c.Writes != n {
					return harness.Lives
				}
				died = true
				return fate
			}
			_, _ = f.People.Merge(t.Context(), "ann", "bob", "")
			_, _ = f.People.GoOnMerging(t.Context())
			f.Table.Reset()
			f.mergeAgain()
			f.endMerges()
			f.Fill()
			if diff := cmp.Diff(want, f.facet("bob")); diff != "" {
				t.Fatalf("%s at write %d (-one +merged):\n%s", fate, n, diff)
			}
		}
	}
}

// passed makes the days before yesterday final, without their boards.
func (f *forum) passed() {
	f.Helper()
	for day := range board.Date(3) {
		p := board.PeriodOf(board.Day, f.Ledger.Calendar().Date(noon)-1-day)
		f.move(p, board.EventClose, board.EventMake, board.EventRemove)
	}
}

// mergeAgain merges once more.
func (f *forum) mergeAgain() {
	f.Helper()
	_, err := f.People.Merge(f.Context(), "ann", "bob", "")
	harness.OK(f, err)
}

// An award that a merge has not joined yet is taken back later: it is there, so nobody is told that it is not.
func TestAwardsAreTakenBackAfterAMerge(t *testing.T) {
	t.Parallel()
	f := open(t, 1)
	f.award("ann", "good", 50, "activity")
	f.merge()
	for id, want := range map[string]error{"good": table.ErrUnavailable, "bad": people.ErrNoAward} {
		if _, _, err := f.People.TakeBack(t.Context(), "ann", id); !errors.Is(err, want) {
			t.Errorf("%s: %v", id, err)
		}
	}
	f.endMerges()
	f.takeBack("good")
	if on := f.board(board.Day); on != "" {
		t.Errorf("on the board: %q", on)
	}
}

// Merged onwards, all ids mean the last; back and elsewhere are refused, and so is the 21st.
func TestMergedOnwards(t *testing.T) {
	t.Parallel()
	f := open(t, 1)
	for _, text := range []string{"ann like 1", "bob like 2", "cid like 3"} {
		f.now++
		f.did(text)
	}
	harness.Must(f.People.Merge(t.Context(), "ann", "bob", ""))(f)
	harness.Must(f.People.Merge(t.Context(), "bob", "cid", ""))(f)
	f.now++
	f.did("ann like 4")
	f.endMerges()
	f.did("bob like 5")
	if on := f.scores(); on != "cid :" { // 10
		t.Errorf("on the board: %q", on)
	}
	for _, c := range []struct {
		user, into string
		want       error
	}{
		{"ann", "cid", nil},
		{"ann", "bob", nil},
		{"bob", "cid", nil},
		{"ann", "dee", people.ErrMergedElsewhere},
		{"cid", "ann", people.ErrMergeSelf},
		{"cid", "cid", people.ErrMergeSelf},
	} {
		m, err := f.People.Merge(t.Context(), c.user, c.into, "")
		if !errors.Is(err, c.want) || err == nil && m.Into != "cid" {
			t.Errorf("%s into %s: %+v, %v", c.user, c.into, m, err)
		}
	}
	for i := range 18 {
		harness.Must(f.People.Merge(t.Context(), fmt.Sprint("user-", i), "cid", ""))(f)
	}
	if _, err := f.People.Merge(t.Context(), "user-19", "ann", ""); !errors.Is(err, people.ErrTooManyMerges) {
		t.Errorf("the 21st: %v", err)
	}
}

// An erasure of either id is one of both, while the merge is running or later; each id is a stranger's afterwards.
func TestErasureOfMerged(t *testing.T) {
	t.Parallel()
	for n := range 4 {
		f, erased := open(t, 1), []string{"ann☼1", "bob☼2"}
		for _, text := range []string{" like 1", " follow cid"} {
			for _, user := range erased {
				f.now++
				f.did(user + text)
				f.did("cid follow " + user)
			}
		}
		harness.OK(f, f.People.Put(t.Context(), map[string]profile.Profile{erased[0]: {Name: "N" + erased[0]}}))
		harness.Must(f.People.SetVoidPair(t.Context(), erased[0], "dee", true, ""))(f)
		harness.Must(f.People.Merge(t.Context(), erased[0], erased[1], ""))(f)
		if n >= 2 {
			f.endMerges()
		}
		f.now++
		harness.Must(f.People.Erase(t.Context(), erased[n%2], 0, ""))(f)
		if on := f.board(board.Day); on != "cid" {
			t.Errorf("%d: on the board: %q", n, on)
		}
		f.finish()
		f.endMerges()
		f.Nowhere(erased[0])
		f.Nowhere(erased[1])
		for _, user := range erased {
			if state, err := f.People.Erasure(t.Context(), user); err != nil || !state.Done() {
				t.Errorf("%d: %s: %+v, %v", n, user, state, err)
			}
			if _, err := f.People.MergeOf(t.Context(), user); !errors.Is(err, people.ErrNoMerge) {
				t.Errorf("%d: %s: %v", n, user, err)
			}
			f.now++
			if status := f.did(user + " like 9"); status != ledger.Counted {
				t.Errorf("%d: %s: %s", n, user, status)
			}
		}
		if on := f.board(board.Day); on != "cid "+strings.Join(erased, " ") {
			t.Errorf("%d: on the board: %q", n, on)
		}
	}
}

// Void pairs know the keys of merged people, on both sides, and are lifted for all of them.
func TestMergedPeopleInVoidPairs(t *testing.T) {
	t.Parallel()
	f := open(t, 1)
	f.given("ann like 1 bob", "bob like 2 ann", "cid like 3 bob", "bob like 4 cid")
	harness.Must(f.People.SetVoidPair(t.Context(), "ann", "bob", true, "why"))(f)
	harness.Must(f.People.Merge(t.Context(), "ann", "cid", ""))(f)
	f.endMerges()
	if got := f.scores(); got != "" { // all acts are between bob and ann, who is cid
		t.Errorf("merged: %s", got)
	}
	for _, user := range []string{"ann", "cid"} {
		pair, err := f.People.VoidPair(t.Context(), "bob", user)
		if err != nil || pair.Other != "cid" || pair.Reason != "why" {
			t.Errorf("%s: %+v, %v", user, pair, err)
		}
	}
	harness.Must(f.People.SetVoidPair(t.Context(), "bob", "ann", false, ""))(f)
	if got := f.scores(); got != "bob 4, cid 4" && got != "cid 4, bob 4" {
		t.Errorf("lifted: %s", got)
	}
	harness.Must(f.People.Merge(t.Context(), "bob", "cid", ""))(f)
	f.endMerges()
	if got := f.scores(); got != "cid 8" { // the default rules have nothing against acts for oneself
		t.Errorf("all are one: %s", got)
	}
}
