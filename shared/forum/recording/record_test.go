package recording_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"laurel/internal/harness"
	"laurel/shared/core/activity"
	"laurel/shared/core/board"
	"laurel/shared/core/ledger"
	"laurel/shared/forum/catchup"
	"laurel/shared/forum/recording"
	"laurel/shared/store/items"
	"laurel/shared/store/table"
)

var noon = board.MomentOf(time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC))

func newDefault(tb testing.TB, shards int) *walked {
	tb.Helper()
	return newWalked(tb, harness.UTC(), noon, shards)
}

func did(user, action, target string, moment board.Moment) activity.Activity {
	return activity.Activity{User: user, Action: action, Target: target, At: moment}
}

func (w *walked) headNow() *items.Head {
	w.Helper()
	return harness.Must(w.all.Head(w.Context()))(w)
}

// Promise 6: one read, one write, one trip, for any number of activities and users.
func TestRoundTripsOfAReport(t *testing.T) {
	t.Parallel()
	w := newDefault(t, 2)
	var acts, first []activity.Activity
	for i := range 20 {
		acts = append(acts, did(fmt.Sprint("u", i%10), "like", fmt.Sprint("a", i), noon))
		first = append(first, did(acts[i].User, "visit", "first", noon))
	}
	for range 2 {
		w.report(first...) // the head has the month, and Redis has the scripts
	}
	w.calls.Reset()
	w.report(acts...)
	if c := w.calls; c.Reads.Load() != 1 || c.Writes.Load() != 1 || c.Trips.Load() != 1 {
		t.Errorf("%d reads, %d writes, %d trips", c.Reads.Load(), c.Writes.Load(), c.Trips.Load())
	}
	w.report(did("u1", "follow", "u2", noon)) // it writes the person, too
	if done := w.compare(catchup.Request{}); done.Shown != 0 {
		t.Errorf("not all was shown: %+v", done)
	}
	w.calls.Reset()
	again := w.report(acts...)
	c := w.calls
	if c.Reads.Load() != 1 || c.Writes.Load() != 0 || c.Trips.Load() != 1 || again[0].Status != ledger.Duplicate {
		t.Errorf("again: %d reads, %d writes, %d trips, %s", c.Reads.Load(), c.Writes.Load(), c.Trips.Load(), again[0].Status)
	}
}

func TestATableThatIsUnavailableFailsAll(t *testing.T) {
	t.Parallel()
	w := newDefault(t, 1)
	for call := range int64(2) { // the read, the write
		p := w.knowing()
		p.calls.DieAt(call+1, harness.DiesBefore)
		like := []activity.Activity{did("ann", "like", "a", noon)}
		_, err := p.Recorder.Record(t.Context(), like, recording.Arrival{Now: noon})
		if !errors.Is(err, table.ErrUnavailable) {
			t.Errorf("call %d: %v", call+1, err)
		}
		p.Projector.Behind(t.Context(), "a test")
	}
	if !strings.Contains(w.forum.Out.String(), "the head could not say") {
		t.Error("no log line reports that the view is behind")
	}
	w.report(did("zoe", "like", "a", noon))
	p := w.knowing() // others come before in ann's ledger; when that is read again, bob has a receipt
	p.calls.DieAt(3, harness.DiesBefore)
	p.calls.AfterCall(1, func() { w.report(did("ann", "like", "a", noon)) })
	acts := []activity.Activity{did("ann", "like", "b", noon), did("bob", "like", "b", noon)}
	results, err := p.Recorder.Record(t.Context(), acts, recording.Arrival{Now: noon})
	if err != nil || !errors.Is(results[0].Err, table.ErrUnavailable) || results[1].Status != ledger.Counted {
		t.Errorf("%+v, %v", results, err)
	}
}

