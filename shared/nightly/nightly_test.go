package nightly_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"laurel/internal/harness"
	"laurel/shared/archive"
	"laurel/shared/board"
	"laurel/shared/ledger"
	"laurel/shared/nightly"
)

// On the 24th the 20th is moved and the 21st stays; an undo of an activity of the 20th
// takes the point from the month only, and a do of the 20th is too late.
func TestPromise3UndoOfAFinalDay(t *testing.T) {
	t.Parallel()
	f := open(t, 2)
	f.record(t, at(t, "2026-11-20T12:00"), "ada like 1", "bob like 1")
	f.record(t, at(t, "2026-11-21T12:00"), "ada like 2")
	result := f.run(t, at(t, "2026-11-24T03:00"))
	if len(result.Moved) != 1 || result.Moved[0].Period != period(t, "2026-11-20") || result.Moved[0].Entries != 2 ||
		result.Moved[0].WriteUnits == 0 {
		t.Fatalf("moved %+v", result.Moved)
	}
	if got := f.record(t, at(t, "2026-11-20T13:00"), "eve like 1")[0]; got.Status != ledger.TooLate {
		t.Errorf("a do of the final day: %+v", got)
	}
	got := f.record(t, at(t, "2026-11-22T12:00"), "ada unlike 1")[0]
	if got.Status != ledger.Revoked || got.Points != -2 || got.Day != board.DateOf(2026, 11, 20) {
		t.Errorf("an undo of the final day: %+v", got)
	}
	for _, p := range []string{"2026-11-20", "2026-11"} {
		scores := map[string]int64{}
		for _, e := range f.board(t, "activity", period(t, p)) {
			scores[e.User] = e.Packed.Score()
		}
		equal(t, p, map[string]int64{"ada": 2, "bob": 2}, scores)
	}
}

func TestDueChangesNothing(t *testing.T) {
	t.Parallel()
	f := openFilled(t, 2)
	before := f.Dump(t)
	plan, err := nightly.Due(t.Context(), f.Night(at(t, "2027-02-10T03:00")))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, p := range plan.Periods {
		names = append(names, p.Board+" "+p.Period.String())
	}
	equal(t, "due", []string{
		"activity 2026-11-18", "steps 2026-11-18", "activity 2026-11-19", "steps 2026-11-19",
		"activity 2026-11-20", "steps 2026-11-20", "activity 2026-11", "steps 2026-11",
	}, names)
	equal(t, "months", []string{"2026-10", "2026-11"}, plan.Months())
	equal(t, "Redis", before, f.Dump(t))
}

// A month waits for its last days, which must refuse no activity that is in time.
func TestAMonthWaitsForItsDays(t *testing.T) {
	t.Parallel()
	f := open(t, 1)
	f.record(t, at(t, "2026-11-30T12:00"), "ada like 1")
	o := f.Night(at(t, "2026-12-03T03:00"))
	o.HotMonths = 0
	for now, want := range map[string]int{"2026-12-03T03:00": 0, "2026-12-04T03:00": 2} {
		o.Now = at(t, now)
		plan, err := nightly.Due(t.Context(), o)
		if err != nil || len(plan.Periods) != want || len(plan.Months()) != want/2 {
			t.Errorf("%s: %+v, %v", now, plan, err)
		}
	}
}

// writing is an archive that does something before it writes a period.
type writing struct {
	nightly.Archive
	before func(board.Period) error
}

func (w writing) Write(ctx context.Context, name string, p board.Period, source archive.Source,
	expires int64,
) (archive.Report, error) {
	if err := w.before(p); err != nil {
		return archive.Report{}, err
	}
	return w.Archive.Write(ctx, name, p, source, expires)
}

func TestPeriodsWithoutTimeAreLeft(t *testing.T) {
	t.Parallel()
	f, now := openFilled(t, 1), at(t, "2027-02-10T03:00")
	for _, c := range []struct {
		deadline time.Duration
		atLeast  int
	}{{9 * time.Second, 0}, {10*time.Second + 500*time.Millisecond, 1}} {
		ctx, cancel := context.WithTimeout(t.Context(), c.deadline)
		o := f.Night(now)
		o.Archive = writing{o.Archive, func(board.Period) error { time.Sleep(300 * time.Millisecond); return nil }}
		result, err := nightly.Run(ctx, o)
		cancel()
		if err != nil || len(result.Moved) < c.atLeast || len(result.Moved) > 2*c.atLeast || len(result.Left) < 6 ||
			len(result.Failed) > 0 {
			t.Errorf("%v: %+v, %v", c.deadline, result, err)
		}
		f.sameBoards(t, "after the run")
	}
	result := f.run(t, now)
	if len(result.Left) > 0 || len(result.Months) != 2 {
		t.Errorf("the next run: %+v", result)
	}
	f.sameBoards(t, "after the run")
	f.onlyClosed(t)
}

