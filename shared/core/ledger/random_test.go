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
	"laurel/shared/core/ledger"
)

var fiveUsers = []string{"ada", "bob", "-1", "9007199254740993", "é"}

// Promises 1 and 2: any order, any repetition, any batches give the reference's boards, the
// same bytes of ledgers, and receipts that add up. Places that were moved make the same boards
// as all places.
func TestLedgersAreAFunctionOfTheSetOfActivities(t *testing.T) {
	t.Parallel()
	const episode = 2_000
	for left, i := testserver.Soak(t, testserver.Times(100_000, 1_000_000)), 0; left > 0; i++ {
		rng := rand.New(rand.NewPCG(uint64(i), 7))
		forum := harness.Must(reference.NewForum(rng))(t)
		acts := forum.WithModeration(rng, forum.Activities(rng, episode/(1+rng.IntN(10)), fiveUsers))
		awards := forum.Awards(rng, rng.IntN(40), fiveUsers)
		if acts = append(acts, awards...); i%4 == 0 { // some without later activities that would mend an error
			acts = append(acts[:1+rng.IntN(12)], awards[:rng.IntN(len(awards)+1)]...)
		}
		taken := takenBack(rng, acts)
		voids := map[string]board.Moment{}
		for range rng.IntN(3) {
			if target := acts[rng.IntN(len(acts))].Target; target != "" {
				voids[target] = acts[rng.IntN(len(acts))].At
			}
		}
		pairs := voidPairs(rng)
		ref := reference.New(forum.Rules, forum.Calendar)
		for _, a := range acts {
			ref.Add(a)
		}
		for pair, void := range pairs {
			ref.VoidPair(pair[0], pair[1], void)
		}
		for _, a := range taken {
			ref.Add(a)
		}
		for target, until := range voids {
			ref.Void(target, until)
		}
		var first *accounts
		for range min((episode+len(acts)-1)/len(acts), 40) {
			s := newAccounts(ledger.New(forum.Rules, forum.Calendar))
			batches := append(reference.Deliver(rng, acts, 40), reference.Deliver(rng, slices.Concat(taken, acts), 40)...)
			declared := rng.IntN(len(batches) + 1)
			for j, batch := range batches {
				if j == declared {
					s.void(t, voids)
				}
				for pair, void := range pairs {
					if rng.IntN(len(batches)) == 0 { // and perhaps the other way once more
						s.voidPair(t, pair[0], pair[1], void != (rng.IntN(2) == 0))
					}
				}
				s.record(t, batch, ledger.Arrival{Now: board.Latest, AnyAge: true})
				left -= len(batch)
			}
			if declared == len(batches) {
				s.void(t, voids)
			}
			for pair, void := range pairs {
				s.voidPair(t, pair[0], pair[1], void)
			}
			where := fmt.Sprintf("episode %d in %s", i, forum.Calendar.Zone())
			compareWithReference(t, where, s, ref, forum.Rules, len(voids)+len(pairs) == 0)
			compareRolling(t, where, s, ref, forum.From+board.Date(rng.IntN(forum.Days+30)))
			if first == nil {
				first = s
			} else if diff := cmp.Diff(first.items, s.items); diff != "" {
				t.Fatalf("%s: the same activities, other bytes: %s", where, diff)
			}
		}
	}
}

// voidPairs returns up to three pairs of users that are void at last, or were meanwhile.
func voidPairs(rng *rand.Rand) map[[2]string]bool {
	pairs := map[[2]string]bool{}
	for range max(rng.IntN(6)-2, 0) {
		if a, b := fiveUsers[rng.IntN(5)], fiveUsers[rng.IntN(5)]; a < b {
			pairs[[2]string{a, b}] = rng.IntN(3) > 0
		}
	}
	return pairs
}

// takenBack takes some of the awards back: each by its own moment.
func takenBack(rng *rand.Rand, acts []activity.Activity) (taken []activity.Activity) {
	for _, a := range acts {
		if a.Award != nil && rng.IntN(3) == 0 {
			a.Award = &activity.Award{ID: a.Award.ID, Taken: true}
			taken = append(taken, a)
		}
	}
	return taken
}

func compareWithReference(
	t *testing.T, where string, s *accounts, ref *reference.Ledger, rules *activity.Rules, addUp bool,
) {
	t.Helper()
	want := boardsOf(rules, ref)
	if diff := cmp.Diff(want, s.boards); diff != "" {
		t.Fatalf("%s: boards differ (-reference +moved):\n%.3000s", where, diff)
	}
	if diff := cmp.Diff(want, s.shown(t).boards); diff != "" {
		t.Fatalf("%s: boards differ (-reference +filled):\n%.3000s", where, diff)
	}
	for _, user := range fiveUsers {
		if diff := cmp.Diff(ref.Following(user), s.following(user)); diff != "" {
			t.Fatalf("%s: %s follows (-reference +ledgers):\n%s", where, user, diff)
		}
		if got, want := s.earned[user], ref.MonthPoints(user); got != want && addUp {
			t.Fatalf("%s: receipts of %s add up to %d, the month scores to %d", where, user, got, want)
		}
	}
}