// A server survives a panic: the user's next report waits for nobody.
func TestAPanicLeavesItsUserFree(t *testing.T) {
	t.Parallel()
	w := newDefault(t, 1)
	p := w.knowing()
	p.calls.Before = func(harness.Call) harness.Fate {
		p.calls.Before = nil
		panic("a fault of the program")
	}
	func() {
		defer func() { _ = recover() }()
		w.reporting(p, did("ann", "like", "a", noon))
		t.Error("it did not panic")
	}()
	if again := w.reporting(p, did("ann", "like", "a", noon)); again[0].Status != ledger.Counted {
		t.Errorf("%+v", again)
	}
}

// Promise 10: a damaged item is the trouble of its user alone.
func TestADamagedLedgerIsItsUsersTrouble(t *testing.T) {
	t.Parallel()
	w := newDefault(t, 1)
	w.report(did("ann", "like", "a", noon), did("bob", "like", "a", noon))
	ann := w.headNow().KeyOf("ann")
	key := table.Key{Partition: fmt.Sprintf("LEDGER#2026-11#%02d", ann.Bucket()), Sort: ann.String()}
	stored := harness.Must(w.forum.Table.Table.Get(t.Context(), key))(t)
	was := stored[0].Revision
	damaged := table.Item{Key: key, Data: []byte("damaged"), Revision: was + 1}
	if out := w.forum.Table.Table.Write(t.Context(), table.Write{Item: damaged, Was: was}); out[0].Err != nil {
		t.Fatal(out[0].Err)
	}
	results, err := w.Recorder.Record(t.Context(),
		[]activity.Activity{did("ann", "like", "b", noon), did("bob", "like", "b", noon)}, recording.Arrival{Now: noon})
	if err != nil || results[0].Err == nil || results[1].Err != nil || results[1].Status != ledger.Counted {
		t.Errorf("%+v, %v", results, err)
	}
	done, err := w.Catchup.Run(t.Context(), catchup.Request{})
	if err != nil || done.Restored != 0 || done.Damaged != 1 {
		t.Errorf("%+v, %v", done, err)
	}
}

// A report that cannot be shown has its receipt, and marks the head as behind; comparing clears the mark, unless it was
// set again after the comparison had begun.
func TestAViewThatIsUnavailableCostsNoReceipt(t *testing.T) {
	t.Parallel()
	w := newDefault(t, 1)
	miss := func(target string) {
		p := w.start()
		w.redis.RPush(t.Context(), "laurel:{0}:board:activity:day:2026-11-20", "of another type")
		acts := []activity.Activity{did("ann", "like", target, noon)}
		results, err := p.Recorder.Record(t.Context(), acts, recording.Arrival{Now: noon})
		if err != nil || results[0].Status != ledger.Counted {
			t.Errorf("%+v, %v", results, err)
		}
		w.redis.Del(t.Context(), "laurel:{0}:board:activity:day:2026-11-20")
	}
	miss("a")
	first := w.headNow().Behind
	if miss("b"); first == nil || *w.headNow().Behind != *first {
		t.Fatalf("behind: %+v, then %+v", first, w.headNow().Behind)
	}
	if n := strings.Count(w.forum.Out.String(), "the view is behind"); n != 1 {
		t.Errorf("it was logged %d times", n)
	}
	if w.compare(catchup.Request{}); w.headNow().Behind != nil {
		t.Errorf("after comparing: %+v", w.headNow().Behind)
	}
	w.same("after comparing")

	miss("c")
	if _, err := w.Catchup.Run(t.Context(), catchup.Request{Budget: 1}); err != nil { // it has begun
		t.Fatal(err)
	}
	miss("d")
	if w.compare(catchup.Request{}); w.headNow().Behind == nil {
		t.Error("a comparison that had begun cleared a later mark")
	}
	w.compare(catchup.Request{})
	if w.same("at last"); w.headNow().Behind != nil {
		t.Errorf("at last: %+v", w.headNow().Behind)
	}
}

