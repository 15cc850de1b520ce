package operate_test

import (
	"strings"
	"testing"
	"time"

	"laurel/internal/harness"
	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/ledger"
	"laurel/shared/operate"
	"laurel/shared/records"
)

// withEvents is a forum with an address of events.
func withEvents(t *testing.T) *harness.Forum {
	t.Helper()
	rules := activity.Default().WithEvents(activity.EventAddress{
		Name: "badges", URL: "https://f.example/?key=hidden", Types: activity.EventTypes(),
	})
	return harness.NewForum(t, harness.Setup{Ledger: ledger.New(rules, board.NewCalendar(time.UTC))})
}

func putEvent(t *testing.T, f *harness.Forum, id string, attempts int) {
	t.Helper()
	e := &records.Event{
		EventKey: records.EventKey{Address: "badges", At: board.MomentOf(f.Now), ID: id}, Type: activity.EventPeriodFinal,
		Board: "activity", Period: board.PeriodOf(board.Day, board.DateOf(2026, 11, 20)), Total: 1,
		Since: board.MomentOf(f.Now), Attempts: attempts,
	}
	if attempts > 0 {
		e.Next, e.Trouble = board.MomentOf(f.Now)+1, "the receiver answers 500"
	}
	harness.OK(t, f.Records.PutEvents(t.Context(), e))
}

// What waits is listed with how it is, and without the address, which may have a secret.
func TestEventsAreListed(t *testing.T) {
	t.Parallel()
	f := withEvents(t)
	putEvent(t, f, "evt_1", 2)
	putEvent(t, f, "evt_2", 0)
	var told operate.EventsTold
	text, err := inSlices(f, new(operate.Events), &told)
	want := "badges: 2 waiting\n" +
		"  period.final activity 2026-11-20 evt_1, since 2026-11-20T12:00:00Z, tried 2 times: the receiver answers 500\n" +
		"  period.final activity 2026-11-20 evt_2, since 2026-11-20T12:00:00Z\n"
	if err != nil || text != want || len(told.Addresses) != 1 || len(told.Addresses[0].Events) != 2 ||
		told.Addresses[0].Events[0].Attempts != 2 {
		t.Errorf("%s, %+v, %v", text, told, err)
	}
	plain := harness.NewForum(t, harness.Setup{})
	if text, err := inSlices(plain, new(operate.Events), &told); err != nil || !strings.Contains(text, "no addresses") {
		t.Error(text, err)
	}
}

// What comes and goes is told, once, from slice to slice.
func TestEventsAreFollowed(t *testing.T) {
	t.Parallel()
	f := withEvents(t)
	putEvent(t, f, "evt_1", 0)
	r := harness.Must(operate.Ask(&operate.Events{Follow: true}))(t)
	var found []string
	for n := range 2 {
		r.Seconds = 1
		reply := operate.Do(t.Context(), f.App, r, operate.Watch{
			Progress: func(operate.Progress) {}, Found: func(line string) { found = append(found, line) },
		})
		if reply.Failure != nil || reply.Next == nil {
			t.Fatalf("%+v", reply)
		}
		if r.Arguments = reply.Next; n == 0 {
			if _, err := f.Records.DropEvents(t.Context(), "badges"); err != nil {
				t.Fatal(err)
			}
		}
	}
	want := "badges: waits: period.final activity 2026-11-20 evt_1|badges: sent, or given up: period.final activity " +
		"2026-11-20 evt_1"
	if strings.Join(found, "|") != want {
		t.Errorf("%q", found)
	}
}