// Days and months close, become final and are reopened, users are excluded meanwhile: boards
// are those of the kept activities.
func TestLivesOfPeriodsDecideOnKeeping(t *testing.T) {
	t.Parallel()
	for left, i := testserver.Soak(t, testserver.Times(40_000, 400_000)), 0; left > 0; i++ {
		rng := rand.New(rand.NewPCG(uint64(i), 31))
		forum := harness.Must(reference.NewForum(rng))(t)
		s := newAccounts(ledger.New(forum.Rules, forum.Calendar))
		ref := reference.New(forum.Rules, forum.Calendar)
		ref.Close(func(k reference.Key) bool { // of the month before an undo's; its own is looked at below
			return k.Month != 0 && s.life.Closed(board.PeriodOf(board.Month, k.Month.First()))
		})
		acts := forum.WithModeration(rng, forum.Activities(rng, 1+rng.IntN(400), fiveUsers))
		for _, batch := range reference.Deliver(rng, acts, 10) {
			switch user := s.user(batch[0].User); rng.IntN(8) {
			case 0:
				s.moveOn(t, board.PeriodOf(board.Day, forum.From+board.Date(rng.IntN(forum.Days))), rng.IntN(5))
			case 1:
				if rng.IntN(10) == 0 {
					s.moveOn(t, board.PeriodOf(board.Month, forum.From+board.Date(rng.IntN(forum.Days))), rng.IntN(5))
				}
			case 2:
				user.Status.Excluded = rng.IntN(3) == 0
			default:
			}
			for j, r := range s.record(t, batch, ledger.Arrival{Now: board.Latest, AnyAge: true}) {
				rule := forum.Rules.On(forum.Calendar.Date(batch[j].At)).Find(batch[j].Action)
				if r.Status.Kept() || r.Status == ledger.Excluded && batch[j].Action == rule.Undo {
					ref.Add(batch[j])
				}
			}
			left -= len(batch)
		}
		want := boardsOf(forum.Rules, ref)
		for _, boards := range []allBoards{want, s.boards} {
			dropFinal(boards, s.life)
		}
		if diff := cmp.Diff(want, s.boards); diff != "" {
			t.Fatalf("episode %d: boards differ (-reference +moved):\n%.3000s", i, diff)
		}
		compareFilled(t, i, want, s)
	}
}

// moveOn takes a period some steps on, from wherever it is. Of a month that becomes final
// everybody's totals are kept.
func (s *accounts) moveOn(t *testing.T, p board.Period, steps int) {
	t.Helper()
	next := map[board.PeriodState]board.PeriodEvent{
		board.PeriodLive: board.EventClose, board.PeriodClosed: board.EventMake, board.PeriodFinal: board.EventRemove,
		board.PeriodRemoved: board.EventReopen, board.PeriodReopened: board.EventClose,
	}
	for range steps {
		e := next[s.life.State(p)]
		if e == board.EventMake && p.Window() == board.Month {
			s.keepTotals(t, p.First().Month())
		}
		if s.apply(t, e, p); e == board.EventReopen { // the view is behind: changes meanwhile were not shown
			within := func(place spot, _ board.Packed) bool { // also days and weeks of a month, which had no unit
				return place.period.Window() <= p.Window() && place.period.First() <= p.Last() && place.period.Last() >= p.First()
			}
			maps.DeleteFunc(s.boards, within)
			for place, packed := range s.shown(t).boards {
				if within(place, packed) {
					s.boards[place] = packed
				}
			}
		}
	}
}

func (s *accounts) keepTotals(t *testing.T, number board.MonthOf) {
	t.Helper()
	for id, user := range s.users {
		totals := []ledger.MonthTotal{}
		for _, known := range user.Totals {
			if known.Month != number {
				totals = append(totals, known)
			}
		}
		if m := s.all(t, id).Months[number]; m != nil {
			now := harness.Must(s.ledger.MonthTotals(s.all(t, id), number))(t)
			totals = append(totals, now...)
		}
		user.Totals = totals
	}
}

// dropFinal takes the boards out that are final, or of a final month: those are in no unit.
func dropFinal(boards allBoards, life *board.Life) {
	maps.DeleteFunc(boards, func(place spot, _ board.Packed) bool {
		p := place.period
		firstMonth, lastMonth := board.PeriodOf(board.Month, p.First()), board.PeriodOf(board.Month, p.Last())
		return life.Final(p) || p.Window() <= board.Month && (life.Final(firstMonth) || life.Final(lastMonth))
	})
}

// compareFilled compares with the boards of a fill: also of years with only final months, for
// which nobody has a unit.
func compareFilled(t *testing.T, episode int, want allBoards, s *accounts) {
	t.Helper()
	filled := s.shown(t).boards
	dropFinal(filled, s.life)
	for place, packed := range filled {
		if want[place] != packed {
			t.Fatalf("episode %d: filled with %d of %v, want %d", episode, packed, place, want[place])
		}
	}
	for place := range want {
		if place.period.Window() <= board.Month && filled[place] == 0 {
			t.Fatalf("episode %d: not filled with %v", episode, place)
		}
	}
}
