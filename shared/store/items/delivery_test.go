package items_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"laurel/internal/harness"
	"laurel/internal/testserver"
	"laurel/shared/core/board"
	"laurel/shared/store/items"
	"laurel/shared/store/table/dynamo"
	"laurel/shared/store/table/embedded"
)

// onStores runs a test of a table in memory, and of one in DynamoDB Local.
func onStores(t *testing.T, test func(*testing.T, *items.Store)) {
	t.Helper()
	t.Run("embedded", func(t *testing.T) { t.Parallel(); test(t, memory(t)) })
	t.Run("dynamodb", func(t *testing.T) {
		t.Parallel()
		test(t, begun(t, dynamoTable(t)))
	})
}

func arrive(t *testing.T, s *items.Store, moment board.Moment, parts ...string) items.Delivery {
	t.Helper()
	return harness.Must(s.Arrive(t.Context(), moment, parts...))(t)
}

// A delivery has its first moment, and is done once a call says so; parts do not run into one another.
func TestDeliveryIsRemembered(t *testing.T) {
	t.Parallel()
	onStores(t, func(t *testing.T, s *items.Store) {
		t.Helper()
		first := arrive(t, s, now, "discourse", "1", "{}")
		if again := arrive(t, s, now+5, "discourse", "1", "{}"); again.First != now || again.Done {
			t.Errorf("before it is done: %+v", again)
		}
		for range 2 {
			harness.OK(t, s.Finish(t.Context(), first))
		}
		again := arrive(t, s, now+9, "discourse", "1", "{}")
		if again.First != now || !again.Done {
			t.Errorf("once it is done: %+v", again)
		}
		harness.OK(t, s.Finish(t.Context(), again))
		for _, parts := range [][]string{
			{"discourse", "1{", "}"}, {"discourse1", "", "{}"}, {"standard", "1", "{}"}, {"discourse", "1"},
		} {
			if other := arrive(t, s, now+9, parts...); other.First != now+9 || other.Done {
				t.Errorf("%q: %+v", parts, other)
			}
		}
	})
}

// Copies that come at once all have the moment of one of them.
func TestDeliveriesAtOnceHaveOneMoment(t *testing.T) {
	t.Parallel()
	onStores(t, func(t *testing.T, s *items.Store) {
		t.Helper()
		var all sync.WaitGroup
		got := make([]board.Moment, 10)
		for n := range got {
			all.Go(func() {
				d, err := s.Arrive(t.Context(), now+board.Moment(n), "a", "b")
				if err == nil {
					err = s.Finish(t.Context(), d)
				}
				if got[n] = d.First; err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		for n := range got {
			if got[n] != got[0] {
				t.Fatal(got)
			}
		}
	})
}

// A night forgets deliveries from before a moment and unreadable ones, and leaves the newest of too many.
func TestDeliveriesAreForgotten(t *testing.T) {
	t.Parallel()
	onStores(t, func(t *testing.T, s *items.Store) {
		t.Helper()
		for n := range board.Moment(20) {
			arrive(t, s, now+n, n.String())
		}
		if n, err := s.ForgetDeliveries(t.Context(), now+7, items.MaxDeliveries); n != 7 || err != nil {
			t.Error(n, err)
		}
		for n := range board.Moment(20) {
			want := now + n
			if n < 7 {
				want = now + 100
			}
			if d := arrive(t, s, now+100, n.String()); d.First != want {
				t.Errorf("%d: %+v", n, d)
			}
		}
	})
}

func TestTooManyDeliveriesLeaveTheOldestFirst(t *testing.T) {
	t.Parallel()
	s := memory(t)
	for n := range 2_000 {
		arrive(t, s, now+board.Moment(n), fmt.Sprint(n))
	}
	if n, err := s.ForgetDeliveries(t.Context(), 0, 400); err != nil || n < 2_000-400 {
		t.Error(n, err)
	}
	if d := arrive(t, s, 1, "1999"); d.First == 1 {
		t.Error("the newest is forgotten")
	}
	if d := arrive(t, s, 1, "0"); d.First != 1 {
		t.Error("the oldest is kept")
	}
}

// A delivery that cannot be read is as if it had not come, until it is done.
func TestDamagedDeliveryIsReplaced(t *testing.T) {
	t.Parallel()
	w := &harness.Table{Table: embedded.New(time.Now)}
	s := begun(t, w)
	before := harness.Must(w.Items(t.Context()))(t)
	arrive(t, s, now, "a")
	for _, item := range harness.Must(w.Items(t.Context()))(t) {
		if len(before) == 1 && item.Key != before[0].Key {
			harness.Damage(t, w, item.Key, []byte("x"))
		}
	}
	d := arrive(t, s, now+1, "a")
	if d.First != now+1 || d.Done {
		t.Errorf("%+v", d)
	}
	harness.OK(t, s.Finish(t.Context(), d))
	if d := arrive(t, s, now+2, "a"); d.First != now+1 || !d.Done {
		t.Errorf("%+v", d)
	}
}

func dynamoTable(t *testing.T) items.Table {
	t.Helper()
	endpoint, name := testserver.Table(t)
	return harness.Must(dynamo.Open(t.Context(), dynamo.Options{Name: name, Endpoint: endpoint}))(t)
}
