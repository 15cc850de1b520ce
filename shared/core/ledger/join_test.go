package ledger_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"laurel/internal/harness"
	"laurel/internal/reference"
	"laurel/internal/testserver"
	"laurel/shared/core/activity"
	"laurel/shared/core/board"
	"laurel/shared/core/codec"
	"laurel/shared/core/ledger"
)

// join joins all ledgers of a user into those of another one, as one who is both.
func (s *accounts) join(t tb, old, into string) (dropped int64) {
	t.Helper()
	a, b := s.user(into), s.all(t, old)
	a.Own = []codec.PersonHash{personOf(into), personOf(old)}
	months := slices.AppendSeq(slices.Collect(maps.Keys(b.Months)), maps.Keys(s.items[into])) // its follows of oneself go
	slices.Sort(months)
	for _, m := range slices.Compact(months) {
		joined, err := s.ledger.Join(s.account(t, into, m), b, m, s.around(ledger.Arrival{Now: board.Latest}))
		if err != nil {
			t.Fatalf("Join: %v", err)
		}
		s.items[into][m] = joined.Ledger.Encode()
		if joined.Ledger.Month == "" && len(joined.Ledger.Days)+len(joined.Ledger.Awards) == 0 {
			delete(s.items[into], m)
		}
		dropped += joined.Dropped
	}
	delete(s.items, old)
	delete(s.users, old)
	return dropped
}

// The ledgers of two people, joined, are the bytes of one person's who did all of both; the boards are the reference's.
func TestJoinedLedgersAreThoseOfOnePerson(t *testing.T) {
	t.Parallel()
	left, i := testserver.Soak(t, testserver.Times(40_000, 400_000)), 0
	for ; left > 0; i++ {
		rng := rand.New(rand.NewPCG(uint64(i), 61))
		forum := harness.Must(reference.NewForum(rng))(t)
		acts := forum.WithModeration(rng, forum.Activities(rng, 20+rng.IntN(200), fiveUsers[:2]))
		acts = append(acts, forum.Awards(rng, rng.IntN(20), fiveUsers[:2])...)
		ref := reference.New(forum.Rules, forum.Calendar)
		two, one := newAccounts(ledger.New(forum.Rules, forum.Calendar)), newAccounts(ledger.New(forum.Rules, forum.Calendar))
		one.user("ada").Own = []codec.PersonHash{personOf("ada"), personOf("bob")}
		known := map[reference.AwardKey]reference.Award{}
		for _, batch := range reference.Deliver(rng, acts, 40) {
			batch = slices.DeleteFunc(batch, func(a activity.Activity) bool {
				rule := forum.Rules.On(forum.Calendar.Date(a.At)).Find(a.Action)
				return differs(forum, known, a) || rule != nil && rule.NotOwn && ofOneself(rule, a) // others may be on its entry
			})
			two.record(t, batch, ledger.Arrival{Now: board.Latest, AnyAge: true})
			left -= len(batch)
			for n := range batch {
				batch[n].User = "ada"
				if !ofOneself(forum.Rules.On(forum.Calendar.Date(batch[n].At)).Find(batch[n].Action), batch[n]) {
					ref.Add(batch[n])
				}
			}
			one.record(t, batch, ledger.Arrival{Now: board.Latest, AnyAge: true})
		}
		if dropped := two.join(t, "bob", "ada"); dropped > 0 {
			t.Fatalf("%d entries are dropped", dropped)
		}
		where := fmt.Sprintf("episode %d in %s", i, forum.Calendar.Zone())
		want := boardsOf(forum.Rules, ref)
		if diff := cmp.Diff(want, two.shown(t).boards); diff != "" {
			t.Fatalf("%s: boards differ (-reference +joined):\n%.3000s", where, diff)
		}
		if diff := cmp.Diff(one.items["ada"], two.items["ada"]); diff != "" {
			t.Fatalf("%s: other bytes than one person's: %s", where, diff)
		}
	}
	t.Logf("%d histories", i)
}

// differs says whether an award has the id of another one of the month, of either person.
func differs(forum reference.Forum, known map[reference.AwardKey]reference.Award, a activity.Activity) bool {
	if a.Award == nil || a.Award.Taken {
		return false
	}
	key := reference.AwardKey{Month: forum.Calendar.Date(a.At).Month(), ID: a.Award.ID}
	now := reference.Award{Award: *a.Award, At: a.At}
	was, found := known[key]
	if !found {
		known[key] = now
	}
	return found && was != now
}

