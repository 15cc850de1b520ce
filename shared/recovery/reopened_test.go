package recovery_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"laurel/internal/harness"
	"laurel/internal/testserver"
	"laurel/shared/activity"
	"laurel/shared/archive"
	"laurel/shared/audit"
	"laurel/shared/board"
	"laurel/shared/journal"
	"laurel/shared/ledger"
	"laurel/shared/nightly"
	"laurel/shared/recovery"
	"laurel/shared/redisstore"
	"laurel/shared/state"
)

// An operated forum has three months with boards of all windows, most of it final.
type operated struct {
	*testing.T
	*harness.Forum
	was map[string][]board.Entry // boards before anything was final, by name
}

var operatedUsers = []string{"ada", "bob", "eve", "dan", "fay"}

func operate(t *testing.T) *operated {
	t.Helper()
	rules, err := activity.ParseRules(bytes.Replace(activity.Default().JSON(), []byte(`"month"]`),
		[]byte(`"week","month","year","all"]`), 1))
	if err != nil {
		t.Fatal(err)
	}
	f := &operated{T: t, was: map[string][]board.Entry{}}
	f.Forum = harness.NewForum(t, harness.Setup{
		Ledger: ledger.New(rules, board.NewCalendar(time.UTC)), Shards: 2,
		Now: harness.At(t, "2026-10-20T13:00").Time(),
	})
	if err := f.Kept.Stamps.Ready(t.Context()); err != nil {
		t.Fatal(err)
	}
	f.JournalMonths = 13
	for _, day := range []string{"2026-10-20", "2026-11-19", "2026-11-20", "2026-12-20"} {
		at := harness.At(t, day+"T12:00")
		f.Now = at.Time().Add(time.Hour)
		for i, user := range operatedUsers {
			f.did(at+board.Moment(i)*1_000, user+" like "+day, user+" visit 1", user+" visit 2",
				fmt.Sprint(user, " comment ", i))
			for n := range i {
				f.did(at+board.Moment(n)*1_000, fmt.Sprint(user, " visit more-", n))
			}
		}
		f.did(at+9_000, "ada unlike 2026-11-19")
		f.Night(1, func(o *nightly.Options) { o.HotDays, o.HotMonths = 400, 20 }) // seals, and closes nothing
	}
	for _, period := range []string{"2026-10", "2026-11", "2026-12", "2026-11-19", "2026-11-20", "2026-W47", "2026"} {
		f.was[period] = f.live(period)
	}
	return f
}

func (f *operated) did(at board.Moment, texts ...string) []ledger.Receipt {
	f.Helper()
	acts := make([]activity.Activity, len(texts))
	for i, text := range texts {
		acts[i] = harness.Did(f.T, text, at)
	}
	return harness.Record(f.T, f.Store, acts...)
}

func (f *operated) must(err error) {
	f.Helper()
	if err != nil {
		f.Fatal(err)
	}
}

// until moves the clock to a day and runs a night.
func (f *operated) until(day string) {
	f.Helper()
	f.Now = harness.At(f.T, day+"T03:00").Time()
	f.Night(0)
}

func (f *operated) parse(text string) board.Period {
	for _, w := range []board.Window{board.Day, board.Week, board.Month, board.Year, board.All} {
		if p, err := board.ParsePeriod(w, text); err == nil {
			return p
		}
	}
	f.Fatalf("period %s", text)
	return board.Period{}
}

// live returns a board in Redis, and final the archive's copy.
func (f *operated) live(period string) (entries []board.Entry) {
	f.Helper()
	for e, err := range f.Store.Entries(f.Context(), "activity", f.parse(period)) {
		f.must(err)
		entries = append(entries, e)
	}
	return entries
}

func (f *operated) final(period string) (entries []board.Entry) {
	f.Helper()
	for e, err := range f.Kept.Archive.Entries(f.Context(), "activity", f.parse(period)) {
		f.must(err)
		entries = append(entries, e)
	}
	return entries
}

