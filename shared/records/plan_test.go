package records_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"laurel/shared/board"
	"laurel/shared/records"
)

// What has steps to take is told with its reason and since when, several in a row as one.
func TestUnsettledPeriodsHaveReasons(t *testing.T) {
	t.Parallel()
	at := board.MomentOf(time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC))
	h := records.Head{From: board.DateOf(2026, 11, 1).Month(), Imports: []records.Import{
		{ID: "i", Name: "a.csv", Since: at - 9, Months: []board.MonthOf{board.DateOf(2026, 9, 1).Month()}},
	}}
	apply := func(name string, at board.Moment, events ...board.PeriodEvent) {
		for _, w := range board.Windows() {
			p, err := board.ParsePeriod(w, name)
			for _, e := range events {
				if err == nil {
					h.Life, err = h.Life.Apply(p, e, at)
				}
			}
			if err == nil {
				return
			}
		}
		t.Fatalf("no period %s takes %v", name, events)
	}
	const c, m, r, o = board.EventClose, board.EventMake, board.EventRemove, board.EventReopen
	for day := 1; day <= 11; day++ {
		apply(board.DateOf(2026, 11, day).String(), at-60_000, c, m, r)
	}
	apply("2026-11-12", at-60_000, c, m, r, o)
	apply("2026-11-13", at-50_000, c, m)
	apply("2026-11-14", at-40_000, c)
	apply("2026-11-15", at-14_000, c)
	apply("2026-09", at-30_000, c)
	h.Life = h.Life.Hold("i", board.DateOf(2026, 9, 1).Month())
	s := records.Schedule{
		Windows: []board.Window{board.Day, board.Month}, HotDays: 3, HotMonths: 0, Wait: records.StepWait, Voting: 10,
		Today: board.DateOf(2026, 11, 20), Now: at,
	}
	var got []string
	for _, l := range s.Unsettled(&h) {
		line := l.String() + " " + string(l.Reason)
		if !l.Since.IsZero() {
			line += " " + at.Time().Sub(l.Since).String()
		}
		got = append(got, line)
	}
	want := []string{
		"2026-11-15 waits 14s", "2026-11-12 reopened 1m0s", "2026-11-13 due 50s", "2026-11-14 due 40s", "2026-09 due 30s",
		"2026-11-16 due",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("unsettled (-want +got):\n%s", diff)
	}
	h.From, s.Voting = board.DateOf(2026, 9, 1).Month(), 80
	got = nil
	for _, l := range s.Unsettled(&h) {
		if l.Period.First() < h.From.First()+30 {
			got = append(got, l.String()+" "+string(l.Reason)+" "+l.Detail)
		}
	}
	want = []string{"2026-09 parts ", "2026-09-01 to 2026-09-30 import a.csv"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("of a month whose import is in progress (-want +got):\n%s", diff)
	}
}
