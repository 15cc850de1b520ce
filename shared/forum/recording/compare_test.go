package recording_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"laurel/internal/harness"
	"laurel/shared/core/activity"
	"laurel/shared/core/board"
	"laurel/shared/core/ledger"
	"laurel/shared/forum/catchup"
	"laurel/shared/forum/recording"
	"laurel/shared/store/items"
	"laurel/shared/store/table"
	"laurel/shared/store/view"
)

// Promise 2: the points of receipts add up to the month scores, even if batches write two months of the same users at
// once, in one process and in several.
func TestPointsOfReceiptsAddUp(t *testing.T) {
	t.Parallel()
	first := board.MomentOf(time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC))
	w := newWalked(t, harness.UTC(), first+3_600_000, 1)
	var points atomic.Int64
	var all sync.WaitGroup
	for n := range 8 {
		p, rng := w.process, rand.New(rand.NewPCG(uint64(n), 9))
		if n%3 > 0 {
			p = w.start()
		}
		all.Go(func() {
			for range 25 {
				var acts []activity.Activity
				for range 10 {
					moment := first + board.Moment(rng.IntN(7_200_000)-3_600_000)
					action := []string{"like", "unlike", "bookmark", "unbookmark"}[rng.IntN(4)]
					acts = append(acts, did(fmt.Sprint("u", rng.IntN(5)), action, fmt.Sprint(rng.IntN(4)), moment))
				}
				results, err := p.Recorder.Record(t.Context(), acts, recording.Arrival{Now: first + 3_600_000})
				if err != nil {
					t.Error(err)
				}
				for _, r := range results {
					if points.Add(r.Points); r.Err != nil {
						t.Error(r.Err)
					}
				}
			}
		})
	}
	all.Wait()
	w.compare(catchup.Request{})
	w.same("after all")
	sum := int64(0)
	for name, users := range w.shown() {
		for _, packed := range users {
			if strings.HasPrefix(name, "activity month") {
				sum += packed.Score()
			}
		}
	}
	if sum != points.Load() {
		t.Errorf("receipts add up to %d, month scores to %d", points.Load(), sum)
	}
}