// ofOneself says whether the rules refuse an activity as one with oneself, by ada, who is bob too.
func ofOneself(rule *activity.Rule, a activity.Activity) bool {
	own := func(id string) bool { return id == "ada" || id == "bob" }
	return rule != nil && (rule.TargetIsUser && own(a.Target) || rule.NotOwn && own(a.Other))
}

// Two months at all caps, on targets of their own, are joined in one item, and count as one at its caps: the join drops
// entries over the caps and tells their number. So are those with all awards, another person of each act, and pages of
// the last days alone.
func TestTwoFullMonthsFitAnItem(t *testing.T) {
	t.Parallel()
	for _, live := range []bool{false, true} {
		december, s := november+1, newAccounts(defaults())
		end := momentAt(t, "12-31 23:59")
		arrival := ledger.Arrival{Now: end, AnyAge: true}
		var all []activity.Activity
		for n, user := range []string{"ada", "bob"} {
			acts := atTheCaps()
			for i := range acts {
				acts[i].User = user
				if acts[i].At++; n == 1 {
					acts[i].Target, acts[i].At = acts[i].Target[:8]+"-ffff"+acts[i].Target[13:], acts[i].At+1
				}
				if live && acts[i].Action != "follow" {
					acts[i].Other = uuid(6, i)
				}
			}
			all = append(all, acts...)
		}
		if live {
			slices.SortStableFunc(all, func(a, b activity.Activity) int { return int(a.At - b.At) })
			s.live(t, all)
		} else {
			s.record(t, all, arrival)
		}
		for n, user := range []string{"ada", "bob"} {
			var undos []activity.Activity // of unknown likes are kept, until the item is full
			for i := range 100 {
				undos = append(undos, activity.Activity{
					User: user, Action: "unlike", Target: uuid(7+n, i), At: momentAt(t, "12-20 12:00"),
				})
			}
			s.record(t, undos, arrival)
			if live {
				s.awardAll(t, user, n, end)
			}
		}
		want := harness.Must(s.ledger.MonthTotals(s.all(t, "ada"), december))(t)[0].Score
		if live {
			want += ledger.MaxAwards * 1_000 // of the other
		}
		dropped := s.join(t, "bob", "ada")
		got := harness.Must(s.ledger.MonthTotals(s.all(t, "ada"), december))(t)
		if got[0].Score != want {
			t.Errorf("live %t: %d points, want %d", live, got[0].Score, want)
		}
		if size := len(s.items["ada"][december]); size > ledger.MaxItem || dropped < 2*100 || dropped > 2*100+31*280 {
			t.Errorf("live %t: %d bytes, %d entries dropped", live, size, dropped)
		}
		listed := harness.Must(s.ledger.ListedOf(s.all(t, "ada")))(t)
		for _, e := range listed {
			if e.State == ledger.EntryUndone && e.Month == december {
				t.Fatalf("kept: %+v", e)
			}
		}
		var again []activity.Activity // each kept entry can be done, undone and restored again
		for _, a := range atTheCaps() {
			a.User = "ada"
			for n, word := range []string{a.Action, "un" + a.Action, a.Action} {
				if a.Action != "visit" {
					b := a
					b.Action, b.At, b.Restores = word, a.At+1_000_000, n == 2
					again = append(again, b)
				}
			}
		}
		s.record(t, again, arrival)
		size := len(s.items["ada"][december])
		if size > ledger.MaxItem {
			t.Errorf("live %t: %d bytes", live, size)
		}
		t.Logf("live %t: %d entries dropped, then at most %d bytes", live, dropped, size)
	}
}

// A comment that one has taken back and the other restored stands in the joined ledger, though in neither before.
func TestJoinedEntryMayStandInNeither(t *testing.T) {
	t.Parallel()
	s := newAccounts(defaults())
	for i, a := range []activity.Activity{
		{User: "ada", Action: "comment"},
		{User: "ada", Action: "uncomment"},
		{User: "bob", Action: "comment", Restores: true},
	} {
		a.Target, a.At = "p", momentAt(t, "11-20 10:00")+board.Moment(i)
		s.record(t, []activity.Activity{a}, ledger.Arrival{Now: a.At})
	}
	s.join(t, "bob", "ada")
	place := harness.Must(s.ledger.PlaceIn(s.all(t, "ada"), "activity", day(11, 20)))(t)
	if place.Packed.Score() != 3 {
		t.Errorf("%d points", place.Packed.Score())
	}
}

