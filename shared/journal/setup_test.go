package journal_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"laurel/internal/testserver"
	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/codec"
	"laurel/shared/journal"
	"laurel/shared/ledger"
	"laurel/shared/table"
	"laurel/shared/table/dynamo"
	"laurel/shared/table/embedded"
)

var day = board.DateOf(2026, 11, 20)

// start is the first moment of the day in UTC.
var start = board.MomentOf(time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC))

const (
	hour = board.Moment(3_600_000)
	// untilNext is a day.
	untilNext = 24 * hour
)

// now is before everything expires.
func now() time.Time { return start.Add(-12_000 * time.Hour).Time() }

// open returns an empty embedded store.
func open(tb testing.TB) table.Store {
	tb.Helper()
	store, err := embedded.New(now)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = store.Close() })
	return store
}

// onBoth runs a test on an embedded store and on a table.
func onBoth(t *testing.T, test func(t *testing.T, j *journal.Journal, store table.Store)) {
	t.Helper()
	t.Run("embedded", func(t *testing.T) {
		t.Parallel()
		store := open(t)
		test(t, journal.New(store), store)
	})
	t.Run("table", func(t *testing.T) {
		t.Parallel()
		endpoint, name := testserver.Table(t)
		store, err := dynamo.Open(t.Context(), dynamo.Options{Name: name, Endpoint: endpoint, Now: now})
		if err != nil {
			t.Fatal(err)
		}
		test(t, journal.New(store), store)
	})
}

// randomRow returns a row of any kind of one of 40 users.
func randomRow(rng *rand.Rand, arrival board.Moment) ledger.Row {
	row := ledger.Row{Changed: ledger.Registers(1 + rng.IntN(15))}
	row.User, row.At = fmt.Sprint("u", rng.IntN(40)), arrival-board.Moment(rng.IntN(100_000))
	if rng.IntN(8) > 0 {
		row.Action = []string{"like", "unlike", "visit"}[rng.IntN(3)]
	}
	key := func() string { return string(codec.AppendKey(nil, fmt.Sprint(rng.IntN(500)), "", rng.IntN(2) == 0)) }
	switch kind := rng.IntN(8); {
	case row.Action == "":
		row.Listed, row.Unlisted = []string{"7", "é"}, []uint64{codec.Hash("8"), rng.Uint64()}[rng.IntN(3):]
	case kind == 0:
		row.Key, row.Page = key(), ledger.DayPage(day-board.Date(rng.IntN(9)))
	case kind == 1:
		row.Key, row.Page = key(), ledger.MonthPage(day.Month())
	case kind == 2:
		row.Action, row.Value = "steps", new(int64(1+rng.IntN(9_000)))
	case kind == 3:
		row.Key, row.Restores = key(), rng.IntN(2) == 0
	default:
		row.Target, row.Restores = fmt.Sprint(rng.IntN(500)), rng.IntN(9) == 0
		if rng.IntN(3) == 0 {
			row.Ref = fmt.Sprint("c", rng.IntN(9))
		}
	}
	return row
}

// fill puts entries that arrived from half an hour before the day to half an hour after
// it, and returns their rows by arrival.
func fill(tb testing.TB, j *journal.Journal, rng *rand.Rand, entries int) map[board.Moment][]ledger.Row {
	tb.Helper()
	all := map[board.Moment][]ledger.Row{}
	for range entries {
		arrival := start - hour/2 + board.Moment(rng.Int64N(int64(untilNext+hour)))
		rows := make([]ledger.Row, 1+rng.IntN(60)*rng.IntN(2))
		for i := range rows {
			rows[i] = randomRow(rng, arrival)
		}
		put(tb, j.NewEntry(arrival), rows...)
		all[arrival] = append(all[arrival], rows...)
	}
	return all
}

func put(tb testing.TB, e *journal.Entry, rows ...ledger.Row) {
	tb.Helper()
	if err := e.Put(tb.Context(), rows...); err != nil {
		tb.Fatal(err)
	}
}

// read returns the rows that arrived from one moment on and before another.
func read(tb testing.TB, j *journal.Journal, from, until board.Moment) (rows []ledger.Row) {
	tb.Helper()
	err := j.Read(tb.Context(), from, until, func(arrival board.Moment, more []ledger.Row) error {
		if arrival < from || arrival >= until {
			tb.Errorf("got an arrival at %s", arrival)
		}
		rows = append(rows, more...)
		return nil
	})
	if err != nil {
		tb.Fatal(err)
	}
	return rows
}

func text(row ledger.Row) string {
	value := "none"
	if row.Value != nil {
		value = fmt.Sprint(*row.Value)
	}
	row.Value = nil
	return fmt.Sprintf("%q %s %d %s %x %q %x", fmt.Sprint(row.Activity), value, row.Changed, row.Page, row.Key,
		row.Listed, row.Unlisted)
}

// same compares rows in any order.
func same(tb testing.TB, got, want []ledger.Row) {
	tb.Helper()
	if diff := cmp.Diff(texts(want), texts(got)); diff != "" {
		tb.Errorf("rows (-want +got):\n%.3000s", diff)
	}
}

// texts returns rows as sorted texts, the same for equal rows.
func texts(rows []ledger.Row) []string {
	all := make([]string, len(rows))
	for i := range rows {
		all[i] = text(rows[i])
	}
	slices.Sort(all)
	return all
}

// like is a row of a usual activity.
func like(user, target string, at board.Moment) ledger.Row {
	a := activity.Activity{User: user, Action: "like", Target: target, At: at}
	return ledger.Row{Activity: a, Changed: ledger.Own}
}

// unchanged is a seal's compact that leaves rows as they are.
func unchanged(_ board.Moment, row ledger.Row) (ledger.Row, bool) { return row, true }

// activities returns activities as they were sent.
func activities(n int, at board.Moment) []activity.Activity {
	all := make([]activity.Activity, n)
	for i := range all {
		all[i] = activity.Activity{User: fmt.Sprint("u", i%3), Action: "like", Target: fmt.Sprint(i), At: at}
	}
	return all
}

func flatten(rows map[board.Moment][]ledger.Row, from, until board.Moment) (all []ledger.Row) {
	for arrival, some := range rows {
		if arrival >= from && arrival < until {
			all = slices.Concat(all, some)
		}
	}
	return all
}
