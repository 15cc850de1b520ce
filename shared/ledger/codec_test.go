package ledger_test

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/codec"
	"laurel/shared/ledger"
)

// A page that is not what was written is an error, of whatever kind it is.
func TestDamageIsAnError(t *testing.T) {
	t.Parallel()
	l, pages, now := userMonth(t, 40)
	follows, _, err := ledger.ReplaceFollows("ada", nil, nil, nil, []string{"bob", "cy", "dan"}, now)
	if err != nil {
		t.Fatal(err)
	}
	pages[ledger.FollowsPage()] = follows.Pages[0].Data
	pages[ledger.StatusPage()] = ledger.UserStatus{Hidden: true}.Page()
	for key, page := range pages {
		at := len(page) / 2
		for _, d := range []string{
			page + "x", page[:at], page[:at] + string(page[at]^0x10) + page[at+1:], seal(page[:at]), seal(""),
		} {
			if _, err := l.Decide(ledger.Pages{key: d}, nil, nil, nil, ledger.Arrival{}); !errors.Is(err, codec.ErrDamaged) {
				t.Errorf("page %s: damaged page was opened: %q: %v", key, d, err)
			}
			if _, err := l.Entries(key, d); !errors.Is(err, codec.ErrDamaged) && !errors.Is(err, ledger.ErrFormat) {
				t.Errorf("page %s: damaged page was read: %q: %v", key, d, err)
			}
		}
	}
}

// seal ends a page with its checksum.
func seal(body string) string { return string(codec.Seal([]byte(body), "")) }

// What opens, also with a checksum that was made to fit, opens to something that
// can be recorded on and written again.
func FuzzDecide(f *testing.F) {
	l, pages, now := userMonth(f, 12)
	follows, _, err := ledger.ReplaceFollows("ada", nil, nil, nil, []string{"bob", "cy"}, now)
	if err != nil {
		f.Fatal(err)
	}
	pages[ledger.FollowsPage()] = follows.Pages[0].Data
	month := l.Calendar().Date(now).Month()
	none := ledger.Pages{ledger.MonthPage(month): "", ledger.MonthPage(month - 1): ""}
	undone := []activity.Activity{
		{User: "1", Action: "unlike", Target: "9", At: now},
		{User: "1", Action: "like", Target: "9", At: now, Restores: true},
		{User: "1", Action: "like", Target: "8", At: now},
	}
	d, err := l.Decide(none, nil, nil, undone, ledger.Arrival{Now: now})
	if err != nil {
		f.Fatal(err)
	}
	for _, p := range d.Pages {
		f.Add([]byte(p.Data[:len(p.Data)-4]))
	}
	for _, page := range pages {
		f.Add([]byte(page))
		f.Add([]byte(page[:len(page)-4]))
	}
	day := l.Calendar().Date(now)
	var acts []activity.Activity
	for _, word := range []string{"like", "unlike", "comment", "steps", "follow", "unfollow"} {
		acts = append(acts, activity.Activity{User: "1", Action: word, Target: "9", At: now, Value: new(int64(5))})
	}
	acts = append(acts, activity.Activity{User: "1", Action: "like", Target: "9", At: now, Restores: true})
	f.Fuzz(func(t *testing.T, body []byte) {
		for _, page := range []string{string(body), seal(string(body))} {
			if again, err := l.Rewrite(page); err == nil && again != page {
				t.Errorf("%q is another form of %q", page, again)
			}
			for _, key := range []ledger.PageKey{
				ledger.MonthPage(month), ledger.DayPage(day), ledger.TotalsPage(), ledger.FollowsPage(),
			} {
				pages := ledger.Pages{
					ledger.MonthPage(month): "", ledger.MonthPage(month - 1): "", ledger.DayPage(day): "",
					ledger.FollowsPage(): "", key: page,
				}
				d, err := l.Decide(pages, nil, nil, acts, ledger.Arrival{Now: now})
				if err != nil {
					if !errors.Is(err, codec.ErrDamaged) && !errors.Is(err, ledger.ErrFormat) {
						t.Error(err)
					}
					continue
				}
				for _, p := range d.Pages {
					if _, err := l.Decide(ledger.Pages{p.Key: p.Data}, nil, nil, nil, ledger.Arrival{}); err != nil {
						t.Errorf("%q was written as %q: %v", page, p.Data, err)
					}
				}
			}
		}
	})
}

func TestPagesAreSmall(t *testing.T) {
	t.Parallel()
	for entries, most := range map[int]int{100: 10, 600: 10} { // bytes an entry, a third of them with a ref
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
		l := defaults()
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
