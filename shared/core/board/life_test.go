package board_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"laurel/internal/harness"
	"laurel/shared/core/board"
)

var samePeriod = cmp.Comparer(func(a, b board.Period) bool { return a == b })

// lifeModel is a life as a map, for the windows that are ever closed.
type lifeModel struct {
	state  map[board.Period]board.PeriodState
	since  map[board.Period]board.Moment
	held   map[string][]board.MonthOf
	number int64
}

// moves is the table of transitions, written again.
var moves = map[string]board.PeriodState{
	"live close": board.PeriodClosed, "closed make": board.PeriodFinal, "final remove": board.PeriodRemoved,
	"final reopen": board.PeriodReopened, "removed reopen": board.PeriodReopened, "reopened close": board.PeriodClosed,
}

func (m *lifeModel) holds(p board.Period) bool {
	for _, months := range m.held {
		for _, month := range months {
			for d := month.First(); d < (month + 1).First(); d++ {
				if p.First() <= d && d <= p.Last() {
					return true
				}
			}
		}
	}
	return false
}

func (m *lifeModel) stateOf(p board.Period) board.PeriodState {
	switch {
	case m.state[p] != "":
		return m.state[p]
	case m.holds(p):
		return board.PeriodHeld
	default:
		return board.PeriodLive
	}
}

// apply moves a period as the table says, or says that it does not.
func (m *lifeModel) apply(p board.Period, e board.PeriodEvent, now board.Moment) bool {
	next, ok := moves[string(m.stateOf(p))+" "+string(e)]
	if !ok || e == board.EventClose && m.holds(p) {
		return false
	}
	if m.state[p], m.since[p] = next, now; e == board.EventRemove {
		m.since[p] = 0
	} else {
		m.number++
	}
	return true
}

const lifeFrom = board.Date(20_740) // in October 2026

// contests are some in the order of their days.
var contests = []board.Period{
	board.NewContest("autumn", lifeFrom, lifeFrom+30), board.NewContest("spring", lifeFrom, lifeFrom+30),
	board.NewContest("autumn", lifeFrom, lifeFrom+99), board.NewContest("autumn", lifeFrom+40, lifeFrom+40),
	board.NewContest("autumn", lifeFrom+57, lifeFrom+57), board.NewContest("spring", lifeFrom+120, lifeFrom+140),
}

func drawPeriod(t *rapid.T) board.Period {
	w := rapid.SampledFrom(append(board.Tiling(), board.Contest)).Draw(t, "window")
	if w == board.Contest {
		return rapid.SampledFrom(contests).Draw(t, "contest")
	}
	days := map[board.Window]int32{board.Day: 8, board.Week: 40, board.Month: 90, board.Year: 900}[w]
	return board.PeriodOf(w, lifeFrom+board.Date(rapid.Int32Range(0, days).Draw(t, "day")))
}

// A life is a map of periods to states, before and after its text.
func TestLifeIsAMapOfStates(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var life *board.Life
		m := lifeModel{
			map[board.Period]board.PeriodState{}, map[board.Period]board.Moment{}, map[string][]board.MonthOf{}, 0,
		}
		for i := range rapid.IntRange(0, 80).Draw(t, "steps") {
			id := rapid.SampledFrom([]string{"a", "b"}).Draw(t, "import")
			month := lifeFrom.Month() + board.MonthOf(rapid.IntRange(0, 2).Draw(t, "month"))
			switch i % 9 {
			case 4:
				life, m.held[id] = life.Hold(id, month), append(m.held[id], month)
			case 8:
				life = life.Release(id)
				delete(m.held, id)
			default:
				p, now := drawPeriod(t), board.Earliest+board.Moment(i/4)
				events := []board.PeriodEvent{board.EventClose, board.EventMake, board.EventRemove, board.EventReopen}
				e := rapid.SampledFrom(events).Draw(t, "event")
				was, before := life, m.stateOf(p)
				next, err := life.Apply(p, e, now)
				if moved := m.apply(p, e, now); moved != (err == nil) {
					t.Fatalf("%s %s, which was %s: %v, want moved %v", e, p, before, err, moved)
				}
				if err == nil {
					life = next
				}
				if got := was.State(p); got != before {
					t.Fatalf("the life before has changed: %s is %s, was %s", p, got, before)
				}
			}
		}
		compareLife(t, life, &m)
		text := harness.Must(json.Marshal(life))(t)
		again := new(board.Life)
		if err := json.Unmarshal(text, again); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		compareLife(t, again, &m)
	})
}

