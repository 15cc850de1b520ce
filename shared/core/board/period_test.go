package board_test

import (
	"errors"
	"testing"

	"pgregory.net/rapid"

	"laurel/internal/harness"
	"laurel/shared/core/board"
)

func TestPeriodNames(t *testing.T) {
	t.Parallel()
	tests := []struct{ day, week, month, year string }{
		{"2026-11-20", "2026-W47", "2026-11", "2026"},
		{"2027-01-01", "2026-W53", "2027-01", "2027"},
		{"2024-12-30", "2025-W01", "2024-12", "2024"},
		{"2024-02-29", "2024-W09", "2024-02", "2024"},
		{"2000-01-01", "1999-W52", "2000-01", "2000"},
	}
	for _, tt := range tests {
		day := harness.Must(board.ParseDate(tt.day))(t)
		for w, want := range map[board.Window]string{
			board.Day: tt.day, board.Week: tt.week, board.Month: tt.month, board.Year: tt.year, board.All: "all",
			board.Last7: tt.day, board.Last30: tt.day,
		} {
			if got := board.PeriodOf(w, day).String(); got != want {
				t.Errorf("the %s of %s is %s, want %s", w, day, got, want)
			}
		}
	}
}

func TestPeriodNamesReadBack(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w := rapid.SampledFrom(append(board.Tiling(), board.All)).Draw(t, "window")
		day := board.Date(rapid.Int32Range(10_958, 61_726).Draw(t, "day")) // 2000-01-02 to 2138-12-31
		p := board.PeriodOf(w, day)
		got, err := board.ParsePeriod(w, p.String())
		if err != nil || got != p {
			t.Fatalf("%s reads back as %s: %v", p, got, err)
		}
		first := p.First()
		if !w.Rolls() && board.PeriodOf(w, first) != p || w.Tiles() && board.PeriodOf(w, first-1) != p.Prev() {
			t.Fatalf("%s does not start on %s", p, first)
		}
		if w.Rolls() && (p.Last() != day || p.Last()-first+1 != w.Days() || p.Has(first-1) || !p.Has(first) || p.Has(day+1)) {
			t.Fatalf("%s of %s is from %s to %s", p, w, first, p.Last())
		}
		if w != board.All && p.Next().Prev() != p {
			t.Fatalf("%s is not the period between its neighbours", p)
		}
	})
}

func TestInvalidPeriodIsAnError(t *testing.T) {
	t.Parallel()
	tests := map[board.Window][]string{
		board.Day: {
			"", "2026-11", "2026-W47", "2026", "all", "2026-02-29", "2026-13-01", "2026-00-10", "2026-11-31",
			"2026-1-02", "0000-01-01", "9999-12-31", "2026-11-20T00:00:00Z", "+026-11-20", " 2026-11-20",
		},
		board.Week: {
			"", "2026-11-20", "2026-W00", "2026-W54", "2025-W53", "2026-w47", "2026W47", "2026-W7", "0000-W01",
			"9999-W01",
		},
		board.Month: {"", "2026", "2026-00", "2026-13", "2026-1", "2026/11", "0000-01", "9999-12", "2026-W4"},
		board.Year:  {"", "26", "0000", "9999", "+026", "20 6", "2026-11"},
		board.All:   {"", "ALL", "2026"},
	}
	for w, names := range tests {
		for _, name := range names {
			if p, err := board.ParsePeriod(w, name); !errors.Is(err, board.ErrPeriod) {
				t.Errorf("%q is accepted as the %s %s: %v", name, w, p, err)
			}
		}
	}
}

// Digits finer than a millisecond are cut off.
func TestMomentsAreCutToTheMillisecond(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"2026-11-20T12:00:00.9999Z":           "2026-11-20T12:00:00.999Z",
		"2026-11-20T12:00:00.123456789+08:00": "2026-11-20T04:00:00.123Z",
		"2000-01-01T00:00:00Z":                "2000-01-01T00:00:00Z", // the earliest
	} {
		if got := moment(t, text).String(); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	for _, text := range []string{
		"", "now", "2026-11-20", "2026-11-20T12:00:00", "2026-11-20 12:00:00Z", "2026-11-20T25:00:00Z",
		"2026-02-30T00:00:00Z", "2026-11-20T12:00:00,5Z", "2026-11-20T1:00:00Z", "0000-01-01T00:00:00Z",
		"1999-12-31T23:59:59Z", "2139-01-01T00:00:00Z", "9999-12-31T23:59:59Z", "1763640000", "2026-11-20T12:00:00+25:00",
	} {
		if m, err := board.ParseMoment(text); err == nil {
			t.Errorf("%q is accepted as %s", text, m)
		}
	}
}
