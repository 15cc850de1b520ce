package walk_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"laurel/internal/harness"
	"laurel/internal/testserver"
	"laurel/shared/nightly"
	"laurel/shared/redisstore"
)

// A failover at any point of a night loses what was accepted shortly before, or what the night
// has mended. It is in what becomes final all the same, by the next night or one after it.
func TestFailoverInANight(t *testing.T) {
	t.Parallel()
	for name, recent := range map[string]bool{"just accepted": true, "just mended": false} {
		for _, days := range []int{2, 75} { // a day is due; articles and a month are
			t.Run(fmt.Sprint(name, days), func(t *testing.T) {
				t.Parallel()
				want, _ := nightWithAFailover(t, days, 0, recent)
				at, over := 1, false
				for ; !over; at += testserver.Times(41, 1) {
					var got map[string]string
					got, over = nightWithAFailover(t, days, at, recent)
					if diff := cmp.Diff(want, got); diff != "" {
						t.Errorf("a failover at call %d (-nothing was lost +lost):\n%s", at, diff)
					}
				}
				if at < 80 {
					t.Errorf("a night has %d calls", at)
				}
			})
		}
	}
}

// nightWithAFailover returns what is answered after a night with a failover at a call, 0 for
// none, and the nights after it. over says that the night had fewer calls.
func nightWithAFailover(t *testing.T, days, at int, recent bool) (told map[string]string, over bool) {
	t.Helper()
	s := newSmall(t)
	s.Now = s.Now.AddDate(0, 0, days)
	s.replica.copyBefore(1)
	s.Did("ann unlike a1", "dan comment p9", "eve unfollow ann", "bob like a1")
	harness.Hide(t, s.Store, "eve", true)
	if !recent {
		s.Now = s.Now.Add(15 * time.Minute)
		if at > 0 {
			if err := s.replica.become(t.Context(), redisstore.KeyPrefix); err != nil {
				t.Fatal(err)
			}
		}
	}
	s.Now = s.Now.Add(5 * time.Minute)
	s.replica.failAt(at)
	_, err := nightly.Run(t.Context(), s.Nightly(s.Now))
	if over = s.replica.calls < at; err != nil && at == 0 {
		t.Fatal(err)
	}
	s.replica.failAt(0)
	for range 2 {
		s.Now = s.Now.Add(20 * time.Minute)
		s.Night(0)
	}
	s.recoverLater(t)
	return s.answersNowAndLater(), over
}