func compareLife(t *rapid.T, life *board.Life, m *lifeModel) {
	if life.Number() != m.number {
		t.Fatalf("number %d, want %d", life.Number(), m.number)
	}
	var unsettled []board.PeriodLife
	due, held := map[board.Window][]board.Period{}, map[board.Window][]board.Period{}
	today := lifeFrom + 60
	for _, w := range append(board.Tiling(), board.Contest) {
		for _, p := range periodsOf(w) {
			state := m.stateOf(p)
			if got, since := life.State(p), life.Since(p); got != state || since != m.since[p] {
				t.Fatalf("%s is %s since %d, want %s since %d", p, got, since, state, m.since[p])
			}
			final := state == board.PeriodFinal || state == board.PeriodRemoved
			closed := final || state == board.PeriodClosed
			if life.Closed(p) != closed || life.Final(p) != final || life.WasClosed(p) != (m.state[p] != "") {
				t.Fatalf("%s is %s: closed %v, final %v", p, state, life.Closed(p), life.Final(p))
			}
			if closed != final || state == board.PeriodFinal || state == board.PeriodReopened {
				unsettled = append(unsettled, board.PeriodLife{Period: p, State: state, Since: m.since[p]})
			}
			switch {
			case closed || !board.Due(p, today, 3, 0):
			case m.holds(p):
				held[w] = append(held[w], p)
			default:
				due[w] = append(due[w], p)
			}
		}
		first := lifeFrom.Month()
		allDue, allHeld := life.Due(w, first, today, 3, 0)
		if w == board.Contest {
			mixed := append(slices.Clone(contests[3:]), contests[:3]...)
			allDue, allHeld = life.DueContests(mixed, first, today, 3)
		}
		if diff := cmp.Diff([][]board.Period{due[w], held[w]}, [][]board.Period{allDue, allHeld}, samePeriod); diff != "" {
			t.Fatalf("due, and held (-want +got):\n%s", diff)
		}
	}
	if diff := cmp.Diff(unsettled, life.Unsettled(), samePeriod); diff != "" {
		t.Fatalf("unsettled (-want +got):\n%s", diff)
	}
	var live []board.MonthOf
	for month := lifeFrom.Month(); month <= lifeFrom.Month()+5; month++ {
		if s := m.stateOf(board.PeriodOf(board.Month, month.First())); s != board.PeriodFinal && s != board.PeriodRemoved {
			live = append(live, month)
		}
	}
	if diff := cmp.Diff(live, life.LiveMonths(lifeFrom.Month(), lifeFrom.Month()+5)); diff != "" {
		t.Fatalf("live months (-want +got):\n%s", diff)
	}
	for month := lifeFrom.Month(); month <= lifeFrom.Month()+5; month++ {
		want := slices.Contains(live, month)
		for _, c := range contests {
			state := m.stateOf(c)
			want = want || state != board.PeriodFinal && state != board.PeriodRemoved &&
				c.First().Month() <= month && month <= c.Last().Month()
		}
		if got := life.Follows(month, contests); got != want {
			t.Fatalf("%s is followed: %v, want %v", month, got, want)
		}
	}
	for d := lifeFrom; d < lifeFrom+40; d++ {
		day, month := board.PeriodOf(board.Day, d), board.PeriodOf(board.Month, d)
		if want := !life.Closed(day) && !life.Closed(month); life.TakesReports(d) != want {
			t.Fatalf("%s takes reports: %v, want %v", d, !want, want)
		}
	}
}

