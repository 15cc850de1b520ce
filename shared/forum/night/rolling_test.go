package night_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/redis/go-redis/v9"

	"laurel/internal/harness"
	"laurel/internal/testserver"
	"laurel/shared/core/activity"
	"laurel/shared/core/board"
	"laurel/shared/forum/night"
	"laurel/shared/forum/recording"
	"laurel/shared/store/items"
	"laurel/shared/store/view"
)

const rollingRules = `{"boards": {
 "activity": {"windows": ["day", "month", "7d", "30d"]},
 "likes": {"counts": {"like": 5}, "windows": ["7d"], "people": {"notIn": ["staff"]}},
 "houses": {"counts": "activity", "windows": ["7d"], "teams": ["red", "blue"]}}, "versions": [{"actions": {
  "like": {"undo": "unlike", "board": "activity", "points": 2, "entry": "month", "by": ["user"]},
  "visit": {"board": "activity", "points": 1, "entry": "day", "by": ["user"]}}}]}`

// rolling is a forum with boards of the last 7 and 30 days.
func rolling(t *testing.T) *forum {
	t.Helper()
	f := newForum(t, harness.Must(activity.ParseRules([]byte(rollingRules)))(t))
	f.did("ann like a1", "bob like a1", "bob visit p1", "fay visit p1", "gil visit p1", "hal visit p1", "ida visit p1")
	for user, groups := range map[string][]string{
		"ann": {"red"}, "bob": {"blue"}, "fay": {"blue", "red"}, "gil": {"blue"}, "cid": {"blue"}, "dan": {"red"},
	} {
		f.setPerson(user, func(p *items.Person) { p.Profile.Groups = groups })
	}
	f.nights()
	return f
}

// answered reads a board of the last days by a process, which has to be that of the ledgers, and returns how many days
// before the process's own the answered one is; -1 for one that is not ready.
func (f *forum) answered(p *process, name string, w board.Window) int {
	f.Helper()
	today := p.App.Ledger.Calendar().Date(board.MomentOf(p.Clock()))
	asked := board.View{Board: name, Period: board.PeriodOf(w, today), Limit: 50}
	page, err := p.App.View.Read(f.Context(), asked)
	if errors.Is(err, view.ErrUnready) {
		return -1
	}
	harness.OK(f, err)
	want := f.byLedgers(name, page.Period)
	if page.Teams != nil {
		tally := board.NewTeamTally(p.App.Ledger.Rules().Teams()[name])
		for _, m := range want {
			status, err := f.People.Status(f.Context(), m.User)
			harness.OK(f, err)
			tally.AddMember(m.Packed, status.Hidden)
		}
		if diff := cmp.Diff(tally.Ranked(), page.Teams.Places); diff != "" {
			f.Fatalf("%s of the days up to %s, at %s (-ledgers +view):\n%s", name, page.Period, f.Now(), diff)
		}
		return int(today - page.Period.Last())
	}
	var got []board.Member
	for _, place := range page.Places {
		got = append(got, place.Member)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		f.Fatalf("%s of the days up to %s, at %s (-ledgers +view):\n%s", name, page.Period, f.Now(), diff)
	}
	return int(today - page.Period.Last())
}

// byLedgers returns a board that rolls by all ledgers.
func (f *forum) byLedgers(name string, period board.Period) (all []board.Member) {
	f.Helper()
	var months []board.MonthOf
	for m := f.head().From; m <= period.Last().Month(); m++ {
		months = append(months, m)
	}
	for bucket := range items.Buckets {
		for account, err := range f.App.Items.Pass(f.Context(), months, bucket) {
			harness.OK(f, err)
			a := harness.Must(account.Counting(months...))(f)
			for _, p := range harness.Must(f.App.Ledger.Rolling(a, f.head().Life, period.Last(), period.Last()))(f) {
				hidden := a.Status.Suppressed() && (a.Status.Withheld() || !f.App.Ledger.Rules().OfTeams(name))
				if p.Board == name && p.Period == period && p.Packed != 0 && !hidden {
					all = append(all, board.Member{User: a.User, Packed: p.Packed})
				}
			}
		}
	}
	slices.SortFunc(all, board.Compare)
	return all
}

