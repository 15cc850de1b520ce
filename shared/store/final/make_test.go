package final_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"laurel/internal/harness"
	"laurel/shared/core/activity"
	"laurel/shared/core/board"
	"laurel/shared/core/codec"
	"laurel/shared/store/final"
	"laurel/shared/store/items"
	"laurel/shared/store/table"
	"laurel/shared/store/table/embedded"
)

const indexed = 3*final.PageLen + 1 // a board that has an index

// Boards of every size read as they were made, ties included.
func TestBoardReadsBack(t *testing.T) {
	t.Parallel()
	f := newForum(t, embedded.New(time.Now))
	f.make(t, "run", 0, nil) // one that is empty and was never made is not written
	if _, err := f.finals.Manifest(t.Context(), "activity", day); !errors.Is(err, final.ErrNotFinal) {
		t.Error(err)
	}
	empty := final.Making{Board: "steps", Period: day, Run: "run", Empty: true} // it must have no users
	harness.Must(f.finals.Make(t.Context(), empty, nil))(t)
	if m, err := f.finals.Manifest(t.Context(), "steps", day); err != nil || m.Total != 0 {
		t.Error(m, err)
	}
	for closing, n := range []int{1, final.TopLen, final.TopLen + 1, final.PageLen, final.PageLen + 1, indexed, 2, 0} {
		_, entries := f.board(rand.New(rand.NewPCG(3, uint64(n))), n)
		made := f.make(t, "run", int64(closing), entries)
		if made.Was || made.Total != int64(n) || made.Closing != int64(closing) || made.Bytes == 0 {
			t.Errorf("%d: %+v", n, made)
		}
		f.holds(t, entries)
		if again := f.make(t, "other", int64(closing), entries); !again.Was || again.Run != made.Run {
			t.Errorf("%d again: %+v", n, again)
		}
		f.holds(t, entries)
	}
}