func (f *operated) tryReopen(period string, apply bool) (recovery.Reopened, error) {
	return recovery.Reopen(f.Context(), f.Recovery(f.Now),
		recovery.Reopening{Board: "activity", Period: f.parse(period), Apply: apply})
}

func (f *operated) reopen(periods ...string) (told recovery.Reopened) {
	f.Helper()
	for _, period := range periods {
		var err error
		told, err = f.tryReopen(period, true)
		f.must(err)
	}
	return told
}

// pagesOf returns the pages of everybody, without their versions.
func (f *operated) pagesOf(name string) map[string]string {
	all := map[string]string{}
	for _, user := range operatedUsers {
		key := redisstore.PagesKey(f.Store.Redis().ShardOf(user), user)
		all[user] = f.Redis.HGet(f.Context(), key, name).Val()
	}
	return all
}

func scoreOf(entries []board.Entry, user string) int64 {
	for _, e := range entries {
		if e.User == user {
			return e.Packed.Score()
		}
	}
	return 0
}

// audited runs an audit, which has to find nothing, and writes what it would.
func (f *operated) audited(when string) {
	f.Helper()
	a := recovery.Audit{Options: f.Recovery(f.Now), Apply: true, Report: func(found audit.Finding) {
		f.Errorf("%s: %s", when, found)
	}}
	if _, err := a.Run(f.Context()); err != nil {
		f.Errorf("%s: %v", when, err)
	}
}

// same checks the final boards, and all time.
func (f *operated) same(when string) {
	f.Helper()
	for period, want := range f.was {
		if _, err := f.Kept.Archive.Manifest(f.Context(), "activity", f.parse(period)); errors.Is(err, archive.ErrNotFinal) {
			equal(f.T, period+" "+when, want, f.live(period))
			continue
		}
		equal(f.T, period+" "+when, want, f.final(period))
	}
	var all []board.Entry
	for e, err := range f.Store.Entries(f.Context(), "activity", board.PeriodOf(board.All, 0)) {
		f.must(err)
		all = append(all, e)
	}
	scores := map[string]int64{}
	for _, period := range []string{"2026-10", "2026-11", "2026-12"} {
		for _, e := range f.was[period] {
			scores[e.User] += e.Packed.Score()
		}
	}
	for _, e := range all {
		if e.Packed.Score() != scores[e.User] {
			f.Errorf("%s: %s has %d of all time, want %d", when, e.User, e.Packed.Score(), scores[e.User])
		}
	}
	if len(all) != len(operatedUsers) {
		f.Errorf("%s: %d are on the board of all time", when, len(all))
	}
}

// A reopened month has its entries again, from the seals: its pages are those from before
// it was final, more can be recorded on days that are reopened, and the longer windows
// follow.
func TestReopenedMonthHasItsEntriesAgain(t *testing.T) {
	t.Parallel()
	f := operate(t)
	month := f.pagesOf("2026-11")
	f.until("2027-02-10")
	equal(t, "pages of a final month", map[string]string{"ada": "", "bob": "", "eve": "", "dan": "", "fay": ""},
		f.pagesOf("2026-11"))
	if _, err := f.tryReopen("2026-11-20", true); !errors.Is(err, recovery.ErrMonthFinal) {
		t.Errorf("a day of a final month: %v", err)
	}
	told := f.reopen("2026-11")
	if told.Users != 5 || told.Differs+told.Added+told.Erased+told.Suppressed > 0 || told.Rows == 0 {
		t.Errorf("%+v", told)
	}
	equal(t, "pages of the reopened month", month, f.pagesOf("2026-11"))
	f.same("reopened")
	f.audited("reopened")
	if got := f.did(harness.At(t, "2026-11-20T18:00"), "ada like late")[0]; got.Status != ledger.TooLate {
		t.Errorf("a do of a final day: %+v", got)
	}
	f.reopen("2026-11-20", "2026-W47")
	got := f.did(harness.At(t, "2026-11-20T18:00"), "ada like late", "ada visit 1", "ada visit late")
	if got[0].Points != 2 || got[1].Status != ledger.Duplicate || got[2].Points != 1 {
		t.Errorf("on a reopened day: %+v", got)
	}
	f.audited("recorded")
	for _, period := range []string{"2026-11", "2026-11-20", "2026-W47"} {
		equal(t, "what is read of "+period, f.was[period], f.final(period))
	}
	f.Night(0)
	f.audited("final again")
	for period, more := range map[string]int64{"2026-11": 3, "2026-11-20": 3, "2026-W47": 3, "2026-11-19": 0} {
		if was, got := scoreOf(f.was[period], "ada"), scoreOf(f.final(period), "ada"); got != was+more {
			t.Errorf("ada has %d in %s, want %d", got, period, was+more)
		}
	}
	equal(t, "pages of the month that is final again", "", f.pagesOf("2026-11")["ada"])
	if n := f.ScoreOn("2026-11-20", "ada"); n != 0 {
		t.Errorf("Redis still has %d", n)
	}
}

