package boards_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"laurel/internal/harness"
	"laurel/internal/testserver"
	"laurel/shared/board"
	"laurel/shared/live"
)

// The copies of profiles come along, of those who are shown.
func TestFriendsComeWithProfiles(t *testing.T) {
	t.Parallel()
	for _, shards := range []int{1, 4} {
		client := testserver.Redis(t)
		store, noon := live.New(client, harness.UTC(), shards), harness.At(t, "2026-11-20T12:00")
		names := map[string]string{}
		for _, user := range []string{"ada", "bob", "cy", "dan", "stranger"} {
			names[user] = `1 {"name":"` + user + `"}`
			client.HSet(t.Context(), fmt.Sprintf("laurel:{%d}:profiles", store.ShardOf(user)), user, names[user])
		}
		harness.Record(t, store, harness.Did(t, "bob like 1", noon), harness.Did(t, "ada visit 1", noon),
			harness.Did(t, "eve publish 1", noon))
		harness.ReplaceFollowing(t, store, "ada", []string{"bob", "cy", "dan", "eve"}, noon)
		v := board.View{Board: "activity", Period: harness.Period(t, "2026-11-20"), User: "ada", Limit: 4}
		page := harness.FriendsOf(t, store, v)
		want := map[string]string{"ada": names["ada"], "bob": names["bob"], "cy": names["cy"]}
		if diff := cmp.Diff(want, page.Profiles); diff != "" {
			t.Errorf("%d shards: profiles (-want +got):\n%s", shards, diff)
		}
		if page.Total != 5 {
			t.Errorf("%d shards: total %d", shards, page.Total)
		}
		want = map[string]string{"bob": names["bob"], "dan": names["dan"], "cy": names["cy"]}
		if diff := cmp.Diff(want, harness.Following(t, store, "ada", 0, 10).Profiles); diff != "" {
			t.Errorf("%d shards: profiles of the list (-want +got):\n%s", shards, diff)
		}
	}
}

// Those without points fill the friends board up past any number of hidden ones.
func TestFriendsWithoutPointsPastTheHiddenOnes(t *testing.T) {
	t.Parallel()
	client := testserver.Redis(t)
	store := live.New(client, harness.UTC(), 1)
	ids := harness.Numbered(1_000, 1_400)
	harness.ReplaceFollowing(t, store, "ada", ids, harness.At(t, "2026-11-20T12:00"))
	for _, id := range ids[:230] {
		client.SAdd(t.Context(), "laurel:{0}:suppressed", id)
	}
	page := harness.FriendsOf(t, store,
		board.View{Board: "activity", Period: harness.Period(t, "2026-11-20"), User: "ada", Limit: 100})
	if page.Total != 171 || len(page.Friends) != 100 || page.Friends[1].User != ids[230] ||
		page.Friends[99].User != ids[328] {
		t.Errorf("total %d, %d shown: %+v", page.Total, len(page.Friends), page.Friends)
	}
}
