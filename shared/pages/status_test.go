package pages_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/redis/go-redis/v9"

	"laurel/internal/harness"
	"laurel/internal/testserver"
	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/ledger"
	"laurel/shared/live"
	"laurel/shared/redisstore"
)

// withoutVersions is the database without what is random in it.
func withoutVersions(tb testing.TB, client redis.UniversalClient) map[string]any {
	tb.Helper()
	state := harness.Everything(tb, client)
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
	store, noon, day := live.New(client, harness.UTC(), 1), harness.At(t, "2026-11-20T12:00"),
		harness.Period(t, "2026-11-20")
	harness.Record(t, store, harness.Did(t, "ada like 1", noon), harness.Did(t, "ada comment 1", noon+5),
		harness.Did(t, "ada follow bob", noon), harness.Did(t, "bob like 1", noon))
	before := withoutVersions(t, client)
	on := func() bool { return harness.ScoreOf(t, store, "activity", day, "ada") > 0 }
	for _, step := range []struct {
		what string
		do   func()
		on   bool
	}{
		{"hidden", func() { harness.Hide(t, store, "ada", true) }, false},
		{"hidden again", func() { harness.Hide(t, store, "ada", true) }, false},
		{"excluded, too", func() { harness.Exclude(t, store, "ada", true) }, false},
		{"shown, still excluded", func() { harness.Hide(t, store, "ada", false) }, false},
		{"hidden, still excluded", func() { harness.Hide(t, store, "ada", true) }, false},
		{"no longer excluded, still hidden", func() { harness.Exclude(t, store, "ada", false) }, false},
		{"shown", func() { harness.Hide(t, store, "ada", false) }, true},
		{"shown again", func() { harness.Hide(t, store, "ada", false) }, true},
		{"not excluded", func() { harness.Exclude(t, store, "ada", false) }, true},
	} {
		if step.do(); on() != step.on {
			t.Errorf("%s: on the board %v", step.what, on())
		}
	}
	if diff := cmp.Diff(before, withoutVersions(t, client)); diff != "" {
		t.Errorf("not as it was (-before +after):\n%s", diff)
	}
	harness.Hide(t, store, "nobody", true)
	if s, err := store.Status(t.Context(), "nobody"); err != nil || s != (ledger.UserStatus{Hidden: true}) {
		t.Errorf("status %+v, %v", s, err)
	}
	harness.Hide(t, store, "nobody", false)
	if found := testserver.Grep(t, client, "nobody"); len(found) > 0 {
		t.Errorf("a user without anything is in %q", found)
	}
}

// What an excluded user reports is not kept, then nor later; a hidden user's is,
// and is on the board when the user is shown.
func TestWhatIsReportedMeanwhile(t *testing.T) {
	t.Parallel()
	store, noon, day := live.New(testserver.Redis(t), harness.UTC(), 1), harness.At(t, "2026-11-20T12:00"),
		harness.Period(t, "2026-11-20")
	harness.Exclude(t, store, "ada", true)
	harness.Hide(t, store, "bob", true)
	receipts := harness.Record(t, store, harness.Did(t, "ada publish 1", noon), harness.Did(t, "bob publish 1", noon),
		harness.Did(t, "ada unlike 9", noon))
	if receipts[0].Status != ledger.Excluded || receipts[1].Status != ledger.Counted || receipts[1].Points != 10 ||
		receipts[2].Status != ledger.Excluded {
		t.Errorf("receipts %+v", receipts)
	}
	if n := harness.Read(t, store, board.View{Board: "activity", Period: day, Limit: 9}).Total; n != 0 {
		t.Errorf("%d on the board", n)
	}
	harness.Exclude(t, store, "ada", false)
	harness.Hide(t, store, "bob", false)
	if a, b := harness.ScoreOf(t, store, "activity", day, "ada"), harness.ScoreOf(t, store, "activity", day,
		"bob"); a != 0 || b != 10 {
		t.Errorf("ada has %d, bob %d", a, b)
	}
}

