package tabletest

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"laurel/shared/table"
)

// large is the size of an item that a Store must accept.
const large = 390 << 10

var reading = map[string]func(*testing.T, *store){
	"missing items are left out": func(t *testing.T, s *store) {
		s.put(t, item("p", "s", "data"))
		s.holds(t, append(keys("s", "t"), key("q", "s"), key("ps", "s")), item("p", "s", "data"))
		s.holds(t, keys("t"))
		s.holds(t, nil)
	},
	"a hundred keys are one read": func(t *testing.T, s *store) {
		var all []table.Item
		for i := range 100 {
			all = append(all, item(fmt.Sprintf("p%d", i%7), fmt.Sprintf("s%d", i), fmt.Sprint("data", i)))
		}
		s.put(t, all...)
		s.hasAll(t, all...)
	},
	"an eventual read has what was written before": func(t *testing.T, s *store) {
		s.put(t, item("p", "s", "data"), item("p", "t", "data"))
		for _, keys := range [][]table.Key{nil, keys("s"), keys("t", "u"), keys("s", "t")} {
			want, err := s.Get(t.Context(), keys...)
			got, failed := s.GetEventually(t.Context(), keys...)
			for deadline := time.Now().Add(10 * time.Second); len(got) < len(want) && time.Now().Before(deadline); {
				got, failed = s.GetEventually(t.Context(), keys...)
			}
			if err := errors.Join(err, failed); err != nil {
				t.Fatal(err)
			}
			same(t, byKey(got), byKey(want))
		}
	},
	"any number of large items is read": func(t *testing.T, s *store) {
		var all []table.Item // 17 MB, which is more than DynamoDB answers at a time
		for i := range 45 {
			all = append(all, item("p", fmt.Sprintf("s%02d", i), strings.Repeat(string(rune('a'+i%26))+"\x00\xff", large/4)))
		}
		s.put(t, all...)
		s.hasAll(t, all...)
	},
	"a reader may change the data": func(t *testing.T, s *store) {
		s.put(t, item("p", "s", "data"))
		items, err := s.Get(t.Context(), key("p", "s"))
		if err != nil || len(items) != 1 {
			t.Fatal(items, err)
		}
		items[0].Data[0] = 'x'
		s.hasAll(t, item("p", "s", "data"))
	},
}

var descending = map[string]func(*testing.T, *store){
	"the greatest sort key below comes first, by bytes": func(t *testing.T, s *store) {
		// One is a prefix of another; one has several bytes a character.
		sorts := []string{
			"#", "0", "2026-01", "2026-01-01", "2026-01-02", "2026-01-10", "2026-1", "A", "a", "a\x00", "a\x01", "aa",
			"é", "日", "🏆",
		}
		if !slices.IsSorted(sorts) {
			t.Fatal("the test is wrong")
		}
		for _, i := range []int{3, 14, 0, 7, 1, 12, 9, 2, 13, 5, 11, 4, 10, 8, 6} {
			s.put(t, item("p", sorts[i], sorts[i]))
		}
		for n, below := range append(slices.Clone(sorts), "🏆🏆") {
			for _, limit := range []int{1, 2, len(sorts), 1000} {
				want := slices.Clone(sorts[max(0, n-limit):n])
				slices.Reverse(want)
				s.descends(t, "p", below, limit, want...)
			}
		}
		s.descends(t, "p", "2026-01-", 2, "2026-01", "0")
		s.descends(t, "p", "2026-01-01\x00", 1, "2026-01-01")
	},
	"only the partition is read": func(t *testing.T, s *store) {
		for _, partition := range []string{"a", "a#", "a#b", "b", "A", "a\x00"} {
			s.put(t, item(partition, "s", "s"), item(partition, "b#s", "b#s"))
		}
		for _, partition := range []string{"a", "a#", "a#b", "b", "A", "a\x00"} {
			s.descends(t, partition, "~", 10, "s", "b#s")
			s.descends(t, partition, "b", 10)
		}
		s.descends(t, "nobody", "~", 10)
		s.descends(t, "a#b#", "~", 10)
	},
	"nothing is below the empty key or within the limit 0": func(t *testing.T, s *store) {
		s.put(t, item("p", "s", "s"))
		s.descends(t, "p", "", 10)
		s.descends(t, "p", "~", 0)
	},
	"writes and deletions are visible at once": func(t *testing.T, s *store) {
		for i := range 20 {
			sort := fmt.Sprintf("s%02d", i)
			s.put(t, item("p", sort, sort))
			s.descends(t, "p", "t", 1, sort)
			s.ascends(t, "r", sort, 1, "s00")
		}
		mustWork(t, s.Delete(t.Context(), key("p", "s19"), key("p", "s17")))
		s.descends(t, "p", "t", 2, "s18", "s16")
	},
}

