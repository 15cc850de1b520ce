package tabletest

import (
	"errors"
	"math/rand/v2"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"laurel/shared/store/table"
)

// increment adds one to the counters with the sort keys, until it was applied.
func (s *store) increment(t *testing.T, apply func([]table.Write) error, sorts ...string) error {
	t.Helper()
	for {
		keys := make([]table.Key, len(sorts))
		for i, sort := range sorts {
			keys[i] = key("p", sort)
		}
		items, err := s.Get(t.Context(), keys...)
		if err != nil {
			return err
		}
		writes := make([]table.Write, len(sorts))
		for i, sort := range sorts {
			writes[i] = change(sort, "1", 0)
			for _, stored := range items {
				if stored.Sort == sort {
					n, _ := strconv.Atoi(string(stored.Data))
					writes[i] = change(sort, strconv.Itoa(n+1), stored.Revision)
				}
			}
		}
		if err := apply(writes); !errors.Is(err, table.ErrConflict) {
			return err
		}
		time.Sleep(rand.N(20 * time.Millisecond))
	}
}

var contending = map[string]func(*testing.T, *store){
	"no concurrent increment is lost, nor made twice": func(t *testing.T, s *store) {
		const writers, each = 20, 5
		one := func(writes []table.Write) error { return s.Write(t.Context(), writes...)[0].Err }
		many := func(writes []table.Write) error {
			other := change("other"+strconv.Itoa(rand.Int()), "data", 0)
			return s.Write(t.Context(), writes[0], other)[0].Err
		}
		transaction := func(writes []table.Write) error { return s.Together(t.Context(), writes...) }
		var all sync.WaitGroup
		var unknown atomic.Int64 // a slow server has not answered, and others have written since
		for w := range writers {
			all.Go(func() {
				for i := range each {
					var err error
					switch (w + i) % 3 {
					case 0:
						err = errors.Join(s.increment(t, one, "a"), s.increment(t, many, "b"))
					case 1:
						err = errors.Join(s.increment(t, many, "a"), s.increment(t, one, "b"))
					default:
						err = s.increment(t, transaction, "a", "b")
					}
					if errors.Is(err, table.ErrUnavailable) {
						unknown.Add(1)
					} else if err != nil {
						t.Error(err)
					}
				}
			})
		}
		all.Wait()
		items, err := s.Get(t.Context(), key("p", "a"), key("p", "b"))
		if err != nil || len(items) != 2 {
			t.Fatal(items, err)
		}
		for _, item := range items {
			got, err := strconv.ParseInt(string(item.Data), 10, 64)
			if err != nil || got > writers*each || got < writers*each-unknown.Load() {
				t.Errorf("%s is %s after %d increments, %d of them unknown", item.Sort, item.Data, writers*each, unknown.Load())
			}
		}
	},
}
