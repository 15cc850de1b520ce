package tabletest

import (
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"laurel/shared/table"
)

// A New returns an empty store for one test, with a clock.
type New func(t *testing.T, now func() time.Time) table.Store

// noon is the time of the tests: in the far future, so that a store that deletes expired
// items by its own clock does not interfere.
var noon = time.Date(2100, 1, 1, 12, 0, 0, 0, time.UTC)

// Exercise runs all tests in parallel.
func Exercise(t *testing.T, newStore New) {
	t.Helper()
	for _, group := range []map[string]func(*testing.T, *store){
		writing, deleting, reading, descending, ascending, expiring, refusing,
		revising, together, contending,
	} {
		for name, test := range group {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				s := new(store)
				s.clock.Store(noon.Unix())
				s.Store = newStore(t, func() time.Time { return time.Unix(s.clock.Load(), 999_999_999) })
				test(t, s)
			})
		}
	}
}

// A store is a test's store and its clock.
type store struct {
	table.Store
	clock atomic.Int64 // seconds since the Unix epoch
}

func key(partition, sort string) table.Key { return table.Key{Partition: partition, Sort: sort} }

// keys returns keys of the partition p.
func keys(sorts ...string) []table.Key {
	all := make([]table.Key, len(sorts))
	for i, sort := range sorts {
		all[i] = key("p", sort)
	}
	return all
}

// item returns an item as it is written first.
func item(partition, sort, data string) table.Item {
	return table.Item{Key: key(partition, sort), Data: []byte(data), Revision: 1}
}

// insert writes a new item by itself.
func (s *store) insert(ctx context.Context, item table.Item) error {
	return s.Write(ctx, table.Write{Item: item})[0].Err
}

// put writes new items.
func (s *store) put(t *testing.T, items ...table.Item) {
	t.Helper()
	for _, item := range items {
		if err := s.insert(t.Context(), item); err != nil {
			t.Fatal(err)
		}
	}
}

// holds checks that of all the keys only these items exist.
func (s *store) holds(t *testing.T, keys []table.Key, want ...table.Item) {
	t.Helper()
	got, err := s.Get(t.Context(), keys...)
	if err != nil {
		t.Fatal(err)
	}
	same(t, byKey(got), byKey(want))
}

// hasAll checks that these items exist.
func (s *store) hasAll(t *testing.T, want ...table.Item) {
	t.Helper()
	keys := make([]table.Key, len(want))
	for i, item := range want {
		keys[i] = item.Key
	}
	s.holds(t, keys, want...)
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
func lines(items []table.Item) []string {
	told := make([]string, len(items))
	for i, item := range items {
		data := fmt.Sprintf("%q", item.Data)
		if len(item.Data) > 1000 {
			data = fmt.Sprintf("%.20q and more, %x", item.Data, sha256.Sum256(item.Data))
		}
		told[i] = fmt.Sprintf("%s: revision %d, until %d, %d bytes: %s",
			item.Key, item.Revision, item.Expires, len(item.Data), data)
	}
	return told
}