// expectDays checks that all boards that roll answer for a day so many days before today; -1: none does.
func (f *forum) expectDays(when string, want int) {
	f.Helper()
	for name, windows := range map[string][]board.Window{
		"activity": {board.Last7, board.Last30}, "likes": {board.Last7}, "houses": {board.Last7},
	} {
		for _, w := range windows {
			if got := f.answered(f.process, name, w); got != want {
				f.Errorf("%s, %s of %s is answered %d days before, want %d", when, w, name, got, want)
			}
		}
	}
}

// at sets the clock to a time of a day of November.
func (f *forum) at(day int, clock string) {
	f.Helper()
	f.Set(harness.Must(time.Parse("2006-01-02 15:04:05", fmt.Sprintf("2026-11-%02d %s", day, clock)))(f))
}

// Promise 9: at each moment a board of the last days is whole of the new day, or whole of the day before and says so.
// Later it answers 503, until the night has come.
func TestPromise9RollingBoardsAreWholeAtMidnight(t *testing.T) {
	t.Parallel()
	f := rolling(t)
	f.at(20, "23:59:59")
	f.expectDays("before midnight", 0)
	f.at(21, "00:00:01")
	f.expectDays("a second after midnight", 0)
	f.did("ann like a2", "cid visit p1", "bob unlike a1")
	f.expectDays("after reports of the new day", 0)
	f.at(21, "00:10:00")
	f.nights() // ten minutes late
	f.expectDays("after the night", 0)
	f.at(22, "23:00:00") // a day without a night
	f.did("dan like a3")
	f.expectDays("on the day after", 0)
	f.at(23, "00:00:01")
	f.did("dan like a4")
	f.expectDays("a day after a missing night", 1)
	f.at(24, "00:00:01")
	f.did("eve like a4")
	f.expectDays("two days after", -1)
	f.at(24, "08:00:00")
	f.nights()
	f.expectDays("after a late night", 0)
	f.at(28, "12:00:00") // ann's first like leaves seven days, but not thirty
	f.nights()
	f.expectDays("a week later", 0)
	f.showPerson("ann", func(p *items.Person) { p.Profile.Groups = []string{"staff"} })
	f.showPerson("dan", func(p *items.Person) { p.Status.Hidden = true })
	f.expectDays("after a change of groups and of a status", 0)
	f.Set(time.Date(2026, time.December, 1, 0, 0, 1, 0, time.UTC)) // of a month without any ledger
	f.nights()
	f.expectDays("in a new month", 0)
	f.did("bob like b1")
	if status := f.late("fay like b1", "2026-11-29"); status != "counted" {
		t.Error("a late report of the month before is", status)
	}
	f.expectDays("after reports of two months", 0)
}

// A slot that is emptied is filled with its days; a lost key is found by the night.
func TestRollingBoardsAreMadeAgain(t *testing.T) {
	t.Parallel()
	f := rolling(t)
	f.client.FlushDB(t.Context())
	f.nights()
	f.expectDays("after an empty Redis", 0)
	f.at(21, "09:00:00")
	f.nights()
	for _, key := range f.client.Keys(t.Context(), "*:7d:*").Val() {
		f.client.Del(t.Context(), key)
	}
	f.at(22, "09:00:00")
	f.nights()
	f.expectDays("after lost keys", 0)
	if done := harness.Must(f.Catchup.Run(t.Context(), auditing))(t); done.Differ > 0 {
		t.Errorf("an audit finds %+v", done.Findings)
	}
	for _, key := range f.client.Keys(t.Context(), "*:7d:*").Val() {
		f.client.Del(t.Context(), key)
	}
	if done := harness.Must(f.Catchup.Run(t.Context(), auditing))(t); done.Differ == 0 {
		t.Error("an audit finds no lost key")
	}
}