// Restoring, then audit --repair and a night deleted a final board for good.
func TestReopenThenAuditThenNightKeepsTheBoard(t *testing.T) {
	t.Parallel()
	f := operate(t)
	f.until("2027-02-10")
	for _, period := range []string{"2026-11", "2026-11-19", "2026-11-20", "2026-W47", "2026-10"} {
		f.reopen(period)
		f.audited("reopened " + period)
		f.reopen(period) // twice
		f.audited("again " + period)
		f.same("reopened " + period)
	}
	f.Night(0)
	f.same("final again")
	f.audited("final again")
	f.until("2027-04-10") // December and the year, too
	f.same("later")
	f.reopen("2026", "2026-12", "2026-10")
	f.same("the year")
	f.audited("the year")
	f.Night(1)
	f.same("the year, final again")
}

// Hiding and showing somebody on a restored board dropped the user from it; excluding, too.
func TestHideAndShowOnAReopenedBoardKeepsTheUser(t *testing.T) {
	t.Parallel()
	f := operate(t)
	f.until("2027-01-10") // November is live, its days are final
	f.reopen("2026-11-20", "2026-10", "2026-10-20")
	harness.Hide(t, f.Store, "bob", true)
	harness.Exclude(t, f.Store, "eve", true)
	if n := len(f.live("2026-11-20")); n != 3 {
		t.Errorf("%d are on the board", n)
	}
	harness.Hide(t, f.Store, "bob", false)
	harness.Exclude(t, f.Store, "eve", false)
	equal(t, "shown", f.was["2026-11-20"], f.live("2026-11-20"))
	equal(t, "shown", f.was["2026-10"], f.live("2026-10"))
	f.Night(0)
	f.same("final again")
}

// Who is hidden when a month is final keeps the totals of the months after it when that is
// reopened and final again, also through a rebuild.
func TestTotalsThroughReopenAndClose(t *testing.T) {
	t.Parallel()
	f := operate(t)
	harness.Hide(t, f.Store, "bob", true)
	f.until("2027-02-10")
	f.reopen("2026-10")
	f.Night(0)
	f.must(f.Redis.FlushDB(t.Context()).Err())
	f.rebuild()
	harness.Hide(t, f.Store, "bob", false)
	for _, period := range []string{"2026-10", "2026-11", "2026-11-19", "2026-W47"} {
		without := slices.DeleteFunc(slices.Clone(f.was[period]), func(e board.Entry) bool { return e.User == "bob" })
		equal(t, period, without, f.final(period))
	}
	bob := scoreOf(f.was["2026-10"], "bob") + scoreOf(f.was["2026-11"], "bob") + scoreOf(f.was["2026-12"], "bob")
	if n := harness.ScoreOf(t, f.Store, "activity", board.PeriodOf(board.All, 0), "bob"); n != bob {
		t.Errorf("bob has %d of all time, want %d", n, bob)
	}
	// Reopened, the user is on the board: who was hidden then is told.
	if told := f.reopen("2026-11"); told.Added != 1 || told.Users != 5 || told.Copy != 4 {
		t.Errorf("%+v", told)
	}
	equal(t, "reopened", f.was["2026-11"], f.live("2026-11"))
}

