package pages_test

import (
	"fmt"
	"testing"

	"laurel/internal/harness"
	"laurel/internal/testserver"
	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/ledger"
	"laurel/shared/live"
)

// Promise 6: two for recording, one for each read, whatever the number of users
// and activities; of several shards what sharded.go says.
func TestPromise6FewRoundTrips(t *testing.T) {
	t.Parallel()
	for _, shards := range []int{1, 8} {
		t.Run(fmt.Sprintf("%d shards", shards), func(t *testing.T) {
			t.Parallel()
			client, w := testserver.CountedRedis(t)
			store := live.New(client, harness.UTC(), shards)
			harness.TeachScripts(t, store)
			if _, err := store.Days(t.Context(), "first", 0,
				0); err != nil { // the client has connections for pipelines and others
				t.Fatal(err)
			}
			recordingTrips(t, store, w)
			readingTrips(t, store, w, shards)
		})
	}
}

func recordingTrips(t *testing.T, store *live.Store, w *testserver.RoundTrips) {
	t.Helper()
	noon := harness.At(t, "2026-11-20T12:00")
	for _, n := range []int{1, 100, 500} {
		var acts []activity.Activity
		for i := range n {
			text := fmt.Sprintf("user-%d %s target-%d-%d", i%77, []string{"visit", "like", "unlike", "comment", "publish"}[i%5],
				n, i)
			acts = append(acts, harness.Did(t, text, noon+board.Moment(i)))
		}
		w.Expect(t, fmt.Sprintf("a batch of %d", n), 2, func() { harness.Record(t, store, acts...) })
		w.Expect(t, fmt.Sprintf("the batch of %d again", n), 1, func() { harness.Record(t, store, acts...) })
	}
	var follows []activity.Activity
	for i := range 500 {
		follows = append(follows,
			harness.Did(t, fmt.Sprintf("user-%d %s user-%d", i%7, []string{"follow", "follow", "unfollow"}[i%3], 7+i), noon+
				board.Moment(i)))
	}
	w.Expect(t, "500 follows", 2, func() { harness.Record(t, store, follows...) })
	w.Expect(t, "a list of 5,000", 2,
		func() { harness.ReplaceFollowing(t, store, "user-7", harness.Numbered(100, 5_100), noon) })
	w.Expect(t, "hiding", 2, func() {
		if err := store.SetHidden(t.Context(), "user-9", true); err != nil {
			t.Error(err)
		}
	})
	w.Expect(t, "what is too late", 0, func() {
		late := harness.Did(t, "ada like 1", noon)
		if r := store.Record(t.Context(), []activity.Activity{late},
			ledger.Arrival{Now: noon + 200_000_000})[0]; r.Status != ledger.TooLate || r.Err != nil {
			t.Errorf("three days late: %+v", r)
		}
	})
}

func readingTrips(t *testing.T, store *live.Store, w *testserver.RoundTrips, shards int) {
	t.Helper()
	day, month := harness.Period(t, "2026-11-20"), harness.Period(t, "2026-11")
	standing := int64(1)
	if shards > 1 {
		standing = 2 // who is before a score is asked when the score is known
	}
	for _, c := range []struct {
		what string
		want int64
		view board.View
	}{
		{"a page", 1, board.View{Board: "activity", Period: day, Limit: 30}},
		{"the last page whose names come along", 1, board.View{Board: "activity", Period: day, Limit: 30, Offset: 170}},
		{"a page past the end", 1, board.View{Board: "activity", Period: day, Limit: 30, Offset: 900}},
		{"a board without anyone", 1, board.View{Board: "steps", Period: day, Limit: 30}},
		{"a page with a standing", standing, board.View{Board: "activity", Period: day, Limit: 30, User: "user-7"}},
		{"a standing with neighbours", standing, board.View{Board: "activity", Period: month, User: "user-7", Around: 25}},
		{"a standing of who is not on the board", 1, board.View{Board: "activity", Period: month, User: "nobody", Around: 2}},
	} {
		w.Expect(t, c.what, c.want, func() { harness.Read(t, store, c.view) })
	}
	w.Expect(t, "several boards", standing, func() {
		views := []board.View{
			{Board: "activity", Period: day, Limit: 30},
			{Board: "activity", Period: month, User: "user-3", Around: 5},
			{Board: "steps", Period: day, User: "user-4"},
			{Board: "activity", Period: day, User: "user-5"},
		}
		if _, err := store.ReadAll(t.Context(), views); err != nil {
			t.Error(err)
		}
	})
	w.Expect(t, "profiles", 1, func() {
		if _, _, err := store.Profiles(t.Context(), []string{"user-1", "user-2", "user-3", "user-4"}); err != nil {
			t.Error(err)
		}
	})
	gather := int64(1)
	if shards > 1 {
		gather = 3 // the list, the scores of who is on it, the ranks of who is shown
	}
	friends := board.View{Board: "activity", Period: day, User: "user-7", Limit: 100}
	w.Expect(t, "a friends board of 5,000", gather, func() { harness.FriendsOf(t, store, friends) })
	w.Expect(t, "a page of whom one follows", min(gather, 2), func() { harness.Following(t, store, "user-7", 4_000, 100) })
	own := func(user string) {
		views := []board.View{
			{Board: "activity", Period: day},
			{Board: "activity", Period: month},
			{Board: "steps", Period: day},
		}
		if _, err := store.OwnStandings(t.Context(), user, views); err != nil {
			t.Error(err)
		}
	}
	apart := int64(0)
	if shards > 1 {
		apart = 1 // the status is asked before the boards
	}
	w.Expect(t, "one's own standings", standing+apart, func() { own("user-7") })
	w.Expect(t, "a hidden user's own standings", 2+apart, func() { own("user-9") })
	friends.User = "user-9"
	w.Expect(t, "a hidden user's friends board", 4-apart, func() { harness.FriendsOf(t, store, friends) })
	w.Expect(t, "31 days", 1, func() {
		if _, err := store.Days(t.Context(), "user-7", day.First()-30, day.First()); err != nil {
			t.Error(err)
		}
	})
}
