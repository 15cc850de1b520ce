package pages_test

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/redis/go-redis/v9"

	"laurel/internal/harness"
	"laurel/internal/testserver"
	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/ledger"
	"laurel/shared/ledger/reference"
	"laurel/shared/live"
	"laurel/shared/pages"
)

// Promise 3: an undo takes the point from the day and the month that earned it,
// as far as they are live.
func TestPromise3UndoLandsWhereThePointWasEarned(t *testing.T) {
	t.Parallel()
	like, unlike := harness.At(t, "2026-10-31T10:00"), harness.At(t, "2026-11-01T10:00")
	for _, c := range []struct {
		name       string
		closed     map[string]string // period -> board, "" for the ledger's month
		status     ledger.Status
		points     int64
		day, month int64
		told       []ledger.Score
	}{
		{"all live", nil, ledger.Revoked, -2, 0, 0, []ledger.Score{{Window: board.Day}, {Window: board.Month}}},
		{
			"the day is final",
			map[string]string{"2026-10-31": "activity"},
			ledger.Revoked, -2, 2, 0,
			[]ledger.Score{{Window: board.Month}},
		},
		{
			"the month is final",
			map[string]string{"2026-10-31": "activity", "2026-10": "activity"},
			ledger.Revoked, -2, 2, 2,
			[]ledger.Score{},
		},
		{
			"the month's ledger is final",
			map[string]string{"2026-10-31": "activity", "2026-10": ""},
			ledger.NothingToRevoke, 0, 2, 2,
			[]ledger.Score{{Window: board.Day}, {Window: board.Month}},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			store := live.New(testserver.Redis(t), harness.UTC(), 2)
			harness.Record(t, store, harness.Did(t, "ada like 1", like))
			for p, name := range c.closed {
				harness.ClosePeriod(t, store, name, harness.Period(t, p))
			}
			got := harness.Record(t, store, harness.Did(t, "ada unlike 1", unlike))[0]
			want := ledger.Receipt{
				Status: c.status, Points: c.points, Board: "activity", Day: board.DateOf(2026, 10, 31),
				Scores: c.told,
			}
			if c.status != ledger.Revoked {
				want.Day = board.DateOf(2026, 11, 1)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("receipt (-want +got):\n%s", diff)
			}
			if n := harness.ScoreOf(t, store, "activity", harness.Period(t, "2026-10-31"), "ada"); n != c.day {
				t.Errorf("the day's score is %d, want %d", n, c.day)
			}
			if n := harness.ScoreOf(t, store, "activity", harness.Period(t, "2026-10"), "ada"); n != c.month {
				t.Errorf("the month's score is %d, want %d", n, c.month)
			}
			if n := harness.ScoreOf(t, store, "activity", harness.Period(t, "2026-11"), "ada"); n != 0 {
				t.Errorf("the next month's score is %d", n)
			}
		})
	}
}

// What was closed by mistake is opened again, in every shard, and for stores
// that knew it closed.
func TestReopenPeriod(t *testing.T) {
	t.Parallel()
	client := testserver.Redis(t)
	store, other := live.New(client, harness.UTC(), 2), live.New(client, harness.UTC(), 2)
	noon, day := harness.At(t, "2026-11-20T12:00"), harness.Period(t, "2026-11-20")
	users := []string{"ada", "bob", "eve", "dan"}
	for i, step := range []struct {
		change func() error
		want   ledger.Status
	}{
		{func() error { return store.ClosePeriod(t.Context(), "activity", day) }, ledger.TooLate},
		{func() error { return store.ReopenPeriod(t.Context(), "activity", day) }, ledger.Counted},
		{func() error { return store.ReopenPeriod(t.Context(), "activity", day) }, ledger.Counted},
		{func() error { return store.ClosePeriod(t.Context(), "", harness.Period(t, "2026-11")) }, ledger.TooLate},
		{func() error { return store.ReopenPeriod(t.Context(), "", harness.Period(t, "2026-11")) }, ledger.Counted},
	} {
		if err := step.change(); err != nil {
			t.Fatal(err)
		}
		for _, s := range []*live.Store{store, other} {
			for _, user := range users {
				text := fmt.Sprintf("%s like %d-%p", user, i, s)
				if got := harness.Record(t, s, harness.Did(t, text, noon))[0].Status; got != step.want {
					t.Errorf("step %d: %s is %s, want %s", i, text, got, step.want)
				}
			}
		}
	}
}

