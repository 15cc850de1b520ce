package tabletest

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"laurel/shared/table"
)

var together = map[string]func(*testing.T, *store){
	"all writes are applied or none": func(t *testing.T, s *store) {
		mustWork(t, s.Together(t.Context()))
		a, b, c := change("a", "one", 0), change("b", "one", 0), change("c", "one", 0)
		mustWork(t, s.Together(t.Context(), a, b, c))
		s.stores(t, keys("a", "b", "c", "d"), a, b, c)
		a2, d := change("a", "two", a.Revision), change("d", "one", 0)
		for _, refused := range []table.Write{
			change("b", "two", 0), change("b", "two", b.Revision-1), removal("b", b.Revision+1),
			change("e", "two", 7),
		} {
			err := s.Together(t.Context(), a2, removal("c", c.Revision), refused, d)
			if !errors.Is(err, table.ErrConflict) || errors.Is(err, table.ErrUnavailable) {
				t.Errorf("got %v", err)
			}
			s.stores(t, keys("a", "b", "c", "d", "e"), a, b, c)
		}
		mustWork(t, s.Together(t.Context(), a2, removal("c", c.Revision), removal("e", 7), d))
		s.stores(t, keys("a", "b", "c", "d", "e"), a2, b, d)
	},
	"a hundred writes, not more, and 4 MB": func(t *testing.T, s *store) {
		var all []table.Write
		var keys []table.Key
		for i := range 101 {
			all = append(all, change(fmt.Sprintf("s%03d", i), "data", 0))
			keys = append(keys, all[i].Key)
		}
		mustRefuse(t, s.Together(t.Context(), all...))
		mustWork(t, s.Together(t.Context(), all[:100]...))
		s.stores(t, keys, all[:100]...)
		var tooLarge []table.Write
		for i := range 11 {
			tooLarge = append(tooLarge, change(fmt.Sprintf("t%03d", i), strings.Repeat("x", large), 0))
		}
		mustRefuse(t, s.Together(t.Context(), tooLarge...))
	},
}

// increment adds one to the counters with the sort keys, until it was applied.
func (s *store) increment(t *testing.T, apply func([]table.Write) error, sorts ...string) error {
	t.Helper()
	for {
		items, err := s.Get(t.Context(), keys(sorts...)...)
		if err != nil {
			return err
		}
		writes := make([]table.Write, len(sorts))
		for i, sort := range sorts {
			writes[i] = change(sort, "1", 0)
			for _, there := range items {
				if there.Sort == sort {
					n, _ := strconv.Atoi(string(there.Data))
					writes[i] = change(sort, strconv.Itoa(n+1), there.Revision)
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
		items, err := s.Get(t.Context(), keys("a", "b")...)
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
