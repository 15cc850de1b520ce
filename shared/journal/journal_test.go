package journal_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/codec"
	"laurel/shared/journal"
	"laurel/shared/ledger"
	"laurel/shared/table"
)

func TestPutRowsAreRead(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, j *journal.Journal, _ table.Store) {
		t.Helper()
		all := fill(t, j, rand.New(rand.NewPCG(1, 1)), 400)
		from, until := start+60_000, start+20*hour+17
		same(t, read(t, j, from, until), flatten(all, from, until))
		same(t, read(t, j, from, from), nil)
		for arrival, rows := range all {
			same(t, read(t, j, arrival, arrival+1), rows)
			break
		}
	})
}

// An hour with more entries than one read returns is read page by page.
func TestBusyHourIsRead(t *testing.T) {
	t.Parallel()
	j := journal.New(open(t))
	var want []ledger.Row
	for i := range 16 * 300 {
		row := like("ada", fmt.Sprint(i), start)
		put(t, j.NewEntry(start+board.Moment(i/2)), row)
		want = append(want, row)
	}
	same(t, read(t, j, start, start+hour), want)
}

// Rows that a conflict has changed replace the former ones.
func TestEntryIsOverwritten(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, j *journal.Journal, store table.Store) {
		t.Helper()
		rng := rand.New(rand.NewPCG(2, 1))
		e := j.NewEntry(start)
		put(t, e) // nothing to store, nothing to replace
		if _, written := store.Units(); written != 0 {
			t.Errorf("no rows cost %g units", written)
		}
		for _, rows := range [][]ledger.Row{
			{randomRow(rng, start), randomRow(rng, start)}, nil, {randomRow(rng, start)}, longList(2), {randomRow(rng, start)},
		} {
			put(t, e, rows...)
			put(t, e, rows...)
			got := read(t, j, start, start+1)
			if len(rows) > 0 && len(rows[0].Unlisted) > 9 {
				got = joined(got)
			}
			same(t, got, rows)
		}
	})
}

// failing fails to set items after the first so many.
type failing struct {
	table.Store
	left int
}

var errFailing = errors.New("failing")

// Set sets an item, or fails.
func (f *failing) Set(ctx context.Context, item table.Item) error {
	if f.left--; f.left < 0 {
		return errFailing
	}
	return f.Store.Set(ctx, item)
}

// Rows that stay are stored wherever putting an entry of several items again fails.
func TestRowsStayWhenPuttingAgainFails(t *testing.T) {
	t.Parallel()
	var rows []ledger.Row
	for n := range 3_000 {
		rows = append(rows, like("ada", fmt.Sprintf("%0*d", activity.MaxID, n), start))
	}
	for n := range 4 {
		store := &failing{open(t), 1_000}
		j := journal.New(store)
		e := j.NewEntry(start)
		put(t, e, rows[1_000:]...)
		store.left = n
		if err := e.Put(t.Context(), rows...); !errors.Is(err, errFailing) {
			t.Fatal(err)
		}
		stored := map[string]bool{}
		for _, row := range read(t, j, start, start+1) {
			stored[row.Target] = true
		}
		for _, row := range rows[1_000:] {
			if !stored[row.Target] {
				t.Fatalf("after %d items %s is missing", n, row.Target)
			}
		}
	}
}

// longList returns a replaced follow list that needs several items.
func longList(seed uint64) []ledger.Row {
	rng := rand.New(rand.NewPCG(seed, 0))
	row := ledger.Row{Activity: activity.Activity{User: "ada", At: start}, Changed: ledger.Follow}
	for range ledger.MaxReplaced {
		row.Listed = append(row.Listed, fmt.Sprintf("%0*x", activity.MaxUserID, rng.Uint64()))
	}
	for range ledger.MaxFollows {
		row.Unlisted = append(row.Unlisted, rng.Uint64())
	}
	return []ledger.Row{row}
}

// joined joins the parts of a follow list, which are read in order.
func joined(parts []ledger.Row) []ledger.Row {
	whole := parts[0]
	for _, part := range parts[1:] {
		whole.Listed, whole.Unlisted = append(whole.Listed, part.Listed...), append(whole.Unlisted, part.Unlisted...)
	}
	return []ledger.Row{whole}
}

