package pages_test

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/alicebob/miniredis/v2"
	"github.com/redis/go-redis/v9"

	"laurel/internal/harness"
	"laurel/internal/testserver"
	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/ledger"
	"laurel/shared/live"
)

// A whole list goes into Redis and comes back, a longer one is refused, and the
// index has those who have a list.
func TestFollowListOfFiveThousand(t *testing.T) {
	t.Parallel()
	client := testserver.Redis(t)
	store, noon := live.New(client, harness.UTC(), 1), harness.At(t, "2026-11-20T12:00")
	ids := harness.Numbered(0, ledger.MaxReplaced)
	harness.ReplaceFollowing(t, store, "ada", ids, noon)
	var got []string
	for offset := int64(0); offset < 5_100; offset += 100 {
		got = append(got, harness.Following(t, store, "ada", offset, 100).Users...)
	}
	if !slices.Equal(got, ids) {
		t.Errorf("%d of %d came back", len(got), len(ids))
	}
	if err := store.ReplaceFollowing(t.Context(), "ada", harness.Numbered(0, ledger.MaxReplaced+1), noon); !errors.Is(err,
		ledger.ErrTooMany) {
		t.Errorf("one more: %v", err)
	}
	if err := store.ReplaceFollowing(t.Context(), "ada", []string{"bob", "ada"}, noon); !errors.Is(err, ledger.ErrSelf) {
		t.Errorf("oneself: %v", err)
	}
	harness.Record(t, store, harness.Did(t, "ada unfollow user-7", noon), harness.Did(t, "bob unfollow user-7", noon),
		harness.Did(t, "bob follow bob", noon))
	if f := harness.Following(t, store, "ada", 0, 1); f.Total != 4_999 {
		t.Errorf("%d after one was unfollowed", f.Total)
	}
	who := client.SMembers(t.Context(), "laurel:{0}:lists").Val()
	if slices.Sort(who); !slices.Equal(who, []string{"ada", "bob"}) { // bob's is of whom bob unfollowed
		t.Errorf("the index has %q", who)
	}
	harness.ReplaceFollowing(t, store, "ada", nil, noon+1)
	if n := client.Exists(t.Context(), "laurel:{0}:friends:ada").Val(); n != 0 {
		t.Error("an empty list is there")
	}
}

// Lists that are replaced by many at once, among follows: the latest list is on it
// at the end, with what was followed later still, and the set is what the page says.
func TestListsReplacedAtOnce(t *testing.T) {
	t.Parallel()
	client := testserver.Redis(t)
	noon := harness.At(t, "2026-11-20T12:00")
	var wg sync.WaitGroup
	for w := range 8 {
		store := live.New(client, harness.UTC(), 1)
		wg.Go(func() {
			for i := range 6 {
				if err := store.ReplaceFollowing(t.Context(), "ada", harness.Numbered(10*w, 10*w+10), noon+
					board.Moment(8*i+w)); err != nil {
					t.Error(err)
				}
				a := activity.Activity{User: "ada", Action: "follow", Target: fmt.Sprint("extra-", w), At: noon + 100}
				if r := store.Record(t.Context(), []activity.Activity{a}, harness.History)[0]; r.Err != nil {
					t.Error(r.Err)
				}
			}
		})
	}
	wg.Wait()
	l, err := ledger.OpenFollows(client.HGet(t.Context(), "laurel:{0}:pages:ada", "follows").Val())
	if err != nil {
		t.Fatal(err)
	}
	on := client.ZRange(t.Context(), "laurel:{0}:friends:ada", 0, -1).Val()
	if l.Len() != len(on) || len(on) < 18 {
		t.Errorf("%d on the page, %d in the set", l.Len(), len(on))
	}
	for _, id := range on {
		if !l.Has(id) {
			t.Errorf("%s is not on the page", id)
		}
	}
}

// The dev server's Redis can run the scripts, too. That they are right is shown on
// real ones.
func TestEmbeddedRedisKnowsTheCommands(t *testing.T) {
	t.Parallel()
	client := redis.NewClient(&redis.Options{Addr: miniredis.RunT(t).Addr()})
	t.Cleanup(func() { _ = client.Close() })
	store, noon := live.New(client, harness.UTC(), 1), harness.At(t, "2026-11-20T12:00")
	harness.Record(t, store, harness.Did(t, "ada like 1", noon), harness.Did(t, "user-1 visit 1", noon),
		harness.Did(t, "ada follow user-1", noon), harness.Did(t, "user-2 visit 1", noon))
	harness.ReplaceFollowing(t, store, "ada", harness.Numbered(0, 5_000), noon)
	if err := store.SetHidden(t.Context(), "user-2", true); err != nil {
		t.Fatal(err)
	}
	v := board.View{Board: "activity", Period: harness.Period(t, "2026-11-20"), User: "ada", Limit: 3}
	page := harness.FriendsOf(t, store, v)
	if page.Total != 5_000 || page.Friends[0].User != "ada" || page.Friends[1].User != "user-1" ||
		page.Friends[2].Rank != 0 {
		t.Errorf("%+v", page)
	}
	if err := store.SetHidden(t.Context(), "ada", true); err != nil {
		t.Fatal(err)
	}
	if got := harness.FriendsOf(t, store, v); got.Friends[0].User != "ada" || got.Friends[1].BoardRank != 2 {
		t.Errorf("hidden: %+v", got)
	}
	if _, err := store.OwnStandings(t.Context(), "ada", []board.View{v}); err != nil {
		t.Error(err)
	}
	if step, err := store.EraseUser(t.Context(), "user-1"); err != nil || step.Removed.Lists != 1 {
		t.Errorf("%+v, %v", step, err)
	}
	if found := testserver.Grep(t, client, "user-1"); slices.Contains(found, "laurel:{0}:pages:user-1") {
		t.Errorf("still in %q", found)
	}
}
