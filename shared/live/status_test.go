package live_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/redis/go-redis/v9"

	"laurel/internal/testserver"
	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/ledger"
	"laurel/shared/live"
)

func hide(tb testing.TB, store *live.Store, user string, hidden bool) {
	tb.Helper()
	if err := store.SetHidden(tb.Context(), user, hidden); err != nil {
		tb.Fatal(err)
	}
}

func exclude(tb testing.TB, store *live.Store, user string, excluded bool) {
	tb.Helper()
	if err := store.SetExclusion(tb.Context(), user, excluded); err != nil {
		tb.Fatal(err)
	}
}

// withoutVersions is the database without what is random in it.
func withoutVersions(tb testing.TB, client redis.UniversalClient) map[string]any {
	tb.Helper()
	state := everything(tb, client)
	for _, held := range state {
		if fields, ok := held.(map[string]string); ok {
			delete(fields, "v")
		}
	}
	return state
}

// Hidden, excluded, or both: off at once; on again when neither, as before. Who
// was never heard of leaves nothing behind.
func TestStatusTakesOffAndPutsBack(t *testing.T) {
	t.Parallel()
	client := testserver.Redis(t)
	store, noon, day := live.New(client, utc(), 1), at(t, "2026-11-20T12:00"), period(t, "2026-11-20")
	record(t, store, did(t, "ada like 1", noon), did(t, "ada comment 1", noon+5), did(t, "ada follow bob", noon), did(t, "bob like 1", noon))
	before := withoutVersions(t, client)
	on := func() bool { return scoreOf(t, store, "activity", day, "ada") > 0 }
	for _, step := range []struct {
		what string
		do   func()
		on   bool
	}{
		{"hidden", func() { hide(t, store, "ada", true) }, false},
		{"hidden again", func() { hide(t, store, "ada", true) }, false},
		{"excluded, too", func() { exclude(t, store, "ada", true) }, false},
		{"shown, still excluded", func() { hide(t, store, "ada", false) }, false},
		{"hidden, still excluded", func() { hide(t, store, "ada", true) }, false},
		{"no longer excluded, still hidden", func() { exclude(t, store, "ada", false) }, false},
		{"shown", func() { hide(t, store, "ada", false) }, true},
		{"shown again", func() { hide(t, store, "ada", false) }, true},
		{"not excluded", func() { exclude(t, store, "ada", false) }, true},
	} {
		if step.do(); on() != step.on {
			t.Errorf("%s: on the board %v", step.what, on())
		}
	}
	if diff := cmp.Diff(before, withoutVersions(t, client)); diff != "" {
		t.Errorf("not as it was (-before +after):\n%s", diff)
	}
	hide(t, store, "nobody", true)
	if s, err := store.Status(t.Context(), "nobody"); err != nil || s != (ledger.UserStatus{Hidden: true}) {
		t.Errorf("status %+v, %v", s, err)
	}
	hide(t, store, "nobody", false)
	if found := testserver.Grep(t, client, "nobody"); len(found) > 0 {
		t.Errorf("a user without anything is in %q", found)
	}
}

// What an excluded user reports is not kept, then nor later; a hidden user's is,
// and is on the board when the user is shown.
func TestWhatIsReportedMeanwhile(t *testing.T) {
	t.Parallel()
	store, noon, day := live.New(testserver.Redis(t), utc(), 1), at(t, "2026-11-20T12:00"), period(t, "2026-11-20")
	exclude(t, store, "ada", true)
	hide(t, store, "bob", true)
	receipts := record(t, store, did(t, "ada publish 1", noon), did(t, "bob publish 1", noon), did(t, "ada unlike 9", noon))
	if receipts[0].Status != ledger.Excluded || receipts[1].Status != ledger.Counted || receipts[1].Points != 10 || receipts[2].Status != ledger.Excluded {
		t.Errorf("receipts %+v", receipts)
	}
	if n := read(t, store, board.View{Board: "activity", Period: day, Limit: 9}).Total; n != 0 {
		t.Errorf("%d on the board", n)
	}
	exclude(t, store, "ada", false)
	hide(t, store, "bob", false)
	if a, b := scoreOf(t, store, "activity", day, "ada"), scoreOf(t, store, "activity", day, "bob"); a != 0 || b != 10 {
		t.Errorf("ada has %d, bob %d", a, b)
	}
}

