package night_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"laurel/internal/harness"
	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/night"
	"laurel/shared/record"
	"laurel/shared/records"
	"laurel/shared/view"
)

// What differs from a final board is told with its reason, and reopening is one write of the head:
// the board that is final again then has what differed.
func TestReopen(t *testing.T) {
	t.Parallel()
	f := newForum(t, activity.Default())
	f.did("ann like a1", "bob like a1", "cid like a1", "dan visit p1", "eve like a1", "eve like a2")
	f.setPerson("eve", func(p *records.Person) { p.Status.Hidden = true })
	f.on("2026-11-24")
	f.nights()
	f.did("ann unlike a1")
	f.setPerson("cid", func(p *records.Person) { p.Status.Excluded = true })
	f.setPerson("eve", func(p *records.Person) { p.Status.Hidden = false })
	day := f.period("2026-11-20")
	told, err := night.Reopen(t.Context(), f.Options, day, false)
	if err != nil || told.Applied {
		t.Fatal(told, err)
	}
	want := map[night.Why]int64{night.WhyLate: 1, night.WhyExcluded: 1, night.WhyAdded: 1}
	if diff := cmp.Diff(want, told.Differs); diff != "" {
		t.Errorf("differs (-want +got):\n%s", diff)
	}
	f.is("2026-11-20", board.PeriodRemoved)
	if told, err = night.Reopen(t.Context(), f.Options, day, true); err != nil || !told.Applied {
		t.Fatal(told, err)
	}
	f.is("2026-11-20", board.PeriodReopened)
	if f.head().Behind == nil {
		t.Error("the head does not say that the view is behind")
	}
	r := f.tick()
	f.is("2026-11-20", board.PeriodReopened)
	if !slices.ContainsFunc(r.Left, func(l night.Left) bool {
		return l.Reason == night.ReasonReopened && l.Period == day
	}) {
		t.Errorf("left until the next night: %+v", r.Left)
	}
	f.same2(t, 2)
	if again, err := night.Reopen(t.Context(), f.Options, day, true); err != nil || !again.Was {
		t.Error(again, err)
	}
	f.on("2026-11-25")
	f.nights()
	if diff := cmp.Diff([]string{"eve 4", "bob 2", "dan 1"}, f.users("activity", "2026-11-20")); diff != "" {
		t.Errorf("final again (-want +got):\n%s", diff)
	}
	f.same()
}

// same2 checks that the live day is in the view, with n boards.
func (f *forum) same2(t *testing.T, n int) {
	t.Helper()
	boards, err := f.App.View.Boards(t.Context())
	if err != nil || len(boards) != n {
		t.Errorf("boards of the view: %v, %v", boards, err)
	}
	if done, err := f.Recorder.Compare(t.Context(), auditing); err != nil || done.Differ > 0 {
		t.Errorf("the view differs: %+v, %v", done, err)
	}
}

// A day of a final month is refused, as is what is live; a month is reopened with its totals out of
// use, and what is final again has what came meanwhile.
func TestReopenMonth(t *testing.T) {
	t.Parallel()
	f := filled(t)
	f.nights()
	for period, want := range map[string]error{
		"2026-11-20": night.ErrMonth, "2026-W47": night.ErrMonth, "2027-02": night.ErrNotFinal, "all": night.ErrNotFinal,
	} {
		if _, err := night.Reopen(t.Context(), f.Options, f.period(period), true); !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", period, err, want)
		}
	}
	for _, period := range []string{"2026-11", "2026-11-30"} {
		harness.Must(night.Reopen(t.Context(), f.Options, f.period(period), true))(t)
	}
	f.tick()
	if done, err := f.Recorder.Compare(t.Context(), auditing); err != nil || done.Differ > 0 {
		t.Errorf("the view differs: %+v, %v", done, err)
	}
	f.merge("gus like a7", "2026-11-30")
	f.on("2027-02-21")
	f.nights()
	if diff := cmp.Diff([]string{"bob 4", "ann 4", "cid 3", "gus 2"}, f.users("activity", "2026-11")); diff != "" {
		t.Errorf("final again (-want +got):\n%s", diff)
	}
	told, err := night.AuditFinal(t.Context(), f.Options)
	if diff := cmp.Diff(map[night.Why]int64{night.WhyReopened: 1}, told.Differs); err != nil || diff != "" {
		t.Errorf("the week stays as it was: %v\n%s", err, diff)
	}
}

// A view that is unavailable or full keeps no period from becoming final: it is left to be removed.
func TestViewUnavailable(t *testing.T) {
	t.Parallel()
	f := newForum(t, activity.Default())
	f.did("ann like a1")
	f.on("2026-11-24")
	failing := &failingView{View: f.Options.View, err: view.ErrUnavailable}
	f.Options.View = failing
	for range 3 {
		f.tick()
	}
	f.is("2026-11-20", board.PeriodFinal)
	r := f.tick()
	if len(r.Left) == 0 || r.Left[0].Reason != night.ReasonView || f.head().Night != 0 {
		t.Errorf("left: %+v", r.Left)
	}
	failing.err = nil
	f.nights()
	f.is("2026-11-20", board.PeriodRemoved)
	f.same()
}

// A week of two months has nothing of before an erasure between them.
func TestWeekAcrossAnErasure(t *testing.T) {
	t.Parallel()
	f := newForum(t, everyWindow(t))
	f.on("2026-11-30")
	f.did("ann like a1", "bob like a1")
	f.setPerson("ann", func(p *records.Person) { p.Erased = f.moment() })
	f.on("2026-12-01")
	f.did("ann like a2", "bob like a2")
	f.on("2026-12-10")
	f.nights()
	if diff := cmp.Diff([]string{"bob 4", "ann 2"}, f.users("activity", "2026-W49")); diff != "" {
		t.Errorf("final (-want +got):\n%s", diff)
	}
}

// A slot below the head's beat was emptied or rolled back: the head says so before the beat hides
// it, and the view is compared at once.
func TestSlotThatWasRolledBack(t *testing.T) {
	t.Parallel()
	f := newForum(t, activity.Default())
	f.did("ann like a1")
	f.tick()
	harness.OK(t, f.client.HSet(t.Context(), "laurel:{0}:marker", "beat", 1).Err())
	r := f.tick()
	if r.Compared == nil || !strings.Contains(r.Compared.Why, "lacks the last writes") || f.head().Behind != nil {
		t.Errorf("compared: %+v, behind %+v", r.Compared, f.head().Behind)
	}
}

// When nothing is known to be missing, people are compared every five minutes, later where many were.
func TestPeopleAreComparedFromTimeToTime(t *testing.T) {
	t.Parallel()
	f := newForum(t, activity.Default())
	f.did("ann like a1")
	f.tick()
	many, compare := int64(0), f.Compare
	f.Compare = func(ctx context.Context, o record.CompareOptions) (record.Compared, error) {
		done, err := compare(ctx, o)
		if many > 0 {
			done.Met, done.Left = many, true
		}
		return done, err
	}
	compared := func(after time.Duration) bool {
		f.Pass(after - time.Minute) // which a tick lets pass
		r := f.tick()
		return r.Compared != nil && r.Compared.Why == "from time to time" && !slices.ContainsFunc(r.Left,
			func(l night.Left) bool { return l.Reason == night.ReasonBehind })
	}
	if compared(4*time.Minute) || !compared(time.Minute) || compared(4*time.Minute) {
		t.Error("not every five minutes")
	}
	if many = 6_000; !compared(time.Minute) || compared(29*time.Minute) || !compared(time.Minute) {
		t.Error("not in half an hour after 6,000 people were")
	}
}
