package records_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"laurel/internal/harness"
	"laurel/shared/article"
	"laurel/shared/board"
	"laurel/shared/records"
)

// met is what a pass is to meet of a person: the month whose ledgers there are, and -1 for
// the person's item.
type met map[string][]int

// fill writes people and ledgers of a bucket at random and returns who has what.
func fill(t *testing.T, s *records.Store, rng *rand.Rand, bucket, n int) met {
	t.Helper()
	all := met{}
	var changes []records.Change
	for i := range n {
		key := keyOf(bucket, i)
		for m := -1; m < 3; m++ {
			if rng.IntN(3) == 0 {
				continue
			}
			all[key.String()] = append(all[key.String()], m)
			if m < 0 {
				changes = append(changes, newPerson(key, i))
			} else {
				changes = append(changes, newLedger(records.LedgerKey{Person: key, Month: month + board.MonthOf(m)}, i))
			}
		}
	}
	write(t, s, changes...)
	return all
}

// walked returns what a pass of Holdings meets after a key, and the order.
func walked(t *testing.T, s *records.Store, months []board.MonthOf, bucket int, after records.Key) (met, []string) {
	t.Helper()
	all, order := met{}, []string{}
	for h, err := range s.Holdings(t.Context(), months, bucket, after) {
		if err != nil || h.Err != nil {
			t.Fatal(err, h.Err)
		}
		key := h.Key.String()
		order = append(order, key)
		if h.Person.Revision != 0 {
			all[key] = append(all[key], -1)
		}
		for i, m := range months {
			if row, there := h.Ledgers[m]; there && row.Revision != 0 {
				all[key] = append(all[key], i)
			}
		}
	}
	return all, order
}

// A pass meets everybody of its bucket once with all items, in the order of keys, also from
// the middle on.
func TestHoldingsMeetEverybodyOnce(t *testing.T) {
	t.Parallel()
	s := memory(t)
	rng := rand.New(rand.NewPCG(1, 2))
	months := []board.MonthOf{month, month + 1, month + 2}
	want := fill(t, s, rng, 7, 60)
	fill(t, s, rng, 8, 5)
	got, order := walked(t, s, months, 7, records.Key{})
	if diff := cmp.Diff(want, got); diff != "" || !slices.IsSorted(order) {
		t.Errorf("in order: %v (-want +got):\n%s", slices.IsSorted(order), diff)
	}
	middle := harness.Must(records.ParseKey(order[20]))(t)
	if _, rest := walked(t, s, months, 7, middle); !slices.Equal(rest, order[21:]) {
		t.Errorf("after the 21st: %d, want %d", len(rest), len(order)-21)
	}
	one, _ := walked(t, s, months[1:2], 7, records.Key{})
	for key, has := range one {
		if slices.Contains(has, 0) != slices.Contains(want[key], 1) {
			t.Errorf("%s of one month: %v, of all %v", key, has, want[key])
		}
	}
	for _, err := range s.Holdings(t.Context(), months, 7, records.Key{}) {
		if err != nil {
			t.Error(err)
		}
		break // and nothing is read any more
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var last error
	for _, err := range s.Holdings(ctx, months, 7, records.Key{}) {
		last = err
	}
	if last == nil {
		t.Error("a pass whose context has ended seems complete")
	}
}

// More than a call reads, or a page of a pass has, is read and met all.
func TestMoreThanACallReads(t *testing.T) {
	t.Parallel()
	s := memory(t)
	const n = 5_001
	var q records.Query
	changes := make([]records.Change, n)
	for i := range changes {
		of := records.LedgerKey{Person: keyOf(5, i), Month: month}
		changes[i], q.Ledgers = newLedger(of, i), append(q.Ledgers, of)
	}
	write(t, s, changes...)
	seen := map[records.Key]bool{}
	for h, err := range s.Holders(t.Context(), []board.MonthOf{month}, 5, records.Key{}) {
		if err != nil || h.Err != nil || h.Ledgers[month].Revision == 0 {
			t.Fatal(err, h.Err)
		}
		seen[h.Key] = true
	}
	if len(seen) != n {
		t.Errorf("%d of %d", len(seen), n)
	}
	q.Ledgers = q.Ledgers[:330]
	got := read(t, s, q)
	for i, of := range q.Ledgers {
		if row := got.Ledgers[of]; row.Revision == 0 || row.Value.User != ledgerOf(i).User {
			t.Fatalf("%d reads as %+v", i, row)
		}
	}
}

// Deleting a month deletes its ledgers, and no other item.
func TestDeleteMonth(t *testing.T) {
	t.Parallel()
	s := memory(t)
	ada := records.Query{People: []records.Key{keyOf(0, 0)}}
	write(t, s, newPerson(ada.People[0], 0))
	for i := range 40 {
		write(t, s, newLedger(records.LedgerKey{Person: keyOf(i%3, i), Month: month}, i))
	}
	kept := records.LedgerKey{Person: keyOf(0, 0), Month: month + 1}
	write(t, s, newLedger(kept, 0))
	for _, want := range []int64{40, 0} {
		if n, err := s.DeleteMonth(t.Context(), month); n != want || err != nil {
			t.Errorf("%d, %v, want %d", n, err, want)
		}
	}
	ada.Ledgers = []records.LedgerKey{kept, {Person: keyOf(0, 0), Month: month}}
	if f := read(t, s, ada); f.Ledgers[kept].Revision == 0 || f.Ledgers[ada.Ledgers[1]].Revision != 0 ||
		f.People[ada.People[0]].Revision == 0 {
		t.Errorf("left: %+v", f)
	}
}

// Articles, voids and erasures are all met.
func TestOtherPasses(t *testing.T) {
	t.Parallel()
	s := memory(t)
	var got, want []string
	for _, id := range []string{"a", "b", "日", "z"} {
		want = append(want, "article "+id, "void "+id)
		page := article.Page{Article: article.Article{ID: id, Published: now}}
		write(t, s, records.Change{Article: &records.Article{Page: page}},
			records.Change{Void: &records.Void{Target: id, Until: now, State: records.VoidWaiting}})
	}
	for bucket := range records.Buckets {
		for row, err := range s.Articles(t.Context(), bucket, "") {
			if err != nil || row.Err != nil || row.Value.ID != row.ID {
				t.Fatal(err, row)
			}
			got = append(got, "article "+row.ID)
		}
		key := keyOf(bucket, 1)
		want = append(want, "erasure "+key.String())
		write(t, s, records.Change{Erasure: &records.ErasureChange{Key: key, Value: &records.Erasure{State: "done"}}})
		for row, err := range s.Erasures(t.Context(), bucket) {
			if err != nil || row.Value.State != "done" {
				t.Fatal(err, row)
			}
			got = append(got, "erasure "+row.Key.String())
		}
	}
	for row, err := range s.Voids(t.Context()) {
		if err != nil || row.Value.Until != now {
			t.Fatal(err)
		}
		got = append(got, "void "+row.Value.Target)
	}
	slices.Sort(got)
	slices.Sort(want)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", strings.TrimSpace(diff))
	}
}
