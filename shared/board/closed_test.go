package board_test

import (
	"testing"

	"pgregory.net/rapid"

	"laurel/shared/board"
)

func TestClosedIsTheSetOfClosedPeriods(t *testing.T) {
	t.Parallel()
	type period struct {
		name string
		p    board.Period
	}
	rapid.Check(t, func(t *rapid.T) {
		var closed *board.Closed
		model := map[period]bool{}
		for range rapid.IntRange(0, 60).Draw(t, "steps") {
			at := period{
				rapid.SampledFrom([]string{"activity", "steps", ""}).Draw(t, "board"),
				board.PeriodOf(rapid.SampledFrom(board.Windows()).Draw(t, "window"),
					board.Date(20_000+rapid.Int32Range(0, 12).Draw(t, "day"))),
			}
			if model[at] = rapid.IntRange(0, 3).Draw(t, "open") > 0; model[at] {
				closed = closed.With(at.name, at.p)
			} else {
				closed = closed.Without(at.name, at.p)
			}
		}
		again, err := board.ParseClosed(closed.String())
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"activity", "steps", ""} {
			for _, w := range board.Windows() {
				for d := board.Date(19_990); d < 20_030; d++ {
					p := board.PeriodOf(w, d)
					if want := model[period{name, p}]; closed.Has(name, p) != want || again.Has(name, p) != want {
						t.Fatalf("%s %s: closed %v, read back %v, want %v\n%s", name, p, closed.Has(name, p), again.Has(name, p), want,
							closed)
					}
				}
			}
		}
	})
}

func TestARunOfPeriodsIsOneLine(t *testing.T) {
	t.Parallel()
	var closed *board.Closed
	for _, d := range []board.Date{20_002, 20_000, 20_001, 20_004} {
		closed = closed.With("activity", board.PeriodOf(board.Day, d))
	}
	want := "activity day 2024-10-04 2024-10-06\nactivity day 2024-10-08 2024-10-08\n"
	if got := closed.String(); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

func FuzzParseClosed(f *testing.F) {
	f.Add("activity day 2024-10-04 2024-10-06\n- month 2024-10 2024-10\n")
	f.Fuzz(func(t *testing.T, text string) {
		closed, err := board.ParseClosed(text)
		if err != nil {
			return
		}
		if _, err := board.ParseClosed(closed.String()); err != nil {
			t.Errorf("%q reads as %q, which does not read: %v", text, closed, err)
		}
	})
}