// Closed periods keep who is on them; one that is being reopened opens without who is
// hidden or excluded by then.
func TestStatusAndPeriodsThatAreClosed(t *testing.T) {
	t.Parallel()
	store, noon, day := live.New(testserver.Redis(t), harness.UTC(), 1), harness.At(t, "2026-11-20T12:00"),
		harness.Period(t, "2026-11-20")
	harness.Record(t, store, harness.Did(t, "ada publish 1", noon), harness.Did(t, "bob publish 1", noon))
	harness.ClosePeriod(t, store, "activity", day)
	harness.Hide(t, store, "ada", true)
	if n := harness.ScoreOf(t, store, "activity", day, "ada"); n != 10 {
		t.Errorf("%d points on the closed day", n)
	}
	own, err := store.OwnStandings(t.Context(), "ada",
		[]board.View{{Board: "activity", Period: day}, {Board: "activity", Period: harness.Period(t, "2026-11")}})
	if err != nil || own[0].Rank != 1 || own[0].Total != 2 || own[1].Rank != 1 || own[1].Total != 2 {
		t.Errorf("own standings %+v, %v", own, err)
	}
	if err := store.BeginReopening(t.Context(), "activity", day); err != nil {
		t.Fatal(err)
	}
	harness.Hide(t, store, "ada", true)
	harness.Exclude(t, store, "bob", true)
	harness.Exclude(t, store, "bob", false)
	if err := store.EndReopening(t.Context(), "activity", day); err != nil {
		t.Fatal(err)
	}
	page := harness.Read(t, store, board.View{Board: "activity", Period: day, Limit: 9})
	if page.Total != 1 || page.Places[0].User != "bob" {
		t.Errorf("on the reopened board: %+v", page.Places)
	}
	harness.Hide(t, store, "ada", false)
	if n := harness.ScoreOf(t, store, "activity", day, "ada"); n != 10 {
		t.Errorf("%d points on the reopened day", n)
	}
}

// A user of more periods than one script can take is taken off all of them, put
// back on all, and erased from all, in several commits.
func TestStatusOfThousandsOfPeriods(t *testing.T) {
	t.Parallel()
	client, tape := testserver.Redis(t), &harness.Tape{}
	client.AddHook(tape)
	store := live.New(client, harness.UTC(), 1)
	var acts []activity.Activity
	first := harness.At(t, "2016-01-01T12:00")
	for i := range 2_600 {
		acts = append(acts, harness.Did(t, fmt.Sprintf("ada publish %d", i), first+board.Moment(i)*86_400_000))
	}
	for batch := range slices.Chunk(acts, 500) {
		harness.Record(t, store, batch...)
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
	harness.Hide(t, store, "ada", true)
	if n := count(); n != 0 || all < 2_600 {
		t.Errorf("on %d of %d boards while hidden", n, all)
	}
	harness.Hide(t, store, "ada", false)
	if n := count(); n != all {
		t.Errorf("on %d of %d boards again", n, all)
	}
	if step, err := store.EraseUser(t.Context(), "ada"); err != nil || step.Removed.Boards != int64(all) || count() != 0 {
		t.Errorf("erased from %d of %d boards, %v", step.Removed.Boards, all, err)
	}
	most := 0
	for _, args := range tape.Take() {
		most = max(most, len(args))
	}
	if most > 3_999 || most < 1_000 {
		t.Errorf("up to %d arguments", most)
	}
}

// A change of status that meets another commit is decided again; sent twice it is
// done once.
func TestStatusIsSetOnce(t *testing.T) {
	t.Parallel()
	store, client, tape := harness.Taped(t)
	noon := harness.At(t, "2026-11-20T12:00")
	harness.Record(t, store, harness.Did(t, "ada like 1", noon))
	harness.Hide(t, store, "ada", true)
	harness.Hide(t, store, "ada", false) // the server knows the script now
	tape.Take()
	harness.Hide(t, store, "ada", true)
	calls := tape.Take()
	if len(calls) != 1 {
		t.Fatalf("%d scripts", len(calls))
	}
	state := harness.Everything(t, client)
	if reply := client.Do(t.Context(), calls[0]...).Val(); reply != redisstore.Done {
		t.Errorf("sent again: %v", reply)
	}
	if diff := cmp.Diff(state, harness.Everything(t, client)); diff != "" {
		t.Errorf("sending it again has changed something:\n%s", diff)
	}
	harness.Record(t, store, harness.Did(t, "ada like 2", noon))
	state = harness.Everything(t, client)
	if reply, err := client.Do(t.Context(), calls[0]...).Slice(); err != nil || len(reply) > 0 {
		t.Errorf("after another commit: %v, %v", reply, err)
	}
	if diff := cmp.Diff(state, harness.Everything(t, client)); diff != "" {
		t.Errorf("a conflict has changed something:\n%s", diff)
	}
	if err := store.ClosePeriod(t.Context(), "steps", harness.Period(t, "2026-11-19")); err != nil {
		t.Fatal(err)
	}
	version := calls[0][3+calls[0][2].(int)+2] // the one that was read: behind the layout and the field
	client.HSet(t.Context(), "laurel:{0}:pages:ada", "v", version)
	if reply, err := client.Do(t.Context(), calls[0]...).Slice(); err != nil || len(reply) > 0 {
		t.Errorf("after a closing: %v, %v", reply, err)
	}
}
