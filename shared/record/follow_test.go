package record_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"laurel/shared/activity"
	"laurel/shared/ledger"
	"laurel/shared/record"
	"laurel/shared/records"
	"laurel/shared/table"
)

// An interrupted table has something happen right after a call, once.
type interrupted struct {
	records.Table
	calls, at int
	do        func()
}

func (t *interrupted) after() {
	if t.calls++; t.calls == t.at {
		t.do()
	}
}

func (t *interrupted) Get(ctx context.Context, keys ...table.Key) ([]table.Item, error) {
	defer t.after()
	return t.Table.Get(ctx, keys...)
}

func (t *interrupted) Write(ctx context.Context, writes ...table.Write) []table.Outcome {
	defer t.after()
	return t.Table.Write(ctx, writes...)
}

func (t *interrupted) Together(ctx context.Context, writes ...table.Write) error {
	defer t.after()
	return t.Table.Together(ctx, writes...)
}

// Whoever is excluded in the middle of following, while another report is written: who is followed by
// the receipts is on the list, and nobody else.
func TestExclusionWhileFollowing(t *testing.T) {
	t.Parallel()
	for _, begun := range []bool{false, true} { // the list
		for at, more := 1, true; more; at++ {
			w := newDefault(t, 1)
			w.report(did("ann", "like", "a", noon-9))
			if begun {
				w.report(did("ann", "follow", "old", noon-9))
			}
			other, items := w.start(), &interrupted{Table: w.items, at: at}
			items.do = func() {
				_, err := other.Record(t.Context(), []activity.Activity{did("ann", "like", "b", noon)}, record.Arrival{Now: noon})
				_, _, failed := w.all.ChangePerson(t.Context(), w.headNow().KeyOf("ann"), "ann",
					func(_ *records.Head, p *records.Person) error {
						p.ID, p.Status.Excluded = "ann", true
						return nil
					})
				if err = errors.Join(err, failed); err != nil {
					t.Fatal(err)
				}
			}
			w.items = items
			acts := []activity.Activity{did("ann", "follow", "bob", noon), did("ann", "follow", "cid", noon)}
			results, err := w.start().Record(t.Context(), acts, record.Arrival{Now: noon})
			if err != nil {
				t.Fatal(err)
			}
			list := w.following("ann")
			for i, r := range results {
				if slices.Contains(list, acts[i].Target) != (r.Status == ledger.Counted) {
					t.Errorf("after call %d: %s %s, and on the list: %v", at, acts[i].Target, r.Status, list)
				}
			}
			more = items.calls >= at
			if !more && at < 4 {
				t.Errorf("%d calls", items.calls)
			}
		}
	}
}
