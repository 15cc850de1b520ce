package nightly_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"laurel/internal/harness"
	"laurel/internal/testserver"
	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/journal"
	"laurel/shared/ledger"
	"laurel/shared/metrics"
	"laurel/shared/nightly"
	"laurel/shared/pages"
	"laurel/shared/state"
	"laurel/shared/table"
)

// A kept forum has a journal, whose entries arrive at a moment that the test sets.
type kept struct {
	*stores
	arrival board.Moment
}

func keptTime() time.Time { return time.Date(2026, time.November, 24, 3, 0, 0, 0, time.UTC) }

// tonight is the run that makes the 20th final, and seals the 22nd and 23rd.
var tonight = board.MomentOf(keptTime())

// openKept opens a forum whose 21st is sealed.
func openKept(t *testing.T, shards int) *kept {
	t.Helper()
	f := &kept{stores: &stores{Stores: harness.Open(t, shards, keptTime)}}
	f.Live.Keep(f)
	f.arrival = at(t, "2026-11-22T12:00")
	f.seal(t, "2026-11-21")
	return f
}

// Begin implements pages.Journal.
func (f *kept) Begin() func(context.Context, []ledger.Row) error {
	e := journal.New(f.Kept).NewEntry(f.arrival)
	f.arrival += 1_000
	return func(ctx context.Context, rows []ledger.Row) error { return e.Put(ctx, rows...) }
}

func (f *kept) seal(t *testing.T, day string) {
	t.Helper()
	_, err := journal.New(f.Kept).Seal(t.Context(), period(t, day).First(),
		func(_ board.Moment, row ledger.Row) (ledger.Row, bool) { return row, true })
	if err != nil {
		t.Fatal(err)
	}
}

// proving returns the options of a run with the journal that is in the stores.
func proving(s *harness.Stores, now board.Moment) nightly.Options {
	o := s.Night(now)
	o.Journal, o.Merger, o.State = journal.New(s.Kept), s.Live, state.New(s.Kept, keptTime)
	return o
}

func (f *kept) night(t *testing.T, now board.Moment) nightly.Result {
	t.Helper()
	result, err := nightly.Run(t.Context(), proving(f.Stores, now))
	if err != nil || len(result.Failed)+len(result.Left) > 0 {
		t.Fatalf("%+v, %v", result, err)
	}
	result.Proof.Seconds = 0
	return result
}

// recordLate records what users did on the 20th and 21st.
func (f *kept) recordLate(t *testing.T) {
	t.Helper()
	f.publish(t, "7", "zoe", at(t, "2026-11-20T08:00"))
	for i, day := range []string{"20", "21"} {
		f.arrival += board.Moment(i) * aDay
		noon := at(t, "2026-11-"+day+"T12:00")
		for i := range 7 {
			user := fmt.Sprint("u", i)
			f.record(t, noon, user+" like "+day, user+" visit 1", user+" follow ada", user+" like 7")
		}
	}
}