// The largest rows of a request are stored, whatever their ids.
func TestLargestRowsAreStored(t *testing.T) {
	t.Parallel()
	j := journal.New(open(t))
	rng := rand.New(rand.NewPCG(6, 1))
	id := func(length int) string {
		var b strings.Builder
		for b.Len() < length {
			b.WriteRune(rune(0x100 + rng.IntN(0x400))) // two bytes that no compression saves
		}
		return b.String()[:length]
	}
	var rows []ledger.Row
	for range 2_000 {
		rows = append(rows, ledger.Row{Activity: activity.Activity{
			User: id(activity.MaxUserID), Action: "like", Target: id(activity.MaxID), Ref: id(activity.MaxID), At: start,
		}, Changed: 15})
	}
	put(t, j.NewEntry(start), rows...)
	same(t, read(t, j, start, start+1), rows)
}

func TestEntryExpires(t *testing.T) {
	t.Parallel()
	store := open(t)
	e := journal.New(store).NewEntry(start)
	put(t, e, like("ada", "7", start))
	items, err := store.Get(t.Context(), e.Key())
	if want := start.Add(35 * 24 * time.Hour).Time().Unix(); err != nil || len(items) != 1 || items[0].Expires != want {
		t.Errorf("got %v, %v, want an item until %d", items, err, want)
	}
}

// Entries of one moment have different keys, in all partitions of the hour.
func TestKeysAreRandom(t *testing.T) {
	t.Parallel()
	j := journal.New(open(t))
	partitions, sorts := map[string]bool{}, map[string]bool{}
	for range 1_000 {
		key := j.NewEntry(start + hour - 1).Key()
		partitions[key.Partition], sorts[key.Sort] = true, true
		if !strings.HasPrefix(key.Partition, "JOURNAL#2026-11-20T00#") || !strings.HasPrefix(key.Sort, "1795136399999") {
			t.Fatalf("got %s", key)
		}
	}
	if len(partitions) != 16 || len(sorts) != 1_000 {
		t.Errorf("got %d partitions and %d sort keys", len(partitions), len(sorts))
	}
}

// The error of take, or of the context, ends the reading.
func TestReadEndsWithAnError(t *testing.T) {
	t.Parallel()
	j := journal.New(open(t))
	fill(t, j, rand.New(rand.NewPCG(4, 1)), 50)
	errEnough := errors.New("enough")
	calls := 0
	err := j.Read(t.Context(), start, start+untilNext, func(board.Moment, []ledger.Row) error {
		calls++
		return errEnough
	})
	if !errors.Is(err, errEnough) || calls != 1 {
		t.Errorf("got %v after %d calls", err, calls)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := j.Read(ctx, start, start+1, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestEntriesAreSmall(t *testing.T) {
	t.Parallel()
	store := open(t)
	j, rng := journal.New(store), rand.New(rand.NewPCG(5, 1))
	for name, ids := range map[string]struct {
		id   func() string
		most map[int]float64 // write units of so many activities
	}{
		"digits": {
			func() string { return fmt.Sprint(1_000_000 + rng.IntN(9_000_000)) },
			map[int]float64{1: 1, 10: 1, 50: 1, 100: 2, 500: 6},
		},
		"UUIDs": {
			func() string {
				a, b := rng.Uint64(), rng.Uint64()
				return fmt.Sprintf("%08x-%04x-4%03x-8%03x-%012x", a>>32, a>>16&0xffff, a&0xfff, b>>48&0xfff, b&(1<<48-1))
			},
			map[int]float64{1: 1, 10: 1, 50: 2, 100: 4, 500: 20},
		},
	} {
		for n, most := range ids.most {
			rows := make([]ledger.Row, n)
			for i := range rows {
				rows[i] = like(ids.id(), ids.id(), start+board.Moment(i))
			}
			_, before := store.Units()
			e := j.NewEntry(start)
			put(t, e, rows...)
			_, after := store.Units()
			items, err := store.Get(t.Context(), e.Key())
			if err != nil || len(items) != 1 {
				t.Fatal(items, err)
			}
			t.Logf("%d activities with %s: %d bytes, %g units", n, name, len(items[0].Data), after-before)
			if after-before > most {
				t.Errorf("%d activities with %s take %g units, want at most %g", n, name, after-before, most)
			}
		}
	}
}

func BenchmarkEncode(b *testing.B) {
	key := table.Key{Partition: "p", Sort: "s"}
	for _, n := range []int{1, 10, 500} {
		rows := make([]ledger.Row, n)
		for i := range rows {
			rows[i] = like(fmt.Sprint(codec.Hash(fmt.Sprint(i))), "7", start)
		}
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				journal.Encode(key, rows)
			}
		})
	}
}
