package items_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"laurel/shared/core/article"
	"laurel/shared/core/board"
	"laurel/shared/store/items"
)

// A pass meets everybody of its bucket once with all items, in the order of keys, also from
// the middle on.
func TestPassMeetsEverybodyOnce(t *testing.T) {
	t.Parallel()
	s, months, has := memory(t), []board.MonthOf{month, month + 1, month + 2}, map[items.Key]int{}
	for i := range 64 { // each with some of the four items, the last four with none
		key := keyOf(7, i)
		has[key] = 15 - i/4
		changes := []items.Change{newPerson(key, i), newPerson(keyOf(8, i), i)}
		for _, m := range months {
			changes = append(changes, newLedger(items.LedgerKey{Person: key, Month: m}, i))
		}
		for bit := 3; bit >= 0; bit-- {
			if index := []int{0, 2, 3, 4}[bit]; has[key]&(1<<bit) == 0 {
				changes = slices.Delete(changes, index, index+1)
			}
		}
		write(t, s, changes...)
	}
	walk := func(months []board.MonthOf) (order []string) {
		for h, err := range s.Pass(t.Context(), months, 7) {
			if err != nil || h.Err != nil {
				t.Fatal(err, h.Err)
			}
			rows := min(int(h.Person.Revision), 1)
			for i, m := range months {
				rows |= min(int(h.Ledgers[m].Revision), 1) << (i + 1)
			}
			if want := has[h.Key] & (2<<len(months) - 1); rows != want || len(h.Ledgers) > len(months) {
				t.Errorf("%s has %b, want %b", h.Key, rows, want)
			}
			order = append(order, h.Key.String())
		}
		return order
	}
	order := walk(months)
	once, sorted := len(slices.Compact(slices.Clone(order))), slices.IsSorted(order)
	if once != 60 || len(order) != once || !sorted {
		t.Errorf("%d people, %d times, in order: %v", once, len(order), sorted)
	}
	if n := len(walk(months[:1])); n != 48 {
		t.Errorf("%d people with an item of one month", n)
	}
	for _, err := range s.Pass(t.Context(), months, 7) {
		if err != nil {
			t.Error(err)
		}
		break // and nothing is read any more
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var last error
	for _, err := range s.Pass(ctx, months, 7) {
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
	var q items.Query
	changes := make([]items.Change, n)
	for i := range changes {
		key := items.LedgerKey{Person: keyOf(5, i), Month: month}
		changes[i], q.Ledgers = newLedger(key, i), append(q.Ledgers, key)
	}
	write(t, s, changes...)
	seen := map[items.Key]bool{}
	for h, err := range s.LedgerPass(t.Context(), []board.MonthOf{month}, 5, false) {
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
	for i, key := range q.Ledgers {
		if row := got.Ledgers[key]; row.Revision == 0 || row.Value.User != ledgerOf(i).User {
			t.Fatalf("%d reads as %+v", i, row)
		}
	}
}

// Deleting a month deletes its ledgers, and no other item.
func TestDeleteMonth(t *testing.T) {
	t.Parallel()
	s := memory(t)
	ada := items.Query{People: []items.Key{keyOf(0, 0)}}
	write(t, s, newPerson(ada.People[0], 0))
	for i := range 40 {
		write(t, s, newLedger(items.LedgerKey{Person: keyOf(i%3, i), Month: month}, i))
	}
	kept := items.LedgerKey{Person: keyOf(0, 0), Month: month + 1}
	write(t, s, newLedger(kept, 0))
	for _, want := range []int64{40, 0} {
		if n, err := s.DeleteMonth(t.Context(), month); n != want || err != nil {
			t.Errorf("%d, %v, want %d", n, err, want)
		}
	}
	ada.Ledgers = []items.LedgerKey{kept, {Person: keyOf(0, 0), Month: month}}
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
		write(t, s, items.Change{Article: &page},
			items.Change{Void: &items.Void{Target: id, Until: now, Progress: items.Progress{State: items.Waiting}}})
	}
	for bucket := range items.Buckets {
		key := keyOf(bucket, 1)
		want = append(want, "erasure "+key.String())
		done := &items.Erasure{Progress: items.Progress{State: items.Done}}
		write(t, s, items.Change{Erasure: &items.ErasureChange{Key: key, Value: done}})
	}
	for row, err := range s.AllArticles(t.Context()) {
		if err != nil || row.Err != nil || row.Value.ID != row.ID {
			t.Fatal(err, row)
		}
		got = append(got, "article "+row.ID)
	}
	for row, err := range s.Erasures(t.Context()) {
		if err != nil || row.Value.State != "done" {
			t.Fatal(err, row)
		}
		got = append(got, "erasure "+row.Key.String())
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

// A pass whose time ends within a bucket continues with that bucket, and so does one that fails there.
func TestThroughBuckets(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	for _, c := range []struct {
		left        time.Duration // of the call; a bucket takes two seconds
		start, next int
		breaks      int
		err         error
	}{
		{time.Hour, 0, items.Buckets, -1, nil},
		{time.Hour, 5, 20, 20, broken},
		{time.Hour, 5, 5, 5, broken},
		{7 * time.Second, 0, 2, -1, nil},
		{5 * time.Second, 30, 31, -1, nil},
		{2500 * time.Millisecond, 3, 4, -1, nil}, // one at least
		{time.Second, 3, 3, -1, context.DeadlineExceeded},
	} {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), c.left)
			defer cancel()
			next, err := items.ThroughBuckets(ctx, c.start, func(ctx context.Context, bucket int) error {
				if bucket == c.breaks {
					return broken
				}
				select {
				case <-ctx.Done():
					return ctx.Err()
				case <-time.After(2 * time.Second):
					return nil
				}
			})
			if next != c.next || !errors.Is(err, c.err) {
				t.Errorf("%+v: %d, %v", c, next, err)
			}
		})
	}
}
