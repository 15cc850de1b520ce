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
	"an expired item is told to who writes in its place": func(t *testing.T, s *store) {
		expired := item("p", "s", "old")
		expired.Expires = noon.Unix()
		s.put(t, expired)
		o := s.Write(t.Context(), change("s", "new", 0))[0]
		if mustExist(t, o.Err, expired.Key); o.Stored == nil || o.Stored.Revision != expired.Revision {
			t.Fatalf("stored: %v", o.Stored)
		}
		s.write(t, change("s", "new", o.Stored.Revision))
		s.stores(t, keys("s"), change("s", "new", expired.Revision))
	},
	"an item expires as its last write says": func(t *testing.T, s *store) {
		first, later, forever := change("s", "data", 0), change("s", "data", 0), change("s", "data", 0)
		first.Expires, later.Expires = noon.Unix()+10, noon.Unix()+20
		for i, w := range []*table.Write{&first, &later, &forever} {
			w.Was, w.Revision = int64(i), int64(i+1)
			s.write(t, *w)
			s.stores(t, keys("s"), *w)
		}
	},
}

// largestRevision is what is kept free in an item for its revision and its mark.
const largestRevision = len("r") + 8 + len("m") + 8

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
			mustRefuse(t, s.insert(t.Context(), table.Item{Key: bad}))
			mustRefuse(t, s.Delete(t.Context(), bad))
		}
		longest := item(strings.Repeat("p", 2048), strings.Repeat("s", 1024), "data")
		s.put(t, longest)
		s.hasAll(t, longest)
	},
	"an item of more than 400 KB is the caller's error": func(t *testing.T, s *store) {
		largest := item("p", "s", strings.Repeat("x", 400<<10-len("pkpsksdata")-largestRevision))
		s.put(t, largest)
		s.hasAll(t, largest)
		tooLarge := largest
		tooLarge.Data = append(tooLarge.Data, 'x')
		tooLarge.Sort = "t"
		mustRefuse(t, s.insert(t.Context(), tooLarge))
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
			"insert":         s.insert(ctx, item("p", "t", "data")),
			"change":         s.Write(ctx, change("s", "other", 1))[0].Err,
			"one of two":     s.Write(ctx, change("s", "other", 1), change("t", "data", 0))[1].Err,
			"together":       s.Together(ctx, change("t", "data", 0)),
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

// mustRefuse checks for an error of the caller, not of the store.
func mustRefuse(t *testing.T, err error) {
	t.Helper()
	if err == nil || errors.Is(err, table.ErrUnavailable) || errors.Is(err, table.ErrConflict) {
		t.Errorf("got %v", err)
	}
}
