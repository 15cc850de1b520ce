package recording_test

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"testing"

	"laurel/internal/harness"
	"laurel/shared/core/activity"
	"laurel/shared/core/codec"
	"laurel/shared/core/ledger"
	"laurel/shared/forum/recording"
	"laurel/shared/store/items"
)

// A user is excluded in the middle of following, while another report is written: only the users whom the receipts
// follow are on the list.
func TestExclusionWhileFollowing(t *testing.T) {
	t.Parallel()
	for _, begun := range []bool{false, true} { // the list
		for call, more := int64(1), true; more; call++ {
			w := newDefault(t, 1)
			w.report(did("ann", "like", "a", noon-9))
			if begun {
				w.report(did("ann", "follow", "old", noon-9))
			}
			other, p, happened := w.start(), w.start(), false
			p.calls.AfterCall(call, func() {
				happened = true
				like := []activity.Activity{did("ann", "like", "b", noon)}
				_, err := other.Recorder.Record(t.Context(), like, recording.Arrival{Now: noon})
				w.change("ann", func(p *items.Person) { p.ID, p.Status.Excluded = "ann", true })
				harness.OK(t, err)
			})
			acts := []activity.Activity{did("ann", "follow", "bob", noon), did("ann", "follow", "cid", noon)}
			results := harness.Must(p.Recorder.Record(t.Context(), acts, recording.Arrival{Now: noon}))(t)
			list := w.following("ann")
			for i, r := range results {
				if slices.Contains(list, acts[i].Target) != (r.Status == ledger.Counted) {
					t.Errorf("after call %d: %s %s, and on the list: %v", call, acts[i].Target, r.Status, list)
				}
			}
			if more = happened; !more && call < 4 {
				t.Errorf("only %d calls", call)
			}
		}
	}
}

func TestFollowingAnErasedUser(t *testing.T) {
	t.Parallel()
	w := newDefault(t, 1)
	w.change("bob", func(p *items.Person) { p.ID, p.Erased = "", noon-1 })
	r := w.report(did("ann", "follow", "bob", noon-1), did("ann", "follow", "bob", noon))
	if r[0].Status != ledger.WasErased || r[1].Status != ledger.Counted {
		t.Errorf("at the erasure %s, and later %s", r[0].Status, r[1].Status)
	}
}

// A full part of a list has room for a target if one is unfollowed: the one unfollowed first goes.
func TestAFullFollowListMakesRoom(t *testing.T) {
	t.Parallel()
	const part = 5
	var all []items.Followed // one more than there is room for
	for n := 0; len(all) <= ledger.MaxFollows/items.FollowParts; n++ {
		if id := fmt.Sprint("t", n); items.FollowPartOf(id) == part {
			all = append(all, items.Followed{ID: id, Last: noon})
		}
	}
	target, full, key := all[0].ID, all[1:], items.FollowsKey{Part: part}
	byHash := func(a, b items.Followed) int { return cmp.Compare(codec.Hash(a.ID), codec.Hash(b.ID)) }
	slices.SortFunc(full, byHash)
	follow := func(targets []items.Followed) []items.Followed {
		found := &items.Found{Follows: map[items.FollowsKey]items.Row[*items.FollowPart]{
			key: {Value: &items.FollowPart{Targets: targets}, Revision: 1},
		}}
		changes, err := recording.FollowChanges(found, key.Person, "ann", []ledger.FollowChange{{Target: target, At: noon}})
		if err != nil || len(changes) == 0 {
			return nil
		}
		next := changes[1].Follows.Value.Targets
		if !changes[0].Person.Value.Follows || len(next) != len(full) || !slices.IsSortedFunc(next, byHash) {
			t.Errorf("%d targets, or they are not in order", len(next))
		}
		return next
	}
	has := func(list []items.Followed, id string) bool {
		return slices.ContainsFunc(list, func(f items.Followed) bool { return f.ID == id })
	}
	if got := follow(full); got != nil {
		t.Errorf("all are followed, and %d are afterwards", len(got))
	}
	for _, gone := range []int{0, len(full) - 1} {
		unfollowed := slices.Clone(full)
		unfollowed[gone].Undone, unfollowed[9].Undone, unfollowed[300].Undone = noon, noon+1, noon+2
		if got := follow(unfollowed); !has(got, target) || has(got, full[gone].ID) {
			t.Errorf("%s is not gone", full[gone].ID)
		}
	}
	if got := follow(full[1:]); !has(got, target) {
		t.Error("there was room for one")
	}
	damaged := &items.Found{
		Follows: map[items.FollowsKey]items.Row[*items.FollowPart]{key: {Err: errors.New("damaged")}},
	}
	follows := []ledger.FollowChange{{Target: target, At: noon}}
	if changes, err := recording.FollowChanges(damaged, key.Person, "ann", follows); err == nil {
		t.Errorf("over a damaged part: %+v", changes)
	}
}
