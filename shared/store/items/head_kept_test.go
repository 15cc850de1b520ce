package items_test

import (
	"testing"
	"testing/synctest"
	"time"

	"laurel/shared/store/items"
	"laurel/shared/store/table/embedded"
)

// A head that may be late is read again after four seconds, after a write of this process, by every read that may not
// have a late one, and after one that may have got it late; a store that keeps none reads it each time.
func TestLateHeads(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		rows := embedded.New(time.Now)
		defer rows.Close()
		mine, other := begun(t, rows), items.New(rows, "UTC", now.Time)
		voids := func(s *items.Store, exist bool) {
			t.Helper()
			if _, err := s.ChangeHead(t.Context(), func(h *items.Head) error { h.Voids = exist; return nil }); err != nil {
				t.Fatal(err)
			}
		}
		check := func(when string, s *items.Store, late, want bool) {
			t.Helper()
			f, err := s.Read(t.Context(), items.Query{LateHead: late})
			if err != nil || f.Head.Voids != want {
				t.Errorf("%s: %+v, %v", when, f.Head, err)
			}
		}
		check("nothing is kept", mine, true, false)
		voids(other, true)
		check("no head is kept", mine, true, true)
		time.Sleep(4 * time.Second)
		mine.KeepHead(time.Now)
		check("the head is read", mine, true, true)
		voids(other, false)
		time.Sleep(4*time.Second - 1)
		check("it is kept", mine, true, true)
		time.Sleep(time.Nanosecond)
		check("it is too old", mine, true, false)
		voids(other, true)
		check("it must be new", mine, false, true)
		voids(other, false)
		check("the new one is kept", mine, true, true)
		time.Sleep(time.Second)
		voids(mine, false)
		check("this process wrote it", mine, true, false)
		time.Sleep(time.Second)
		check("the head read after the write", mine, true, false)
		voids(other, true)
		check("it is kept again", mine, true, false)
		for _, next := range []bool{false, true} { // a head of other bytes than the kept one, and of the same
			time.Sleep(4 * time.Second)
			if _, err := mine.Read(t.Context(), items.Query{Eventually: true}); err != nil {
				t.Fatal(err)
			}
			voids(other, next)
			check("a head that may have been late already", mine, true, next)
		}
	})
}
