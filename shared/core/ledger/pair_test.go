package ledger_test

import (
	"bytes"
	"encoding/binary"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"laurel/internal/harness"
	"laurel/internal/reference"
	"laurel/shared/core/activity"
	"laurel/shared/core/board"
	"laurel/shared/core/ledger"
)

// giving returns ada's ledger with the rules of a forum whose likes give the author points: "liked".
func giving(t *testing.T) *ledger.Ledger {
	t.Helper()
	rules, err := activity.ParseRules([]byte(`{"boards": {"activity": {"windows": ["day", "month"]}}, 
		"versions": [{"actions": {
		"like": {"undo": "unlike", "board": "activity", "points": 2, "entry": "month", "cap": 3, "notOwn": true,
			"by": ["service"]},
		"visit": {"board": "activity", "points": 1, "entry": "day", "by": ["service"]},
		"follow": {"undo": "unfollow", "board": "activity", "points": 2, "entry": "month", "target": "user",
			"by": ["service"]},
		"liked": {"undo": "unliked", "board": "activity", "points": 1, "entry": "month", "byOther": true, "notOwn": true,
			"by": ["service"]}}}]}`))
	harness.OK(t, err)
	return ledger.New(rules, defaults().Calendar())
}

func (s *accounts) with(t *testing.T, word, target, other, when string) ledger.Receipt {
	t.Helper()
	a := activity.Activity{User: "ada", Action: strings.TrimPrefix(word, "re"), Target: target, Other: other}
	a.Restores, a.At = a.Action != word, momentAt(t, when)
	return s.record(t, []activity.Activity{a}, ledger.Arrival{Now: a.At})[0]
}

// One post that two people like is two entries, and each of them takes back their own.
func TestEachGiverHasAnEntry(t *testing.T) {
	t.Parallel()
	s := newAccounts(giving(t))
	expect(t, "bob's", s.with(t, "liked", "p", "bob", "11-20 10:00"), ledger.Counted, 1, "11-20")
	expect(t, "bob's once more", s.with(t, "liked", "p", "bob", "11-20 11:00"), ledger.Duplicate, 0, "11-20")
	expect(t, "cy's", s.with(t, "liked", "p", "cy", "11-20 10:00"), ledger.Counted, 1, "11-20")
	expect(t, "ada's own", s.with(t, "liked", "p", "ada", "11-20 10:00"), ledger.Self, 0, "11-20")
	expect(t, "bob's undo", s.with(t, "unliked", "p", "bob", "11-20 12:00"), ledger.Revoked, -1, "11-20")
	expect(t, "dee's undo", s.with(t, "unliked", "p", "dee", "11-20 12:00"), ledger.NothingToRevoke, 0, "11-20")
	s.void(t, map[string]board.Moment{"p": momentAt(t, "11-20 13:00")})
	if n := s.points("ada", day(11, 20)); n != 0 {
		t.Errorf("%d points on a void post", n)
	}
}

// A like of one's own post is refused from the service, too, if it says the author.
func TestOwnPostsGiveNothingFromTheService(t *testing.T) {
	t.Parallel()
	s := newAccounts(giving(t))
	expect(t, "like of one's own", s.with(t, "like", "p", "ada", "11-20 10:00"), ledger.Self, 0, "11-20")
	expect(t, "visit of one's own", s.with(t, "visit", "p", "ada", "11-20 10:00"), ledger.Counted, 1, "11-20")
	expect(t, "like", s.with(t, "like", "p", "bob", "11-20 10:00"), ledger.Counted, 2, "11-20")
}

// No id of another person is in a ledger, nor a hash that follows from the id alone; an entry by day has none at all.
func TestLedgersHoldNoIDOfAnother(t *testing.T) {
	t.Parallel()
	s := newAccounts(giving(t))
	const giver = "giver-with-a-name"
	for i, word := range []string{"like", "liked", "visit", "unlike", "relike", "follow"} {
		target, other := "p"+word, giver
		if word == "follow" {
			target, other = giver, ""
		}
		s.with(t, word, target, other, "11-20 10:0"+string(rune('0'+i)))
	}
	item := string(s.items["ada"][november])
	hash := string(binary.BigEndian.AppendUint64(nil, uint64(personOf(giver))))
	if strings.Contains(item, giver) || strings.Count(item, hash) != 5 {
		t.Errorf("%d hashes, or the id, in %q", strings.Count(item, hash), item)
	}
}

