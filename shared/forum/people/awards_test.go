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

// state returns the parts of ann and bob that acts change: awards and status, voids, an erasure, a merge.
func (f *forum) state() string {
	f.Helper()
	awards := harness.Must(f.People.Awards(f.Context(), "ann"))(f)
	status := harness.Must(f.People.Status(f.Context(), "ann"))(f)
	void, _ := f.Voids.Of(f.Context(), "1")
	_, noPair := f.People.VoidPair(f.Context(), "ann", "bob")
	erasure, _ := f.People.Erasure(f.Context(), "ann")
	merge, _ := f.People.MergeOf(f.Context(), "bob")
	return fmt.Sprint(awards, status, void.State, noPair, erasure.State, merge.State)
}

// Wherever a process dies within an act, the act, its line in the record and its events are all there or none is; the
// same again completes it, with one line, and one event for each address under one id.
func TestTheRecordAndEventsHaveEveryAct(t *testing.T) {
	t.Parallel()
	penalty := activity.Award{ID: "bad", Points: -7, Board: "activity", Reason: "bad"}
	for _, act := range []struct {
		command, event string // "": no event
		do             func(*forum) error
	}{
		{"award ann", "", func(f *forum) error {
			_, err := f.People.Award(f.Context(), "ann", talk, noon)
			return err
		}},
		{"award ann", "award", func(f *forum) error {
			_, err := f.People.Award(f.Context(), "ann", penalty, noon)
			return err
		}},
		{"award --lift ann", "award_revoked", func(f *forum) error {
			_, _, err := f.People.TakeBack(f.Context(), "ann", "quiz")
			return err
		}},
		{"exclude ann", "excluded", func(f *forum) error {
			return f.People.SetExclusion(f.Context(), "ann", people.UserExclusion{Excluded: true}, "")
		}},
		{"hide ann", "", func(f *forum) error { return f.People.Hide(f.Context(), "ann", true, "") }},
		{"exclude --shadow ann", "", func(f *forum) error {
			return f.People.SetExclusion(f.Context(), "ann", people.UserExclusion{Excluded: true, Shadow: true}, "")
		}},
		{"void", "", func(f *forum) error {
			_, err := f.Voids.Set(f.Context(), "1", noon, "")
			return err
		}},
		{"void bob", "voided", func(f *forum) error {
			_, err := f.People.SetVoidPair(f.Context(), "bob", "ann", true, "")
			return err
		}},
		{"merge bob", "merged", func(f *forum) error {
			_, err := f.People.Merge(f.Context(), "bob", "ann", "")
			return err
		}},
		{"erase", "", func(f *forum) error {
			_, err := f.People.Erase(f.Context(), "ann", noon, "")
			return err
		}},
	} {
		t.Run(act.command+" "+act.event, func(t *testing.T) {
			t.Parallel()
			begin := func() *forum {
				f := withMail(t)
				f.given("ann like 1 bob", "bob unlike 1 ann")
				f.award("ann", "quiz", 50, "activity")
				return f
			}
			was := begin().state()
			killedAtEachCall(t, begin, act.do, func(f *forum, again bool) {
				if again {
					harness.OK(t, act.do(f))
				}
				state, record, mail, staff := f.state(), f.record(), f.told("mail"), f.told("staff")
				changed, lines, sent := state != was, strings.Count(record, ","), 0
				if act.event != "" {
					sent = lines
				}
				if changed != (lines == 1) || again && !changed || len(mail) != sent || len(staff) != sent {
					t.Errorf("again %t, changed %t: %s, the record has: %s; %q, %q", again, changed, state, record, mail, staff)
				}
				if again && !strings.HasPrefix(record, act.command) {
					t.Errorf("the record has: %s", record)
				}
				if len(mail) > 0 && !strings.HasPrefix(mail[0], "ann "+act.event) {
					t.Errorf("events: %q", mail)
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