// On a day that was closed for both only numbers are left: a page of both counts twice, within the cap, and the later
// decisive moment stands.
func TestJoinedClosedDaysAddTheirNumbers(t *testing.T) {
	t.Parallel()
	s := newAccounts(defaults())
	visits := func(user string, n int, hour string) {
		for i := range n {
			moment := momentAt(t, "11-20 "+hour) + board.Moment(i)
			a := activity.Activity{User: user, Action: "visit", Target: fmt.Sprint(i), At: moment}
			s.record(t, []activity.Activity{a}, ledger.Arrival{Now: a.At})
		}
	}
	visits("ada", 60, "10:00")
	visits("bob", 3, "12:00")
	s.apply(t, board.EventClose, day(11, 20))
	s.join(t, "bob", "ada")
	place := harness.Must(s.ledger.PlaceIn(s.all(t, "ada"), "activity", day(11, 20)))(t)
	if want := s.ledger.Pack(day(11, 20), 63, momentAt(t, "11-20 12:00")+2); place.Packed != want {
		t.Errorf("%d, want %d", place.Packed, want)
	}
	visits("cy", 90, "09:00")
	s.life = nil
	visits("cy", 90, "09:00")
	s.apply(t, board.EventClose, day(11, 20))
	s.join(t, "cy", "ada")
	place = harness.Must(s.ledger.PlaceIn(s.all(t, "ada"), "activity", day(11, 20)))(t)
	if want := s.ledger.Pack(day(11, 20), 100, momentAt(t, "11-20 12:00")+2); place.Packed != want {
		t.Errorf("%d, want %d", place.Packed, want)
	}
}

// Days that were closed with nothing by day in common have the points of one person who did all of both, in whichever
// order reports and closings come.
func TestJoinedClosedDaysHaveThePointsOfBoth(t *testing.T) {
	t.Parallel()
	left, i := testserver.Soak(t, testserver.Times(20_000, 200_000)), 0
	for ; left > 0; i++ {
		rng := rand.New(rand.NewPCG(uint64(i), 62))
		forum := harness.Must(reference.NewForum(rng))(t)
		acts := forum.WithModeration(rng, forum.Activities(rng, 20+rng.IntN(200), fiveUsers[:2]))
		for n := range acts {
			a := &acts[n]
			rule := forum.Rules.On(forum.Calendar.Date(a.At)).Find(a.Action)
			if rule.TargetIsUser && slices.Contains(fiveUsers[:2], a.Target) {
				a.Target = "cy"
			}
			if !rule.Metric && rule.Scope(a.Ref) == activity.PerDay {
				if a.Target != "" { // else it is by its ref alone
					a.Target += "-" + a.User
				}
				if a.Ref != "" {
					a.Ref += "-" + a.User
				}
			}
		}
		two, one := newAccounts(ledger.New(forum.Rules, forum.Calendar)), newAccounts(ledger.New(forum.Rules, forum.Calendar))
		one.user("ada").Own = []codec.PersonHash{personOf("ada"), personOf("bob")}
		for _, batch := range reference.Deliver(rng, acts, 40) {
			two.record(t, batch, ledger.Arrival{Now: board.Latest, AnyAge: true})
			left -= len(batch)
			for n := range batch {
				batch[n].User = "ada"
			}
			one.record(t, batch, ledger.Arrival{Now: board.Latest, AnyAge: true})
			for range rng.IntN(3) {
				if p := board.PeriodOf(board.Day, forum.From+board.Date(rng.IntN(forum.Days))); !two.life.Closed(p) {
					two.apply(t, board.EventClose, p)
					one.apply(t, board.EventClose, p)
				}
			}
		}
		if dropped := two.join(t, "bob", "ada"); dropped > 0 {
			t.Fatalf("%d entries are dropped", dropped)
		}
		scores := func(all allBoards) map[spot]int64 {
			points := map[spot]int64{}
			for place, packed := range all {
				points[place] = packed.Score()
			}
			return points
		}
		if diff := cmp.Diff(scores(one.shown(t).boards), scores(two.shown(t).boards)); diff != "" {
			t.Fatalf("episode %d in %s: boards differ (-one +joined):\n%.3000s", i, forum.Calendar.Zone(), diff)
		}
	}
	t.Logf("%d histories", i)
}

// Of two awards with one id the earlier stands, and taken back in either is taken back.
func TestJoinedAwards(t *testing.T) {
	t.Parallel()
	s := newAccounts(defaults())
	award := func(user, id string, points int64, when string, taken bool) {
		a := activity.Activity{
			User: user, Action: activity.AwardWord, At: momentAt(t, when),
			Award: &activity.Award{ID: id, Points: points, Board: "activity", Reason: "because", Taken: taken},
		}
		s.record(t, []activity.Activity{a}, ledger.Arrival{Now: a.At})
	}
	award("ada", "a", 5, "11-20 10:00", false)
	award("bob", "a", 7, "11-20 09:00", false)
	award("ada", "b", 9, "11-20 10:00", false)
	award("bob", "b", 8, "11-20 10:00", false)
	award("ada", "c", 50, "11-20 10:00", false)
	award("bob", "c", 50, "11-20 10:00", false)
	award("bob", "c", 50, "11-20 10:00", true)
	award("bob", "d", 100, "11-20 10:00", false)
	s.join(t, "bob", "ada")
	score := harness.Must(s.ledger.PlaceIn(s.all(t, "ada"), "activity", day(11, 20)))(t).Packed.Score()
	if score != 7+8+100 {
		t.Errorf("%d points", score)
	}
}

