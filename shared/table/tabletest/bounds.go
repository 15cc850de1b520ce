package tabletest

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"testing"

	"laurel/shared/table"
)

var expiring = map[string]func(*testing.T, *store){
	"expired items are not read": func(t *testing.T, s *store) {
		soon, later, forever := item("p", "b", "b"), item("p", "c", "c"), item("p", "a", "a")
		soon.Expires, later.Expires = noon.Unix()+10, noon.Unix()+20
		s.put(t, soon, later, forever)
		for _, moment := range []struct {
			seconds int64
			there   []table.Item
		}{
			{0, []table.Item{later, soon, forever}},
			{9, []table.Item{later, soon, forever}},
			{10, []table.Item{later, forever}},
			{20, []table.Item{forever}},
			{1 << 30, []table.Item{forever}},
		} {
			s.clock.Store(noon.Unix() + moment.seconds)
			s.holds(t, keys("a", "b", "c"), moment.there...)
			for limit := 1; limit <= 3; limit++ { // the limit does not count expired ones
				got, err := s.Descend(t.Context(), "p", "z", limit)
				if err != nil {
					t.Fatal(err)
				}
				same(t, got, moment.there[:min(limit, len(moment.there))])
				up, err := s.Ascend(t.Context(), "p", "", "z", limit)
				if err != nil {
					t.Fatal(err)
				}
				slices.Reverse(up)
				same(t, up, moment.there[max(0, len(moment.there)-limit):])
			}
		}
	},
	"expired items do not prevent writes": func(t *testing.T, s *store) {
		all := keys("put", "same", "replace", "expected", "delete")
		for _, k := range all {
			s.put(t, table.Item{Key: k, Data: []byte("old"), Expires: noon.Unix()})
		}
		mustWork(t, s.Put(t.Context(), item("p", "put", "new")))
		mustWork(t, s.Put(t.Context(), item("p", "same", "old")))
		mustWork(t, s.Replace(t.Context(), item("p", "replace", "new"), nil))
		mustExist(t, s.Replace(t.Context(), item("p", "expected", "new"), []byte("old")), key("p", "expected"))
		mustExist(t, s.Replace(t.Context(), item("p", "expected", "old"), []byte("older")), key("p", "expected"))
		mustWork(t, s.Delete(t.Context(), key("p", "delete")))
		s.holds(t, all, item("p", "put", "new"), item("p", "same", "old"), item("p", "replace", "new"))
	},
}

var refusing = map[string]func(*testing.T, *store){
	"a hundred and one keys are the caller's error": func(t *testing.T, s *store) {
		var tooMany []table.Key
		for i := range 101 {
			tooMany = append(tooMany, key("p", strconv.Itoa(i)))
		}
		_, err := s.Get(t.Context(), tooMany...)
		mustRefuse(t, err)
		_, err = s.GetEventually(t.Context(), tooMany...)
		mustRefuse(t, err)
	},
	"invalid keys are the caller's error": func(t *testing.T, s *store) {
		for _, bad := range []table.Key{
			{},
			key("", "s"), key("p", ""), key(strings.Repeat("p", 2049), "s"), key("p", strings.Repeat("s", 1025)),
			key("p\xff", "s"),
		} {
			_, err := s.Get(t.Context(), bad)
			mustRefuse(t, err)
			_, err = s.Get(t.Context(), key("p", "s"), bad)
			mustRefuse(t, err)
			mustRefuse(t, s.Put(t.Context(), table.Item{Key: bad}))
			mustRefuse(t, s.Replace(t.Context(), table.Item{Key: bad}, []byte("old")))
			mustRefuse(t, s.Delete(t.Context(), bad))
		}
		longest := item(strings.Repeat("p", 2048), strings.Repeat("s", 1024), "data")
		s.put(t, longest)
		s.hasAll(t, longest)
	},
	"an item of more than 400 KB is the caller's error": func(t *testing.T, s *store) {
		largest := item("p", "s", strings.Repeat("x", 400<<10-len("pkpsksdata")))
		s.put(t, largest)
		s.hasAll(t, largest)
		tooLarge := largest
		tooLarge.Data = append(tooLarge.Data, 'x')
		tooLarge.Sort = "t"
		mustRefuse(t, s.Put(t.Context(), tooLarge))
		mustRefuse(t, s.Replace(t.Context(), tooLarge, nil))
		s.holds(t, []table.Key{tooLarge.Key})
	},
	"a cancelled call does nothing": func(t *testing.T, s *store) {
		s.put(t, item("p", "s", "data"))
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		_, getting := s.Get(ctx, key("p", "s"))
		_, several := s.Get(ctx, key("p", "s"), key("p", "t"))
		_, eventually := s.GetEventually(ctx, key("p", "s"))
		_, descending := s.Descend(ctx, "p", "z", 1)
		_, ascending := s.Ascend(ctx, "p", "", "z", 1)
		for name, err := range map[string]error{
			"get": getting, "get several": several, "get eventually": eventually, "descend": descending, "ascend": ascending,
			"put":            s.Put(ctx, item("p", "t", "data")),
			"replace":        s.Replace(ctx, item("p", "s", "other"), []byte("data")),
			"delete":         s.Delete(ctx, key("p", "s")),
			"delete several": s.Delete(ctx, key("p", "s"), key("p", "t")),
		} {
			if !errors.Is(err, context.Canceled) || !errors.Is(err, table.ErrUnavailable) {
				t.Errorf("%s: got %v", name, err)
			}
		}
		s.holds(t, keys("s", "t"), item("p", "s", "data"))
	},
}

