package ledger_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"laurel/shared/core/activity"
	"laurel/shared/core/board"
	"laurel/shared/core/codec"
	"laurel/shared/core/ledger"
)

// Sealed bytes that no ledger has are damage: each of these is right but for one thing.
func TestDamagedLedgersAreErrors(t *testing.T) {
	t.Parallel()
	const frame = "\x01\x01\x07" // of the user "7"
	for damage, c := range map[string]struct {
		item string
		want error
	}{
		"right":              {frame + "\x00\x00\x02\x02\x00\x04\x00\x02\x01\x01\x00\x01\x02\x00", nil},
		"after an erasure":   {frame + string(binary.AppendUvarint(nil, uint64(board.Earliest))) + "\x00\x00\x00", nil},
		"another format":     {"\x02\x01\x07\x00\x00\x00\x00", ledger.ErrFormat},
		"an early erasure":   {frame + "\x01\x00\x00\x00", codec.ErrDamaged},
		"a day twice":        {frame + "\x00\x00\x02\x02\x00\x02\x00\x00", codec.ErrDamaged},
		"a day out of range": {frame + "\x00\x00\x01\x80\x80\x80\x80\x40\x00\x00", codec.ErrDamaged},
		"an article twice":   {frame + "\x00\x00\x00\x02\x01\x01\x00\x01\x01\x00", codec.ErrDamaged},
	} {
		sealed := codec.Seal([]byte(c.item), "")
		m, err := ledger.DecodeMonthLedger(sealed)
		if !errors.Is(err, c.want) {
			t.Errorf("%s: %v", damage, err)
		}
		if err == nil && (!bytes.Equal(m.Encode(), sealed) || m.Size() < len(sealed)) {
			t.Errorf("%s: written as %q, and its size is %d", damage, m.Encode(), m.Size())
		}
		if _, err := ledger.DecodeMonthLedger(sealed[1:]); !errors.Is(err, codec.ErrDamaged) {
			t.Errorf("%s, without its first byte: %v", damage, err)
		}
	}
}

