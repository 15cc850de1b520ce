package articles_test

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"laurel/internal/harness"
	"laurel/internal/testserver"
	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/ledger"
	"laurel/shared/live"
	"laurel/shared/redisstore"
)

// expectVotes fails when an article has other votes, or who voted is not who
// should have.
func expectVotes(tb testing.TB, store *live.Store, id string, want int64, now board.Moment, voters ...string) {
	tb.Helper()
	if got := votesOf(tb, store, id); got != want {
		tb.Errorf("article %q has %d votes, want %d", id, got, want)
	}
	for _, user := range voters {
		voted, err := store.Articles().Voted(tb.Context(), user, []string{id}, now)
		if err != nil || len(voted) != 1 {
			tb.Errorf("%s has not voted for %q: %v", user, id, err)
		}
	}
}

// Two users at the same moment, from two processes, a hundred times: both count,
// every time.
func TestTwoUsersVoteAtOnce(t *testing.T) {
	t.Parallel()
	client := testserver.Redis(t)
	one, other := live.New(client, harness.UTC(), 1), live.New(client, harness.UTC(), 1)
	noon := harness.At(t, "2026-11-20T12:00")
	for i := range 100 {
		id := fmt.Sprint(i)
		create(t, one, published(id, "ann", noon))
		var wg sync.WaitGroup
		wg.Go(func() { harness.Record(t, one, harness.Did(t, "bob like "+id, noon+5)) })
		wg.Go(func() { harness.Record(t, other, harness.Did(t, "eve like "+id, noon+5)) })
		wg.Wait()
		expectVotes(t, one, id, 3, noon+5, "ann", "bob", "eve")
	}
}

// One user a hundred times at once is one vote, and the points of one like.
func TestOneUserVotesAHundredTimesAtOnce(t *testing.T) {
	t.Parallel()
	client := testserver.Redis(t)
	noon := harness.At(t, "2026-11-20T12:00")
	first := live.New(client, harness.UTC(), 1)
	create(t, first, published("1", "ann", noon, "go"))
	var wg sync.WaitGroup
	for i := range 100 {
		store := live.New(client, harness.UTC(), 1)
		wg.Go(func() { harness.Record(t, store, harness.Did(t, "bob like 1", noon+board.Moment(i%3))) })
	}
	wg.Wait()
	expectVotes(t, first, "1", 2, noon, "bob")
	if n := harness.ScoreOf(t, first, "activity", harness.Period(t, "2026-11-20"), "bob"); n != 2 {
		t.Errorf("%d points for one like", n)
	}
	list, err := first.Articles().List(t.Context(), viewOf("go"))
	if err != nil || list.Total != 1 || list.Articles[0].Votes != 2 {
		t.Errorf("in the group: %+v, %v", list, err)
	}
}

// A hundred users at once, each in a process of its own.
func TestAHundredUsersVoteAtOnce(t *testing.T) {
	t.Parallel()
	client := testserver.Redis(t)
	noon := harness.At(t, "2026-11-20T12:00")
	first := live.New(client, harness.UTC(), 1)
	create(t, first, published("1", "ann", noon, "go"))
	create(t, first, published("2", "ann", noon+60*432_000, "go"))
	var wg sync.WaitGroup
	for i := range 100 {
		store := live.New(client, harness.UTC(), 1)
		wg.Go(func() { harness.Record(t, store, harness.Did(t, fmt.Sprintf("reader-%d like 1", i), noon)) })
	}
	wg.Wait()
	expectVotes(t, first, "1", 101, noon)
	for _, group := range []string{"", "go"} {
		if got := hot(t, first, group); got != "1 2" {
			t.Errorf("hot in %q: %s", group, got)
		}
	}
}

