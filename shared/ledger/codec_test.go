package ledger_test

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/ledger"
)

// oddIDs are written in every way a key knows, or nearly.
var oddIDs = []string{
	"0", "-0", "00", "007", "-7", "+7", "1", "127", "128", "72057594037927935", "72057594037927936", "-72057594037927936",
	"9007199254740993", "9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809",
	"18446744073709551615", "-", "6b3a2f10-0d5c-4b1e-9a7e-0123456789ab", "6B3A2F10-0D5C-4B1E-9A7E-0123456789AB",
	"6b3a2f10-0d5c-4b1e-9a7e-0123456789ag", "6b3a2f100d5c4b1e9a7e0123456789ab", "é", "a b", "1.0", "1e3", "٣", strings.Repeat("x", 128),
}

// Every id is an entry of its own, and comes back from the page as it was.
func TestIDsSurviveThePage(t *testing.T) {
	t.Parallel()
	l := ledger.New(activity.Default(), board.NewCalendar(time.UTC))
	now := at(t, "11-20 12:00")
	s := newMemory(l)
	want := map[string]bool{}
	for i, id := range oddIDs {
		acts := []activity.Activity{
			{User: "ada", Action: "like", Target: id, At: now},
			{User: "ada", Action: "comment", Target: id, Ref: oddIDs[len(oddIDs)-1-i], At: now},
		}
		for _, r := range s.record(t, acts, ledger.Arrival{Now: now}) {
			if r.Status != ledger.Counted {
				t.Errorf("%q: %s; it was taken for another id", id, r.Status)
			}
		}
		want["like "+id+" "] = true
		want["comment "+id+" "+oddIDs[len(oddIDs)-1-i]] = true
	}
	key := ledger.MonthPage(board.DateOf(2026, 11, 1).Month())
	entries, _, err := l.Entries(key, s.pages["ada"][key])
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		id := e.Action + " " + e.Target + " " + e.Ref
		if !want[id] {
			t.Errorf("%q is on the page, but was never put there", id)
		}
		delete(want, id)
	}
	for id := range want {
		t.Errorf("%q is not on the page", id)
	}
}

// A byte changed, lost or added is an error, wherever it is.
func TestDamageIsAnError(t *testing.T) {
	t.Parallel()
	l, pages, _ := userMonth(t, 40)
	for key, page := range pages {
		damaged := []string{page + "x", page[1:], strings.Repeat("\xff", 12)}
		for i := range page {
			damaged = append(damaged, page[:i]+string(page[i]^0x10)+page[i+1:])
			if i > 0 {
				damaged = append(damaged, page[:i])
			}
		}
		for _, d := range damaged {
			if _, err := l.Open(map[ledger.PageKey]string{key: d}, nil); !errors.Is(err, ledger.ErrDamaged) {
				t.Fatalf("page %s: damaged page was opened: %q: %v", key, d, err)
			}
			if _, _, err := l.Entries(key, d); !errors.Is(err, ledger.ErrDamaged) {
				t.Fatalf("page %s: damaged page was read: %q: %v", key, d, err)
			}
		}
	}
}

