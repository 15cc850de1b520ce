package final_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"laurel/internal/harness"
	"laurel/shared/core/activity"
	"laurel/shared/core/board"
	"laurel/shared/core/profile"
	"laurel/shared/store/final"
	"laurel/shared/store/items"
	"laurel/shared/store/table"
)

var (
	day      = board.PeriodOf(board.Day, board.DateOf(2026, 11, 20))
	calendar = board.NewCalendar(time.UTC)
)

// A forum is a table with people and the final boards that are read with them.
type forum struct {
	items.Table
	finals *final.Store
	people *items.Store
	head   *items.Head
}

func newForum(tb testing.TB, store items.Table) *forum {
	tb.Helper()
	f := &forum{Table: store, people: items.New(store, "UTC", board.Earliest.Time)}
	f.finals = f.process()
	f.head = harness.Must(f.people.Head(tb.Context()))(tb)
	return f
}

// process returns the final boards of a process that knows none of them yet.
func (f *forum) process() *final.Store {
	return final.New(f.Table, f.people, calendar, activity.Default())
}

// know writes the items of people, as they are before a board is final.
func (f *forum) know(tb testing.TB, ids ...string) {
	tb.Helper()
	for some := range slices.Chunk(ids, 500) {
		var changes []items.Change
		for _, id := range some {
			person := &items.Person{ID: id, Profile: profile.Profile{Name: "The " + id}}
			changes = append(changes, items.Change{Person: &items.PersonChange{Key: f.head.KeyOf(id), Value: person}})
		}
		for _, w := range f.people.Write(tb.Context(), changes...) {
			harness.OK(tb, w.Err)
		}
	}
}

// board returns a board of n people with many ties, in order, by id and by key.
func (f *forum) board(rng *rand.Rand, n int) (named []board.Member, entries []items.Member) {
	for i := range n {
		packed := board.Pack(1+rng.Int64N(40), rng.Int64N(86_000_000)>>(20*rng.IntN(2)))
		named = append(named, board.Member{User: fmt.Sprint("user-", i), Packed: packed})
	}
	slices.SortFunc(named, board.Compare)
	for _, e := range named {
		entries = append(entries, items.Member{Key: f.head.KeyOf(e.User), Packed: e.Packed})
	}
	return named, entries
}

// make makes the day's board, in a process of its own: others know the board before.
func (f *forum) make(tb testing.TB, run string, closing int64, entries []items.Member) final.Made {
	tb.Helper()
	return harness.Must(f.process().Make(tb.Context(), making(run, closing), entries))(tb)
}

func making(run string, closing int64) final.Making {
	return final.Making{Board: "activity", Period: day, Run: run, Closing: closing}
}

// holds compares the day's board, its digest and the items that there are.
func (f *forum) holds(tb testing.TB, want []items.Member) {
	tb.Helper()
	m, got, err := f.finals.Whole(tb.Context(), "activity", day)
	if err != nil || !slices.Equal(got, want) {
		tb.Fatalf("%d entries, want %d, %v", len(got), len(want), err)
	}
	if n := int64(len(f.items(tb))); n != m.Pages()+m.Indexes {
		tb.Errorf("%d items are left, want %d pages and %d of the index", n, m.Pages(), m.Indexes)
	}
}

// items returns the pages and the index of the day's board.
func (f *forum) items(tb testing.TB) []table.Item {
	tb.Helper()
	return harness.Must(f.Ascend(tb.Context(), "activity#day#2026-11-20", "", "\U0010FFFF", 1_000))(tb)
}
