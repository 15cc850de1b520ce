package record_test

import (
	"cmp"
	"fmt"
	"slices"
	"testing"

	"laurel/shared/activity"
	"laurel/shared/codec"
	"laurel/shared/ledger"
	"laurel/shared/record"
	"laurel/shared/records"
)

// Whoever is excluded in the middle of following, while another report is written: who is followed by
// the receipts is on the list, and nobody else.
func TestExclusionWhileFollowing(t *testing.T) {
	t.Parallel()
	for _, begun := range []bool{false, true} { // the list
		for at, more := int64(1), true; more; at++ {
			w := newDefault(t, 1)
			w.report(did("ann", "like", "a", noon-9))
			if begun {
				w.report(did("ann", "follow", "old", noon-9))
			}
			other, p, happened := w.start(), w.start(), false
			p.calls.AfterCall(at, func() {
				happened = true
				_, err := other.Record(t.Context(), []activity.Activity{did("ann", "like", "b", noon)}, record.Arrival{Now: noon})
				w.change("ann", func(p *records.Person) { p.ID, p.Status.Excluded = "ann", true })
				if err != nil {
					t.Fatal(err)
				}
			})
			acts := []activity.Activity{did("ann", "follow", "bob", noon), did("ann", "follow", "cid", noon)}
			results, err := p.Record(t.Context(), acts, record.Arrival{Now: noon})
			if err != nil {
				t.Fatal(err)
			}
			list := w.following("ann")
			for i, r := range results {
				if slices.Contains(list, acts[i].Target) != (r.Status == ledger.Counted) {
					t.Errorf("after call %d: %s %s, and on the list: %v", at, acts[i].Target, r.Status, list)
				}
			}
			if more = happened; !more && at < 4 {
				t.Errorf("only %d calls", at)
			}
		}
	}
}

// A full part of a list has room for a target if one is unfollowed: that of longest ago goes.
func TestAFullFollowListMakesRoom(t *testing.T) {
	t.Parallel()
	const part = 5
	var full []records.Followed
	for n := 0; len(full) < ledger.MaxFollows/records.FollowParts; n++ {
		if id := fmt.Sprint("t", n); records.FollowPartOf(id) == part {
			full = append(full, records.Followed{ID: id, Last: noon})
		}
	}
	slices.SortFunc(full, func(a, b records.Followed) int { return cmp.Compare(codec.Hash(a.ID), codec.Hash(b.ID)) })
	target := "new"
	for n := 0; records.FollowPartOf(target) != part; n++ {
		target = fmt.Sprint("new", n)
	}
	of := records.FollowsKey{Part: part}
	follow := func(targets ...records.Followed) (ids []string, first bool) {
		found := &records.Found{Follows: map[records.FollowsKey]records.Row[*records.FollowPart]{
			of: {Value: &records.FollowPart{Targets: targets}, Revision: 1},
		}}
		changes, err := record.FollowChanges(found, of.Person, "ann", []ledger.FollowChange{{Target: target, At: noon}})
		if err != nil {
			t.Fatal(err)
		}
		if len(changes) == 0 {
			return nil, false
		}
		for _, f := range changes[1].Follows.Value.Targets {
			ids = append(ids, f.ID)
		}
		return ids, changes[0].Person.Value.Follows
	}
	if got, _ := follow(full...); got != nil {
		t.Errorf("all are followed, and %d are afterwards", len(got))
	}
	for _, gone := range []int{0, len(full) - 1} {
		unfollowed := slices.Clone(full)
		unfollowed[gone].Undone, unfollowed[9].Undone, unfollowed[300].Undone = noon, noon+1, noon+2
		got, begins := follow(unfollowed...)
		if len(got) != len(full) || !slices.Contains(got, target) || slices.Contains(got, full[gone].ID) || !begins {
			t.Errorf("%d targets, %s gone", len(got), full[gone].ID)
		}
		byHash := func(a, b string) int { return cmp.Compare(codec.Hash(a), codec.Hash(b)) }
		if !slices.IsSortedFunc(got, byHash) {
			t.Error("they are not in order")
		}
	}
	if got, _ := follow(full[1:]...); len(got) != len(full) {
		t.Errorf("%d targets where there was room for one", len(got))
	}
}
