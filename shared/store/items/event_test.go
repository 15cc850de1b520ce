package items_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"laurel/internal/harness"
	"laurel/shared/core/board"
	"laurel/shared/core/codec"
	"laurel/shared/store/items"
	"laurel/shared/store/table"
)

var samePeriod = cmp.Comparer(func(a, b board.Period) bool { return a == b })

func eventOf(address string, moment board.Moment, id string) *items.Event {
	return &items.Event{
		EventKey: items.EventKey{Address: address, At: moment, ID: id}, Type: "period.final", Board: "activity",
		Period: board.PeriodOf(board.Day, board.DateOf(2026, 11, 20)), Total: 2,
		Entries: []items.Member{{keyOf(1, 1), board.Pack(7, 3)}, {keyOf(31, 2), board.Pack(1, 0)}}, Since: now,
	}
}

// idsOf are the ids of an address's events, in order.
func idsOf(tb testing.TB, s *items.Store, address string) (ids []string) {
	tb.Helper()
	rows := harness.Must(s.Events(tb.Context(), address, 100))(tb)
	for _, row := range rows {
		if row.Err != nil {
			tb.Fatal(row.Err)
		}
		ids = append(ids, row.Value.ID)
	}
	return ids
}

// Events are there once, in the order of their moments, each of its address alone, until they are deleted as they were
// read.
func TestEventsOfAnAddress(t *testing.T) {
	t.Parallel()
	s := memory(t)
	first, second := eventOf("badges", now-1, "evt_b"), eventOf("badges", now, "evt_a")
	for range 2 {
		harness.OK(t, s.WriteUnlessChanged(t.Context(), items.Change{Event: second}, items.Change{Event: first},
			items.Change{Event: eventOf("other", 7, "evt_c")}))
	}
	rows, err := s.Events(t.Context(), "badges", 1)
	if err != nil || len(rows) != 1 {
		t.Fatal(rows, err)
	}
	if diff := cmp.Diff(first, rows[0].Value, samePeriod); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	tried := *rows[0].Value
	tried.Attempts, tried.Next, tried.Trouble = 1, now+5_000, "500"
	write(t, s, items.Change{Was: rows[0].Revision, Event: &tried})
	if err := s.WriteUnlessChanged(t.Context(), items.Change{Event: first}); err != nil { // it stays as it is
		t.Fatal(err)
	}
	if err := s.DropEvent(t.Context(), rows[0]); !errors.Is(err, table.ErrConflict) {
		t.Errorf("an event that has changed is deleted: %v", err)
	}
	if rows, err = s.Events(t.Context(), "badges", 2); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(&tried, rows[0].Value, samePeriod); diff != "" {
		t.Errorf("tried once (-want +got):\n%s", diff)
	}
	for range 2 {
		harness.OK(t, s.DropEvent(t.Context(), rows[0]))
	}
	if diff := cmp.Diff([]string{"evt_a"}, idsOf(t, s, "badges")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if n, err := s.DropEvents(t.Context(), "badges"); n != 1 || err != nil || idsOf(t, s, "badges") != nil {
		t.Errorf("%d deleted, %v", n, err)
	}
	if ids := idsOf(t, s, "other"); len(ids) != 1 {
		t.Errorf("of another address: %v", ids)
	}
}

// Of an event that is damaged nothing is read, and it can be deleted.
func TestDamagedEvents(t *testing.T) {
	t.Parallel()
	s := memory(t)
	for _, sort := range []string{fmt.Sprintf("%d#evt_x", now), "evt_x", "0x#evt_x"} {
		item := table.Item{Key: table.Key{Partition: "EVENTS#a", Sort: sort}, Data: []byte("rubbish")}
		if out := s.Table().Write(t.Context(), table.Write{Item: item})[0]; out.Err != nil {
			t.Fatal(out.Err)
		}
		rows, err := s.Events(t.Context(), "a", 1)
		if err != nil || len(rows) != 1 || !errors.Is(rows[0].Err, codec.ErrDamaged) {
			t.Fatal(sort, rows, err)
		}
		if err := s.DropEvent(t.Context(), rows[0]); err != nil || idsOf(t, s, "a") != nil {
			t.Error(sort, err)
		}
	}
}

// An id depends on the event, its address and the forum.
func TestEventIDs(t *testing.T) {
	t.Parallel()
	day := board.PeriodOf(board.Day, board.DateOf(2026, 11, 20))
	head, other := &items.Head{Table: "t"}, &items.Head{Table: "u"}
	ids := map[string]bool{}
	for _, id := range []string{
		head.EventID("a", "period.final", "activity", day, 1), head.EventID("b", "period.final", "activity", day, 1),
		head.EventID("a", "period.ended", "activity", day, 1), head.EventID("a", "period.final", "steps", day, 1),
		head.EventID("a", "period.final", "activity", day.Next(), 1), head.EventID("a", "period.final", "activity", day, 2),
		other.EventID("a", "period.final", "activity", day, 1),
	} {
		ids[id] = true
	}
	if len(ids) != 7 || !ids[head.EventID("a", "period.final", "activity", day, 1)] {
		t.Error(ids)
	}
}

// An event of points that were taken has the person's key, and is read as it was written.
func TestTakenPointsAreKept(t *testing.T) {
	t.Parallel()
	s := memory(t)
	day := board.PeriodOf(board.Day, board.DateOf(2026, 11, 20))
	for i, taken := range []items.Taken{
		{Person: keyOf(1, 1), Kind: "excluded"},
		{Person: keyOf(2, 1), Kind: "voided", Reason: "a ring", Lost: []items.Loss{
			{Board: "activity", Period: board.PeriodOf(board.Month, day.First()), Points: 7},
			{Board: "b", Period: day, Points: 1 << 40},
		}},
	} {
		want := &items.Event{
			EventKey: items.EventKey{Address: "mail", At: now + board.Moment(i), ID: "evt"}, Type: "points.taken", Period: day,
			Entries: []items.Member{}, Since: now, Taken: &taken,
		}
		write(t, s, items.Change{Event: want})
		rows := harness.Must(s.Events(t.Context(), "mail", 2))(t)
		harness.OK(t, rows[i].Err)
		if diff := cmp.Diff(want, rows[i].Value, samePeriod); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
}