var counting = map[string]func(*testing.T, *store){
	"a unit is 4 KB read or 1 KB written": func(t *testing.T, s *store) {
		unit, ten := item("p", "s", strings.Repeat("x", 1<<10-len("pkpsksdata"))), item("p", "t", strings.Repeat("x", 9<<10))
		s.consumes(t, 0, 1, func() { s.put(t, unit) })
		s.consumes(t, 0, 10, func() { s.put(t, ten) })
		s.consumes(t, 0, 1, func() { s.put(t, unit) })
		s.consumes(t, 1, 0, func() { s.holds(t, keys("missing")) })
		s.consumes(t, 3, 0, func() { s.hasAll(t, ten) })
		s.consumes(t, 4, 0, func() { s.hasAll(t, unit, ten) })
		s.consumes(t, 2, 0, func() { _, _ = s.GetEventually(t.Context(), unit.Key, ten.Key) })
		s.consumes(t, 1.5, 0, func() { _, _ = s.GetEventually(t.Context(), ten.Key) })
		s.consumes(t, 3, 0, func() { _, _ = s.Descend(t.Context(), "p", "z", 2) })
		s.consumes(t, 3, 0, func() { _, _ = s.Ascend(t.Context(), "p", "", "z", 2) })
		s.consumes(t, 1, 0, func() { _, _ = s.Ascend(t.Context(), "p", "", "s", 2) })
		s.consumes(t, 0, 10, func() { mustWork(t, s.Delete(t.Context(), key("p", "t"))) })
		s.consumes(t, 0, 1, func() { mustWork(t, s.Delete(t.Context(), key("p", "missing"))) })
		s.consumes(t, 0, 0, func() { mustWork(t, s.Delete(t.Context())); s.holds(t, nil) })
	},
}

func (s *store) consumes(t *testing.T, read, write float64, run func()) {
	t.Helper()
	readBefore, writtenBefore := s.Units()
	run()
	readAfter, writtenAfter := s.Units()
	if r, w := readAfter-readBefore, writtenAfter-writtenBefore; r != read || w != write {
		t.Errorf("consumed %g and %g units, want %g and %g", r, w, read, write)
	}
}

// mustRefuse checks for an error of the caller, not of the store.
func mustRefuse(t *testing.T, err error) {
	t.Helper()
	if err == nil || errors.Is(err, table.ErrUnavailable) || errors.Is(err, table.ErrExists) {
		t.Errorf("got %v", err)
	}
}