// closing is a period to close in the middle of the writing, and the board as it
// was when that was done.
type closing struct {
	board  string
	period board.Period
	final  []redis.Z
}

// recordWhileClosing records batches by 16 writers, closes the periods one after
// the other meanwhile, and returns the receipts in the batches' order.
func recordWhileClosing(t *testing.T, client *redis.Client, l *ledger.Ledger, batches [][]activity.Activity,
	closings []*closing,
) [][]pages.Result {
	t.Helper()
	answers := make([][]pages.Result, len(batches))
	todo, half := make(chan int), make(chan struct{})
	var wg sync.WaitGroup
	for range 16 {
		store := live.New(client, l, 1)
		wg.Go(func() {
			for i := range todo {
				answers[i] = store.Record(t.Context(), batches[i], harness.History)
			}
		})
	}
	wg.Go(func() {
		store := live.New(client, l, 1)
		<-half
		for _, c := range closings {
			if err := store.ClosePeriod(t.Context(), c.board, c.period); err != nil {
				t.Error(err)
			}
			c.final = wholeBoard(t, client, c)
		}
	})
	for i := range batches {
		if i == len(batches)/3 {
			close(half)
		}
		todo <- i
	}
	close(todo)
	wg.Wait()
	return answers
}

func wholeBoard(t *testing.T, client *redis.Client, c *closing) []redis.Z {
	t.Helper()
	key := fmt.Sprintf("laurel:{0}:board:%s:%s:%s", c.board, c.period.Window(), c.period)
	return client.ZRangeWithScores(t.Context(), key, 0, -1).Val()
}

// accepted enters what was not refused in a reference, and adds the receipts up.
func accepted(t *testing.T, ref *reference.Ledger, batches [][]activity.Activity,
	answers [][]pages.Result,
) (points map[string]int64, refused int) {
	t.Helper()
	points = map[string]int64{}
	for i, batch := range batches {
		for j, r := range answers[i] {
			switch {
			case r.Err != nil:
				t.Errorf("activity %+v: %v", batch[j], r.Err)
			case r.Status == ledger.TooLate:
				refused++
			default:
				ref.Add(batch[j])
			}
			points[batch[j].User] += r.Points
		}
	}
	return points, refused
}

// What races a closing is on the board as it was closed, or refused: where the
// targets of each day are its own, a final board is exactly what was accepted.
func TestClosingIsOneMoment(t *testing.T) {
	t.Parallel()
	client, l := testserver.Redis(t), harness.UTC()
	rng := rand.New(rand.NewPCG(3, 3))
	var acts []activity.Activity
	for range 6_000 {
		day := 17 + rng.IntN(4)
		text := fmt.Sprintf("user-%d %s day-%d-%d", rng.IntN(12),
			[]string{"visit", "like", "unlike", "comment", "publish", "bookmark"}[rng.IntN(6)], day, rng.IntN(8))
		acts = append(acts, harness.Did(t, text, harness.At(t, fmt.Sprintf("2026-11-%dT0%d:00", day, rng.IntN(10)))+
			board.Moment(rng.IntN(1_000))))
	}
	var batches [][]activity.Activity
	for len(acts) > 0 {
		n := min(1+rng.IntN(30), len(acts))
		batches, acts = append(batches, acts[:n]), acts[n:]
	}
	closings := []*closing{
		{board: "activity", period: harness.Period(t, "2026-11-17")},
		{board: "activity", period: harness.Period(t, "2026-11-18")},
		{board: "activity", period: harness.Period(t, "2026-11")},
	}
	answers := recordWhileClosing(t, client, l, batches, closings)
	ref := reference.New(l.Rules(), l.Calendar())
	points, refused := accepted(t, ref, batches, answers)
	if refused == 0 || refused > 5_500 {
		t.Errorf("%d of 6000 activities were refused: the closing was not in the middle", refused)
	}
	for _, c := range append(closings, &closing{board: "activity", period: harness.Period(t, "2026-11-19")}) {
		var want []redis.Z
		for _, e := range ref.Board("activity", c.period) {
			want = append(want, redis.Z{Member: e.User, Score: float64(e.Packed)})
		}
		if diff := cmp.Diff(want, wholeBoard(t, client, c)); diff != "" {
			t.Errorf("%s (-accepted +stored):\n%s", c.period, diff)
		}
	}
	for user, sum := range points {
		if want := ref.MonthPoints(user); sum != want {
			t.Errorf("receipts of %s add up to %d, the month scores to %d", user, sum, want)
		}
	}
}
