package tabletest

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
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

var writing = map[string]func(*testing.T, *store){
	"a written item is read": func(t *testing.T, s *store) {
		items := []table.Item{
			item("p", "plain", "data"), item("p", "bytes", allBytes()), item("p", "empty", ""), item("q", "plain", "\x00"),
		}
		items[0].Expires = noon.Unix() + 3600
		s.put(t, items...)
		s.hasAll(t, items...)
	},
	"of concurrent writers one wins": func(t *testing.T, s *store) {
		s.oneWins(t, func(i table.Item) error { return s.insert(t.Context(), i) })
	},
	"of concurrent changes one wins": func(t *testing.T, s *store) {
		s.put(t, item("p", "s", "old"))
		s.oneWins(t, func(i table.Item) error {
			i.Revision++
			return s.Write(t.Context(), table.Write{Item: i, Was: 1})[0].Err
		})
	},
	"a writer may change the data afterwards": func(t *testing.T, s *store) {
		mine := item("p", "s", "data")
		s.put(t, mine)
		mine.Data[0] = 'x'
		s.hasAll(t, item("p", "s", "data"))
	},
}

var deleting = map[string]func(*testing.T, *store){
	"deleted items are gone, the others stay": func(t *testing.T, s *store) {
		var all []table.Key
		for i := range 60 {
			all = append(all, key("p", fmt.Sprintf("s%02d", i)))
			s.put(t, item("p", all[i].Sort, "data"))
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
// must fail with ErrConflict.
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
			} else if !errors.Is(err, table.ErrConflict) {
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
	items, err := s.Get(t.Context(), key("p", "s"))
	if err != nil || len(items) != 1 || string(items[0].Data) != strconv.Itoa(won[0]) {
		t.Errorf("%d won, and there is %v, %v", won[0], items, err)
	}
}

func mustWork(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// mustExist checks that a write was refused with ErrConflict and the key.
func mustExist(t *testing.T, err error, key table.Key) {
	t.Helper()
	exists := errors.Is(err, table.ErrConflict) && !errors.Is(err, table.ErrUnavailable)
	if !exists || !strings.Contains(err.Error(), key.String()) {
		t.Fatalf("got %v, want ErrConflict of %s", err, key)
	}
}
