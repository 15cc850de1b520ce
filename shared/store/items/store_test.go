package items_test

import (
	"errors"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"laurel/internal/harness"
	"laurel/shared/core/board"
	"laurel/shared/store/items"
	"laurel/shared/store/table"
	"laurel/shared/store/table/embedded"
)

// Of several first processes one makes the head; another zone, or a format from the future,
// is refused.
func TestBeginOnce(t *testing.T) {
	t.Parallel()
	s := memory(t)
	fresh := items.New(s.Table(), "Asia/Tokyo", now.Time)
	harness.OK(t, s.Table().Delete(t.Context(), table.Key{Partition: "FORUM", Sort: "head"}))
	if h, err := fresh.Peek(t.Context()); h != nil || err != nil {
		t.Errorf("before it begins: %v, %v", h, err)
	}
	_, err := fresh.ChangeHead(t.Context(), func(*items.Head) error { return nil })
	if !errors.Is(err, items.ErrUnused) {
		t.Errorf("a change before it begins: %v", err)
	}
	ids := make([]string, 8)
	var all sync.WaitGroup
	for i := range ids {
		all.Go(func() {
			if h, err := fresh.Head(t.Context()); err != nil {
				t.Error(err)
			} else {
				ids[i] = h.Table
			}
		})
	}
	if all.Wait(); len(slices.Compact(ids)) != 1 {
		t.Errorf("ids of the table: %v", ids)
	}
	if _, err := s.Head(t.Context()); !errors.Is(err, items.ErrZone) {
		t.Errorf("another zone: %v", err)
	}
	if _, err := fresh.ChangeHead(t.Context(), func(h *items.Head) error { h.Format = 2; return nil }); err != nil {
		t.Error(err)
	}
	if _, err := fresh.Head(t.Context()); !errors.Is(err, items.ErrLaterFormat) {
		t.Errorf("a format from the future: %v", err)
	}
	if _, err := s.Read(t.Context(), items.Query{}); !errors.Is(err, items.ErrLaterFormat) {
		t.Errorf("it is read: %v", err)
	}
}

