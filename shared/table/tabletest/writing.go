package tabletest

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"laurel/shared/table"
)

// allBytes returns all bytes, also those that text cannot have.
func allBytes() string {
	var b []byte
	for i := range 512 {
		b = append(b, byte(i))
	}
	return string(b)
}

var putting = map[string]func(*testing.T, *store){
	"a written item is read": func(t *testing.T, s *store) {
		items := []table.Item{
			item("p", "plain", "data"), item("p", "bytes", allBytes()), item("p", "empty", ""), item("q", "plain", "\x00"),
		}
		items[0].Expires = noon.Unix() + 3600
		s.put(t, items...)
		s.hasAll(t, items...)
	},
	"the same data can be put again and gets the new expiry": func(t *testing.T, s *store) {
		first, again, forever := item("p", "s", "data"), item("p", "s", "data"), item("p", "s", "data")
		first.Expires, again.Expires = noon.Unix()+10, noon.Unix()+20
		for _, i := range []table.Item{first, again, again, forever} {
			s.put(t, i)
			s.hasAll(t, i)
		}
	},
	"other data is refused and changes nothing": func(t *testing.T, s *store) {
		s.put(t, item("p", "s", "data"), item("p", "empty", ""))
		for _, other := range []string{"other", "", "data\x00"} {
			mustExist(t, s.Put(t.Context(), item("p", "s", other)), key("p", "s"))
		}
		mustExist(t, s.Put(t.Context(), item("p", "empty", "\x00")), key("p", "empty"))
		s.hasAll(t, item("p", "s", "data"), item("p", "empty", ""))
	},
	"of concurrent writers with different data one wins": func(t *testing.T, s *store) {
		s.oneWins(t, func(i table.Item) error { return s.Put(t.Context(), i) })
	},
	"concurrent writers with the same data all succeed": func(t *testing.T, s *store) {
		won := s.race(t, func(int) error { return s.Put(t.Context(), item("p", "s", "data")) })
		if len(won) != racers {
			t.Errorf("%d of %d succeeded", len(won), racers)
		}
	},
	"a writer may change the data afterwards": func(t *testing.T, s *store) {
		mine := item("p", "s", "data")
		s.put(t, mine)
		mine.Data[0] = 'x'
		s.hasAll(t, item("p", "s", "data"))
	},
}

var replacing = map[string]func(*testing.T, *store){
	"the expected item is replaced": func(t *testing.T, s *store) {
		s.put(t, item("p", "s", "one"))
		two := item("p", "s", "two")
		two.Expires = noon.Unix() + 10
		mustWork(t, s.Replace(t.Context(), two, []byte("one")))
		s.hasAll(t, two)
	},
	"another item stays": func(t *testing.T, s *store) {
		s.put(t, item("p", "s", "one"))
		for _, old := range [][]byte{[]byte("two"), {}, nil, []byte("one\x00")} {
			mustExist(t, s.Replace(t.Context(), item("p", "s", "three"), old), key("p", "s"))
		}
		mustExist(t, s.Replace(t.Context(), item("p", "missing", "one"), []byte("one")), key("p", "missing"))
		s.holds(t, keys("s", "missing"), item("p", "s", "one"))
	},
	"nil means no item, empty data does not": func(t *testing.T, s *store) {
		mustExist(t, s.Replace(t.Context(), item("p", "s", "one"), []byte{}), key("p", "s"))
		mustWork(t, s.Replace(t.Context(), item("p", "s", ""), nil))
		mustExist(t, s.Replace(t.Context(), item("p", "s", "one"), nil), key("p", "s"))
		mustWork(t, s.Replace(t.Context(), item("p", "s", "one"), []byte{}))
		s.hasAll(t, item("p", "s", "one"))
	},
	"a replacement can be repeated": func(t *testing.T, s *store) {
		s.put(t, item("p", "s", "one"))
		for _, old := range [][]byte{[]byte("one"), []byte("one"), nil, []byte("something")} {
			mustWork(t, s.Replace(t.Context(), item("p", "s", "two"), old))
		}
		s.hasAll(t, item("p", "s", "two"))
	},
	"of concurrent replacements one wins": func(t *testing.T, s *store) {
		s.put(t, item("p", "s", "old"))
		s.oneWins(t, func(i table.Item) error { return s.Replace(t.Context(), i, []byte("old")) })
	},
	"no concurrent replacement is lost": func(t *testing.T, s *store) {
		const each = 3
		s.put(t, item("p", "s", ""))
		var conflicts atomic.Int64
		won := s.race(t, func(n int) error {
			for i := 0; i < each; {
				items, err := s.Get(t.Context(), key("p", "s"))
				if err != nil {
					return err
				}
				longer := item("p", "s", fmt.Sprintf("%s%d:%d ", items[0].Data, n, i))
				switch err = s.Replace(t.Context(), longer, items[0].Data); {
				case err == nil:
					i++
				case !errors.Is(err, table.ErrExists):
					return err
				default:
					conflicts.Add(1)
				}
			}
			return nil
		})
		items, err := s.Get(t.Context(), key("p", "s"))
		if err != nil || len(won) != racers || len(bytes.Fields(items[0].Data)) != racers*each {
			t.Errorf("%d racers, %d conflicts, %v: %s", len(won), conflicts.Load(), err, items)
		}
	},
}