var ascending = map[string]func(*testing.T, *store){
	"the least sort key after the bound comes first, by bytes": func(t *testing.T, s *store) {
		sorts := []string{"\x00", "#", "0", "2026-01", "2026-01-01", "2026-1", "a", "a\x00", "a\x01", "aa", "é", "日", "🏆"}
		for _, i := range []int{3, 11, 0, 7, 1, 12, 9, 2, 5, 4, 10, 8, 6} {
			s.put(t, item("p", sorts[i], sorts[i]), item("p\x00", sorts[i], "other"), item("o", sorts[i], "other"))
		}
		for n, after := range sorts {
			for m := n; m < len(sorts); m++ {
				s.ascends(t, after, sorts[m], 3, sorts[n+1:min(m+1, n+4)]...)
			}
			s.ascends(t, after, "🏆🏆", 100, sorts[n+1:]...)
		}
		s.ascends(t, "", "🏆", 100, sorts...)
		s.ascends(t, "2026", "2026-01-00", 100, "2026-01")
		s.ascends(t, "b", "c", 100)
	},
	"nothing is between equal bounds or within the limit 0": func(t *testing.T, s *store) {
		s.put(t, item("p", "s", "s"))
		s.ascends(t, "s", "s", 10)
		s.ascends(t, "t", "a", 10)
		s.ascends(t, "", "", 10)
		s.ascends(t, "a", "t", 0)
	},
	"large items are read up to the limit": func(t *testing.T, s *store) {
		var all []table.Item
		for i := range 7 { // more than two of DynamoDB's pages
			all = append(all, item("p", fmt.Sprintf("s%d", i), strings.Repeat(string(rune('a'+i))+"\x00", large/2)))
		}
		s.put(t, all...)
		for _, limit := range []int{2, 6, 7, 8} {
			var got []table.Item
			for after := ""; ; after = got[len(got)-1].Sort {
				page, err := s.Ascend(t.Context(), "p", after, "t", limit)
				if err != nil {
					t.Fatal(err)
				}
				if got = append(got, page...); len(page) < limit {
					break
				}
			}
			same(t, got, all)
			down, err := s.Descend(t.Context(), "p", "t", limit)
			mustWork(t, err)
			slices.Reverse(down)
			same(t, down, all[max(0, len(all)-limit):])
		}
	},
}

// ascends checks which sort keys of the partition p are read, of items whose data is
// their sort key.
func (s *store) ascends(t *testing.T, after, last string, limit int, sorts ...string) {
	t.Helper()
	got, err := s.Ascend(t.Context(), "p", after, last, limit)
	if err != nil {
		t.Fatal(err)
	}
	want := make([]table.Item, len(sorts))
	for i, sort := range sorts {
		want[i] = item("p", sort, sort)
	}
	same(t, got, want)
}

// descends checks which sort keys are read, of items whose data is their sort key.
func (s *store) descends(t *testing.T, partition, below string, limit int, sorts ...string) {
	t.Helper()
	got, err := s.Descend(t.Context(), partition, below, limit)
	if err != nil {
		t.Fatal(err)
	}
	want := make([]table.Item, len(sorts))
	for i, sort := range sorts {
		want[i] = item(partition, sort, sort)
	}
	same(t, got, want)
}