// A night that dies at any of its calls begins again, beside reports of others.
func TestRollingNightStopsAtEachCall(t *testing.T) {
	t.Parallel()
	for n := int64(1); ; n += 1 + n/9 {
		f := rolling(t)
		calls := &harness.Table{Table: f.harness.Table.Table}
		client := redis.NewClient(f.client.(*redis.Client).Options()) //nolint:forcetypeassert // it is no cluster
		t.Cleanup(func() { _ = client.Close() })
		client.AddHook(calls.Hook(nil))
		dying := &process{App: f.harness.Another(client, calls)}
		dying.Options = dying.Nights()
		f.at(21, "00:00:05")
		calls.DieAt(n, []harness.Fate{harness.DiesBefore, harness.DiesAfter}[n/2%2])
		_, _ = night.Tick(t.Context(), dying.Options)
		died := calls.Dead.Load()
		f.did("ann like a2", "cid visit p1", "bob unlike a1") // others report nothing
		f.expectDays(fmt.Sprint("after call ", n), 0)
		if late := n%2 == 1; !late {
			f.nights()
			f.expectDays("after the next night", 0)
		}
		f.at(22, "00:00:01")
		f.did("cid like a1")
		if days := f.answered(f.process, "activity", board.Last30); days < 0 {
			t.Error("after call", n, "there is no board of the day before")
		}
		f.nights()
		f.expectDays("on the next day", 0)
		if !died {
			if n < 40 {
				t.Errorf("a night has %d calls", n)
			}
			return
		}
	}
}

// The clocks of processes are a day apart, nights are late, and Redis is emptied: answers are as the ledgers say.
func TestRollingBoardsWithClocksADayApart(t *testing.T) {
	t.Parallel()
	ready := 0
	for seed := range uint64(testserver.Times(4, 20)) {
		rng := rand.New(rand.NewPCG(seed, 7))
		f := rolling(t)
		processes := []*process{f.process}
		for _, ahead := range []time.Duration{24 * time.Hour, -24 * time.Hour, 5 * time.Second} {
			f.harness.Setup.Clock = func() time.Time { return f.Now().Add(ahead) }
			processes = append(processes, f.start())
		}
		for step := range 60 {
			p := processes[rng.IntN(len(processes))]
			switch n := rng.IntN(10); {
			case n < 5:
				text := fmt.Sprintf("%s %s a%d", []string{"ann", "bob", "cid"}[rng.IntN(3)],
					[]string{"like", "unlike", "visit"}[rng.IntN(3)], rng.IntN(3))
				now := board.MomentOf(p.Clock())
				acts := []activity.Activity{harness.Did(f, text, now.Add(-time.Duration(rng.IntN(40))*time.Hour))}
				results := harness.Must(p.Recorder.Record(t.Context(), acts, recording.Arrival{Now: now}))(t)
				harness.OK(t, results[0].Err)
			case n < 7:
				f.Pass(time.Minute)
				harness.Must(night.Tick(t.Context(), p.Options))(t)
			case n == 7:
				f.Set(f.Now().Add(time.Duration(rng.IntN(30)) * time.Hour))
			case n == 8 && step%7 == 0:
				f.client.FlushDB(t.Context())
				f.Pass(time.Minute)
				harness.Must(night.Tick(t.Context(), p.Options))(t)
			}
			if f.head().Behind == nil {
				for _, p := range processes {
					for _, w := range []board.Window{board.Last7, board.Last30} {
						if f.answered(p, "activity", w) >= 0 {
							ready++
						}
					}
					f.answered(p, "houses", board.Last7)
				}
			}
		}
	}
	if ready == 0 {
		t.Error("no board was ever ready")
	}
	t.Log(ready, "boards were ready")
}