// A write is not made ten seconds after its read: by then a board may be made of the items.
func TestALateWriteReadsAgain(t *testing.T) {
	t.Parallel()
	w := newDefault(t, 1)
	w.report(did("ann", "like", "a", noon))
	w.Recorder.SetWriteWithin(20 * time.Millisecond)
	w.calls.Reset()
	w.calls.AfterCall(1, func() { time.Sleep(30 * time.Millisecond) })
	w.report(did("ann", "like", "b", noon))
	if w.calls.Reads.Load() < 2 || w.calls.Writes.Load() != 1 {
		t.Errorf("%d reads, %d writes", w.calls.Reads.Load(), w.calls.Writes.Load())
	}
}

// A first report puts its user's name on the board.
func TestRanksComeWithTheReceipts(t *testing.T) {
	t.Parallel()
	w := newDefault(t, 1)
	w.change("bob", func(p *items.Person) { p.Profile.Name = "Bob" })
	w.report(did("bob", "publish", "a", noon))
	bob, err := w.view.Users(t.Context(), []string{"bob"}, make([][]ledger.Shown, 1))
	if err != nil || !strings.Contains(bob[0].Name, "Bob") {
		t.Errorf("%+v, %v", bob, err)
	}
	results := w.report(did("ann", "like", "a", noon), did("bob", "like", "b", noon))
	for i, want := range []int64{2, 1} {
		if got := results[i].Ranks; len(got) != 2 || got[0] != (ledger.Score{Window: board.Day, Score: want}) {
			t.Errorf("%d: %v", i, got)
		}
	}
	p := w.knowing()
	p.beforeTrip(func() {
		w.change("bob", func(p *items.Person) { p.Profile.Name = "Bob Lee" })
		harness.OK(t, w.Projector.ShowUser(t.Context(), "bob"))
	})
	if late := w.reporting(p, did("bob", "like", "c", noon)); len(late[0].Ranks) > 0 {
		t.Errorf("a refused unit has ranks: %v", late[0].Ranks)
	}
}

// lose deletes a user's ledger, as a table has none that was restored to an earlier time.
func (w *walked) lose(user string) {
	w.Helper()
	key := items.LedgerKey{Person: w.headNow().KeyOf(user), Month: w.ledger.Calendar().Date(noon).Month()}
	found := harness.Must(w.all.Read(w.Context(), items.Query{Ledgers: []items.LedgerKey{key}}))(w)
	row := found.Ledgers[key]
	written := w.all.Write(context.WithoutCancel(w.Context()), items.Change{
		Was: row.Revision, Delete: true, Ledger: &items.LedgerChange{Key: key, Value: row.Value},
	})
	if written[0].Err != nil {
		w.Fatal(written[0].Err)
	}
}

// A table that was restored to an earlier time is reported: its revisions are below the ones that the view has seen.
func TestARestoredTableIsReported(t *testing.T) {
	t.Parallel()
	w := newDefault(t, 1)
	w.report(did("ann", "like", "a", noon))
	w.lose("ann")
	if done := w.compare(catchup.Request{}); done.Restored != 1 {
		t.Errorf("%+v", done)
	}
}

// A read before a month's first ledger neither takes its user off the month's boards nor leaves a hidden user there.
func TestShownBesideTheFirstLedgerOfAMonth(t *testing.T) {
	t.Parallel()
	w := newDefault(t, 1)
	w.report(did("bob", "like", "a", noon)) // there is a month
	named, hider, reporter := w.knowing(), w.knowing(), w.knowing()
	named.beforeTrip(func() { w.report(did("ann", "like", "a", noon)) })
	harness.OK(t, named.Projector.ShowUser(t.Context(), "ann"))
	w.same("after a name")
	read, shown, hidden := make(chan bool), make(chan bool), make(chan error)
	hider.beforeTrip(func() { close(read); <-shown })
	reporter.calls.AfterCall(1, func() {
		w.change("eve", hide)
		go func() { hidden <- hider.Projector.ShowUser(t.Context(), "eve") }()
		<-read
	})
	w.reporting(reporter, did("eve", "like", "a", noon))
	close(shown)
	harness.OK(t, <-hidden)
	w.same("after hiding")
}

func hide(p *items.Person) { p.Status.Hidden = true }