// What opens, also with a checksum that was made to fit, opens to something that
// can be recorded on and written again.
func FuzzOpen(f *testing.F) {
	l, pages, now := userMonth(f, 12)
	follows, err := ledger.ReplaceFollows("ada", "", nil, []string{"bob", "cy"}, now)
	if err != nil {
		f.Fatal(err)
	}
	pages[ledger.FollowsPage()] = follows.Pages[0].Data
	for _, page := range pages {
		f.Add([]byte(page))
		f.Add([]byte(page[:len(page)-4]))
	}
	month := l.Calendar().Date(now).Month()
	f.Fuzz(func(t *testing.T, body []byte) {
		for _, page := range []string{string(body), ledger.Seal(body)} {
			for _, key := range []ledger.PageKey{ledger.MonthPage(month), ledger.DayPage(l.Calendar().Date(now)), ledger.TotalsPage(), ledger.FollowsPage()} {
				pages := map[ledger.PageKey]string{ledger.MonthPage(month): "", ledger.MonthPage(month - 1): "", ledger.DayPage(l.Calendar().Date(now)): "", ledger.FollowsPage(): "", key: page}
				book, err := l.Open(pages, nil)
				if err != nil {
					if !errors.Is(err, ledger.ErrDamaged) {
						t.Error(err)
					}
					continue
				}
				for _, word := range []string{"like", "unlike", "comment", "steps", "follow", "unfollow"} {
					a := activity.Activity{User: "1", Action: word, Target: "9", At: now, Value: new(int64(5))}
					book.Apply(a, ledger.Arrival{Now: now})
				}
				for _, p := range book.Changes().Pages {
					if _, err := l.Open(map[ledger.PageKey]string{p.Key: p.Data}, nil); err != nil {
						t.Errorf("%q was written as %q: %v", page, p.Data, err)
					}
				}
			}
		}
	})
}

func TestPagesAreSmall(t *testing.T) {
	t.Parallel()
	for entries, most := range map[int]int{100: 13, 600: 12} { // bytes an entry, a third of them with a ref
		_, pages, _ := userMonth(t, entries)
		size := 0
		for _, page := range pages {
			size += len(page)
		}
		if size > entries*most {
			t.Errorf("%d entries take %d bytes, more than %d each", entries, size, most)
		}
	}
}

// Promise 2: what recording has written is what the entries alone come to; Rebuild
// finds nothing to mend.
func TestPromise2ABoardIsTheSumOfItsLedger(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		l := ledger.New(activity.Default(), board.NewCalendar(time.UTC))
		s := newMemory(l)
		start := int64(at(t, "11-28 00:00"))
		var acts []activity.Activity
		for range rapid.IntRange(1, 60).Draw(rt, "n") {
			a := activity.Activity{User: "ada", Target: rapid.SampledFrom([]string{"1", "2"}).Draw(rt, "target")}
			a.Action = rapid.SampledFrom([]string{"visit", "like", "unlike", "comment", "uncomment", "steps"}).Draw(rt, "word")
			a.At = board.Moment(start + rapid.Int64Range(0, 6*86_400_000).Draw(rt, "at"))
			if a.Action == "steps" {
				a.Target, a.Value = "", new(rapid.Int64Range(0, 9).Draw(rt, "value"))
			}
			acts = append(acts, a)
		}
		s.record(t, acts, ledger.Arrival{Now: board.Latest, AnyAge: true})
		changes, err := l.Rebuild(s.pages["ada"], nil)
		if err != nil {
			rt.Fatal(err)
		}
		if len(changes.Pages) != 0 {
			rt.Fatalf("pages to mend: %v", changes.Pages)
		}
		n := 0
		for _, m := range changes.Scores {
			if m.Packed != s.boards[m.Board][m.Period]["ada"] {
				rt.Fatalf("%s %s: %d, recorded %d", m.Board, m.Period, m.Packed, s.boards[m.Board][m.Period]["ada"])
			}
			n++
		}
		for _, periods := range s.boards {
			n -= len(periods)
		}
		if n != 0 {
			rt.Fatalf("%d scores too many or too few", n)
		}
	})
}

func TestPageKeysReadBack(t *testing.T) {
	t.Parallel()
	day := board.DateOf(2026, 11, 20)
	for _, key := range []ledger.PageKey{ledger.DayPage(day), ledger.MonthPage(day.Month()), ledger.TotalsPage()} {
		if got, ok := ledger.ParsePageKey(key.String()); !ok || got != key {
			t.Errorf("%s reads back as %s", key, got)
		}
	}
	for _, name := range []string{"", "v", "2026", "2026-W47", "2026-13", "total", fmt.Sprint(math.MaxInt64)} {
		if key, ok := ledger.ParsePageKey(name); ok {
			t.Errorf("%q was taken for the page %s", name, key)
		}
	}
}