// lose records activities whose commits Redis loses, and returns the rows that were kept.
func (f *kept) lose(t *testing.T, texts ...string) (rows int64) {
	t.Helper()
	before, from := f.Dump(t), f.arrival
	f.record(t, at(t, "2026-11-20T13:00"), texts...)
	f.Flush(t, before)
	err := journal.New(f.Kept).Read(t.Context(), from, f.arrival, func(_ board.Moment, some []ledger.Row) error {
		rows += int64(len(some))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// follows returns the follow lists that the table has.
func (f *kept) follows(t *testing.T) map[string][]string {
	t.Helper()
	all := map[string][]string{}
	for list, err := range state.New(f.Kept, keptTime).Follows(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		all[list.User] = list.IDs
	}
	return all
}

// On a good night nothing is mended; the days are sealed, and follow lists are in the
// table. The next run proves them once more, and the one after it only what came since.
func TestAGoodNightMendsNothing(t *testing.T) {
	t.Parallel()
	f := openKept(t, 2)
	f.recordLate(t)
	var log, out bytes.Buffer
	o := proving(f.Stores, tonight)
	o.Log = slog.New(slog.NewTextHandler(&log, nil))
	o.Metrics = metrics.New(&out, "laurel", keptTime)
	result, err := nightly.Run(t.Context(), o)
	result.Proof.Seconds = 0
	// Of the second like of 7, follow of ada only the day before the first changes.
	if want := (nightly.Proof{Days: 2, Rows: 56, Users: 14}); result.Proof != want || err != nil || result.Sealed != 2 ||
		result.UnsealedDays != 0 || len(result.Moved) != 1 {
		t.Errorf("%+v, %v, want %+v", result, err, want)
	}
	for text, in := range map[string]string{
		"mended=0": log.String(), "sealed=2": log.String(),
		`"JournalMended":0`: out.String(), `"UnsealedDays":0`: out.String(),
	} {
		if !strings.Contains(in, text) {
			t.Errorf("%s is not in %s", text, in)
		}
	}
	if lists := f.follows(t); len(lists) != 7 || !slices.Equal(lists["u3"], []string{"ada"}) {
		t.Errorf("follow lists %v", lists)
	}
	f.arrival = tonight + 1
	f.record(t, at(t, "2026-11-23T23:00"), "ada like 9")
	again := f.night(t, tonight+board.Moment(time.Hour.Milliseconds()))
	if again.Proof != (nightly.Proof{Rows: 57, Users: 15}) || again.Sealed != 0 { // a failover may have come between
		t.Errorf("an hour later: %+v", again)
	}
	again = f.night(t, tonight+2*board.Moment(time.Hour.Milliseconds()))
	if again.Proof != (nightly.Proof{Rows: 1, Users: 1}) || again.Sealed != 0 {
		t.Errorf("two hours later: %+v", again)
	}
}

// Promise 5: what was accepted and not committed is mended before its day is closed, and
// counted exactly: points, votes and follows.
func TestPromise5LostCommitsAreMended(t *testing.T) {
	t.Parallel()
	for _, shards := range []int{1, 3} {
		f := openKept(t, shards)
		f.recordLate(t)
		lost := f.lose(t, "ada like 7", "u1 comment 8", "u2 unlike 20", "eve follow u1", "eve visit 1", "eve visit 1")
		if lost != 6 {
			t.Fatalf("%d rows are lost", lost)
		}
		// A vote of which the pages were committed.
		vote := f.Client.HGetAll(t.Context(), "laurel:{articles}:voters:7").Val()
		result := f.night(t, tonight)
		if result.Proof.Mended != lost || result.Proof.Rows != 62 {
			t.Errorf("%+v, want %d mended", result.Proof, lost)
		}
		scores := map[string]int64{}
		for _, e := range f.board(t, "activity", period(t, "2026-11-20")) {
			scores[e.User] = e.Packed.Score()
		}
		for user, want := range map[string]int64{"ada": 2, "u0": 7, "u1": 10, "u2": 5, "eve": 3} {
			if scores[user] != want {
				t.Errorf("%s has %d points, want %d", user, scores[user], want)
			}
		}
		a, err := f.Live.Articles().Get(t.Context(), "7")
		if err != nil || a.Votes != 9 {
			t.Errorf("%d votes after %v, %v", a.Votes, vote, err)
		}
		if got := f.follows(t)["eve"]; !slices.Equal(got, []string{"u1"}) {
			t.Errorf("eve follows %v", got)
		}
		if again := f.night(t, tonight+1); again.Proof.Mended != 0 {
			t.Errorf("again: %+v", again.Proof)
		}
	}
}

// Promise 5: what a night has mended and a failover just after it has lost, the next night
// mends, though the day is sealed.
func TestPromise5LostMendsAreMended(t *testing.T) {
	t.Parallel()
	f := openKept(t, 2)
	f.record(t, at(t, "2026-11-20T12:00"), "ada visit 1", "eve visit 1")
	lost := f.lose(t, "ada like 9", "eve follow u1")
	before := f.Dump(t)
	if result := f.night(t, tonight-aDay); result.Proof.Mended != lost || lost != 2 || result.Sealed != 1 {
		t.Fatalf("the first night: %+v", result)
	}
	f.Flush(t, before)
	if result := f.night(t, tonight); result.Proof.Mended != lost {
		t.Errorf("the second night: %+v", result)
	}
	if result := f.night(t, tonight+aDay); result.Proof.Rows != 0 {
		t.Errorf("the third night: %+v", result)
	}
}

// failing is a journal whose steps fail.
type failing struct {
	nightly.Journal
	read func() error
	seal func(day board.Date) error
}

func (f failing) Read(ctx context.Context, from, until board.Moment,
	take func(board.Moment, []ledger.Row) error,
) error {
	if err := f.read(); err != nil {
		return err
	}
	return f.Journal.Read(ctx, from, until, take)
}

func (f failing) Seal(ctx context.Context, day board.Date,
	compact func(board.Moment, ledger.Row) (ledger.Row, bool),
) (journal.Sealed, error) {
	if err := f.seal(day); err != nil {
		return journal.Sealed{}, err
	}
	return f.Journal.Seal(ctx, day, compact)
}

func sealable(board.Date) error { return nil }

// Nothing is closed while rows may be missing in Redis: the next run does both. A day that
// was proved and could not be sealed keeps nothing from being closed.
func TestNothingIsClosedBeforeTheProof(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	for name, c := range map[string]struct {
		read     func() error
		seal     func(board.Date) error
		moved    int
		unsealed int
	}{
		"read":    {func() error { return broken }, sealable, 0, 2},
		"the end": {failAt(3, broken), sealable, 0, 0}, // what came after the sealed days
		"seal":    {func() error { return nil }, func(board.Date) error { return broken }, 1, 2},
	} {
		f := openKept(t, 1)
		f.recordLate(t)
		lost := f.lose(t, "ada like 7")
		o := proving(f.Stores, tonight)
		o.Journal = failing{o.Journal, c.read, c.seal}
		result, err := nightly.Run(t.Context(), o)
		if !errors.Is(err, broken) || len(result.Moved) != c.moved || result.UnsealedDays != c.unsealed ||
			(len(result.Left) == 0) != (c.moved > 0) {
			t.Errorf("%s: %+v, %v", name, result, err)
		}
		mended := result.Proof.Mended
		result = f.night(t, tonight)
		if mended+result.Proof.Mended != lost || len(f.board(t, "activity", period(t, "2026-11-20"))) != 8 {
			t.Errorf("%s: the next run: %+v after %d mended", name, result, mended)
		}
	}
}

// failAt fails at the n-th call.
func failAt(n int, err error) func() error {
	return func() error {
		if n--; n == 0 {
			return err
		}
		return nil
	}
}

// slow uses up the run's time.
type slow struct{ nightly.Merger }

func (s slow) MergeSound(ctx context.Context, users []pages.UserRows, whole bool) (int64, []string, error) {
	time.Sleep(200 * time.Millisecond)
	return s.Merger.MergeSound(ctx, users, whole)
}

func TestAProofWithoutTimeIsLeft(t *testing.T) {
	t.Parallel()
	f := openKept(t, 1)
	f.recordLate(t)
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second+100*time.Millisecond)
	defer cancel()
	o := proving(f.Stores, tonight)
	o.Merger = slow{f.Live}
	result, err := nightly.Run(ctx, o)
	if err != nil || len(result.Moved) != 0 || result.UnsealedDays != 2 || len(result.Left) < 3 {
		t.Errorf("%+v, %v", result, err)
	}
	if result := f.night(t, tonight); result.Sealed != 2 || len(result.Moved) != 1 {
		t.Errorf("the next run: %+v", result)
	}
}

// What a user had done before an erasure neither comes back nor enters a seal; what came
// after it is a new user's.
func TestTheErasedStayErased(t *testing.T) {
	t.Parallel()
	f := openKept(t, 2)
	f.lose(t, "eve like 1", "eve visit 1", "eve follow ada", "ada like 1")
	erased := f.arrival
	tombs := state.New(f.Kept, keptTime)
	if _, err := tombs.PutTombstone(t.Context(), "eve", erased); err != nil {
		t.Fatal(err)
	}
	f.arrival++
	before := f.Dump(t)
	harness.Record(t, f.Live, harness.Did(t, "eve like 2", erased+1), harness.Did(t, "eve like 3", erased-1))
	f.Flush(t, before)
	if result := f.night(t, tonight); result.Proof.Mended != 2 || result.Proof.Rows != 2 {
		t.Errorf("%+v", result.Proof)
	}
	sealed, err := journal.New(f.Kept).Sealed(t.Context(), journal.DayOf(erased))
	if err != nil || sealed.Rows != 2 {
		t.Errorf("sealed %+v, %v", sealed, err)
	}
	if n := harness.ScoreOf(t, f.Live, "activity", period(t, "2026-11"), "eve"); n != 2 || len(f.follows(t)) != 0 {
		t.Errorf("%d points, follow lists %v", n, f.follows(t))
	}
}

// A user whose pages are damaged fails the run, and delays nobody else.
func TestADamagedUserStopsNoOther(t *testing.T) {
	t.Parallel()
	f := openKept(t, 1)
	f.recordLate(t)
	f.lose(t, "ada like 7", "zed like 7")
	if err := f.Client.HSet(t.Context(), "laurel:{0}:pages:u4", "2026-11", "damaged").Err(); err != nil {
		t.Fatal(err)
	}
	result, err := nightly.Run(t.Context(), proving(f.Stores, tonight))
	if err == nil || strings.Contains(err.Error(), "u4") || len(result.Failed) != 1 || result.Failed[0].Name != "proof" ||
		!strings.Contains(err.Error(), "of 1 users") || result.Proof.Mended != 2 || result.Sealed != 2 ||
		len(result.Moved) != 1 {
		t.Errorf("%+v, %v", result, err)
	}
}

// The first run seals from the day before the first rows on; runs that cannot seal say
// so, and keep the entries from expiring; the seals are deleted in their time.
func TestDaysAreSealedInTheEnd(t *testing.T) {
	t.Parallel()
	now := board.MomentOf(keptTime())
	f := &kept{stores: &stores{Stores: harness.Open(t, 1, func() time.Time { return now.Time() })}}
	f.Live.Keep(f)
	if result := f.night(t, now); result.Sealed != 0 || result.UnsealedDays != 0 {
		t.Errorf("a night without rows: %+v", result)
	}
	for f.arrival = at(t, "2026-11-22T12:00"); f.arrival < tonight; f.arrival += aDay {
		f.record(t, f.arrival, "ada visit "+f.arrival.String())
	}
	entries := func() (n int) {
		err := journal.New(f.Kept).Read(t.Context(), f.arrival-3*aDay, f.arrival, func(board.Moment, []ledger.Row) error {
			n++
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	broken := errors.New("broken")
	for days, c := range [][]int{0: {1, 2}, 20: {20, 2}, 21: {1, 2}, 40: {19, 2}, 56: {16, 2}} {
		if c == nil {
			continue
		}
		now = tonight + board.Moment(days)*aDay
		o := proving(f.Stores, now)
		o.Journal = failing{o.Journal, func() error { return nil }, func(day board.Date) error {
			if day == period(t, "2026-11-22").First() || day == period(t, "2026-11-23").First() {
				return broken // for one of their entries is damaged
			}
			return nil
		}}
		result, err := nightly.Run(t.Context(), o)
		if !errors.Is(err, broken) || result.Sealed != c[0] || result.UnsealedDays != c[1] || entries() != 2 {
			t.Errorf("after %d days: %+v, %v, %d entries are left", days, result, err, entries())
		}
	}
	if result := f.night(t, now); result.Sealed != 2 || result.UnsealedDays != 0 || result.SealsExpired != 0 {
		t.Errorf("repaired: %+v", result)
	}
	now = at(t, "2027-12-31T03:00")
	if result := f.night(t, now); result.SealsExpired != 0 {
		t.Errorf("in the 13th month after: %+v", result)
	}
	now = at(t, "2028-01-01T03:00")
	reopened := period(t, "2026-11-24") // in the run, which keeps its seals, it is final again
	err := errors.Join(f.Live.Redis().BeginReopening(t.Context(), "activity", reopened),
		f.Live.Redis().EndReopening(t.Context(), "activity", reopened))
	if result := f.night(t, now); err != nil || result.SealsExpired != 0 {
		t.Errorf("while a day of theirs is reopened: %+v, %v", result, err)
	}
	if result := f.night(t, now); result.SealsExpired != 10 { // from the 21st to the 30th
		t.Errorf("in the 14th month: %+v", result)
	}
}

// unread is a store of which the reading of entries is no call.
type unread struct{ *harness.Crash }

func (u unread) Ascend(ctx context.Context, partition, after, last string, limit int) ([]table.Item, error) {
	if strings.HasPrefix(partition, table.SetPrefix) {
		return u.Store.Ascend(ctx, partition, after, last, limit)
	}
	return u.Crash.Ascend(ctx, partition, after, last, limit)
}

// Promise 5: a run that stopped at any call of its proof and sealing, and the next run,
// leave what a run alone leaves: boards, seals and follow lists; each lost row is mended
// once.
func TestPromise5TheProofStoppedAnywhere(t *testing.T) {
	t.Parallel()
	for _, how := range []string{harness.Before, harness.Half, harness.After} {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			var want []any
			step := testserver.Step(3, 1)
			for n := 0; ; n += step {
				f := openKept(t, 1+n%2)
				f.recordLate(t)
				f.lose(t, "ada like 7", "u1 comment 8", "eve follow u1")
				c := &harness.Crash{At: n, How: how}
				crashing := f.Crashing(t, c)
				o := proving(crashing, tonight)
				o.Journal = journal.New(unread{c})
				_, err := nightly.Run(t.Context(), o)
				if n > 0 && c.Calls() >= n && !errors.Is(err, harness.ErrCrash) {
					t.Fatalf("crash at call %d of %d: %v", n, c.Calls(), err)
				}
				f.night(t, tonight)
				got := f.outcome(t)
				if want == nil {
					want = got
				}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Fatalf("after a crash at call %d (-undisturbed +crashed):\n%s", n, diff)
				}
				if n > c.Calls() {
					if n < 40 {
						t.Errorf("only %d calls", c.Calls())
					}
					return
				}
			}
		})
	}
}

// outcome is what a run leaves.
func (f *kept) outcome(t *testing.T) []any {
	t.Helper()
	var seals []string
	j := journal.New(f.Kept)
	days, err := j.SealedDays(t.Context(), 1, journal.DayOf(tonight))
	if err != nil {
		t.Fatal(err)
	}
	err = j.ByUser(t.Context(), days, func(user string, rows []ledger.Row) error {
		for _, row := range rows {
			seals = append(seals, fmt.Sprintf("%s %s %s %x", user, row.Action, row.At, row.Key))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(seals)
	var boards []any
	for _, p := range []string{"2026-11-20", "2026-11-21", "2026-11"} {
		boards = append(boards, f.board(t, "activity", period(t, p)))
	}
	return []any{len(days), seals, f.follows(t), boards, f.dayPages(t, "2026-11-20"), f.dayPages(t, "2026-11-21")}
}

// Runs beside each other and beside writers lose nothing and mend nothing.
func TestProofsBesideEachOther(t *testing.T) {
	t.Parallel()
	f := openKept(t, 2)
	f.recordLate(t)
	f.arrival = tonight - 5_000
	var all sync.WaitGroup
	for range 3 {
		all.Go(func() {
			result, err := nightly.Run(t.Context(), proving(f.Stores, tonight))
			if err != nil && !errors.Is(err, table.ErrExists) || result.Proof.Mended != 0 {
				t.Errorf("%+v, %v", result, err)
			}
		})
	}
	for i := range 50 {
		act := activity.Activity{User: fmt.Sprint("u", i%7), Action: "visit", Target: fmt.Sprint(i), At: tonight - 1}
		harness.Record(t, f.Live, act)
	}
	all.Wait()
	if result := f.night(t, tonight); result.UnsealedDays != 0 || result.Proof.Mended != 0 {
		t.Errorf("%+v", result)
	}
}