// The acts of a void pair count for nothing and take no place in the cap; the ledger keeps them all the same.
func TestAVoidPairCountsForNothing(t *testing.T) {
	t.Parallel()
	s := newAccounts(giving(t))
	for i, other := range []string{"bob", "bob", "cy", "cy", "cy"} {
		s.with(t, "like", string(rune('p'+i)), other, "11-20 10:0"+string(rune('0'+i)))
	}
	s.with(t, "liked", "x", "bob", "11-20 10:00")
	s.with(t, "follow", "bob", "", "11-20 10:00")
	before, item := maps.Clone(s.boards), s.items["ada"][november]
	if n := s.points("ada", day(11, 20)); n != 6+1+2 {
		t.Fatalf("%d points before", n)
	}
	s.voidPair(t, "bob", "ada", true)
	if n := s.points("ada", day(11, 20)); n != 6 {
		t.Errorf("%d points for the three of cy alone", n)
	}
	states := map[ledger.EntryState]int{}
	for _, e := range harness.Must(s.ledger.ListedOf(s.all(t, "ada")))(t) {
		states[e.State]++
	}
	if diff := cmp.Diff(map[ledger.EntryState]int{ledger.EntryCounted: 3, ledger.EntryVoided: 4}, states); diff != "" {
		t.Error(diff)
	}
	s.voidPair(t, "bob", "ada", false)
	if diff := cmp.Diff(before, s.boards); diff != "" || !bytes.Equal(item, s.items["ada"][november]) {
		t.Errorf("after lifting: %s", diff)
	}
	s.voidPair(t, "bob", "ada", true)
	expect(t, "like", s.with(t, "like", "new", "bob", "11-20 11:00"), ledger.Voided, 0, "11-20")
	expect(t, "again", s.with(t, "like", "new", "bob", "11-20 11:00"), ledger.Voided, 0, "11-20")
	expect(t, "undo", s.with(t, "unlike", "new", "bob", "11-20 12:00"), ledger.Revoked, 0, "11-20")
	expect(t, "restore", s.with(t, "relike", "new", "bob", "11-20 12:00"), ledger.Voided, 0, "11-20")
	expect(t, "like without a name", s.with(t, "like", "new", "", "11-20 13:00"), ledger.Voided, 0, "11-20")
	expect(t, "liked", s.with(t, "liked", "new", "bob", "11-20 13:00"), ledger.Voided, 0, "11-20")
	expect(t, "follow", s.with(t, "follow", "bob", "", "11-20 13:00"), ledger.Voided, 0, "11-20")
	expect(t, "visit, by day", s.with(t, "visit", "new", "bob", "11-20 13:00"), ledger.Counted, 1, "11-20")
}

// Boards with void pairs are those of a forum where neither acted for the other by month, ties included; without the
// masks they are the boards from before.
func TestAVoidPairIsAsIfNeitherHadActed(t *testing.T) {
	t.Parallel()
	for i := range 300 {
		rng := rand.New(rand.NewPCG(uint64(i), 77))
		forum := harness.Must(reference.NewForum(rng))(t)
		acts := slices.DeleteFunc(forum.Activities(rng, 200, fiveUsers), func(a activity.Activity) bool {
			return a.Ref != "" // an entry of several other persons is the greatest's, so each has one
		})
		others := map[string]string{}
		for j, a := range acts {
			if rule := forum.Rules.On(forum.Calendar.Date(a.At)).Find(a.Action); !rule.ByOther {
				if others[a.Target] == "" {
					others[a.Target] = fiveUsers[rng.IntN(5)]
				}
				acts[j].Other = others[a.Target]
			}
		}
		pair := [2]string{fiveUsers[0], fiveUsers[1+rng.IntN(4)]}
		all := newAccounts(ledger.New(forum.Rules, forum.Calendar))
		without := newAccounts(ledger.New(forum.Rules, forum.Calendar))
		all.record(t, acts, ledger.Arrival{Now: board.Latest, AnyAge: true})
		without.record(t, slices.DeleteFunc(slices.Clone(acts), func(a activity.Activity) bool {
			rule := forum.Rules.On(forum.Calendar.Date(a.At)).Find(a.Action)
			other := a.Other
			if rule.TargetIsUser {
				other = a.Target
			}
			return !rule.Metric && rule.Entry == activity.PerMonth &&
				(pair == [2]string{a.User, other} || pair == [2]string{other, a.User})
		}), ledger.Arrival{Now: board.Latest, AnyAge: true})
		before := maps.Clone(all.boards)
		all.voidPair(t, pair[0], pair[1], true)
		if diff := cmp.Diff(without.boards, all.boards); diff != "" {
			t.Fatalf("episode %d: (-without the acts +void):\n%.2000s", i, diff)
		}
		all.voidPair(t, pair[1], pair[0], false)
		if diff := cmp.Diff(before, all.boards); diff != "" {
			t.Fatalf("episode %d: (-before +lifted):\n%.2000s", i, diff)
		}
	}
}