// So are pages that no month has.
func TestDamagedPagesAreErrors(t *testing.T) {
	t.Parallel()
	const once = "\x83\x00\x02\x01\x01\x00"
	base := binary.AppendUvarint(nil, uint64(momentAt(t, "11-20 12:00")))
	far := string(binary.AppendUvarint(nil, uint64(board.Latest)))
	farther := string(binary.AppendVarint(nil, int64(board.Latest)))
	like := activity.Activity{User: "7", Action: "like", Target: "1", At: momentAt(t, "11-20 12:00")}
	for damage, c := range map[string]struct {
		page string
		want error
	}{
		"right":                      {"\x01" + once, nil},
		"marked":                     {"\x01\x83\x00\x03\x01\x01\x00\x01\x00\x0f\x01\x02\x02", nil},
		"summed up":                  {"\x01\x83\x02\x01\x01\x02\x00\x1d\x02\x02\x00\x02\x01\x01\x00", nil},
		"summed up by two caps":      {"\x01\x83\x01\x01\x05\x05\x00\x01\x02\x02\x01\x01\x00", nil},
		"a cap twice":                {"\x01\x83\x01\x01\x05\x07\x00\x01\x01\x02\x02\x02\x01\x01\x00", codec.ErrDamaged},
		"summed up by three caps":    {"\x01\x83\x01\x01\x05\x07\x00\x01\x01\x01\x02\x02\x01\x01\x00", nil},
		"a cap of none":              {"\x01\x83\x01\x01\x05\x05\x00\x01\x00\x02\x01\x01\x00", codec.ErrDamaged},
		"caps of one moment":         {"\x01\x83\x01\x01\x05\x03\x00\x02\x02\x01\x01\x00", codec.ErrDamaged},
		"another action":             {"\x01\x05thank\x00\x02\x01\x01\x00", nil},
		"trailing data":              {"\x01" + once + "\x00", codec.ErrDamaged},
		"an entry twice":             {"\x01\x83\x00\x04\x01\x01\x00\x01\x01\x00", codec.ErrDamaged},
		"entries out of order":       {"\x01\x83\x00\x04\x01\x02\x00\x01\x01\x00", codec.ErrDamaged},
		"a moment out of range":      {"\x01\x83\x00\x04\x01\x01\x00\x01\x02" + far, codec.ErrDamaged},
		"another base":               {"\x01\x83\x00\x02\x01\x01\x01", codec.ErrDamaged},
		"an action twice":            {"\x02" + once + once, codec.ErrDamaged},
		"actions out of order":       {"\x02" + once + "\x80\x00\x02\x01\x01\x00", codec.ErrDamaged},
		"an unknown action":          {"\x01\x87\x00\x02\x01\x01\x00", codec.ErrDamaged},
		"a long form of an action":   {"\x01\x04like\x00\x02\x01\x01\x00", codec.ErrDamaged},
		"marked, and none is":        {"\x01\x83\x00\x03\x01\x01\x00\x00", codec.ErrDamaged},
		"a mark past the end":        {"\x01\x83\x00\x03\x01\x01\x00\x01\x01\x05\x02", codec.ErrDamaged},
		"marked, and done once":      {"\x01\x83\x00\x03\x01\x01\x00\x01\x00\x01", codec.ErrDamaged},
		"a last time of never":       {"\x01\x83\x00\x05\x01\x01\x00\x01\x02\x00\x01\x01\x06\x01\x02", codec.ErrDamaged},
		"an unknown flag":            {"\x01\x83\x00\x05\x01\x01\x00\x01\x02\x00\x01\x01\x10", codec.ErrDamaged},
		"an undo out of range":       {"\x01\x83\x00\x03\x01\x01\x00\x01\x00\x05" + farther, codec.ErrDamaged},
		"a day twice":                {"\x01\x83\x02\x01\x01\x02\x00\x00\x01\x02\x00\x02\x01\x01\x00", codec.ErrDamaged},
		"a day past the month":       {"\x01\x83\x02\x01\x01\x02\x00\x1e\x01\x02\x00\x02\x01\x01\x00", codec.ErrDamaged},
		"a summary of nothing":       {"\x01\x83\x01\x01\x00\x02\x00\x02\x01\x01\x00", codec.ErrDamaged},
		"a register":                 {"\x01\x81\x00\x03\x17\x07\x00\x01\x00\x04", nil},
		"a register that is done":    {"\x01\x81\x00\x02\x17\x07\x00", codec.ErrDamaged},
		"neither target nor ref":     {"\x01\x81\x00\x03\x07\x00\x01\x00\x04", codec.ErrDamaged},
		"a summary without a moment": {"\x01\x83\x01\x01\x01\x00\x02\x01\x01\x00", codec.ErrDamaged},
	} {
		a := &ledger.Account{User: "7", Months: map[board.MonthOf]*ledger.MonthLedger{
			november: {User: "7", Month: string(base) + c.page},
		}}
		_, err := defaults().ListedOf(a)
		_, also := defaults().MonthTotals(a, november)
		_, placed := defaults().Places(a, nil, november.First(), november)
		_, decided := defaults().DecideAccount(a, []activity.Activity{like}, ledger.Surroundings{Now: like.At})
		named := err == nil || strings.Contains(err.Error(), "2026-11")
		if !errors.Is(err, c.want) || !errors.Is(also, c.want) || !errors.Is(placed, c.want) ||
			!errors.Is(decided, c.want) || !named {
			t.Errorf("%s: %v, %v, %v, %v", damage, err, also, placed, decided)
		}
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
	given := &activity.Award{ID: "a", Points: 5, Board: "activity"}
	acts = append(acts, activity.Activity{User: "ada", Action: "uncomment", Ref: "c", At: acts[5].At},
		activity.Activity{User: "ada", Action: activity.AwardWord, At: acts[5].At, Award: given})
	s.record(fataler{f}, acts[6:], ledger.Arrival{Now: board.Latest, AnyAge: true})
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
			second(l.DecideAccount(a, acts, ledger.Surroundings{Now: board.Latest, AnyAge: true, PersonOf: personOf})),
			second(l.ListedOf(a)),
			second(l.Places(a, nil, board.DateOf(2026, 11, 30), november)), second(l.MonthTotals(a, november)),
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
				At: momentAt(t, "11-01 08:00") + step*board.Moment(i),
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