func (f *operated) rebuild() {
	f.Helper()
	if needed, _, err := recovery.Needed(f.Context(), f.Recovery(f.Now)); err != nil || !needed {
		f.Fatalf("needed: %t, %v", needed, err)
	}
	_, err := recovery.Rebuild(f.Context(), f.Recovery(f.Now))
	f.must(err)
	f.must(f.Kept.Stamps.Fresh(f.Context()))
}

// A Redis that is emptied while a period is reopened has it open again, and the night
// replaces the copy; also when the night had closed it already.
func TestEmptiedWhileReopened(t *testing.T) {
	t.Parallel()
	for _, closed := range []bool{false, true} {
		f := operate(t)
		f.until("2027-02-10")
		f.reopen("2026-10", "2026-10-20")
		f.did(harness.At(t, "2026-10-20T18:00"), "ada like late")
		want := f.live("2026-10")
		if closed {
			f.must(f.Store.CloseMonth(t.Context(), f.parse("2026-10").First().Month(), "activity"))
		}
		f.must(f.Redis.FlushDB(t.Context()).Err())
		f.rebuild()
		equal(t, fmt.Sprint("rebuilt, closed: ", closed), want, f.live("2026-10"))
		equal(t, "the copy", f.was["2026-10"], f.final("2026-10"))
		f.Night(0)
		equal(t, "final again", want, f.final("2026-10"))
		equal(t, "another", f.was["2026-11"], f.final("2026-11"))
	}
}

// A failover that loses what was put into Redis leaves nothing out of the copy.
func TestFailoverWhileReopened(t *testing.T) {
	t.Parallel()
	f := operate(t)
	f.until("2027-02-10")
	f.reopen("2026-10")
	for _, user := range operatedUsers[:3] {
		shard := f.Store.Redis().ShardOf(user)
		f.Redis.HDel(t.Context(), redisstore.PagesKey(shard, user), "2026-10", "2026-10-20")
		f.Redis.ZRem(t.Context(), redisstore.BoardKey(shard, "activity", f.parse("2026-10")), user)
	}
	f.Night(0)
	f.same("after a failover")
}

// A board that a failover has put back, after its removal, is not what opens: who was on it
// may be erased.
func TestReopenBoardPutBackByAFailover(t *testing.T) {
	t.Parallel()
	f := operate(t)
	f.until("2027-02-10")
	for _, period := range []string{"2026-11", "2026-11-19", "2026-W47"} {
		p := f.parse(period)
		packed := f.was[period][0].Packed
		for shard := range 2 {
			key := redisstore.BoardKey(shard, "activity", p)
			f.must(f.Redis.ZAdd(t.Context(), key, redis.Z{Score: float64(packed), Member: "erased"}).Err())
		}
		f.reopen(period)
		f.same("reopened " + period)
		f.audited("reopened " + period)
	}
	f.Night(0)
	f.same("final again")
}

