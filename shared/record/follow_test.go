package record_test

import (
	"errors"
	"slices"
	"testing"

	"laurel/shared/activity"
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
				_, _, failed := w.all.ChangePerson(t.Context(), w.headNow().KeyOf("ann"), "ann",
					func(_ *records.Head, p *records.Person) error {
						p.ID, p.Status.Excluded = "ann", true
						return nil
					})
				if err = errors.Join(err, failed); err != nil {
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
