package boards_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"laurel/internal/harness"
	"laurel/internal/testserver"
	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/boards"
	"laurel/shared/live"
)

// Standings of many users take as many round trips as that of one. Previous ranks take none
// more on a board of one shard, and one more on others; of a page past the first thousand
// they share the one of the names. What is answered does not depend on the shards.
func TestRoundTripsOfStandingsAndMovement(t *testing.T) {
	t.Parallel()
	day := harness.Period(t, "2026-11-20")
	var acts []activity.Activity
	var hundred []string
	for i := range 1_400 {
		user := fmt.Sprintf("user-%d", i)
		if i%14 == 0 {
			hundred = append(hundred, user)
		}
		for j, at := range []string{"2026-11-19T12:00", "2026-11-20T12:00"} {
			if (i+j)%5 > 0 {
				acts = append(acts, activity.Activity{
					User: user, Action: "steps", Value: new(int64(1 + (i*(j+3))%50)), At: harness.At(t, at),
				})
			}
		}
	}
	answers := map[int]boards.Page{}
	wants := map[int][]int64{1: {1, 1, 1, 1, 1, 1, 1}, 3: {2, 2, 2, 2, 3, 3, -1}}
	for _, shards := range []int{1, 3} {
		want := wants[shards]
		client, w := testserver.CountedRedis(t)
		store := live.New(client, harness.UTC(), shards)
		harness.Record(t, store, acts...)
		_, generation := copies(t, store)
		set(t, store, generation, map[string]string{"user-14": "1 {}", "user-12": "1 {}", "user-400": "1 {}"})
		harness.TeachScripts(t, store)
		for i, v := range []board.View{
			{Users: hundred},
			{Users: hundred[:1]},
			{Users: hundred, User: "user-7", Limit: 10},
			{Limit: 30, Movement: true},
			{User: "user-7", Around: 5, Movement: true},
			{Limit: 100, Offset: 150, Users: hundred[:3], Movement: true},
			{Limit: 100, Offset: 950, Users: hundred[:3], Movement: true}, // past the heads
		} {
			v.Board, v.Period = "steps", day
			what := fmt.Sprintf("%d shards, view %d", shards, i)
			read := func() {
				page := harness.Read(t, store, v)
				if page.Generation = ""; len(page.Standings) != len(v.Users) || v.Movement == (len(page.Previous) == 0) {
					t.Errorf("%s: %d standings, %d previous ranks", what, len(page.Standings), len(page.Previous))
				}
				for user := range page.Previous { // who is above a neighbour may be among them
					if !slices.Contains(page.Users(), user) {
						delete(page.Previous, user)
					}
				}
				for user := range page.Profiles {
					if !slices.Contains(slices.Concat(page.Users(), v.Users, []string{v.User}), user) {
						delete(page.Profiles, user)
					}
				}
				if other, there := answers[i]; there {
					if diff := cmp.Diff(other, page, cmpopts.EquateEmpty()); diff != "" {
						t.Errorf("%s, and in other shards:\n%s", what, diff)
					}
				}
				answers[i] = page
			}
			if want[i] < 0 {
				read()
				continue
			}
			w.Expect(t, what, want[i], read)
		}
	}
}