// What the seals do not reach is refused, and nothing changes; so is what is never final,
// or is not.
func TestReopenRefuses(t *testing.T) {
	t.Parallel()
	f := operate(t)
	f.until("2027-02-10")
	f.until("2028-01-10") // October's seals have expired
	before := f.State()
	if told, err := f.tryReopen("2026-10", true); !errors.Is(err, recovery.ErrSeals) || told.Applied {
		t.Errorf("without seals: %+v, %v", told, err)
	}
	if _, err := f.tryReopen("2025-10", true); !errors.Is(err, archive.ErrNotFinal) {
		t.Errorf("nobody was there: %v", err)
	}
	_, err := recovery.Reopen(t.Context(), f.Recovery(f.Now),
		recovery.Reopening{Board: "activity", Period: board.PeriodOf(board.All, 0), Apply: true})
	if !errors.Is(err, recovery.ErrNeverFinal) {
		t.Errorf("all time: %v", err)
	}
	equal(t, "Redis", before, f.State())
	f.same("refused")
}

// Reopening that is stopped at any call, with or without a night, an audit or a rebuild
// after that, loses nothing, and can be done again.
func TestReopenStoppedAnywhere(t *testing.T) {
	t.Parallel()
	f := operate(t)
	f.until("2027-01-10")
	f.reopen("2026-10")
	f.Night(0)
	crash := &harness.Crash{Store: f.Table}
	client := redis.NewClient(f.Redis.(*redis.Client).Options())
	t.Cleanup(func() { _ = client.Close() })
	client.AddHook(crash)
	o := f.Recovery(f.Now)
	o.Redis, o.State, o.Journal, o.Archive = client, state.New(crash, f.Clock), journal.New(crash), archive.New(crash)
	period := map[int]string{0: "2026-10", 1: "2026-11-20"}
	crash.Arm(0, "")
	for n := range 2 {
		what := recovery.Reopening{Board: "activity", Period: f.parse(period[n]), Apply: true}
		_, err := recovery.Reopen(t.Context(), o, what)
		f.must(err)
		f.Night(0)
	}
	calls := crash.Calls() / 2
	for n := range testserver.Rounds(16, 200) {
		at := calls - n%30 // most of them read the journal
		how := []string{harness.Before, harness.Half, harness.After}[n%3]
		crash.Arm(at, how)
		what := recovery.Reopening{Board: "activity", Period: f.parse(period[n%2]), Apply: true}
		_, err := recovery.Reopen(t.Context(), o, what)
		if err != nil && !errors.Is(err, harness.ErrCrash) {
			t.Fatalf("call %d %s: %v", at, how, err)
		}
		when := fmt.Sprintf("after a crash at call %d %s", at, how)
		f.same(when)
		switch n % 5 {
		case 0:
			options := f.Nightly(f.Now)
			if _, err := nightly.Run(t.Context(), options); err != nil && !errors.Is(err, redisstore.ErrReopening) {
				t.Fatalf("the night %s: %v", when, err)
			}
		case 1:
			f.audited(when)
		case 2:
			harness.Hide(t, f.Store, "bob", true)
			harness.Hide(t, f.Store, "bob", false)
		case 3:
			f.must(f.Redis.FlushDB(t.Context()).Err())
			f.rebuild()
		}
		f.same(when + " and more")
		f.reopen(period[n%2])
		equal(t, "reopened "+when, f.was[period[n%2]], f.live(period[n%2]))
		f.audited("reopened " + when)
		if n%4 > 0 {
			f.Night(0)
			f.same("final again " + when)
		}
	}
	if strings.Contains(fmt.Sprint(f.State()), "reopening") {
		t.Error("a mark is left")
	}
}

// late says whether an error is that of a context whose time is over, or of a connection that
// has its deadline.
func late(err error) bool {
	var timeout net.Error
	return errors.As(err, &timeout) && timeout.Timeout()
}