// The voting week goes to the millisecond, as every moment does; what is too late
// or too early for the ledger is no vote.
func TestTheVotingWeekDecides(t *testing.T) {
	t.Parallel()
	store := articleStore(t)
	noon := harness.At(t, "2026-11-20T12:00")
	closes := noon + 7*articleDay
	for _, tt := range []struct {
		name    string
		at, now board.Moment
		want    int64
	}{
		{"the moment of publishing", noon, noon, 2},
		{"a millisecond before", noon - 1, noon, 1},
		{"the last millisecond", closes - 1, closes, 2},
		{"the closing second", closes - 1_000, closes + 5, 2},
		{"the moment it closes", closes, closes, 1},
		{"after", closes + 1, closes + 1, 1},
		{"48 h late", closes - 1, closes - 1 + 2*articleDay, 2},
		{"too late", closes - 1, closes + 2*articleDay, 1},
		{"5 minutes ahead", noon + 300_000, noon, 2},
		{"too early", noon + 300_001, noon, 1},
	} {
		id := tt.name
		create(t, store, published(id, "ann", noon))
		act := activity.Activity{User: "bob", Action: "like", Target: id, At: tt.at}
		beside := activity.Activity{User: "bob", Action: "visit", Target: id, At: tt.now} // which is taken in any case
		for _, r := range store.Record(t.Context(), []activity.Activity{act, beside}, ledger.Arrival{Now: tt.now}) {
			if r.Err != nil {
				t.Fatal(r.Err)
			}
		}
		if got := votesOf(t, store, id); got != tt.want {
			t.Errorf("%s: %d votes, want %d", tt.name, got, tt.want)
		}
	}
	// While it is open one is told what one has voted for; afterwards no longer.
	for now, want := range map[board.Moment][]string{
		noon:       {"the moment of publishing"},
		closes - 1: {"the moment of publishing"}, closes: nil,
	} {
		voted, err := store.Articles().Voted(t.Context(), "bob",
			[]string{"the moment of publishing", "after", "never created"}, now)
		if diff := cmp.Diff(want, voted); diff != "" || err != nil {
			t.Errorf("%d ms after publishing: %v (-want +got):\n%s", now-noon, err, diff)
		}
	}
}

// For an article that is deleted, or was never created, a like earns its points
// and leaves nothing else.
func TestVotesForNoArticle(t *testing.T) {
	t.Parallel()
	client := testserver.Redis(t)
	store := live.New(client, harness.UTC(), 1)
	noon := harness.At(t, "2026-11-20T12:00")
	create(t, store, published("deleted", "ann", noon))
	if _, err := store.Articles().Delete(t.Context(), "deleted", noon); err != nil {
		t.Fatal(err)
	}
	before := harness.Everything(t, client)
	for i, r := range harness.Record(t, store, harness.Did(t, "bob like deleted", noon),
		harness.Did(t, "bob like never", noon), harness.Did(t, "bob unlike never", noon-1)) {
		if i < 2 && (r.Status != ledger.Counted || r.Points != 2) {
			t.Errorf("receipt %d: %+v", i, r)
		}
	}
	after := harness.Everything(t, client)
	for key := range after {
		if _, was := before[key]; !was && strings.HasPrefix(key, "laurel:{articles}") {
			t.Errorf("%s is there", key)
		}
	}
	// A like before the article was created is no vote; sent again it is one.
	create(t, store, published("never", "ann", noon))
	expectVotes(t, store, "never", 1, noon)
	if r := harness.Record(t, store, harness.Did(t, "bob like never", noon))[0]; r.Status != ledger.Duplicate {
		t.Errorf("again: %+v", r)
	}
	expectVotes(t, store, "never", 2, noon, "bob")
}

// The author's own likes, and those taken back, are no votes: the own vote is
// there from the start and for good. They earn points as any like does.
func TestTheAuthorsOwnVoteIsForGood(t *testing.T) {
	t.Parallel()
	store := articleStore(t)
	noon := harness.At(t, "2026-11-20T12:00")
	create(t, store, published("1", "ann", noon))
	harness.Record(t, store, harness.Did(t, "ann like 1", noon))
	expectVotes(t, store, "1", 1, noon, "ann")
	harness.Record(t, store, harness.Did(t, "ann unlike 1", noon+1), harness.Did(t, "bob like 1", noon+2),
		harness.Did(t, "bob unlike 1", noon+3))
	expectVotes(t, store, "1", 1, noon+3, "ann")
}

// A vote has entries of its own: in another month the same like is other points,
// and still one vote. A capped like votes too.
func TestVotesKnowNoMonthAndNoCap(t *testing.T) {
	t.Parallel()
	store := articleStore(t)
	end := harness.At(t, "2026-11-28T12:00")
	create(t, store, published("1", "ann", end))
	receipts := harness.Record(t, store, harness.Did(t, "bob like 1", end),
		harness.Did(t, "bob like 1", harness.At(t, "2026-12-02T12:00")))
	if receipts[0].Points != 2 || receipts[1].Points != 2 {
		t.Errorf("receipts: %+v", receipts)
	}
	expectVotes(t, store, "1", 2, end, "bob")
	harness.Record(t, store, harness.Did(t, "bob unlike 1", harness.At(t, "2026-12-02T12:00")+1))
	expectVotes(t, store, "1", 1, end)

	var acts []activity.Activity
	for i := range 51 {
		id := fmt.Sprint("n", i)
		create(t, store, published(id, "ann", end))
		acts = append(acts, harness.Did(t, "eve like "+id, end))
	}
	receipts = harness.Record(t, store, acts...)
	if last := receipts[50]; last.Status != ledger.Capped {
		t.Errorf("the 51st like: %+v", last)
	}
	expectVotes(t, store, "n50", 2, end, "eve")
}