var deleting = map[string]func(*testing.T, *store){
	"deleted items are gone, the others stay": func(t *testing.T, s *store) {
		var all []table.Key
		for i := range 60 {
			all = append(all, key("p", fmt.Sprintf("s%02d", i)))
			s.put(t, table.Item{Key: all[i], Data: []byte("data")})
		}
		mustWork(t, s.Delete(t.Context(), all[:59]...))
		s.holds(t, all, item("p", "s59", "data"))
	},
	"missing items can be deleted": func(t *testing.T, s *store) {
		s.put(t, item("p", "s", "data"), item("p", "t", "data"), item("q", "s", "data"))
		mustWork(t, s.Delete(t.Context()))
		for range 2 {
			mustWork(t, s.Delete(t.Context(), key("p", "s")))
			mustWork(t, s.Delete(t.Context(), key("p", "t"), key("p", "missing"), key("p", "t")))
		}
		s.holds(t, append(keys("s", "t"), key("q", "s")), item("q", "s", "data"))
	},
	"a deleted item can be put again": func(t *testing.T, s *store) {
		s.put(t, item("p", "s", "one"))
		mustWork(t, s.Delete(t.Context(), key("p", "s")))
		s.put(t, item("p", "s", "two"))
		s.hasAll(t, item("p", "s", "two"))
	},
}

// racers is the number of concurrent writers.
const racers = 16

// race calls run concurrently and returns the numbers of those that succeeded; the others
// must fail with ErrExists.
func (s *store) race(t *testing.T, run func(n int) error) (won []int) {
	t.Helper()
	var all sync.WaitGroup
	var mu sync.Mutex
	start := make(chan struct{})
	for n := range racers {
		all.Go(func() {
			<-start
			err := run(n)
			mu.Lock()
			defer mu.Unlock()
			if err == nil {
				won = append(won, n)
			} else if !errors.Is(err, table.ErrExists) {
				t.Errorf("%d: %v", n, err)
			}
		})
	}
	close(start)
	all.Wait()
	return won
}

// oneWins writes items with different data concurrently; only one write succeeds.
func (s *store) oneWins(t *testing.T, write func(table.Item) error) {
	t.Helper()
	won := s.race(t, func(n int) error { return write(item("p", "s", strconv.Itoa(n))) })
	if len(won) != 1 {
		t.Fatalf("%d won: %v", len(won), won)
	}
	s.hasAll(t, item("p", "s", strconv.Itoa(won[0])))
}

func mustWork(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// mustExist checks that a write was refused with ErrExists and the key.
func mustExist(t *testing.T, err error, key table.Key) {
	t.Helper()
	exists := errors.Is(err, table.ErrExists) && !errors.Is(err, table.ErrUnavailable)
	if !exists || !strings.Contains(err.Error(), key.String()) {
		t.Fatalf("got %v, want ErrExists of %s", err, key)
	}
}
