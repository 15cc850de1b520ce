package recovery_test

import (
	"context"
	"testing"
	"time"

	"laurel/internal/harness"
	"laurel/shared/board"
	"laurel/shared/nightly"
	"laurel/shared/recovery"
)

// A month that stays live while later ones become final, as an import of it is in progress or
// the night could not move it, has its entries again when Redis was emptied.
func TestRebuildOfAMonthBeforeFinalOnes(t *testing.T) {
	t.Parallel()
	for _, why := range []string{"imported", "closed"} {
		f := harness.NewForum(t, harness.Setup{Ledger: harness.UTC(), Now: harness.At(t, "2026-06-20T13:00").Time()})
		if err := f.Kept.Stamps.Ready(t.Context()); err != nil {
			t.Fatal(err)
		}
		june := harness.Period(t, "2026-06")
		did := func(day string) {
			f.Now = harness.At(t, day+"T13:00").Time()
			harness.Record(t, f.Store, harness.Did(t, "ada like 1", harness.At(t, day+"T12:00")))
			f.Night(1, func(o *nightly.Options) { o.HotMonths = 20 }) // seals
		}
		did("2026-06-20")
		did("2026-09-20")
		if err := f.Kept.State.MarkImport(t.Context(), "1", "file", board.MomentOf(f.Now), june.First().Month()); err != nil {
			t.Fatal(err)
		}
		f.Now = time.Date(2026, 12, 20, 0, 0, 0, 0, time.UTC)
		if night := f.Night(0); len(night.Months) != 1 || night.Months[0].Month != "2026-09" {
			t.Fatalf("%+v", night.Months)
		}
		if why == "closed" {
			if err := f.Store.CloseMonth(t.Context(), june.First().Month(), "activity"); err != nil {
				t.Fatal(err)
			}
			if err := f.Kept.State.EndImport(t.Context(), "1"); err != nil {
				t.Fatal(err)
			}
		}
		if err := f.Redis.FlushDB(t.Context()).Err(); err != nil {
			t.Fatal(err)
		}
		interrupted, cancel := context.WithCancel(t.Context())
		o := f.Recovery(f.Now)
		o.Progress = func(recovery.Progress) { cancel() }
		if _, err := recovery.Rebuild(interrupted, o); err == nil {
			t.Fatal("it was not interrupted")
		}
		if _, err := recovery.Rebuild(t.Context(), f.Recovery(f.Now)); err != nil {
			t.Fatal(err)
		}
		if err := f.Kept.Stamps.Fresh(t.Context()); err != nil {
			t.Fatal(err)
		}
		if score := harness.ScoreOf(t, f.Store, "activity", june, "ada"); score != 2 {
			t.Errorf("%s: ada has %d in June, want 2", why, score)
		}
	}
}