// A vote that is not counted makes its activity an error though the points are
// recorded, and the other way round; recording again mends it.
func TestAFailedVoteIsMendedByRecordingAgain(t *testing.T) {
	t.Parallel()
	for key, want := range map[string]struct{ visit, points int64 }{
		"laurel:{articles}:voters:1": {visit: 1, points: 3}, // the vote fails, no more
		"laurel:{articles}:pages":    {visit: 1, points: 3}, // the articles can't be read
		"laurel:{0}:pages:bob":       {visit: 0, points: 0}, // the user's pages can't be read
	} {
		client := testserver.Redis(t)
		store := live.New(client, harness.UTC(), 1)
		noon := harness.At(t, "2026-11-20T12:00")
		create(t, store, published("1", "ann", noon))
		acts := []activity.Activity{harness.Did(t, "bob visit 1", noon), harness.Did(t, "bob like 1", noon)}
		client.Rename(t.Context(), key, "aside")
		client.Set(t.Context(), key, "not what should be here", 0)
		results := store.Record(t.Context(), acts, harness.History)
		failed := results[1].Own() || errors.Is(results[1].Err, redisstore.ErrUnavailable)
		if !failed || results[1].Points != 0 ||
			results[0].Points != want.visit {
			t.Errorf("%s: %+v", key, results)
		}
		client.Del(t.Context(), key)
		client.Rename(t.Context(), "aside", key)
		if n := harness.ScoreOf(t, store, "activity", harness.Period(t, "2026-11-20"), "bob"); n != want.points {
			t.Errorf("%s: %d points, want %d", key, n, want.points)
		}
		expectVotes(t, store, "1", 1, noon)
		harness.Record(t, store, acts...)
		expectVotes(t, store, "1", 2, noon, "bob")
		if n := harness.ScoreOf(t, store, "activity", harness.Period(t, "2026-11-20"), "bob"); n != 3 {
			t.Errorf("%s, then again: %d points", key, n)
		}
	}
}

// What is stored of an article and cannot be read is an error of the likes alone.
func TestADamagedArticleIsAnError(t *testing.T) {
	t.Parallel()
	client := testserver.Redis(t)
	store := live.New(client, harness.UTC(), 1)
	noon := harness.At(t, "2026-11-20T12:00")
	create(t, store, published("1", "ann", noon))
	create(t, store, published("2", "ann", noon))
	client.HSet(t.Context(), "laurel:{articles}:pages", "1", "damaged, and not by us")
	acts := []activity.Activity{
		harness.Did(t, "bob like 1", noon), harness.Did(t, "bob like 2", noon),
		harness.Did(t, "bob visit 1", noon),
	}
	results := store.Record(t.Context(), acts, harness.History)
	if !errors.Is(results[0].Err, redisstore.ErrStored) || results[1].Err != nil || results[2].Err != nil {
		t.Errorf("results: %+v", results)
	}
	expectVotes(t, store, "2", 2, noon, "bob")
	_, getErr := store.Articles().Get(t.Context(), "1")
	_, listErr := store.Articles().List(t.Context(), viewOf(""))
	_, votedErr := store.Articles().Voted(t.Context(), "bob", []string{"1"}, noon)
	_, putErr := edit(t.Context(), store.Articles(), published("1", "ann", noon))
	for _, err := range []error{getErr, listErr, votedErr, putErr} {
		isArticleError(t, "damaged", err, redisstore.ErrStored)
	}
}

// More votes for one article than one script takes, in one batch.
func TestABatchOfThousandsOfVotes(t *testing.T) {
	t.Parallel()
	store := articleStore(t)
	noon := harness.At(t, "2026-11-20T12:00")
	create(t, store, published("1", "ann", noon))
	var acts []activity.Activity
	for i := range 2_500 {
		acts = append(acts, harness.Did(t, fmt.Sprintf("u%d like 1", i), noon))
	}
	harness.Record(t, store, acts...)
	expectVotes(t, store, "1", 2_501, noon, "u0", "u999", "u1000", "u2499")
}