// Reopening beside writers, nights and other reopenings: those wait for each other, may be
// interrupted, and nothing that was accepted is lost.
func TestReopenBesideEverything(t *testing.T) {
	t.Parallel()
	f := operate(t)
	f.until("2027-01-10")
	var accepted atomic.Int64
	for round := range 4 {
		var all, writers sync.WaitGroup
		var ended atomic.Bool
		impatient, cancel := context.WithTimeout(t.Context(), 2*time.Second)
		for _, period := range []string{"2026-11-20", "2026-10", "2026-11-20"} {
			all.Go(func() {
				what := recovery.Reopening{Board: "activity", Period: f.parse(period), Apply: true}
				if _, err := f.Reopen(impatient, f.Now, what); err != nil && !late(err) {
					t.Errorf("reopen %s: %v", period, err)
				}
			})
		}
		all.Go(func() {
			if _, err := f.App.Night(impatient, f.Nightly(f.Now)); err != nil && !late(err) {
				t.Errorf("the night: %v", err)
			}
		})
		for writer := range 2 {
			writers.Go(func() {
				for n := 0; !ended.Load(); n++ {
					text := fmt.Sprintf("ada like %d-%d-%d", round, writer, n)
					if f.did(harness.At(t, "2026-11-20T18:00"), text)[0].Status == ledger.Counted {
						accepted.Add(1)
					}
					time.Sleep(time.Millisecond)
				}
			})
		}
		all.Wait()
		ended.Store(true)
		writers.Wait()
		cancel()
		f.Now = f.Now.Add(time.Minute)
		f.reopen("2026-11-20", "2026-10") // completes what failed
		want := scoreOf(f.was["2026-11-20"], "ada") + 2*min(accepted.Load(), 49)
		if got := scoreOf(f.live("2026-11-20"), "ada"); got != want {
			t.Errorf("round %d: ada has %d, want %d", round, got, want)
		}
		equal(t, "October", f.was["2026-10"], f.live("2026-10"))
		f.audited(fmt.Sprint("round ", round))
		f.Night(0)
		if got := scoreOf(f.final("2026-11-20"), "ada"); got != want {
			t.Errorf("round %d, final again: ada has %d, want %d", round, got, want)
		}
		equal(t, "October, final again", f.was["2026-10"], f.final("2026-10"))
	}
	if accepted.Load() == 0 {
		t.Error("nothing was accepted while a period was reopened")
	}
}

// Who is erased before, while or after a period is reopened is on no board of it, live or
// final.
func TestReopenAndErase(t *testing.T) {
	t.Parallel()
	f := operate(t)
	f.until("2027-02-10")
	erase := func(user string) {
		t.Helper()
		f.Now = f.Now.Add(time.Second)
		_, err := f.Kept.Eraser.Erase(t.Context(), user)
		f.must(err)
	}
	erase("ada")
	if told := f.reopen("2026-10"); told.Erased != 1 || told.Users != 4 {
		t.Errorf("%+v", told)
	}
	erase("bob")
	f.must(f.Store.BeginReopening(t.Context(), "activity", f.parse("2026-11"))) // as one that is interrupted
	erase("eve")
	f.reopen("2026-11")
	f.must(f.Store.CloseMonth(t.Context(), f.parse("2026-10").First().Month(), "activity")) // a night that is interrupted
	erase("dan")
	if is, err := f.Kept.Eraser.Erasure(t.Context(), "dan"); err != nil || is.State != archive.ErasureRunning {
		t.Errorf("an erasure before the copy is replaced: %+v, %v", is, err)
	}
	f.Night(0)
	for _, period := range []string{"2026-10", "2026-11"} {
		for _, user := range operatedUsers {
			if on := scoreOf(f.final(period), user) > 0; on != (user == "fay") {
				t.Errorf("%s is on %s: %t", user, period, on)
			}
		}
	}
	for key, value := range harness.Everything(t, f.Redis) {
		for _, user := range operatedUsers[:4] {
			if strings.Contains(key+fmt.Sprint(value), user) {
				t.Errorf("%s has %s", key, user)
			}
		}
	}
	for _, user := range operatedUsers[:4] {
		if is, err := f.Kept.Eraser.Erasure(t.Context(), user); err != nil || is.State != archive.ErasureDone {
			t.Errorf("the erasure of %s: %+v, %v", user, is, err)
		}
	}
}
