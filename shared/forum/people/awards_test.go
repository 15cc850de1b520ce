package people_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"laurel/internal/harness"
	"laurel/shared/core/activity"
	"laurel/shared/core/board"
	"laurel/shared/core/ledger"
	"laurel/shared/forum/people"
	"laurel/shared/store/items"
)

// talk is an award.
var talk = activity.Award{ID: "talk", Points: 50, Board: "activity", Reason: "A talk"}

// record returns the commands of the operators' record, the newest first, each with its person's id.
func (f *forum) record() string {
	f.Helper()
	var all []string
	for _, a := range harness.Must(f.Items.Record(f.Context(), "", 100))(f) {
		all = append(all, strings.TrimSpace(a.Command+" "+a.User))
	}
	return strings.Join(all, ", ")
}

// state returns the parts of ann that acts change: awards and status, a void, an erasure.
func (f *forum) state() string {
	f.Helper()
	awards := harness.Must(f.People.Awards(f.Context(), "ann"))(f)
	status := harness.Must(f.People.Status(f.Context(), "ann"))(f)
	void, _ := f.Voids.Of(f.Context(), "1")
	erasure, _ := f.People.Erasure(f.Context(), "ann")
	return fmt.Sprint(awards, status, void.State, erasure.State)
}

// Wherever a process dies within an act, the act and its line in the record are both there or neither; the same again
// completes it, with one line.
func TestTheRecordHasEveryAct(t *testing.T) {
	t.Parallel()
	for command, act := range map[string]func(*forum) error{
		"award ann": func(f *forum) error {
			_, err := f.People.Award(f.Context(), "ann", talk, noon)
			return err
		},
		"award --lift ann": func(f *forum) error {
			_, _, err := f.People.TakeBack(f.Context(), "ann", "quiz")
			return err
		},
		"exclude ann": func(f *forum) error {
			return f.People.SetExclusion(f.Context(), "ann", people.UserExclusion{Excluded: true}, "")
		},
		"hide ann": func(f *forum) error { return f.People.Hide(f.Context(), "ann", true, "") },
		"exclude --shadow ann": func(f *forum) error {
			return f.People.SetExclusion(f.Context(), "ann", people.UserExclusion{Excluded: true, Shadow: true}, "")
		},
		"void": func(f *forum) error {
			_, err := f.Voids.Set(f.Context(), "1", noon, "")
			return err
		},
		"erase": func(f *forum) error {
			_, err := f.People.Erase(f.Context(), "ann", noon, "")
			return err
		},
	} {
		t.Run(command, func(t *testing.T) {
			t.Parallel()
			begin := func() *forum {
				f := open(t, 1)
				f.did("ann like 1")
				harness.Must(f.People.Award(f.Context(), "ann", activity.Award{
					ID: "quiz", Points: 5, Board: "activity", Reason: "A quiz",
				}, noon))(f)
				return f
			}
			was := begin().state()
			killedAtEachCall(t, begin, act, func(f *forum, again bool) {
				if again {
					harness.OK(t, act(f))
				}
				state, record := f.state(), f.record()
				if changed, lines := state != was, strings.Count(record, ","); changed != (lines == 1) || again && !changed {
					t.Errorf("again %t, changed %t: %s, the record has: %s", again, changed, state, record)
				}
				if again && !strings.HasPrefix(record, command) {
					t.Errorf("the record has: %s", record)
				}
			})
		})
	}
}

// An act is kept for 13 months, and names nobody who was erased since.
func TestTheRecordForgets(t *testing.T) {
	t.Parallel()
	f := open(t, 1)
	harness.Must(f.People.Award(f.Context(), "ann", talk, noon))(f)
	harness.Must(f.People.Award(f.Context(), "bob", talk, noon))(f)
	f.now++
	harness.Must(f.People.Erase(f.Context(), "ann", f.now, ""))(f)
	f.now += 2
	harness.Must(f.People.Award(f.Context(), "ann", talk, f.now))(f)
	if got := f.record(); got != "award ann, erase, award bob, award" {
		t.Errorf("the record has: %s", got)
	}
	last := noon.Time().AddDate(0, items.RecordMonths, 0)
	if n := harness.Must(f.Items.ForgetRecord(f.Context(), last))(f); n != 0 {
		t.Errorf("%d acts of 13 months are forgotten", n)
	}
	harness.Must(f.Items.ForgetRecord(f.Context(), last.Add(2*time.Millisecond)))(f)
	if got := f.record(); got != "award ann" {
		t.Errorf("the record has: %s", got)
	}
}

// An award is taken back in every month that has it and is not closed.
func TestAnAwardIsTakenBackInEveryMonth(t *testing.T) {
	t.Parallel()
	f := open(t, 1)
	give := func() {
		f.Helper()
		if r := harness.Must(f.People.Award(f.Context(), "ann", talk, f.now))(f); r.Status != ledger.Counted {
			t.Error(r.Status)
		}
	}
	give()
	october := f.Ledger.Calendar().Start(f.Ledger.Calendar().Date(f.now).Month().First()) - 1
	f.now = october
	give()
	f.now = noon
	r, moment, err := f.People.TakeBack(f.Context(), "ann", "talk")
	if err != nil || r.Status != ledger.Revoked || r.Points != -100 || moment != noon {
		t.Errorf("%+v at %s, %v", r, moment, err)
	}
	if got := f.board(board.Month); got != "" {
		t.Errorf("on the board: %s", got)
	}
}
