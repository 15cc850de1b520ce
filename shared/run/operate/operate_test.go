package operate_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"laurel/internal/harness"
	"laurel/shared/core/activity"
	"laurel/shared/core/board"
	"laurel/shared/core/codec"
	"laurel/shared/core/ledger"
	"laurel/shared/run/importer"
	"laurel/shared/run/operate"
	"laurel/shared/store/items"
)

// inSlices does a command on a forum through events and answers, as a function does.
func inSlices(f *harness.Forum, c operate.Command, object any) (text string, err error) {
	slice := operate.By(1, func(ctx context.Context, event []byte) ([]byte, error) {
		return operate.Serve(ctx, f.App, event)
	})
	r, err := operate.Ask(c)
	if err != nil {
		return "", err
	}
	reply, err := slice.Run(f.TB.Context(), r, operate.Quiet(), func(json.RawMessage) error { return nil })
	if err == nil && reply.Failure != nil {
		err = reply.Failure
	}
	if err == nil {
		err = json.Unmarshal([]byte(reply.Object), object)
	}
	return reply.Text, err
}

// The other side tells known errors apart, too.
func TestFailuresKeepTheirKind(t *testing.T) {
	t.Parallel()
	f := harness.NewForum(t, harness.Setup{})
	_, shards := inSlices(f, &operate.Repair{Shards: 7}, nil)
	_, nobody := inSlices(f, new(operate.Export), nil)
	for _, event := range []string{
		`{"operation":"fly"}`, `{"operation":"erase","arguments":{"user":"ann","more":1}}`, `{`,
		`{"operation":"erase","arguments":{"user":"ann"`, `{"operation":"reopen","arguments":{"period":"all"}}`,
		`{"operation":"reopen","arguments":{"period":"soon"}}`,
	} {
		var reply operate.Reply
		text, err := operate.Serve(t.Context(), f.App, []byte(event))
		failed := json.Unmarshal(text, &reply)
		if err != nil || failed != nil || !errors.Is(reply.Failure, operate.ErrUsage) {
			t.Errorf("%s: %s, %v", event, text, err)
		}
	}
	if !errors.Is(shards, operate.ErrUsage) || !errors.Is(nobody, operate.ErrUsage) {
		t.Error(shards, nobody)
	}
	if _, err := inSlices(f, &operate.Reopen{Period: "2026-11-20"}, nil); err == nil || errors.Is(err, operate.ErrUsage) {
		t.Error(err)
	}
}

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
	e := &items.Event{
		EventKey: items.EventKey{Address: "badges", At: board.MomentOf(f.Now), ID: id}, Type: activity.EventPeriodFinal,
		Board: "activity", Period: board.PeriodOf(board.Day, board.DateOf(2026, 11, 20)), Total: 1,
		Since: board.MomentOf(f.Now), Attempts: attempts,
	}
	if attempts > 0 {
		e.Next, e.Trouble = board.MomentOf(f.Now)+1, "the receiver answers 500"
	}
	harness.OK(t, f.Items.WriteUnlessChanged(t.Context(), items.Change{Event: e}))
}

// Waiting events are listed with their attempts, and without the address, which may have a secret.
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

// Each event that comes or goes is shown once, from slice to slice.
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
			harness.Must(f.Items.DropEvents(t.Context(), "badges"))(t)
		}
	}
	want := "badges: waits: period.final activity 2026-11-20 evt_1|badges: sent, or given up: period.final activity " +
		"2026-11-20 evt_1"
	if strings.Join(found, "|") != want {
		t.Errorf("%q", found)
	}
}

// A function merges many activities some at a time; damage among failures is reported, and the others have their
// statuses.
func TestAnImportInParts(t *testing.T) {
	t.Parallel()
	f := harness.NewForum(t, harness.Setup{})
	f.Record(harness.Did(t, "bob like a1", board.MomentOf(f.Now)))
	f.Damage("bob")
	slice := operate.By(1, func(ctx context.Context, event []byte) ([]byte, error) {
		return operate.Serve(ctx, f.App, event)
	})
	im := harness.Must(slice.Importer(t.Context()))(t)
	acts := []activity.Activity{harness.Did(t, "bob like a2", board.MomentOf(f.Now))}
	for i := range 4_500 {
		acts = append(acts, harness.Did(t, fmt.Sprintf("u%d like a%d", i%40, i), board.MomentOf(f.Now)))
	}
	done, err := im.Stores(t.Context(), importer.Part{Activities: acts, Now: board.MomentOf(f.Now)})
	if !errors.Is(err, codec.ErrDamaged) || len(done.Statuses) != len(acts) || done.Statuses[0] != "" ||
		slices.Contains(done.Statuses[1:], "") {
		t.Errorf("%d statuses, %v", len(done.Statuses), err)
	}
}

// A repair that waits for another comparison fills the view into another number of shards all the same.
func TestReshardingBesideAComparison(t *testing.T) {
	t.Parallel()
	f := harness.NewForum(t, harness.Setup{Shards: 2})
	f.Record(harness.Did(t, "ann like a1", board.MomentOf(f.Now)))
	other := harness.Must(items.OpenCursor[json.RawMessage](t.Context(), f.Items, "compare"))(t)
	other.Claimed = board.MomentOf(time.Now().Add(1500 * time.Millisecond))
	harness.OK(t, other.Save(t.Context()))
	var found []string
	r := harness.Must(operate.Ask(&operate.Repair{Reshard: true}))(t)
	watch := operate.Quiet()
	watch.Found = func(line string) { found = append(found, line) }
	reply := harness.Must(operate.Here(f.App).Run(t.Context(), r, watch, nil))(t)
	if want := "3 parts of the view are filled, with 1 people."; reply.Failure != nil || !slices.Contains(found, want) {
		t.Errorf("%v: found %q", reply.Failure, found)
	}
}
