package pages_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/redis/go-redis/v9"

	"laurel/internal/harness"
	"laurel/internal/testserver"
	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/live"
	"laurel/shared/pages"
	"laurel/shared/redisstore"
)

// odd is an id that is nowhere by chance, and hard on keys.
const odd = `}:ödd"{1}100%:🙂ليلى`

// populate has a user do everything there is, and followed by many.
func populate(t *testing.T, client redis.UniversalClient, store *live.Store) {
	t.Helper()
	noon := harness.At(t, "2026-11-20T12:00")
	acts := []activity.Activity{
		{User: odd, Action: "visit", Target: "p", At: noon},
		{User: odd, Action: "like", Target: "a", At: noon},
		{User: odd, Action: "publish", Target: "a", At: noon - 40*86_400_000},
		{User: odd, Action: "steps", Value: new(int64(900)), At: noon},
		{User: odd, Action: "unlike", Target: "b", At: noon},
	}
	for i := range 30 {
		acts = append(acts, activity.Activity{User: odd, Action: "follow", Target: fmt.Sprint("u", i), At: noon})
	}
	for i := range 700 {
		u := fmt.Sprint("u", i)
		acts = append(acts, activity.Activity{User: u, Action: "follow", Target: []string{odd, "zoe"}[i%2], At: noon})
		if i%10 == 0 {
			acts = append(acts, activity.Activity{User: u, Action: "follow", Target: "yan", At: noon})
		}
	}
	harness.Record(t, store, acts...)
	home := store.ShardOf(odd)
	client.HSet(t.Context(), fmt.Sprintf("laurel:{%d}:profiles", home), odd, "1 {}")
	harness.Hide(t, store, odd, true)
	harness.Hide(t, store, odd, false)
}

// Nothing of an erased user is left, nothing of the others changes but that they
// follow one fewer, and what is reported later starts from nothing.
func TestErasedUserIsGone(t *testing.T) {
	t.Parallel()
	for _, shards := range []int{1, 4} {
		client := testserver.Redis(t)
		store, noon := live.New(client, harness.UTC(), shards), harness.At(t, "2026-11-20T12:00")
		month, day := harness.Period(t, "2026-11"), harness.Period(t, "2026-11-20")
		populate(t, client, store)
		score := harness.ScoreOf(t, store, "activity", month, "u0")
		harness.Hide(t, store, odd, true)
		got, err := store.EraseUser(t.Context(), odd)
		if err != nil {
			t.Fatal(err)
		}
		want := pages.Removed{Pages: 5, Months: 2, Followed: 30, Lists: 350, Suppressed: 1, Profiles: 1}
		if diff := cmp.Diff(pages.ErasureStep{Removed: want}, got); diff != "" {
			t.Errorf("%d shards: removed (-want +got):\n%s", shards, diff)
		}
		if found := testserver.Grep(t, client, odd); len(found) > 0 {
			t.Errorf("%d shards: still in %q", shards, found)
		}
		if n := harness.ScoreOf(t, store, "activity", month, "u0"); n != score || n == 0 {
			t.Errorf("%d shards: a follower has %d points, had %d", shards, n, score)
		}
		if f := harness.Following(t, store, "u0", 0, 10); f.Total != 1 || f.Users[0] != "yan" {
			t.Errorf("%d shards: a follower's list: %+v", shards, f)
		}
		again, err := store.EraseUser(t.Context(), odd)
		if err != nil || again.Removed != (pages.Removed{}) {
			t.Errorf("%d shards: once more: %+v, %v", shards, again, err)
		}
		harness.Record(t, store, activity.Activity{User: odd, Action: "like", Target: "a", At: noon},
			activity.Activity{User: "u0", Action: "follow", Target: odd, At: noon})
		if n := harness.ScoreOf(t, store, "activity", day, odd); n != 2 {
			t.Errorf("%d shards: begins with %d points", shards, n)
		}
		if f := harness.Following(t, store, "u0", 0, 10); f.Total != 2 {
			t.Errorf("%d shards: followed again: %+v", shards, f)
		}
	}
}

// A user who is shown is on boards, and is counted there.
func TestErasureCountsBoards(t *testing.T) {
	t.Parallel()
	client := testserver.Redis(t)
	store := live.New(client, harness.UTC(), 1)
	populate(t, client, store)
	got, err := store.EraseUser(t.Context(), odd)
	if err != nil || got.Removed.Boards != 6 || got.Removed.Suppressed != 0 {
		t.Errorf("%+v, %v", got, err) // two days and months of activity, a day and a month of steps
	}
}

