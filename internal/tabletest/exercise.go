package tabletest

import (
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"laurel/shared/store/table"
)

// A New returns an empty store for one test, with a clock.
type New func(t *testing.T, now func() time.Time) table.Store

// noon is the time of the tests: in the far future, so that a store that deletes expired
// items by its own clock does not interfere.
var noon = time.Date(2100, 1, 1, 12, 0, 0, 0, time.UTC)

// Exercise runs all tests in parallel.
func Exercise(t *testing.T, newStore New) {
	t.Helper()
	t.Run("as a map", func(t *testing.T) {
		t.Parallel()
		Random(t, newStore, 400)
	})
	tests := maps.Clone(limits)
	maps.Copy(tests, contending)
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, open(t, newStore))
		})
	}
}

// A store is a test's store and its clock.
type store struct {
	table.Store
	clock atomic.Int64 // seconds since the Unix epoch
}

func open(t *testing.T, newStore New) *store {
	t.Helper()
	s := new(store)
	s.clock.Store(noon.Unix())
	s.Store = newStore(t, func() time.Time { return time.Unix(s.clock.Load(), 999_999_999) })
	return s
}

func key(partition, sort string) table.Key { return table.Key{Partition: partition, Sort: sort} }

// change returns a write of an item of the partition p.
func change(sort, data string, was int64) table.Write {
	w := table.Write{Item: table.Item{Key: key("p", sort), Data: []byte(data)}, Was: was}
	w.Revision = table.Next(was)
	return w
}

// put applies writes, and fails the test if one fails.
func (s *store) put(t *testing.T, writes ...table.Write) {
	t.Helper()
	for i, o := range s.Write(t.Context(), writes...) {
		if o.Err != nil || o.Stored != nil {
			t.Fatalf("write %d: %+v", i, o)
		}
	}
}

// has checks that the partition p has these items, in order of their keys, and no others.
func (s *store) has(t *testing.T, want ...table.Write) {
	t.Helper()
	var got, items []table.Item
	for after := ""; ; after = got[len(got)-1].Sort {
		page, err := s.Ascend(t.Context(), "p", after, "~", 30)
		mustWork(t, err)
		if got = append(got, page...); len(page) < 30 {
			break
		}
	}
	for _, w := range want {
		items = append(items, w.Item)
	}
	same(t, got, items)
}

func byKey(items []table.Item) []table.Item {
	return slices.SortedFunc(slices.Values(items), func(a, b table.Item) int {
		return cmp.Or(cmp.Compare(a.Partition, b.Partition), cmp.Compare(a.Sort, b.Sort))
	})
}

// same compares items, in order.
func same(t *testing.T, got, want []table.Item) {
	t.Helper()
	if diff := gocmp.Diff(lines(want), lines(got)); diff != "" {
		t.Errorf("items (-want +got):\n%s", diff)
	}
}

// lines returns items as readable text, large ones by their hashes.
func lines(items []table.Item) (told []string) {
	for _, item := range items {
		data := fmt.Sprintf("%q", item.Data)
		if len(item.Data) > 1000 {
			data = fmt.Sprintf("%.20q and more, %x", item.Data, sha256.Sum256(item.Data))
		}
		told = append(told, fmt.Sprintf("%q: revision %d, until %d, %d bytes: %s",
			item.Key, item.Revision, item.Expires, len(item.Data), data))
	}
	return told
}

func mustWork(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// mustRefuse checks for an error of the caller, not of the store.
func mustRefuse(t *testing.T, err error) {
	t.Helper()
	if err == nil || errors.Is(err, table.ErrUnavailable) || errors.Is(err, table.ErrConflict) {
		t.Errorf("got %v", err)
	}
}
