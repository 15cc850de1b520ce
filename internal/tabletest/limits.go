package tabletest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"laurel/shared/store/table"
)

// large is the size of an item that a Store must accept.
const large = 390 << 10

// largestRevision is the space that an item keeps free for its revision and its mark.
const largestRevision = len("r") + 8 + len("m") + 8

// largeItems returns writes of so many items that differ in every byte.
func largeItems(n int) (all []table.Write) {
	for i := range n {
		all = append(all, change(fmt.Sprintf("s%02d", i), strings.Repeat(string(rune('a'+i%26))+"\x00\xff", large/3), 0))
	}
	return all
}

var limits = map[string]func(*testing.T, *store){
	"an item that is made again continues above": func(t *testing.T, s *store) {
		write := func(w table.Write) int64 {
			s.put(t, w)
			items, err := s.Get(t.Context(), w.Key)
			if mustWork(t, err); len(items) != 1 {
				return 0
			}
			return items[0].Revision
		}
		one := table.Write{Item: table.Item{Key: key("p", "s")}}
		first := write(one)
		time.Sleep(2 * time.Millisecond)
		write(table.Write{Item: one.Item, Was: first, Gone: true})
		if again := write(one); first < 1<<37 || again <= first {
			t.Errorf("revision %d, then %d", first, again)
		}
	},
	"an eventual read has earlier writes": func(t *testing.T, s *store) {
		s.put(t, change("s", "data", 0), change("t", "data", 0))
		for _, keys := range [][]table.Key{nil, {key("p", "s")}, {key("p", "t"), key("p", "u"), key("p", "s")}} {
			want, err := s.Get(t.Context(), keys...)
			got, failed := s.GetEventually(t.Context(), keys...)
			for deadline := time.Now().Add(10 * time.Second); len(got) < len(want) && time.Now().Before(deadline); {
				got, failed = s.GetEventually(t.Context(), keys...)
			}
			mustWork(t, errors.Join(err, failed))
			same(t, byKey(got), byKey(want))
		}
		for _, limit := range []int{1, 2, 3} {
			want, err := s.Ascend(t.Context(), "p", "s", "t", limit)
			got, failed := s.AscendEventually(t.Context(), "p", "s", "t", limit)
			for deadline := time.Now().Add(10 * time.Second); len(got) < len(want) && time.Now().Before(deadline); {
				got, failed = s.AscendEventually(t.Context(), "p", "s", "t", limit)
			}
			mustWork(t, errors.Join(err, failed))
			same(t, got, want)
		}
	},
	"any number of large items is written and read": func(t *testing.T, s *store) {
		all := largeItems(45) // 17 MB, which is more than DynamoDB answers at a time
		for some := range slices.Chunk(all, 15) {
			s.put(t, some...)
		}
		s.has(t, all...)
		var keys []table.Key
		var want []table.Item
		for _, w := range all {
			keys, want = append(keys, w.Key), append(want, w.Item)
		}
		got, err := s.Get(t.Context(), keys...)
		mustWork(t, err)
		same(t, byKey(got), want)
		for _, limit := range []int{2, 7, 46} { // of DynamoDB's pages one, several and all
			down, err := s.Descend(t.Context(), "p", "t", limit)
			mustWork(t, err)
			slices.Reverse(down)
			same(t, down, want[max(0, len(want)-limit):])
			up, err := s.Ascend(t.Context(), "p", "", "t", limit)
			mustWork(t, err)
			same(t, up, want[:min(limit, len(want))])
		}
	},
	"a hundred keys, not more": func(t *testing.T, s *store) {
		var tooMany []table.Key
		for i := range 101 {
			tooMany = append(tooMany, key("p", strconv.Itoa(i)))
		}
		for _, get := range []func(context.Context, ...table.Key) ([]table.Item, error){s.Get, s.GetEventually} {
			_, err := get(t.Context(), tooMany...)
			mustRefuse(t, err)
			_, err = get(t.Context(), tooMany[:100]...)
			mustWork(t, err)
		}
	},
	"a hundred writes together, not more, and 4 MB": func(t *testing.T, s *store) {
		var all []table.Write
		for i := range 101 {
			all = append(all, change(fmt.Sprintf("s%03d", i), "data", 0))
		}
		mustRefuse(t, s.Together(t.Context(), all...))
		mustWork(t, s.Together(t.Context(), all[:100]...))
		mustRefuse(t, s.Together(t.Context(), largeItems(15)...))
		s.has(t, all[:100]...)
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
			mustRefuse(t, s.Write(t.Context(), table.Write{Item: table.Item{Key: bad}})[0].Err)
			mustRefuse(t, s.Delete(t.Context(), bad))
		}
		longest := table.Item{Key: key(strings.Repeat("p", 2048), strings.Repeat("s", 1024)), Revision: 1, Data: []byte("x")}
		s.put(t, table.Write{Item: longest})
		got, err := s.Get(t.Context(), longest.Key)
		mustWork(t, err)
		same(t, got, []table.Item{longest})
	},
	"a key twice in a call is the caller's error": func(t *testing.T, s *store) {
		stored := change("s", "data", 0)
		s.put(t, stored)
		twice := []table.Key{key("p", "t"), stored.Key, stored.Key}
		_, getting := s.Get(t.Context(), twice...)
		mustRefuse(t, getting)
		mustRefuse(t, s.Delete(t.Context(), twice...))
		s.has(t, stored)
	},
	"an item of more than 400 KB is the caller's error": func(t *testing.T, s *store) {
		largest := change("s", strings.Repeat("x", 400<<10-len("pkpsksdata")-largestRevision), 0)
		mustRefuse(t, s.Write(t.Context(), change("t", string(largest.Data)+"x", 0))[0].Err)
		s.put(t, largest)
		s.has(t, largest)
	},
	"a write that cannot be is refused alone": func(t *testing.T, s *store) {
		expiring, high := change("e", "data", 0), change("h", "data", 5)
		expiring.Expires, high.Revision = noon.Unix()+10, 5
		good, none := change("s", "good", 0), table.Write{Item: table.Item{Key: key("p", "none")}, Gone: true}
		writes := []table.Write{
			good, change("s", "twice", 0), change("", "data", 0),
			{Item: table.Item{Key: key("p\xff", "s")}},
			expiring, high,
			change("large", strings.Repeat("x", 400<<10), 0), none, change("negative", "data", -1),
		}
		for i, o := range s.Write(t.Context(), writes...) {
			if i == 0 {
				mustWork(t, o.Err)
				continue
			}
			mustRefuse(t, o.Err)
			mustRefuse(t, s.Together(t.Context(), change("t"+strconv.Itoa(i), "data", 0), writes[i], change("s", "new", 0)))
		}
		s.has(t, good)
		if len(s.Write(t.Context())) != 0 || s.Together(t.Context()) != nil {
			t.Error("nothing has outcomes")
		}
	},
	"a cancelled call does nothing": func(t *testing.T, s *store) {
		stored := change("s", "data", 0)
		s.put(t, stored)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		_, getting := s.Get(ctx, key("p", "s"))
		_, several := s.Get(ctx, key("p", "s"), key("p", "t"))
		_, eventually := s.GetEventually(ctx, key("p", "s"))
		_, descending := s.Descend(ctx, "p", "z", 1)
		_, ascending := s.Ascend(ctx, "p", "", "z", 1)
		for name, err := range map[string]error{
			"get": getting, "get several": several, "get eventually": eventually, "descend": descending, "ascend": ascending,
			"change":         s.Write(ctx, change("s", "other", stored.Revision))[0].Err,
			"one of two":     s.Write(ctx, change("s", "other", stored.Revision), change("t", "data", 0))[1].Err,
			"together":       s.Together(ctx, change("t", "data", 0)),
			"delete":         s.Delete(ctx, key("p", "s")),
			"delete several": s.Delete(ctx, key("p", "s"), key("p", "t")),
		} {
			if !errors.Is(err, context.Canceled) || !errors.Is(err, table.ErrUnavailable) {
				t.Errorf("%s: got %v", name, err)
			}
		}
		s.has(t, stored)
	},
}