// A period that fails is listed and stays with its month's pages; the others are moved.
func TestFailingPeriodStopsNoOther(t *testing.T) {
	t.Parallel()
	f, now := openFilled(t, 2), at(t, "2027-02-10T03:00")
	o := f.Night(now)
	broken := errors.New("broken")
	o.Archive = writing{o.Archive, func(p board.Period) error {
		if p == period(t, "2026-11-19") {
			return broken
		}
		return nil
	}}
	result, err := nightly.Run(t.Context(), o)
	if !errors.Is(err, broken) || len(result.Failed) != 2 || result.Failed[0].Name != "activity day 2026-11-19" ||
		len(result.Moved) != 6 {
		t.Errorf("%+v, %v", result, err)
	}
	equal(t, "left", []string{"pages 2026-11"}, result.Left)
	f.sameBoards(t, "after the run")
	f.run(t, now)
	f.sameBoards(t, "after the next run")
	f.onlyClosed(t)
}

// A period with a limited time in the archive has its expiry; one past it is not archived.
func TestRetention(t *testing.T) {
	t.Parallel()
	f := openFilled(t, 1)
	o := f.Night(at(t, "2027-02-10T03:00"))
	o.ArchiveDays, o.ArchiveMonths = 83, 12 // the 18th has expired on February 10th
	result, err := nightly.Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range result.Moved {
		if want := m.Period == period(t, "2026-11-18"); m.Expired != want || m.Entries == 0 {
			t.Errorf("%+v", m)
		}
	}
	until := map[string]board.Moment{
		"2026-11-19": at(t, "2027-02-11T00:00"), "2026-11-20": at(t, "2027-02-12T00:00"),
		"2026-11": at(t, "2027-12-01T00:00"),
	}
	for _, p := range f.periods {
		for name, item := range f.dump(t, p) {
			_, expires, _ := strings.Cut(item, " ")
			if want := fmt.Sprint(until[p.Period.String()].Time().Unix()); strings.Contains(name, p.Period.String()+" ") &&
				expires != want {
				t.Errorf("%s expires at %s, want %s", name, expires, want)
			}
		}
	}
	f.onlyClosed(t)
}

// Entries that the archive does not have stay in Redis.
func TestEntriesMissingInTheArchiveStay(t *testing.T) {
	t.Parallel()
	f, now, day := openFilled(t, 1), at(t, "2026-12-10T03:00"), period(t, "2026-11-19")
	f.run(t, now)
	harness.Put(t, f.Live, "activity", day, board.Entry{User: "zoe", Packed: board.Pack(2, 7)})
	result, err := nightly.Run(t.Context(), f.Night(now))
	if !errors.Is(err, nightly.ErrDiffers) || len(result.Failed) != 1 {
		t.Errorf("%+v, %v", result, err)
	}
	if n, err := f.Live.Total(t.Context(), "activity", day); n != 1 || err != nil {
		t.Error(n, err)
	}
}

// The function's answer has these names.
func TestResultAsJSON(t *testing.T) {
	t.Parallel()
	f := open(t, 1)
	f.record(t, at(t, "2026-11-20T12:00"), "ada like 1")
	o := f.Night(at(t, "2026-11-24T03:00"))
	o.Units = nil
	var seen []nightly.Progress
	o.Progress = func(p nightly.Progress) { seen = append(seen, p) }
	result, err := nightly.Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	result.Moved[0].Seconds, result.Moved[0].Bytes = 0.5, 200
	text, err := json.Marshal(result)
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "JSON", `{"today":"2026-11-24","moved":[{"board":"activity","window":"day","period":"2026-11-20",`+
		`"entries":1,"pages":1,"bytes":200,"readUnits":0,"writeUnits":0,"seconds":0.5,"wasFinal":false,"expired":false}],`+
		`"months":[],"left":[],"failed":[]}`,
		string(text))
	if len(seen) != 1 || seen[0].Done != 1 || seen[0].Total != 1 {
		t.Errorf("progress %+v", seen)
	}
}
