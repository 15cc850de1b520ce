package night_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"laurel/internal/harness"
	"laurel/shared/board"
	"laurel/shared/final"
	"laurel/shared/ledger"
	"laurel/shared/night"
	"laurel/shared/records"
)

// Whatever comes to ledgers after a day and its week are final has its reason.
func TestAuditNamesReasons(t *testing.T) {
	t.Parallel()
	void := func(f *forum, target, until string) {
		f.Helper()
		at, err := time.Parse("2006-01-02 15:04", until)
		if err == nil {
			_, err = f.Recorder.SetVoid(f.Context(), target, board.MomentOf(at))
		}
		for range 2 {
			if err == nil {
				_, err = f.Recorder.VoidPass(f.Context(), 0)
			}
		}
		harness.OK(f, err)
	}
	reopen := func(f *forum, period string) {
		f.Helper()
		if told, err := night.Reopen(f.Context(), f.Options, f.period(period), true); err != nil || !told.Applied {
			f.Fatal(told, err)
		}
	}
	for name, of := range map[string]struct {
		then func(*forum)
		want map[night.Why]int64 // on the boards of days and weeks
	}{
		"nothing": {func(*forum) {}, map[night.Why]int64{}},
		"an undo": {func(f *forum) { f.did("ann unlike a1") }, map[night.Why]int64{night.WhyLate: 2}},
		"an undo by an import": {
			func(f *forum) { f.merges("ann unlike a1", "2026-11-28", ledger.Revoked) },
			map[night.Why]int64{night.WhyLate: 2},
		},
		"a restore": {
			func(f *forum) { f.merges("cid restore a1", "2026-11-28", ledger.Counted) },
			map[night.Why]int64{night.WhyLate: 2},
		},
		"liked again":    {func(f *forum) { f.did("dan like a1") }, map[night.Why]int64{night.WhyLate: 2}},
		"a void of now":  {func(f *forum) { void(f, "a1", "2026-11-30 12:00") }, map[night.Why]int64{night.WhyLate: 6}},
		"a void of then": {func(f *forum) { void(f, "a1", "2026-11-20 13:00") }, map[night.Why]int64{night.WhyLate: 6}},
		"a void that is dropped with its month": {func(f *forum) {
			void(f, "a1", "2026-11-20 13:00")
			f.on("2027-02-20")
			f.nights()
			f.is("2026-11", board.PeriodRemoved)
			void(f, "other", "2027-02-20 12:00")
		}, map[night.Why]int64{night.WhyLate: 6}},
		"an import into a reopened day": {func(f *forum) {
			reopen(f, "2026-11-20")
			f.merge("bob like a7", "2026-11-20")
			f.merge("eve like a7", "2026-11-20")
		}, map[night.Why]int64{night.WhyReopened: 2}},
		"one that is final again": {func(f *forum) {
			reopen(f, "2026-11-20")
			f.merge("bob like a7", "2026-11-20")
			f.on("2026-12-02")
			f.nights()
		}, map[night.Why]int64{night.WhyReopened: 1}},
		"an earlier day that takes a later one's": {func(f *forum) {
			reopen(f, "2026-11-19")
			f.merges("bob like a1", "2026-11-19", ledger.Duplicate)
		}, map[night.Why]int64{night.WhyReopened: 2}},
		"somebody who was hidden": {func(f *forum) {
			f.setPerson("hid", func(p *records.Person) { p.Status.Hidden = false })
		}, map[night.Why]int64{night.WhyAdded: 2}},
		"who is gone by now": {func(f *forum) {
			f.setPerson("ann", func(p *records.Person) { p.Status.Hidden = true })
			f.setPerson("bob", func(p *records.Person) { p.Status.Excluded = true })
			f.setPerson("dan", func(p *records.Person) { p.Erased = f.moment() })
		}, map[night.Why]int64{night.WhyHidden: 2, night.WhyExcluded: 2, night.WhyErased: 2}},
		"another score": {func(f *forum) { f.forge("2026-11-20") }, map[night.Why]int64{night.WhyUnexplained: 1}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newForum(t, everyWindow(t))
			f.setPerson("hid", func(p *records.Person) { p.Status.Hidden = true })
			f.on("2026-11-19")
			f.did("cid like a1", "dan like a1", "dan unlike a1")
			f.on("2026-11-20")
			f.did("ann like a1", "bob like a1", "cid unlike a1", "dan like a1", "dan visit p1", "hid like a1")
			f.on("2026-11-30")
			f.nights()
			of.then(f)
			told, err := night.AuditFinal(t.Context(), f.Options)
			if diff := cmp.Diff(of.want, told.Differs); err != nil || diff != "" || len(told.Broken) > 0 {
				t.Errorf("%v (-want +got):\n%s%+v", err, diff, told.Differences)
			}
		})
	}
}

// forge has a day's board made again with a point more for its first, as no ledger has it.
func (f *forum) forge(period string) {
	f.Helper()
	_, entries, err := f.App.Finals.Whole(f.Context(), "activity", f.period(period))
	harness.OK(f, err)
	entries[0].Packed = board.Pack(entries[0].Packed.Score()+1, entries[0].Packed.Ticks())
	_, err = f.App.Finals.Make(f.Context(), final.Making{
		Board: "activity", Period: f.period(period), Run: "forged", Closing: 1 << 50,
	}, entries)
	harness.OK(f, err)
}