// Closed periods keep who is on them; what is put back while a user is hidden, or
// before that, does not have the user.
func TestStatusAndPeriodsThatAreClosed(t *testing.T) {
	t.Parallel()
	store, noon, day := live.New(testserver.Redis(t), utc(), 1), at(t, "2026-11-20T12:00"), period(t, "2026-11-20")
	record(t, store, did(t, "ada publish 1", noon), did(t, "bob publish 1", noon))
	closePeriod(t, store, "activity", day)
	hide(t, store, "ada", true)
	if n := scoreOf(t, store, "activity", day, "ada"); n != 10 {
		t.Errorf("%d points on the closed day", n)
	}
	own, err := store.OwnStandings(t.Context(), "ada", []board.View{{Board: "activity", Period: day}, {Board: "activity", Period: period(t, "2026-11")}})
	if err != nil || own[0].Rank != 1 || own[0].Total != 2 || own[1].Rank != 1 || own[1].Total != 2 {
		t.Errorf("own standings %+v, %v", own, err)
	}
	var all []board.Entry
	for e, err := range store.Entries(t.Context(), "activity", day) {
		if all = append(all, e); err != nil {
			t.Fatal(err)
		}
	}
	ctx := t.Context()
	if err := store.RemoveBoard(ctx, "activity", day); err != nil {
		t.Fatal(err)
	}
	if err := store.BeginRestore(ctx, "activity", day); err != nil {
		t.Fatal(err)
	}
	leftOut, err := store.PutBack(ctx, "activity", day, sequence(all))
	if err != nil || leftOut != 1 {
		t.Errorf("%d left out, %v", leftOut, err)
	}
	exclude(t, store, "bob", true) // who is there already
	if err := store.EndRestore(ctx, "activity", day); err != nil {
		t.Fatal(err)
	}
	if page := read(t, store, board.View{Board: "activity", Period: day, Limit: 9}); page.Total != 0 {
		t.Errorf("on the restored board: %+v", page.Places)
	}
	hide(t, store, "ada", false)
	if n := scoreOf(t, store, "activity", day, "ada"); n != 10 {
		t.Errorf("%d points on the restored day", n)
	}
}

// A user of more periods than one script can take is taken off all of them, put
// back on all, and erased from all, in several commits.
func TestStatusOfThousandsOfPeriods(t *testing.T) {
	t.Parallel()
	client, tape := testserver.Redis(t), &tape{}
	client.AddHook(tape)
	store := live.New(client, utc(), 1)
	var acts []activity.Activity
	first := at(t, "2016-01-01T12:00")
	for i := range 2_600 {
		acts = append(acts, did(t, fmt.Sprintf("ada publish %d", i), first+board.Moment(i)*86_400_000))
	}
	for batch := range slices.Chunk(acts, 500) {
		record(t, store, batch...)
	}
	count := func() (on int) {
		periods, err := store.Periods(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range periods {
			on += int(p.Total)
		}
		return on
	}
	all := count()
	hide(t, store, "ada", true)
	if n := count(); n != 0 || all < 2_600 {
		t.Errorf("on %d of %d boards while hidden", n, all)
	}
	hide(t, store, "ada", false)
	if n := count(); n != all {
		t.Errorf("on %d of %d boards again", n, all)
	}
	if step, err := store.EraseUser(t.Context(), "ada"); err != nil || step.Removed.Boards != int64(all) || count() != 0 {
		t.Errorf("erased from %d of %d boards, %v", step.Removed.Boards, all, err)
	}
	most := 0
	for _, args := range tape.take() {
		most = max(most, len(args))
	}
	if most > 3_999 || most < 1_000 {
		t.Errorf("up to %d arguments", most)
	}
}

// A change of status that meets another commit is decided again; sent twice it is
// done once.
func TestSettlingIsDoneOnce(t *testing.T) {
	t.Parallel()
	store, client, tape := taped(t)
	noon := at(t, "2026-11-20T12:00")
	record(t, store, did(t, "ada like 1", noon))
	hide(t, store, "ada", true)
	hide(t, store, "ada", false) // the server knows the script now
	tape.take()
	hide(t, store, "ada", true)
	calls := tape.take()
	if len(calls) != 1 {
		t.Fatalf("%d scripts", len(calls))
	}
	state := everything(t, client)
	if reply := client.Do(t.Context(), calls[0]...).Val(); reply != live.ScriptDone {
		t.Errorf("sent again: %v", reply)
	}
	if diff := cmp.Diff(state, everything(t, client)); diff != "" {
		t.Errorf("sending it again has changed something:\n%s", diff)
	}
	record(t, store, did(t, "ada like 2", noon))
	state = everything(t, client)
	if reply := client.Do(t.Context(), calls[0]...).Val(); reply != live.ScriptChanged {
		t.Errorf("after another commit: %v", reply)
	}
	if diff := cmp.Diff(state, everything(t, client)); diff != "" {
		t.Errorf("a conflict has changed something:\n%s", diff)
	}
	if err := store.ClosePeriod(t.Context(), "steps", period(t, "2026-11-19")); err != nil {
		t.Fatal(err)
	}
	client.HSet(t.Context(), "laurel:{0}:pages:ada", "v", calls[0][3+calls[0][2].(int)]) // as it was read
	if reply := client.Do(t.Context(), calls[0]...).Val(); reply != live.ScriptChanged {
		t.Errorf("after a closing: %v", reply)
	}
	if !strings.Contains(fmt.Sprint(calls[0]), "laurel:{0}:away") {
		t.Error("the key of those away is not declared")
	}
}