// An audit beside writers finds nothing, and comparisons leave correct boards unchanged.
func TestComparingBesideWriters(t *testing.T) {
	t.Parallel()
	w := newDefault(t, 2)
	var writers sync.WaitGroup
	for n := range 4 {
		p, rng := w.start(), rand.New(rand.NewPCG(uint64(n), 5))
		writers.Go(func() {
			for range 60 {
				var acts []activity.Activity
				for range 10 {
					action := []string{"like", "unlike", "visit"}[rng.IntN(3)]
					user, target := fmt.Sprint("u", rng.IntN(200)), fmt.Sprint(rng.IntN(9))
					acts = append(acts, did(user, action, target, noon-board.Moment(rng.IntN(9))))
				}
				if _, err := p.Recorder.Record(t.Context(), acts, recording.Arrival{Now: noon}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	done := make(chan struct{})
	go func() { writers.Wait(); close(done) }()
	for beside := true; beside; {
		select {
		case <-done:
			beside = false
		default:
		}
		if found := w.compare(catchup.Request{Audit: true}); found.Differ != 0 {
			t.Errorf("%+v", found)
		}
		w.compare(catchup.Request{Scores: true})
	}
	w.same("at the end")
}

// One comparison runs at a time.
func TestAComparisonIsClaimed(t *testing.T) {
	t.Parallel()
	w := newDefault(t, 1)
	p := w.start()
	p.calls.DieAt(8, harness.DiesAfter) // it dies with its claim
	if _, err := p.Catchup.Run(t.Context(), catchup.Request{}); err == nil {
		t.Fatal("it lives")
	}
	done, err := w.Catchup.Run(t.Context(), catchup.Request{})
	if err != nil || !done.Busy || !done.Left {
		t.Errorf("beside another: %+v, %v", done, err)
	}
	if done, err = w.Catchup.Run(t.Context(), catchup.Request{Audit: true}); err != nil || done.Busy {
		t.Errorf("an audit: %+v, %v", done, err)
	}
}

// Comparing some people at a time finds the reports that a dead process had not shown, without a read of earlier
// months: an undo of an act in one is in the ledger of its own month, too.
func TestSomeAreCompared(t *testing.T) {
	t.Parallel()
	first := board.MomentOf(time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC))
	w := newWalked(t, harness.UTC(), first-1000, 1)
	w.report(did("zoe", "like", "a", first-2000))
	w.forum.Now = (first + 72*3_600_000).Time()
	p := w.knowing()
	p.calls.Before = func(c harness.Call) harness.Fate {
		if c.Trip {
			return harness.DiesBefore
		}
		return harness.Lives
	}
	now := board.MomentOf(w.forum.Now)
	acts := []activity.Activity{did("zoe", "unlike", "a", now)}
	for n := range 200 {
		acts = append(acts, did(fmt.Sprint("u", n), "like", "b", now))
	}
	w.reporting(p, acts...)
	var calls, met int64
	for left := true; left; calls++ {
		done, err := w.Catchup.Run(t.Context(), catchup.Request{Some: 50})
		if err != nil || done.Busy || done.Left && done.Met < 50 || done.Met > 100 {
			t.Fatalf("%+v, %v", done, err)
		}
		left, met = done.Left, met+done.Met
	}
	if calls < 3 || met != 201 {
		t.Errorf("%d people met in %d calls", met, calls)
	}
	w.same("after some by some")
	reads := func(o catchup.Request) int64 {
		before := w.calls.Reads.Load()
		w.compare(o)
		return w.calls.Reads.Load() - before
	}
	some, all := reads(catchup.Request{Some: 1_000}), reads(catchup.Request{})
	if scores := reads(catchup.Request{Scores: true}); some > all-items.Buckets || scores != all {
		t.Errorf("%d reads without October, %d with it, %d of scores", some, all, scores)
	}
}

// Comparing some people leaves a view alone that needs more, and a comparison of all does not continue where they
// stopped.
func TestSomeLeaveTheRest(t *testing.T) {
	t.Parallel()
	w := newDefault(t, 1)
	for n := range 20 { // three may all be of the last step
		w.report(did(fmt.Sprint("u", n), "publish", "a", noon))
	}
	some := catchup.Request{Some: 1}
	done, err := w.Catchup.Run(t.Context(), some)
	if err != nil || !done.Left || done.Met == 0 {
		t.Fatalf("some: %+v, %v", done, err)
	}
	if done, err := w.Catchup.Run(t.Context(), catchup.Request{}); err != nil || done.Left || done.Met != 20 {
		t.Errorf("all: %+v, %v", done, err)
	}
	w.Projector.Behind(t.Context(), "a test")
	done, err = w.Catchup.Run(t.Context(), some)
	if err != nil || !done.Left || done.Met != 0 || w.headNow().Behind == nil {
		t.Errorf("of a view that is behind: %+v, %v", done, err)
	}
	w.compare(catchup.Request{})
	w.redis.Del(t.Context(), "laurel:{0}:marker")
	if done, err := w.Catchup.Run(t.Context(), some); err != nil || !done.Left || done.Filled != 0 {
		t.Errorf("of one without a marker: %+v, %v", done, err)
	}
}

// A late table answers reads of partitions that may miss the last writes as it did the first time.
type late struct {
	items.Table
	mu    sync.Mutex
	first map[string][]table.Item
}

func (l *late) AscendEventually(
	ctx context.Context, partition, after, last string, limit int,
) (rows []table.Item, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	rows, known := l.first[partition]
	if !known {
		rows, err = l.Table.AscendEventually(ctx, partition, after, last, limit)
		l.first[partition] = rows
	}
	return rows, err
}

// Comparing some people reads them for half of the units. A report that such a read misses is no sign of an earlier
// table, and nobody is counted twice; a table that was restored is found by it.
func TestSomeAreReadForHalf(t *testing.T) {
	t.Parallel()
	w := newDefault(t, 1)
	w.report(did("ann", "like", "a", noon), did("bob", "like", "a", noon))
	w.calls.Table = &late{Table: w.calls.Table, first: map[string][]table.Item{}}
	some := func(when string, met, restored, again int64) {
		t.Helper()
		w.calls.Reset()
		done, err := w.Catchup.Run(t.Context(), catchup.Request{Some: 1_000})
		if err != nil || done.Met != met || done.People != met || done.Restored != restored || done.Shown != 0 {
			t.Errorf("%s: %+v, %v", when, done, err)
		}
		halves, buckets := w.calls.Halves.Load(), int64(items.Buckets)
		if whole := w.calls.Reads.Load() - halves; halves != 2*buckets || whole > buckets/4+4+again {
			t.Errorf("%s: %d reads for half, %d others", when, halves, whole)
		}
	}
	some("as ever", 2, 0, 0)
	w.report(did("ann", "like", "b", noon+1), did("cid", "like", "b", noon+1))
	some("after later reports", 3, 0, 4)
	w.same("of a late copy")
	w.lose("ann")
	some("of a restored table", 2, 1, 5)
}

// A person whose items cannot be read is counted once, and not among people, where a bucket is compared again.
func TestDamagedAreCountedOnce(t *testing.T) {
	t.Parallel()
	w := newDefault(t, 1)
	head, beside := w.headNow(), "" // in ann's bucket
	for n := 0; beside == ""; n++ {
		if user := fmt.Sprint("u", n); head.KeyOf(user).Bucket() == head.KeyOf("ann").Bucket() {
			beside = user
		}
	}
	w.report(did("ann", "like", "a", noon), did(beside, "like", "a", noon))
	w.lose("ann")
	w.forum.Damage(beside)
	done, err := w.Catchup.Run(t.Context(), catchup.Request{Some: 1_000})
	if err != nil || done.People != 0 || done.Met != 0 || done.Damaged != 1 || done.Restored != 1 {
		t.Errorf("%+v, %v", done, err)
	}
}

// Boards of other rules answer, and are shown by the new ones.
func TestOtherRulesAreShown(t *testing.T) {
	t.Parallel()
	w := newDefault(t, 1)
	w.report(did("ann", "publish", "a", noon))
	rules, err := activity.ParseRules([]byte(`{"boards":{"activity":{"windows":["day","year"]}},
		"versions":[{"actions":{"publish":{"board":"activity","points":7,"entry":"month","by":["service"]}}}]}`))
	harness.OK(t, err)
	was := harness.Must(w.view.Markers(t.Context()))(t)
	w.ledger = ledger.New(rules, w.ledger.Calendar())
	w.forum.Setup.Ledger = w.ledger
	w.process = w.start()
	if _, err := w.view.Boards(t.Context()); err != nil {
		t.Errorf("before: %v", err)
	}
	w.compare(catchup.Request{Scores: true})
	w.same("after comparing")
	marks, err := w.view.Markers(t.Context())
	if err != nil || marks[0].Rules == was[0].Rules {
		t.Errorf("%+v, %v", marks, err)
	}
	old := did("ann", "publish", "old", noon.Add(-30*24*time.Hour))
	statuses(t, w.Recorder.Import(t.Context(), []activity.Activity{old}, noon))
	year := ledger.Score{Window: board.Year, Score: 3 * 7}
	if got := w.report(did("ann", "publish", "b", noon))[0].Scores; len(got) != 2 || got[1] != year {
		t.Errorf("with another month's: %+v", got)
	}
	if shown := w.shown()["activity year 2026"]["ann"].Score(); shown != year.Score {
		t.Errorf("%d points are shown", shown)
	}
}

// A process that keeps a head from before the first ledger of an earlier month tells and shows scores over both months.
func TestALateHeadKnowsTheFirstMonth(t *testing.T) {
	t.Parallel()
	for window, shown := range map[board.Window]string{
		board.All: "activity all all", board.Last30: "activity 30d 2026-12-01", //nolint:dupword // window, period
	} {
		t.Run(window.String(), func(t *testing.T) {
			t.Parallel()
			firstMonth(t, window, shown)
		})
	}
}

func firstMonth(t *testing.T, window board.Window, shown string) {
	t.Helper()
	rules := harness.Must(activity.ParseRules(fmt.Appendf(nil, `{"boards":{"activity":{"windows":["day","%s"]}},
		"versions":[{"actions":{"publish":{"board":"activity","points":7,"entry":"month","by":["service"]}}}]}`, window)))(t)
	first := board.MomentOf(time.Date(2026, 12, 1, 9, 0, 0, 0, time.UTC))
	w := newWalked(t, ledger.New(rules, harness.UTC().Calendar()), first, 1)
	w.report(did("bob", "publish", "a", first))
	p := w.knowing()
	p.all.KeepHead(time.Now)
	w.must(p.all.Head(t.Context()))
	heads := &headReads{Table: p.calls.Table}
	p.calls.Table = heads
	w.report(did("ann", "publish", "a", first.Add(-24*time.Hour)))
	all := ledger.Score{Window: window, Score: 2 * 7}
	if got := w.reporting(p, did("ann", "publish", "b", first))[0].Scores; len(got) != 2 || got[1] != all {
		t.Errorf("%+v", got)
	}
	if score := w.shown()[shown]["ann"].Score(); score != all.Score || heads.n == 0 {
		t.Errorf("%d points are shown, after %d reads of the head", score, heads.n)
	}
	heads.n = 0 // by the head that is known now no earlier month can have days of 30
	w.reporting(p, did("ann", "publish", "c", first))
	if window.Rolls() != (heads.n == 0) {
		t.Errorf("the head is read %d times", heads.n)
	}
}

// headReads counts reads of the head.
type headReads struct {
	items.Table
	n int
}

func (h *headReads) Get(ctx context.Context, keys ...table.Key) ([]table.Item, error) {
	if slices.ContainsFunc(keys, func(k table.Key) bool { return k.Sort == "head" }) {
		h.n++
	}
	return h.Table.Get(ctx, keys...)
}

// Slots of more shards, or of another table, are strange: refused, and filled.
func TestStrangeSlotsAreFilled(t *testing.T) {
	t.Parallel()
	w := newDefault(t, 3)
	w.report(did("ann", "publish", "a", noon), did("bob", "publish", "a", noon), did("cyd", "publish", "b", noon))
	_, err := w.all.ChangeHead(t.Context(), func(h *items.Head) error { h.Beat = 7; return nil })
	harness.OK(t, err)
	w.forum.Setup.Shards = 2
	w.process = w.start()
	if _, err := w.view.Boards(t.Context()); !errors.Is(err, view.ErrFilling) {
		t.Errorf("another number of shards: %v", err)
	}
	if done := w.compare(catchup.Request{}); done.Filled != 3 {
		t.Errorf("%+v", done)
	}
	w.same("of other shards")
	if keys := w.redis.Keys(t.Context(), "laurel:{2}:board*").Val(); len(keys) > 0 {
		t.Errorf("left: %v", keys)
	}
	_, err = w.all.ChangeHead(t.Context(), func(h *items.Head) error { h.Table, h.Beat = "another", 0; return nil })
	harness.OK(t, err)
	if done := w.compare(catchup.Request{}); done.Rounds != 1 {
		t.Errorf("another table: %+v", done)
	}
	w.same("of another table")
}

// Entries without a ledger leave a board, and lost entries come back.
func TestScoresAreCompared(t *testing.T) {
	t.Parallel()
	w := newDefault(t, 1)
	w.report(did("ann", "publish", "a", noon), did("bob", "publish", "a", noon), did("cyd", "publish", "b", noon))
	w.change("zoe", func(p *items.Person) { p.Profile.Name = "Zoe" }) // on no board, so the view has no name of hers
	harness.OK(t, w.Projector.ShowUser(t.Context(), "zoe"))
	day := "laurel:{0}:board:activity:day:2026-11-20"
	w.redis.ZAdd(t.Context(), day, redis.Z{Score: -5, Member: "ghost"}, redis.Z{Score: -7, Member: "ann"})
	w.redis.ZRem(t.Context(), day, "bob")
	w.redis.HSet(t.Context(), "laurel:{0}:names", "cyd", "\x05Other")
	w.redis.HSet(t.Context(), "laurel:{0}:marker", "board:activity:day:2026-11-19", "")
	w.redis.ZAdd(t.Context(), "laurel:{0}:board:activity:day:2026-11-19", redis.Z{Score: -5, Member: "ann"})
	found := w.compare(catchup.Request{Audit: true})
	if found.Differ != 5 || len(found.Findings) != 5 || found.Rounds != 1 {
		t.Errorf("audit: %+v", found)
	}
	if done := w.compare(catchup.Request{}); done.Shown != 0 {
		t.Errorf("revisions say nothing of it: %+v", done)
	}
	w.redis.Del(t.Context(), "laurel:{articles}:marker") // a slot that is filled keeps no other from being compared
	if done := w.compare(catchup.Request{Scores: true}); done.Differ != 5 || done.Filled != 1 {
		t.Errorf("%+v", done)
	}
	w.same("after comparing scores")
	w.change("bob", hide)
	harness.OK(t, w.Projector.ShowUser(t.Context(), "bob"))
	w.change("bob", func(p *items.Person) { p.Status.Hidden = false })
	w.compare(catchup.Request{})
	w.same("after bob came back")
	for n := range 1_100 {
		w.redis.ZAdd(t.Context(), day, redis.Z{Score: -5, Member: fmt.Sprint("ghost", n)})
	}
	if found = w.compare(catchup.Request{Audit: true}); found.Differ != 1_100 || len(found.Findings) != 1_000 {
		t.Errorf("very many: %d differ, %d are reported", found.Differ, len(found.Findings))
	}
	w.redis.Del(t.Context(), "laurel:{0}:marker") // boards that are filled are not read
	w.compare(catchup.Request{Scores: true})
	w.same("after filling")
}

// A rollback brings an erased id back, whose key alone the table knows.
func TestAnErasedIDThatComesBackLeaves(t *testing.T) {
	t.Parallel()
	w := newDefault(t, 2)
	w.report(did("ann", "publish", "a", noon-10), did("bob", "publish", "a", noon-10))
	back, key := keep(t, w.redis), w.headNow().KeyOf("ann")
	ledgerKey := items.LedgerKey{Person: key, Month: w.ledger.Calendar().Date(noon).Month()}
	found, err := w.all.Read(t.Context(), items.Query{Ledgers: []items.LedgerKey{ledgerKey}})
	harness.OK(t, err)
	for _, written := range w.all.Write(t.Context(),
		items.Change{Person: &items.PersonChange{Key: key, Value: &items.Person{Erased: noon - 5}}},
		items.Change{Was: found.Ledgers[ledgerKey].Revision, Ledger: &items.LedgerChange{
			Key: ledgerKey, Value: &ledger.MonthLedger{After: noon - 5},
		}},
	) {
		err = errors.Join(err, written.Err)
	}
	if err = errors.Join(err, w.Projector.ShowUser(t.Context(), "ann")); err != nil {
		t.Fatal(err)
	}
	back()
	if w.shown()["activity month 2026-11"]["ann"] == 0 {
		t.Fatal("it did not come back")
	}
	w.compare(catchup.Request{})
	if keys := harness.Grep(t, w.redis, "ann"); len(keys) > 0 {
		t.Errorf("in %v", keys)
	}
}
