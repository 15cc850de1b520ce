package tabletest

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"laurel/shared/table"
)

// change returns a write of an item of the partition p.
func change(sort, data string, was int64) table.Write {
	w := table.Write{Item: item("p", sort, data), Was: was}
	w.Revision = table.Next(was)
	return w
}

// removal returns a write that deletes it.
func removal(sort string, was int64) table.Write {
	return table.Write{Item: table.Item{Key: key("p", sort)}, Was: was, Gone: true}
}

// write applies writes that must work.
func (s *store) write(t *testing.T, writes ...table.Write) {
	t.Helper()
	for i, o := range s.Write(t.Context(), writes...) {
		if o.Err != nil || o.Stored != nil {
			t.Fatalf("write %d: %+v", i, o)
		}
	}
}

// stores checks that of the writes' keys these are stored, with their data and revisions.
func (s *store) stores(t *testing.T, keys []table.Key, want ...table.Write) {
	t.Helper()
	var got []table.Item
	for some := range slices.Chunk(keys, table.MaxKeys) {
		items, err := s.Get(t.Context(), some...)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, items...)
	}
	items := make([]table.Item, len(want))
	for i, w := range want {
		items[i] = w.Item
	}
	same(t, byKey(got), byKey(items))
}

// several runs a test with a write alone and among others.
func (s *store) several(t *testing.T, test func(t *testing.T, write func(table.Write) table.Outcome)) {
	t.Helper()
	for _, others := range []int{0, 1, 30} {
		test(t, func(w table.Write) table.Outcome {
			writes := []table.Write{w}
			for range others {
				writes = append(writes, change("other"+strconv.Itoa(rand.Int()), "data", 0))
			}
			return s.Write(t.Context(), writes...)[0]
		})
		mustWork(t, s.Delete(t.Context(), keys("s", "t")...))
	}
}

var revising = map[string]func(*testing.T, *store){
	"a written item has its revision": func(t *testing.T, s *store) {
		s.several(t, func(t *testing.T, write func(table.Write) table.Outcome) {
			first := change("s", allBytes(), 0)
			second := change("s", "", first.Revision)
			for _, w := range []table.Write{first, second} {
				if o := write(w); o.Err != nil || w.Revision < 1<<37 {
					t.Fatal(w.Revision, o)
				}
				s.stores(t, keys("s"), w)
			}
			if second.Revision != first.Revision+1 {
				t.Errorf("from %d to %d", first.Revision, second.Revision)
			}
		})
	},
	"an item that is made again goes on above": func(t *testing.T, s *store) {
		s.several(t, func(t *testing.T, write func(table.Write) table.Outcome) {
			first := change("s", "one", 0)
			s.write(t, first)
			time.Sleep(2 * time.Millisecond)
			if o := write(removal("s", first.Revision)); o.Err != nil {
				t.Fatal(o)
			}
			s.stores(t, keys("s"))
			again := change("s", "two", 0)
			if o := write(again); o.Err != nil || again.Revision <= first.Revision {
				t.Fatal(o, again.Revision)
			}
			s.stores(t, keys("s"), again)
		})
	},
	"a write on another revision is refused with the stored item": func(t *testing.T, s *store) {
		s.several(t, func(t *testing.T, write func(table.Write) table.Outcome) {
			there, put := change("s", "there", 0), table.Write{Item: item("p", "t", "put")}
			s.write(t, there)
			s.put(t, put.Item)
			for _, w := range []table.Write{
				change("s", "new", 0), change("s", "new", there.Revision-1), change("s", "new", there.Revision+1),
				removal("s", there.Revision-1), change("t", "new", 0), change("t", "new", 7), removal("t", 7),
			} {
				want := there.Item
				if w.Sort == "t" {
					want = put.Item
				}
				o := write(w)
				mustExist(t, o.Err, w.Key)
				if diff := gocmp.Diff(&want, o.Stored); diff != "" {
					t.Errorf("stored (-want +got):\n%s", diff)
				}
			}
			s.stores(t, keys("s", "t"), there, put)
		})
	},
	"a write on a missing item is refused": func(t *testing.T, s *store) {
		s.several(t, func(t *testing.T, write func(table.Write) table.Outcome) {
			o := write(change("s", "data", 7))
			if mustExist(t, o.Err, key("p", "s")); o.Stored != nil {
				t.Errorf("stored: %v", o.Stored)
			}
			mustWork(t, write(removal("s", 7)).Err) // it is gone
			s.stores(t, keys("s"))
		})
	},
	"each of many writes is applied by itself": func(t *testing.T, s *store) {
		const many = 230
		first, writes, want := make([]table.Write, many), make([]table.Write, many), make([]table.Write, many)
		all := make([]table.Key, many)
		for i := range many {
			first[i] = change(fmt.Sprintf("s%03d", i), fmt.Sprint("first", i), 0)
			all[i] = first[i].Key
		}
		s.write(t, first[:many-30]...)
		for i := range many {
			was := first[i].Revision
			switch {
			case i >= many-30:
				was = 0
			case i%7 == 3: // somebody has written meanwhile
				was--
			}
			if writes[i], want[i] = change(first[i].Sort, fmt.Sprint("second", i), was), first[i]; was != first[i].Revision-1 {
				want[i] = writes[i]
			}
			if i%5 == 0 && was > 0 {
				writes[i] = removal(first[i].Sort, was)
			}
		}
		for i, o := range s.Write(t.Context(), writes...) {
			refused := i < many-30 && i%7 == 3
			if errors.Is(o.Err, table.ErrConflict) != refused || (o.Err != nil) != refused || (o.Stored != nil) != refused {
				t.Errorf("write %d: %+v", i, o)
			}
			if refused && (o.Stored.Key != first[i].Key || o.Stored.Revision != first[i].Revision) {
				t.Errorf("write %d: stored %+v", i, o.Stored)
			}
		}
		want = slices.DeleteFunc(want, func(w table.Write) bool {
			i, _ := strconv.Atoi(w.Sort[1:])
			return writes[i].Gone && i%7 != 3
		})
		s.stores(t, all, want...)
	},
	"many large items are written": func(t *testing.T, s *store) {
		var all []table.Write
		for i := range 30 {
			all = append(all, change(fmt.Sprintf("s%02d", i), strings.Repeat(string(rune('a'+i)), large), 0))
		}
		s.write(t, all...)
		for _, w := range all {
			s.stores(t, []table.Key{w.Key}, w)
		}
	},
	"a write that cannot be is refused alone": func(t *testing.T, s *store) {
		expiring, high := change("e", "data", 0), change("h", "data", 5)
		expiring.Expires, high.Revision = noon.Unix()+10, 5
		good := change("s", "good", 0)
		writes := []table.Write{
			good, change("s", "twice", 0),
			{Item: item("p", "", "data")},
			{Item: item("p\xff", "s", "data")},
			expiring, high,
			change("large", strings.Repeat("x", 400<<10), 0), removal("none", 0), change("negative", "data", -1),
		}
		for i, o := range s.Write(t.Context(), writes...) {
			if i == 0 {
				mustWork(t, o.Err)
				continue
			}
			mustRefuse(t, o.Err)
			mustRefuse(t, s.Together(t.Context(), change("t"+strconv.Itoa(i), "data", 0), writes[i], change("s", "new", 0)))
		}
		s.stores(t, keys("s", "e", "h", "large", "t1", "t2", "t8"), good)
		if len(s.Write(t.Context())) != 0 {
			t.Error("nothing has outcomes")
		}
	},
}