// Acts of two people for each other count for nothing when they are one person, where the rule wants another, and are
// listed as merged; a follow of oneself is gone. New ones are refused.
func TestActsForOneselfDoNotCount(t *testing.T) {
	t.Parallel()
	s := newAccounts(giving(t))
	expect(t, "like", s.with(t, "like", "p", "bob", "11-20 10:00"), ledger.Counted, 2, "11-20")
	expect(t, "liked", s.with(t, "liked", "q", "bob", "11-20 10:00"), ledger.Counted, 1, "11-20")
	expect(t, "follow", s.with(t, "follow", "bob", "", "11-20 10:00"), ledger.Counted, 2, "11-20")
	expect(t, "another's", s.with(t, "like", "r", "cy", "11-20 10:00"), ledger.Counted, 2, "11-20")
	visit := activity.Activity{User: "bob", Action: "visit", Target: "1", At: momentAt(t, "11-20 10:00")}
	s.record(t, []activity.Activity{visit}, ledger.Arrival{Now: visit.At})
	s.join(t, "bob", "ada")
	if place := harness.Must(s.ledger.PlaceIn(s.all(t, "ada"), "activity", day(11, 20)))(t); place.Packed.Score() != 3 {
		t.Errorf("%d points", place.Packed.Score())
	}
	states := map[string]ledger.EntryState{}
	for _, e := range harness.Must(s.ledger.ListedOf(s.all(t, "ada")))(t) {
		states[e.Action+" "+e.Target] = e.State
	}
	want := map[string]ledger.EntryState{
		"like p": ledger.EntryMerged, "liked q": ledger.EntryMerged,
		"like r": ledger.EntryCounted, "visit 1": ledger.EntryCounted,
	}
	if diff := cmp.Diff(want, states); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	expect(t, "like of one's own", s.with(t, "like", "s", "bob", "11-20 11:00"), ledger.Self, 0, "11-20")
	expect(t, "follow of oneself", s.with(t, "follow", "bob", "", "11-20 11:00"), ledger.Self, 0, "11-20")
}

// An unfollow takes back the follows of all ids of a person.
func TestUnfollowEntersAllKeys(t *testing.T) {
	t.Parallel()
	s := newAccounts(giving(t))
	s.with(t, "follow", "bob", "", "11-20 10:00")
	s.with(t, "follow", "cy", "", "11-20 10:00")
	s.merged = map[string][]codec.PersonHash{"cy": {personOf("bob")}}
	expect(t, "unfollow", s.with(t, "unfollow", "cy", "", "11-21 10:00"), ledger.Revoked, -4, "11-20")
	s.merged = nil
	expect(t, "a late follow", s.with(t, "follow", "bob", "", "11-20 11:00"), ledger.Superseded, 0, "11-20")
}

// Twelve people with all awards of a month are one, with all points: reasons of the first ones make room.
func TestJoinedAwardsFitAnItem(t *testing.T) {
	t.Parallel()
	s, december, end := newAccounts(defaults()), november+1, momentAt(t, "12-31 23:59")
	const people = 12
	for n := range people {
		s.awardAll(t, fmt.Sprint("p", n), n, end)
	}
	for n := range people - 1 {
		s.join(t, fmt.Sprint("p", n+1), "p0")
	}
	got := harness.Must(s.ledger.MonthTotals(s.all(t, "p0"), december))(t)
	if want := int64(people * ledger.MaxAwards * 1_000); len(got) != 1 || got[0].Score != want {
		t.Errorf("%+v, want %d points", got, want)
	}
	if size := len(s.items["p0"][december]); size > ledger.MaxItem {
		t.Errorf("%d bytes", size)
	}
	reasons := 0
	for _, e := range harness.Must(s.ledger.ListedOf(s.all(t, "p0")))(t) {
		if e.Award != nil && e.Award.Reason != "" {
			reasons++
		}
	}
	if reasons == 0 || reasons == people*ledger.MaxAwards {
		t.Errorf("%d reasons are left", reasons)
	}
}
