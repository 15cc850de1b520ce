package ledger_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"laurel/internal/harness"
	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/codec"
	"laurel/shared/ledger"
)

func drawLedger(t *rapid.T) *ledger.MonthLedger {
	id := rapid.OneOf(rapid.StringN(1, 20, -1), rapid.SampledFrom([]string{
		"7", "-42", "9007199254740993", "6b3a2f10-0d5c-4b1e-9a7e-0123456789ab",
	}))
	m := &ledger.MonthLedger{User: id.Draw(t, "user"), Month: rapid.String().Draw(t, "month")}
	if rapid.Bool().Draw(t, "erased") {
		m.After = board.Moment(rapid.Int64Range(int64(board.Earliest), int64(board.Latest)-1).Draw(t, "after"))
	}
	if days := rapid.MapOfN(rapid.Int32Range(-40_000, 60_000), rapid.String(), 0, 5).Draw(t, "days"); len(days) > 0 {
		m.Days = map[board.Date]string{}
		for d, page := range days {
			m.Days[board.Date(d)] = page
		}
	}
	if votes := rapid.MapOfN(id, rapid.Int64Range(0, 1<<45), 0, 5).Draw(t, "votes"); len(votes) > 0 {
		m.Votes = votes
	}
	return m
}

// A ledger reads back, and a byte changed, lost or added is damage.
func TestLedgersReadBack(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		want := drawLedger(t)
		data := want.Encode()
		got := harness.Must(ledger.DecodeMonthLedger(data))(t)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("(-want +got):\n%s", diff)
		}
		if about := want.Size(); len(data) > about {
			t.Fatalf("%d bytes, which Size takes for %d", len(data), about)
		}
		i := rapid.IntRange(0, len(data)-1).Draw(t, "at")
		flipped := append([]byte(nil), data...)
		flipped[i] ^= rapid.ByteRange(1, 255).Draw(t, "flip")
		for _, damaged := range [][]byte{flipped, data[:i], append(data, 7)} {
			if _, err := ledger.DecodeMonthLedger(damaged); !errors.Is(err, codec.ErrDamaged) {
				t.Fatalf("%q reads: %v", damaged, err)
			}
		}
	})
}

func TestLedgerOfALaterFormatIsRefused(t *testing.T) {
	t.Parallel()
	if _, err := ledger.DecodeMonthLedger(codec.Seal([]byte("\x02..."), "")); !errors.Is(err, ledger.ErrFormat) {
		t.Errorf("format 2: %v", err)
	}
}

// Bytes that are sealed are a ledger on which everything can be decided, or damaged data.
func FuzzMonthLedger(f *testing.F) {
	s := newAccounts(defaults())
	var acts []activity.Activity
	for i, word := range []string{"like", "unlike", "comment", "visit", "follow", "bookmark"} {
		moment := board.MomentOf(time.Date(2026, 11, 20, i, 0, 0, 0, time.UTC))
		acts = append(acts, activity.Activity{User: "ada", Action: word, Target: fmt.Sprint(i / 2), At: moment})
	}
	s.record(fataler{f}, acts, ledger.Arrival{Now: board.Latest, AnyAge: true})
	item := s.items["ada"][november]
	f.Add(item[:len(item)-4])
	f.Fuzz(func(t *testing.T, body []byte) {
		m, err := ledger.DecodeMonthLedger(codec.Seal(body, ""))
		if err != nil {
			if !errors.Is(err, codec.ErrDamaged) && !errors.Is(err, ledger.ErrFormat) {
				t.Errorf("%v is neither damage nor a format", err)
			}
			return
		}
		if _, err := ledger.DecodeMonthLedger(m.Encode()); err != nil {
			t.Errorf("%+v is written and does not read: %v", m, err)
		}
		l := defaults()
		a := &ledger.Account{
			User: "ada", Erased: m.After, Months: map[board.MonthOf]*ledger.MonthLedger{november: m, november - 1: nil},
		}
		for _, err := range []error{
			second(l.DecideAccount(a, acts, ledger.Surroundings{Now: board.Latest, AnyAge: true})), second(l.ListedOf(a)),
			second(l.Places(a, nil, board.DateOf(2026, 11, 30), november)), second(l.MonthTotals(m, november)),
			second(l.DaysOf(a, november.First(), november.First()+40)),
		} {
			if err != nil && !errors.Is(err, codec.ErrDamaged) {
				t.Errorf("%v is not damage", err)
			}
		}
	})
}

func second[T any](_ T, err error) error { return err }

// fataler is a testing.F as helpers take it.
type fataler struct{ *testing.F }

// TestItemsStaySmall measures the items of one user's month, whose targets are numbers of six
// digits and whose id is a UUID: without keys, revision and mark, which take some 65.
func TestItemsStaySmall(t *testing.T) {
	t.Parallel()
	const beside = 65
	for entries, limit := range map[int]int{1: 115, 30: 410, 100: 1_200, 300: 3_400} {
		s, user := newAccounts(defaults()), "6b3a2f10-0d5c-4b1e-9a7e-"+strings.Repeat("0", 12)
		step := board.Moment((29 * 24 * time.Hour).Milliseconds() / int64(entries))
		var acts []activity.Activity
		for i := range entries {
			acts = append(acts, activity.Activity{
				User: user, Action: []string{"like", "bookmark", "publish"}[i%3], Target: fmt.Sprint(100_000 + i*37),
				At: at(t, "11-01 08:00") + step*board.Moment(i),
			})
		}
		s.record(t, acts, ledger.Arrival{Now: board.Latest, AnyAge: true})
		if got := len(s.items[user][november]) + beside; got > limit {
			t.Errorf("%d entries take %d bytes, want at most %d", entries, got, limit)
		} else {
			t.Logf("%d entries: %d of %d bytes", entries, got, limit)
		}
	}
}
