package night_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"laurel/internal/harness"
	"laurel/internal/testserver"
	"laurel/shared/core/board"
	"laurel/shared/core/ledger"
	"laurel/shared/forum/night"
	"laurel/shared/store/items"
)

// filled is a forum whose November and its days are due at the beginning of February.
func filled(t *testing.T) *forum {
	t.Helper()
	f := newForum(t, withEvents(withContests(t, everyWindow(t))))
	f.tick() // from now on events are written
	f.did("ann like a1", "bob like a1", "bob like a2", "cid visit p1", "dan like a2", "dan unlike a2", "ann steps 100")
	f.on("2026-11-29")
	f.did("ann like a3", "cid like a3")
	f.on("2026-12-01")
	f.did("bob like a9", "eve like a9")
	f.on("2027-02-20")
	return f
}

// finals are the boards of a forum that are final.
func (f *forum) finals() map[string][]string {
	f.Helper()
	all := map[string][]string{}
	for _, name := range []string{"activity", "steps", "cup", "dash"} {
		for _, w := range board.Windows() {
			periods := harness.Must(f.App.Finals.Periods(f.Context(), name, w, board.Period{}, 1_000))(f)
			for _, p := range periods {
				all[name+" "+p.Period.Text()] = f.users(name, p.Period.Text())
			}
		}
	}
	return all
}

// told are the events of a forum that nobody has sent yet, each once: those of final periods with all that
// they tell, those of periods that were over before that without, as boards change.
func (f *forum) told() []string {
	f.Helper()
	all := f.events("all")
	for i, text := range all {
		if strings.HasPrefix(text, "ended ") {
			all[i] = strings.Join(strings.Fields(text)[:3], " ")
		}
	}
	badges := f.events("badges")
	slices.Sort(all)
	slices.Sort(badges)
	return slices.Concat(all, badges)
}

// A trouble is the event at one write of a night.
type trouble struct {
	write  int64
	how    harness.Fate
	beside bool // it stalls there for minutes, while all else continues
}

func troubles() []trouble {
	return []trouble{
		{how: harness.DiesBefore},
		{how: harness.DiesWithin},
		{how: harness.DiesAfter},
		{how: harness.DiesBefore, beside: true},
		{how: harness.DiesWithin, beside: true},
		{how: harness.DiesAfter, beside: true},
		{beside: true},
	}
}

// troubled has a night of February take place with a trouble, if there is any, while history of
// December is imported, and then nights until nothing is left. It returns false if the night had
// fewer writes, and whether gil's late report of November was counted.
func (f *forum) troubled(trouble trouble) (met, gil bool) {
	f.Helper()
	f.hold("history.csv", f.period("2026-12").First().Month())
	f.merge("gus like a1", "2026-12-05")
	p := f.start()
	p.calls.Before = func(c harness.Call) harness.Fate {
		if c.Writes == 0 || c.Writes != trouble.write {
			return harness.Lives
		}
		if met = true; trouble.beside {
			gil = f.late("gil like a1", "2026-11-20") == ledger.Counted
			f.tick()
			f.did("fay like b1")
			f.merge("hal visit p1", "2026-12-05")
			f.tick()
		}
		return trouble.how
	}
	harness.OK(f, f.ticks(p))
	f.Pass(2 * time.Minute) // another comparison may continue then
	f.tick()
	f.expect("2026-12-05", board.PeriodHeld)
	f.merge("hal visit p1", "2026-12-05")
	f.release("history.csv")
	f.nights()
	return met, gil
}

// A night that is killed at any of its writes, or stalls there while another one, reports and an import
// are running, makes the boards of an undisturbed one, and these are those of the ledgers.
func TestKilledAtEachWrite(t *testing.T) {
	t.Parallel()
	want, events := map[bool]map[string][]string{}, map[bool][]string{}
	for _, gil := range []bool{false, true} {
		f := filled(t)
		if gil && f.late("gil like a1", "2026-11-20") != ledger.Counted {
			t.Fatal("gil's report is not counted")
		}
		f.troubled(trouble{})
		want[gil] = f.finals()
		cup := want[gil]["cup cup:2026-11-20..2026-12-02"]
		if len(want[gil]) < 10 || want[gil]["activity 2026-12-05"] == nil || !slices.Contains(cup, "ann 4") {
			t.Fatalf("finals of an undisturbed night: %v", want[gil])
		}
		if events[gil] = f.told(); len(events[gil]) < 30 {
			t.Fatalf("events of an undisturbed night: %v", events[gil])
		}
		f.same()
	}
	runs, counted, step := 0, 0, testserver.Step(9, 1)
	for write, more := 1, true; more; write += step {
		for i, kind := range troubles() {
			if step > 1 && i != write%len(troubles()) {
				continue
			}
			f := filled(t)
			kind.write = int64(write)
			met, gil := f.troubled(kind)
			if more = met; !more {
				break
			}
			if runs++; gil {
				counted++
			}
			if diff := cmp.Diff(want[gil], f.finals()); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(events[gil], f.told()); diff != "" {
				t.Errorf("events (-want +got):\n%s", diff)
			}
			if f.same(); t.Failed() {
				t.Fatalf("%+v, gil's report is counted: %t", kind, gil)
			}
		}
	}
	t.Logf("%d runs, gil's report was counted in %d", runs, counted)
}

// same checks that the view equals the table.
func (f *forum) same() {
	f.Helper()
	done, err := f.Catchup.Run(f.Context(), auditing)
	if err != nil || done.Differ > 0 {
		f.Errorf("the view differs: %+v, %v", done.Findings, err)
	}
	told, err := night.AuditFinal(f.Context(), f.Options)
	if err != nil || len(told.Differs)+len(told.Broken) > 0 || told.Boards == 0 {
		f.Errorf("the finals differ: %+v, %v", told, err)
	}
	f.crowned()
}

// crowned checks that everybody has the wreaths of the final boards, and no others.
func (f *forum) crowned() {
	f.Helper()
	life, want, got := f.head().Life, map[string][]string{}, map[string][]string{}
	for board, users := range f.finals() {
		_, period, _ := strings.Cut(board, " ")
		board = strings.Replace(board, f.period(period).Text(), f.period(period).String(), 1)
		for i, text := range users[:min(len(users), items.WreathRanks)] {
			if user, _, _ := strings.Cut(text, " "); life.Final(f.period(period)) && user != "" && user != "?" {
				want[user] = append(want[user], fmt.Sprint(board, " ", i+1))
			}
		}
	}
	for _, user := range []string{"ann", "bob", "cid", "dan", "eve", "fay", "gil", "gus", "hal"} {
		wreaths := harness.Must(f.People.Wreaths(f.Context(), user, f.App.Ledger.Guests()))(f)
		for _, w := range wreaths {
			got[user] = append(got[user], fmt.Sprint(w.Board, " ", w.Period, " ", w.Rank))
		}
	}
	byText := cmpopts.SortSlices(func(a, b string) bool { return a < b })
	if diff := cmp.Diff(want, got, byText); diff != "" {
		f.Errorf("wreaths (-want +got):\n%s", diff)
	}
}