func TestEntriesOutOfOrderAreRefused(t *testing.T) {
	t.Parallel()
	f := newForum(t, embedded.New(time.Now))
	for name, change := range map[string]func([]items.Member){
		"order":       func(e []items.Member) { e[3].Packed = board.Pack(1, 0) },
		"a key twice": func(e []items.Member) { e[3].Key = e[7].Key },
		"no score":    func(e []items.Member) { e[9].Packed = 5 },
	} {
		_, entries := f.board(rand.New(rand.NewPCG(1, 1)), 10)
		change(entries)
		_, err := f.finals.Make(t.Context(), making("run", 1), entries)
		if err == nil || !strings.Contains(err.Error(), "out of order") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Of several runs at once one makes the board, whole, though they have others' entries.
func TestRunsAtOnceMakeOneBoard(t *testing.T) {
	t.Parallel()
	f := newForum(t, embedded.New(time.Now))
	boards := map[string][]items.Member{}
	made := make([]final.Made, 4)
	var all sync.WaitGroup
	for i := range made {
		run := fmt.Sprint("run", i)
		_, entries := f.board(rand.New(rand.NewPCG(9, uint64(i))), final.PageLen+50+i)
		boards[run] = entries
		all.Go(func() {
			var err error
			if made[i], err = f.process().Make(t.Context(), making(run, 7), entries); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	won := slices.DeleteFunc(slices.Clone(made), func(m final.Made) bool { return m.Was })
	if len(won) != 1 || slices.ContainsFunc(made, func(m final.Made) bool { return m.Run != won[0].Run }) {
		t.Fatalf("made by %+v", won)
	}
	_, winner, _ := strings.Cut(won[0].Run, ".")
	f.holds(t, boards[winner])
}

// After a later closing a board takes the place of the one before, also for a reader of the
// earlier one; a run of the earlier closing changes nothing any more.
func TestLaterClosingReplaces(t *testing.T) {
	t.Parallel()
	f, rng := newForum(t, embedded.New(time.Now)), rand.New(rand.NewPCG(5, 5))
	_, before := f.board(rng, indexed)
	first := f.make(t, "run", 3, before)
	named, after := f.board(rng, indexed+10)
	ada := named[5_000].User
	f.know(t, ada)
	readers := make([]*final.Store, 2) // of other processes
	for i := range readers {
		readers[i] = f.process()
		if ranks, err := readers[i].Ranks(t.Context(), "activity", day, []string{ada}); err != nil || ranks[ada] == 5_001 {
			t.Fatal(ranks, err)
		}
	}
	if made := f.make(t, "again", 4, after); made.Was || made.Digest == first.Digest {
		t.Errorf("made %+v", made.Run)
	}
	ranks, err := readers[0].Ranks(t.Context(), "activity", day, []string{ada})
	page, second := readers[1].Read(t.Context(), board.View{Board: "activity", Period: day, Offset: 5_000, Limit: 1})
	if err != nil || second != nil || ranks[ada] != 5_001 || page.Places[0].User != ada || page.Total != indexed+10 {
		t.Errorf("ranks %v, page %+v, %v, %v", ranks, page, err, second)
	}
	if late := f.make(t, "late", 3, before); !late.Was {
		t.Error("a run of the closing before has replaced it")
	}
	f.holds(t, after)
}

// A run that is killed at any call leaves the board before, or none, or the whole new one; the
// next run makes it, and nothing of the other is left.
func TestKilledRunIsMadeAgain(t *testing.T) {
	t.Parallel()
	for _, how := range []harness.Fate{harness.DiesBefore, harness.DiesAfter} {
		for call := int64(1); ; call++ {
			f, rng := newForum(t, embedded.New(time.Now)), rand.New(rand.NewPCG(4, 4))
			_, old := f.board(rng, 300)
			_, entries := f.board(rng, indexed)
			f.make(t, "old", 1, old)
			killed := &harness.Table{Table: f.Table}
			killed.DieAt(call, how)
			_, err := final.New(killed, f.people, calendar, activity.Default()).Make(t.Context(), making("killed", 2), entries)
			if err == nil {
				if call < 10 {
					t.Errorf("only %d calls", call)
				}
				break
			}
			m, _, err := f.finals.Whole(t.Context(), "activity", day)
			if err != nil || (m.Total != 300 && m.Total != indexed) {
				t.Fatalf("killed at %d (%s): %d entries, %v", call, how, m.Total, err)
			}
			f.make(t, "next", 2, entries)
			f.holds(t, entries)
		}
	}
}

// A damaged, missing or exchanged item is an error that names it.
func TestDamagedItemNamesItself(t *testing.T) {
	t.Parallel()
	f := newForum(t, embedded.New(time.Now))
	named, entries := f.board(rand.New(rand.NewPCG(6, 6)), indexed)
	f.make(t, "run", 1, entries)
	f.know(t, named[3_000].User)
	rows, rng := f.items(t), rand.New(rand.NewPCG(7, 7))
	look := func() error {
		_, found := f.finals.Ranks(t.Context(), "activity", day, []string{named[3_000].User})
		_, _, err := f.process().Whole(t.Context(), "activity", day)
		return errors.Join(err, found)
	}
	indexes := 0
	for i, item := range rows {
		flipped := slices.Clone(item.Data)
		flipped[rng.IntN(len(flipped))] ^= 1 << rng.IntN(8)
		for _, data := range [][]byte{flipped, rows[(i+1)%len(rows)].Data, {}} {
			mend := harness.Damage(t, f, item.Key, data)
			err := look()
			met := errors.Is(err, codec.ErrDamaged) || errors.Is(err, items.ErrLaterFormat)
			switch met = met && strings.Contains(err.Error(), item.Sort); {
			case met && strings.Contains(item.Sort, "index"): // only one item of it is read
				indexes++
			case !met && strings.Contains(item.Sort, "page"):
				t.Errorf("%s: %v", item.Key, err)
			}
			mend()
		}
		harness.OK(t, look())
	}
	if indexes != 3 {
		t.Errorf("damage of the index was met %d times", indexes)
	}
	harness.Damage(t, f, table.Key{Partition: "activity#day", Sort: day.String()}, rows[0].Data)
	if made := f.make(t, "again", 1, entries); made.Was {
		t.Error("a damaged manifest stays")
	}
	f.holds(t, entries)
}

// The digest tells of any entry that was changed, in a page that is right by itself.
func TestDigestTellsOfAnyChange(t *testing.T) {
	t.Parallel()
	f := newForum(t, embedded.New(time.Now))
	_, entries := f.board(rand.New(rand.NewPCG(8, 8)), 500)
	f.make(t, "run", 1, entries)
	for _, change := range []func(*items.Member){
		func(e *items.Member) { e.Key[7]++ }, func(e *items.Member) { e.Packed++ },
	} {
		for _, index := range []int{final.TopLen, 499} {
			other, changed := newForum(t, embedded.New(time.Now)), slices.Clone(entries)
			change(&changed[index])
			other.make(t, "run", 1, changed)
			harness.Damage(t, f, f.items(t)[0].Key, other.items(t)[0].Data)
			if _, _, err := f.finals.Whole(t.Context(), "activity", day); !errors.Is(err, codec.ErrDamaged) {
				t.Errorf("another at %d: %v", index, err)
			}
		}
	}
}

// A final board may expire, and is gone then.
func TestFinalBoardExpires(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 24, 12, 0, 0, 0, time.UTC)
	f := newForum(t, embedded.New(func() time.Time { return now }))
	m := making("run", 1)
	m.Expires = final.Expires(day, calendar, 30, 0)
	month := board.PeriodOf(board.Month, day.First())
	for expiry, want := range map[int64]string{
		m.Expires: "2026-12-21", final.Expires(month, calendar, 30, 2): "2027-02-01",
	} {
		if got := time.Unix(expiry, 0).UTC().Format(time.DateOnly); got != want {
			t.Errorf("it expires on %s, want %s", got, want)
		}
	}
	if final.Expires(month, calendar, 30, 0) != 0 || final.Expires(day, calendar, 0, 2) != 0 {
		t.Error("a board that is kept for ever expires")
	}
	_, entries := f.board(rand.New(rand.NewPCG(1, 9)), 300)
	harness.Must(f.finals.Make(t.Context(), m, entries))(t)
	f.holds(t, entries)
	now = now.AddDate(0, 1, 0)
	_, err := f.finals.Manifest(t.Context(), "activity", day)
	if !errors.Is(err, final.ErrNotFinal) || len(f.items(t)) > 0 {
		t.Errorf("afterwards: %v, %d items", err, len(f.items(t)))
	}
}
