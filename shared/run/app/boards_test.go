package app_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"laurel/internal/harness"
	"laurel/shared/core/activity"
	"laurel/shared/core/board"
	"laurel/shared/core/ledger"
	"laurel/shared/forum/catchup"
	"laurel/shared/run/app"
	"laurel/shared/store/view"
)

// withBoard are the built-in rules with one board more.
func withBoard(t *testing.T, source string) *ledger.Ledger {
	t.Helper()
	text := strings.Replace(string(activity.Default().JSON()), `"boards": {`, `"boards": {`+source+`,`, 1)
	return ledger.New(harness.Must(activity.ParseRules([]byte(text)))(t), board.NewCalendar(time.UTC))
}

// A process with a new board, or another question of one, beside a process without it: the board is not answered until
// a comparison has shown everybody on it, nor after the other process has recorded a report.
func TestANewBoardBesideAProcessWithoutIt(t *testing.T) {
	t.Parallel()
	f := harness.NewForum(t, harness.Setup{})
	did := func(text string) { f.Record(harness.Did(t, text, board.MomentOf(f.Now))) }
	did("ann comment a")
	did("ann like a")
	did("bob comment a")
	for _, c := range []struct{ source, first, other, then string }{
		{`"helpers": {"counts": {"comment": 5, "like": -7}, "windows": ["day"]}`, "bob 5", "bob comment b", "bob 10"},
		{
			`"helpers": {"counts": {"comment": 5, "like": -3}, "windows": ["day"]}`, "bob 10, ann 2", "bob comment c",
			"bob 15, ann 2",
		},
	} {
		f.Setup.Ledger = withBoard(t, c.source)
		next := f.Another(f.Redis, f.Table)
		expectBoard(t, next, "")
		if got := boardOf(t, next, "activity"); got == "" {
			t.Error("a board that both processes have is not answered")
		}
		if done, err := next.Catchup.Run(t.Context(), catchup.Request{}); err != nil || done.Left {
			t.Fatal(done, err)
		}
		expectBoard(t, next, c.first)
		did(c.other) // by the process without the board
		expectBoard(t, next, "")
		if done, err := next.Catchup.Run(t.Context(), catchup.Request{}); err != nil || done.Left {
			t.Fatal(done, err)
		}
		expectBoard(t, next, c.then)
	}
}

// boardOf returns today's places: "ann 5, bob 3"; "" while the board is not answered.
func boardOf(t *testing.T, a *app.App, name string) string {
	t.Helper()
	day := board.PeriodOf(board.Day, board.DateOf(2026, time.November, 20))
	page, err := a.View.Read(t.Context(), board.View{Board: name, Period: day, Limit: 9})
	if errors.Is(err, view.ErrFilling) {
		return ""
	}
	harness.OK(t, err)
	places := make([]string, len(page.Places))
	for i, p := range page.Places {
		places[i] = fmt.Sprint(p.User, " ", p.Packed.Score())
	}
	return strings.Join(places, ", ")
}

func expectBoard(t *testing.T, a *app.App, want string) {
	t.Helper()
	if got := boardOf(t, a, "helpers"); got != want {
		t.Errorf("helpers has %q, want %q", got, want)
	}
}