// Cut off at any round trip, before or after it, an erasure that goes on where it
// was, or is begun again, leaves nothing.
func TestErasureIsCutOffAnywhere(t *testing.T) {
	t.Parallel()
	client := testserver.Redis(t)
	noon := harness.At(t, "2026-11-20T12:00")
	for n := 0; ; n++ {
		store := live.New(client, harness.UTC(), 2)
		var acts []activity.Activity
		for i := range 6 {
			acts = append(acts,
				activity.Activity{User: odd, Action: "visit", Target: fmt.Sprint(i), At: noon},
				activity.Activity{User: fmt.Sprint("u", i), Action: "follow", Target: odd, At: noon})
		}
		harness.Record(t, store, acts...)
		options := *client.Options()
		failing := redis.NewClient(&options)
		failing.AddHook(&harness.Crash{At: n/2 + 1, How: []string{harness.Before, harness.After}[n%2]})
		step, err := live.New(failing, harness.UTC(), 2).EraseUser(t.Context(), odd)
		_ = failing.Close()
		if err == nil {
			if n < 8 {
				t.Errorf("done after %d round trips", n/2)
			}
			return
		}
		if !errors.Is(err, redisstore.ErrUnavailable) {
			t.Fatalf("cut off at %d: %v", n, err)
		}
		for next := step.Next; ; {
			on, err := store.EraseStep(t.Context(), odd, next)
			if err != nil {
				t.Fatal(err)
			}
			if next = on.Next; next == "" {
				break
			}
		}
		if found := testserver.Grep(t, client, odd); len(found) > 0 {
			t.Fatalf("cut off at %d: still in %q", n, found)
		}
	}
}

// A closed period is left alone, and told of.
func TestErasureTellsOfClosedPeriods(t *testing.T) {
	t.Parallel()
	store, noon, day := live.New(testserver.Redis(t), harness.UTC(), 1), harness.At(t, "2026-11-20T12:00"),
		harness.Period(t, "2026-11-20")
	harness.Record(t, store, harness.Did(t, "ada like 1", noon), harness.Did(t, "bob like 1", noon))
	harness.ClosePeriod(t, store, "activity", day)
	harness.ClosePeriod(t, store, "activity", day.Next())
	got, err := store.EraseUser(t.Context(), "ada")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]redisstore.LivePeriod{{Board: "activity", Period: day}}, got.Waiting,
		cmp.Comparer(func(a, b board.Period) bool { return a == b })); diff != "" {
		t.Errorf("waiting for (-want +got):\n%s", diff)
	}
	if n := harness.ScoreOf(t, store, "activity", day, "ada"); n != 2 {
		t.Errorf("%d points on the closed day", n)
	}
	if _, err := store.EraseStep(t.Context(), "ada", "lists 9 9"); !errors.Is(err, redisstore.ErrStored) {
		t.Errorf("a step that is none: %v", err)
	}
}

// before does something once, before the first pipeline that has a command.
type before struct {
	command string
	once    sync.Once
	do      func()
}

func (*before) DialHook(next redis.DialHook) redis.DialHook { return next }

func (*before) ProcessHook(next redis.ProcessHook) redis.ProcessHook { return next }

func (b *before) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return func(ctx context.Context, cmds []redis.Cmder) error {
		if slices.ContainsFunc(cmds, func(c redis.Cmder) bool { return c.Name() == b.command }) {
			b.once.Do(b.do)
		}
		return next(ctx, cmds)
	}
}

// A follower who is erased between being found and being read does not come back as an
// empty key.
func TestErasureRestoresNoErasedFollower(t *testing.T) {
	t.Parallel()
	client := testserver.Redis(t)
	store, noon := live.New(client, harness.UTC(), 1), harness.At(t, "2026-11-20T12:00")
	harness.Record(t, store, harness.Did(t, "ada like 1", noon), harness.Did(t, "zoltan follow ada", noon))
	erased := false
	options := *client.Options()
	watched := redis.NewClient(&options)
	t.Cleanup(func() { _ = watched.Close() })
	watched.AddHook(&before{command: "zrange", do: func() { // with which a follow list is read
		_, err := store.EraseUser(t.Context(), "zoltan")
		erased = err == nil
	}})
	if _, err := live.New(watched, harness.UTC(), 1).EraseUser(t.Context(), "ada"); err != nil || !erased {
		t.Fatalf("%v, the follower is erased: %t", err, erased)
	}
	for _, user := range []string{"ada", "zoltan"} {
		if found := testserver.Grep(t, client, user); len(found) > 0 {
			t.Errorf("%s is still in %q", user, found)
		}
	}
}
