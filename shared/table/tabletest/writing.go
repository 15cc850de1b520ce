package tabletest

import (
	"errors"
	"fmt"
	"strings"
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