// periodsOf returns the periods of a window that a life is compared with a model in.
func periodsOf(w board.Window) (all []board.Period) {
	if w == board.Contest {
		return contests
	}
	for p := board.PeriodOf(w, lifeFrom.Month().First()); p.First() < lifeFrom+1_000; p = p.Next() {
		all = append(all, p)
	}
	return all
}

// All time is never closed, and nothing is due before the first ledger.
func TestLifeOfAForumThatHasBegun(t *testing.T) {
	t.Parallel()
	var life *board.Life
	all := board.PeriodOf(board.All, lifeFrom)
	if _, err := life.Apply(all, board.EventClose, board.Earliest); !says(err, "all is live, cannot close it") {
		t.Errorf("all time closes: %v", err)
	}
	if due, _ := life.Due(board.Day, 0, lifeFrom, 3, 2); len(due) > 0 || life.LiveMonths(0, 30_000) != nil {
		t.Errorf("due before the first ledger: %v", due)
	}
	got, _ := life.Due(board.Day, lifeFrom.Month(), lifeFrom, 3, 2)
	if last := got[len(got)-1]; last != board.PeriodOf(board.Day, lifeFrom-4) {
		t.Errorf("due: %v, want up to four days ago", got)
	}
}

// A thousand days that were removed are one span of the text.
func TestTextOfALifeStaysShort(t *testing.T) {
	t.Parallel()
	var life *board.Life
	for i := range 1_000 {
		p := board.PeriodOf(board.Day, lifeFrom+board.Date(i))
		for _, e := range []board.PeriodEvent{board.EventClose, board.EventMake, board.EventRemove} {
			var err error
			if life, err = life.Apply(p, e, board.Earliest+board.Moment(i)); err != nil {
				t.Fatal(err)
			}
		}
	}
	text, err := json.Marshal(life)
	want := `{"number":2000,"periods":[{"from":"2026-10-14","to":"2029-07-09","state":"removed"}]}`
	if err != nil || string(text) != want {
		t.Errorf("got %s, %v, want %s", text, err, want)
	}
}

// A text that no life has written is refused.
func TestLifeIsReadStrictly(t *testing.T) {
	t.Parallel()
	const day = `{"from":"2026-10-14","to":"2026-10-15","state":"final","since":5}`
	for periods, want := range map[string]string{
		`{"from":"2026-10-14","to":"2026-10","state":"final"}`:    `"2026-10-14" to "2026-10", "final", is no span`,
		`{"from":"2026-10-14","to":"2026-10-13","state":"final"}`: `is no span`,
		`{"from":"2026-10-14","to":"2026-10-15","state":"live"}`:  `"live", is no span`,
		`{"from":"all","to":"all","state":"final"}`:               `"all" to "all", "final", is no span`,
		`{"from":"2026-10-14..2026-10-15","state":"final"}`:       `"2026-10-14..2026-10-15" to "", "final", is no span`,
		`{"from":"a:2026-10-14..2026-10-15","state":"live"}`:      `"live", is no span`,
		`{"from":"a:2026-10-14","state":"final"}`:                 `not a period of the window contest`,
		day + "," + day: `"2026-10-14" in the life of periods is out of order`,
	} {
		err := json.Unmarshal([]byte(`{"number":7,"periods":[`+periods+`]}`), new(board.Life))
		if !says(err, want) {
			t.Errorf("%s: %v, want %s", periods, err, want)
		}
	}
	harness.OK(t, json.Unmarshal([]byte(`{"number":7,"periods":[`+day+`]}`), new(board.Life)))
}

// says tells whether an error has some text.
func says(err error, text string) bool { return err != nil && strings.Contains(err.Error(), text) }

func FuzzLife(f *testing.F) {
	f.Add([]byte(`{"number":7,"periods":[{"from":"2024-10-04","to":"2024-10-06","state":"closed","since":5}],` +
		`"held":{"a":["2024-10"]}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		var life board.Life
		if json.Unmarshal(text, &life) != nil {
			return
		}
		once := harness.Must(json.Marshal(&life))(t)
		var again board.Life
		if err := json.Unmarshal(once, &again); err != nil {
			t.Fatalf("%s reads as %s, which does not read: %v", text, once, err)
		}
	})
}