// Changes that many make at once are all made, and one that changes nothing writes nothing.
func TestChangesAreNotLost(t *testing.T) {
	t.Parallel()
	s := memory(t)
	const writers, each = 10, 3
	ada := keyOf(0, 1)
	var all sync.WaitGroup
	for range writers {
		all.Go(func() {
			for range each {
				if _, err := s.ChangeHead(t.Context(), func(h *items.Head) error { h.Beat++; return nil }); err != nil {
					t.Error(err)
				}
				_, _, err := s.ChangePerson(t.Context(), ada, "ada", func(_ *items.Head, p *items.Person) error {
					p.Profile.Name += "x"
					return nil
				})
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	f := read(t, s, items.Query{People: []items.Key{ada}})
	got := f.People[ada].Value
	if f.Head.Beat != writers*each || got.ID != "ada" || len(got.Profile.Name) != writers*each {
		t.Errorf("beat %d, person %+v", f.Head.Beat, got)
	}
	head, err := s.ChangeHead(t.Context(), func(h *items.Head) error { h.Beat = 0; return items.ErrUnchanged })
	_, row, second := s.ChangePerson(t.Context(), ada, "ada", func(_ *items.Head, p *items.Person) error {
		p.ID = "bob"
		return items.ErrUnchanged
	})
	if err != nil || second != nil || head.Beat != writers*each || row != f.People[ada] && row.Value.ID != "ada" {
		t.Errorf("unchanged: %+v, %v, %+v, %v", head, err, row, second)
	}
	if again := read(t, s, items.Query{}); again.HeadRev != f.HeadRev {
		t.Errorf("the head was written: %d, %d", again.HeadRev, f.HeadRev)
	}
}

// A write on an older revision fails alone, and together with others nothing is written.
func TestWritesOnOtherRevisions(t *testing.T) {
	t.Parallel()
	s := memory(t)
	ada, bob := keyOf(0, 1), keyOf(1, 1)
	first := write(t, s, newPerson(ada, 1))[0].Revision
	got := s.Write(t.Context(), newPerson(ada, 2), newPerson(bob, 3), items.Change{})
	if !errors.Is(got[0].Err, table.ErrConflict) || got[1].Err != nil || got[1].Revision == 0 || got[2].Err == nil {
		t.Errorf("got %+v", got)
	}
	next := newPerson(ada, 4)
	next.Was = first
	if _, err := s.Together(t.Context(), next, newPerson(bob, 5)); !errors.Is(err, table.ErrConflict) {
		t.Errorf("together: %v", err)
	}
	f := read(t, s, items.Query{People: []items.Key{ada, bob}})
	if f.People[ada].Revision != first || f.People[bob].Value.ID != "user-3" {
		t.Errorf("stored: %+v", f.People)
	}
	gone := items.Change{Was: f.People[bob].Revision, Delete: true, Person: &items.PersonChange{Key: bob}}
	both, err := s.Together(t.Context(), next, gone)
	f = read(t, s, items.Query{People: []items.Key{ada, bob}})
	if err != nil || f.People[ada].Revision != first+1 || both[0].Revision != first+1 || f.People[bob].Revision != 0 {
		t.Errorf("together: %+v, %v, stored %+v", both, err, f.People)
	}
}

// The head says the first month of which there is a ledger, by any writer.
func TestTheFirstMonthIsAnnounced(t *testing.T) {
	t.Parallel()
	s := memory(t)
	for n, c := range []struct {
		months []board.MonthOf
		want   board.MonthOf
	}{
		{[]board.MonthOf{month, month - 1, month + 1}, month - 1},
		{[]board.MonthOf{month + 2}, month - 1},
		{[]board.MonthOf{month - 3}, month - 3},
	} {
		for _, by := range []*items.Store{s, items.New(s.Table(), "UTC", now.Time)} {
			var changes []items.Change
			for i, m := range c.months {
				changes = append(changes, newLedger(items.LedgerKey{Person: keyOf(n, i), Month: m}, i))
			}
			by.Write(t.Context(), changes...)
			if head, err := by.Head(t.Context()); err != nil || head.From != c.want {
				t.Errorf("%v: from %s, want %s, %v", c.months, head.From, c.want, err)
			}
		}
	}
}

func TestCursorMovesOnItsRevision(t *testing.T) {
	t.Parallel()
	s := memory(t)
	open := func() *items.Cursor[string] {
		return harness.Must(items.OpenCursor[string](t.Context(), s, "pass"))(t)
	}
	first, second := open(), open()
	if first.State != "" || first.Begun() {
		t.Errorf("at first %+v", first)
	}
	first.State, first.Claimed, second.State = "a", 7, "b"
	harness.OK(t, first.Save(t.Context()))
	if err := second.Save(t.Context()); !errors.Is(err, table.ErrConflict) {
		t.Errorf("a second first: %v", err)
	}
	harness.OK(t, second.SaveUnlessTaken(t.Context()))
	if now := open(); now.State != "a" || now.Claimed != 7 || !now.Begun() {
		t.Errorf("then %+v", now)
	}
	state, err := items.ChangeCursor(t.Context(), s, "pass", func(text *string) error { *text += "c"; return nil })
	if now := open(); state != "ac" || now.State != "ac" || err != nil {
		t.Errorf("changed to %q, %+v, %v", state, now, err)
	}
	if err := first.Save(t.Context()); err != nil { // it has nothing to write
		t.Error(err)
	}
}

// An unavailable table is so in every way of reading and writing.
func TestUnavailableTable(t *testing.T) {
	t.Parallel()
	store := harness.Must(embedded.Open(t.TempDir(), time.Now, embedded.Options{}))(t)
	s := begun(t, store)
	_ = store.Close()
	_, read := s.Read(t.Context(), items.Query{})
	_, head := s.ChangeHead(t.Context(), func(*items.Head) error { return nil })
	written := s.Write(t.Context(), newPerson(keyOf(0, 1), 1))[0].Err
	var pass error
	for _, err := range s.Pass(t.Context(), nil, 0) {
		pass = err
	}
	for i, err := range []error{read, head, written, pass} {
		if !errors.Is(err, table.ErrUnavailable) {
			t.Errorf("%d: %v", i, err)
		}
	}
}

// Periods with steps to take are listed with the reason and since when, several in a row as one.
func TestUnsettledPeriodsHaveReasons(t *testing.T) {
	t.Parallel()
	moment := board.MomentOf(time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC))
	h := items.Head{From: board.DateOf(2026, 11, 1).Month(), Imports: []items.Import{
		{ID: "later", Name: "z.csv", Months: []board.MonthOf{board.DateOf(2026, 10, 1).Month()}},
		{ID: "i", Name: "a.csv", Since: moment - 9, Months: []board.MonthOf{board.DateOf(2026, 9, 1).Month()}},
	}}
	apply := func(name string, moment board.Moment, events ...board.PeriodEvent) {
		for _, w := range board.Windows() {
			p, err := board.ParsePeriod(w, name)
			for _, e := range events {
				if err == nil {
					h.Life, err = h.Life.Apply(p, e, moment)
				}
			}
			if err == nil {
				return
			}
		}
		t.Fatalf("no period %s takes %v", name, events)
	}
	const c, m, r, o = board.EventClose, board.EventMake, board.EventRemove, board.EventReopen
	for day := 1; day <= 11; day++ {
		apply(board.DateOf(2026, 11, day).String(), moment-60_000, c, m, r)
	}
	apply("2026-11-12", moment-60_000, c, m, r, o)
	apply("2026-11-13", moment-50_000, c, m)
	apply("2026-11-14", moment-40_000, c)
	apply("2026-11-15", moment-14_000, c)
	apply("2026-09", moment-30_000, c)
	h.Life = h.Life.Hold("i", board.DateOf(2026, 9, 1).Month())
	calendar := board.NewCalendar(time.UTC)
	s := items.Schedule{
		Windows: []board.Window{board.Day, board.Month}, HotDays: 3, HotMonths: 0, Wait: items.StepWait, Voting: 10,
		Calendar: calendar, Clock: calendar.Start(board.DateOf(2026, 11, 20)), Now: moment,
	}
	var got []string
	for _, l := range s.Unsettled(&h) {
		line := l.String() + " " + string(l.Reason)
		if !l.Since.IsZero() {
			line += " " + moment.Time().Sub(l.Since).String()
		}
		got = append(got, line)
	}
	want := []string{
		"2026-11-15 waits 14s", "2026-11-12 reopened 1m0s", "2026-11-13 due 50s", "2026-11-14 due 40s", "2026-09 due 30s",
		"2026-11-16 due",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("unsettled (-want +got):\n%s", diff)
	}
	h.From, s.Voting = board.DateOf(2026, 9, 1).Month(), 80
	got = nil
	for _, l := range s.Unsettled(&h) {
		if l.Period.First() < h.From.First()+30 {
			got = append(got, l.String()+" "+string(l.Reason)+" "+l.Detail)
		}
	}
	want = []string{"2026-09 parts ", "2026-09-01 to 2026-09-30 import a.csv"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("of a month whose import is in progress (-want +got):\n%s", diff)
	}
}
