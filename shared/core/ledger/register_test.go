package ledger_test

import (
	"fmt"
	"testing"

	"laurel/shared/core/activity"
	"laurel/shared/core/board"
	"laurel/shared/core/ledger"
)

// An undo by a ref alone undoes every entry that has the ref, on any target, and at any time of arrival; so does a
// restore.
func TestAnUndoByARefAloneNeedsNoTarget(t *testing.T) {
	t.Parallel()
	for name, steps := range map[string][]step{
		"a comment that was moved to another topic": {
			{"comment", "1 c", "11-20 12:00", "counted", 3, "11-20", "3/3"},
			{"comment", "1 d", "11-20 12:01", "counted", 3, "11-20", "6/6"},
			{"uncomment", " c", "11-21 12:00", "revoked", -3, "11-20", "3/3"},
			{"uncomment", " c", "11-21 12:00", "nothing_to_revoke", 0, "11-20", "3/3"},
			{"restore", " c", "11-22 12:00", "counted", 3, "11-20", "6/6"},
			{"restore", " c", "11-22 12:00", "duplicate", 0, "11-20", "6/6"},
		},
		"later arrivals, also on an unknown target": {
			{"uncomment", " c", "11-21 12:00", "nothing_to_revoke", 0, "11-21", "0/0"},
			{"comment", "1 c", "11-20 12:00", "superseded", 0, "11-20", "0/0"},
			{"comment", "2 c", "11-21 11:59", "superseded", 0, "11-21", "0/0"},
			{"comment", "2", "11-21 11:59", "counted", 3, "11-21", "3/3"},
			{"comment", "3 c", "11-22 12:00", "counted", 3, "11-22", "3/6"},
			{"uncomment", " c", "11-21 12:01", "superseded", 0, "11-22", "3/6"},
			{"restore", " c", "11-23 12:00", "counted", 6, "11-22", "3/12"},
			{"comment", "4 c", "11-20 13:00", "counted", 3, "11-20", "6/15"},
		},
		"several at once": {
			{"comment", "1 c", "11-20 12:00", "counted", 3, "11-20", "3/3"},
			{"comment", "2 c", "11-21 12:00", "counted", 3, "11-21", "3/6"},
			{"comment", "3 c", "11-19 12:00", "counted", 3, "11-19", "3/9"},
			{"uncomment", " c", "11-22 12:00", "revoked", -9, "11-21", "0/0"},
		},
		"of the month before, too": {
			{"comment", "1 c", "11-30 12:00", "counted", 3, "11-30", "3/3"},
			{"uncomment", " c", "12-01 12:00", "revoked", -3, "11-30", "0/0"},
			{"comment", "2 c", "11-30 13:00", "superseded", 0, "11-30", "0/0"},
			{"restore", " c", "12-02 12:00", "counted", 6, "11-30", "6/6"},
		},
		"a restore by its target after an undo without, and the other way round": {
			{"comment", "1 c", "11-20 12:00", "counted", 3, "11-20", "3/3"},
			{"comment", "2 c", "11-20 12:01", "counted", 3, "11-20", "6/6"},
			{"uncomment", " c", "11-20 13:00", "revoked", -6, "11-20", "0/0"},
			{"restore", "1 c", "11-20 14:00", "counted", 3, "11-20", "3/3"},
			{"uncomment", "1 c", "11-20 15:00", "revoked", -3, "11-20", "0/0"},
			{"restore", " c", "11-20 16:00", "counted", 6, "11-20", "6/6"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			run(t, defaults(), steps)
		})
	}
}

// A restore by a ref alone on a full day is capped, on a day with room for some counted.
func TestARestoreByARefAloneMeetsTheCap(t *testing.T) {
	t.Parallel()
	s := newAccounts(defaults())
	do := func(word, target, ref, when string, restores bool) ledger.Receipt {
		a := activity.Activity{User: "ann", Action: word, Target: target, Ref: ref, At: momentAt(t, when), Restores: restores}
		return s.record(t, []activity.Activity{a}, ledger.Arrival{Now: a.At})[0]
	}
	do("comment", "1", "c", "11-20 12:00", false)
	do("comment", "2", "c", "11-20 12:00", false)
	do("uncomment", "", "c", "11-20 12:01", false)
	for i := range 29 {
		do("comment", "3", fmt.Sprint(i), "11-20 13:00", false)
	}
	if r := do("comment", "", "c", "11-20 14:00", true); r.Status != ledger.Counted || r.Points != 3 {
		t.Errorf("with room for one: %+v", r)
	}
	do("uncomment", "", "c", "11-20 15:00", false)
	do("comment", "3", "last", "11-20 15:00", false)
	if r := do("comment", "", "c", "11-20 16:00", true); r.Status != ledger.Capped || r.Points != 0 {
		t.Errorf("on a full day: %+v", r)
	}
}

// Registers are listed, as an undo is kept for later arrivals: export shows all kept data.
func TestRegistersAreListed(t *testing.T) {
	t.Parallel()
	s := newAccounts(defaults())
	a := activity.Activity{User: "ann", Action: "uncomment", Ref: "c", At: momentAt(t, "11-20 12:00")}
	s.record(t, []activity.Activity{a}, ledger.Arrival{Now: a.At})
	all, err := s.ledger.ListedOf(s.all(t, "ann"))
	if err != nil || len(all) != 2 {
		t.Fatalf("%+v, %v", all, err)
	}
	for i, month := range []board.MonthOf{november, november - 1} {
		e := all[i]
		if e.Target+"/"+e.Ref != "/c" || e.State != ledger.EntryUndone || e.Undone != a.At || e.Month != month {
			t.Errorf("%+v", e)
		}
	}
}
