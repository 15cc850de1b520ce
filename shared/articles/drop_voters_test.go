package articles_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"laurel/internal/harness"
	"laurel/internal/testserver"
	"laurel/shared/activity"
	"laurel/shared/article"
	"laurel/shared/articles"
	"laurel/shared/board"
	"laurel/shared/live"
)

func dropVoters(tb testing.TB, store *live.Store, now board.Moment, want int64) {
	tb.Helper()
	if n, err := store.Articles().DropVoters(tb.Context(), now); err != nil || n != want {
		tb.Errorf("voters of %d dropped, %v, want %d", n, err, want)
	}
}

func leave(tb testing.TB, store *live.Store, keep int64, now board.Moment, want int64) {
	tb.Helper()
	if n, err := store.Articles().Leave(tb.Context(), keep, now); err != nil || n != want {
		tb.Errorf("%d left, %v, want %d", n, err, want)
	}
}

func goneArticles(tb testing.TB, store *live.Store) []articles.Gone {
	tb.Helper()
	gone, err := store.Articles().Gone(tb.Context())
	if err != nil {
		tb.Fatal(err)
	}
	return gone
}

// Voters are dropped nine days after publishing, not before the last vote can have
// come; the votes stay, and no more count, whatever their moment.
func TestDroppingVotersKeepsVotes(t *testing.T) {
	t.Parallel()
	client := testserver.Redis(t)
	store := live.New(client, harness.UTC(), 1)
	noon := harness.At(t, "2026-11-20T12:00")
	create(t, store, published("1", "ann", noon, "go"))
	create(t, store, published("2", "ann", noon+articleDay, "go"))
	harness.Record(t, store, harness.Did(t, "bob like 1", noon), harness.Did(t, "bob like 2", noon+articleDay),
		harness.Did(t, "eve unlike 1", noon))
	dropVoters(t, store, noon+9*articleDay, 0)
	harness.Record(t, store, harness.Did(t, "joe like 1", noon+7*articleDay-1))
	dropVoters(t, store, noon+9*articleDay+1, 1)
	dropVoters(t, store, noon+9*articleDay+1, 0)
	keys := client.Keys(t.Context(), "*voters*").Val()
	if diff := cmp.Diff([]string{"laurel:{articles}:voters:2"}, keys); diff != "" {
		t.Errorf("voters (-want +got):\n%s", diff)
	}
	harness.Record(t, store, harness.Did(t, "bob like 1", noon), harness.Did(t, "kim like 1", noon),
		harness.Did(t, "joe unlike 1", noon+7*articleDay-1))
	expectVotes(t, store, "1", 3, noon)
	if got := hot(t, store, "go"); got != "2 1" {
		t.Errorf("hot: %s", got)
	}
	if n := client.Exists(t.Context(), "laurel:{articles}:voters:1").Val(); n != 0 {
		t.Error("a vote after the voters were dropped is stored")
	}
	if _, err := edit(t.Context(), store.Articles(), published("1", "ann", noon, "redis")); err != nil {
		t.Errorf("groups of an article with final votes: %v", err)
	}
	if got := hot(t, store, "redis"); got != "1" {
		t.Errorf("hot: %s", got)
	}
	dropVoters(t, store, noon+articleDay*30, 1)
}

// More than one round of the nightly run's chunks.
func TestManyArticlesDropVotersAndLeave(t *testing.T) {
	t.Parallel()
	client := testserver.Redis(t)
	store := live.New(client, harness.UTC(), 1)
	noon := harness.At(t, "2026-11-20T12:00")
	var wg sync.WaitGroup
	for w := range 8 {
		wg.Go(func() {
			for i := w; i < 1_300; i += 8 {
				create(t, store, published(fmt.Sprint(i), "ann", noon+board.Moment(i)))
			}
		})
	}
	wg.Wait()
	dropVoters(t, store, noon+10*articleDay, 1_300)
	leave(t, store, 10, noon, 1_290)
	if got, want := hot(t, store, ""), "1299 1298 1297 1296 1295 1294 1293 1292 1291 1290"; got != want {
		t.Errorf("hot: %s", got)
	}
	if gone := goneArticles(t, store); len(gone) != 1_290 {
		t.Errorf("%d are gone", len(gone))
	}
}

// An article with final votes that is not among the first of any list leaves them; what is on the
// first places of one, or still votes, stays.
func TestWhatIsOutOfEveryListLeaves(t *testing.T) {
	t.Parallel()
	store := articleStore(t)
	noon := harness.At(t, "2026-11-20T12:00")
	later := noon + 9*articleDay + 1_000
	create(t, store, published("old", "ann", noon, "busy"))
	create(t, store, published("loved", "ann", noon+1, "busy"))
	create(t, store, published("lonely", "bob", noon+2, "quiet"))
	for i := range 3 {
		create(t, store, published(fmt.Sprint("new-", i), "ann", later, "busy"))
	}
	var likes []activity.Activity
	for i := range 2_000 { // nine days are worth 1,800 votes
		likes = append(likes, harness.Did(t, fmt.Sprintf("u%d like loved", i), noon+5))
	}
	harness.Record(t, store, likes...)
	leave(t, store, 2, later, 0) // voting
	dropVoters(t, store, later, 3)
	leave(t, store, 2, later, 1)
	if got, want := hot(t, store, ""), "loved new-0 new-1 new-2 lonely"; got != want {
		t.Errorf("hot: %s, want %s", got, want)
	}
	if got, want := hot(t, store, "busy"), "loved new-0 new-1 new-2"; got != want {
		t.Errorf("hot in the group: %s, want %s", got, want)
	}
	gone := goneArticles(t, store)
	want := published("old", "ann", noon, "busy")
	want.Votes = 1
	if len(gone) != 1 || gone[0].State != article.Left || gone[0].Since != later {
		t.Fatalf("gone: %+v", gone)
	}
	if diff := cmp.Diff(want, gone[0].Article); diff != "" {
		t.Errorf("the final record (-want +got):\n%s", diff)
	}
	leave(t, store, 0, later, 2) // new-0 to new-2 still vote
}

// From when it left until it is forgotten, the article is read, can't be changed,
// and its id is not given again; deleting it is still possible.
func TestALeftArticleIsThereUntilItIsForgotten(t *testing.T) {
	t.Parallel()
	client := testserver.Redis(t)
	store := live.New(client, harness.UTC(), 1)
	press, noon := store.Articles(), harness.At(t, "2026-11-20T12:00")
	for _, id := range []string{"1", "2"} {
		create(t, store, published(id, "ann", noon, "go"))
	}
	if err := press.FillAuthors(t.Context(), map[string]string{"ann": "1 {}"}); err != nil {
		t.Fatal(err)
	}
	dropVoters(t, store, noon+10*articleDay, 2)
	leave(t, store, 0, noon+10*articleDay, 2)
	groups, err := press.Groups(t.Context())
	if err != nil || len(groups) != 0 {
		t.Errorf("groups: %v, %v", groups, err)
	}
	a, err := press.Get(t.Context(), "1")
	if err != nil || a.State != article.Left || a.Title != "About 1" || a.Votes != 1 {
		t.Errorf("read: %+v, %v", a, err)
	}
	_, err = edit(t.Context(), press, published("1", "ann", noon))
	isArticleError(t, "changed", err, articles.ErrLeft)
	_, created, err := press.Create(t.Context(), published("1", "ann", noon))
	if err != nil || created {
		t.Errorf("created again: %v, %v", created, err)
	}
	_, _, err = press.Create(t.Context(), published("1", "eve", noon))
	isArticleError(t, "created by another", err, articles.ErrTaken)

	gone := goneArticles(t, store)
	if _, err := press.Delete(t.Context(), "1", noon+11*articleDay); err != nil {
		t.Error(err)
	}
	for _, g := range gone {
		done, err := press.Forget(t.Context(), g)
		if err != nil || done != (g.ID == "2") { // the other has become a tombstone since it was read
			t.Errorf("forgot %q: %v, %v", g.ID, done, err)
		}
	}
	if copied := client.HGet(t.Context(), "laurel:{articles}:authors", "ann").Val(); copied != "1 {}" {
		t.Errorf("the copy of a profile is %q while there is an article of the author", copied)
	}
	for range 2 {
		for _, g := range goneArticles(t, store) {
			if g.ID != "1" || g.State != article.Deleted || g.Since != noon+11*articleDay {
				t.Errorf("gone: %+v", g)
			}
			if done, err := press.Forget(t.Context(), g); err != nil || !done {
				t.Errorf("forgot %q: %v, %v", g.ID, done, err)
			}
		}
	}
	if left := slices.Collect(maps.Keys(harness.Everything(t, client))); len(left) != 0 {
		t.Errorf("left in Redis: %q", left)
	}
}

// Two nightly runs beside each other, with changes of the articles in between,
// lose none: each is on a list or gone, and as it was changed last.
func TestNightlyRunsBesideEachOther(t *testing.T) {
	t.Parallel()
	client := testserver.Redis(t)
	noon := harness.At(t, "2026-11-20T12:00")
	store := live.New(client, harness.UTC(), 1)
	for i := range 60 {
		create(t, store, published(fmt.Sprint(i), "ann", noon+board.Moment(i), "go"))
	}
	var mu sync.Mutex
	titles := map[string]string{}
	var wg sync.WaitGroup
	for range 3 {
		press := live.New(client, harness.UTC(), 1).Articles()
		wg.Go(func() {
			for range 4 {
				if _, err := press.DropVoters(t.Context(), noon+10*articleDay); err != nil {
					t.Error(err)
				}
				if _, err := press.Leave(t.Context(), 5, noon); err != nil {
					t.Error(err)
				}
			}
		})
	}
	for i := range 60 {
		wg.Go(func() {
			a := published(fmt.Sprint(i), "ann", noon+board.Moment(i), "go", "moved")
			a.Title = "changed"
			if _, err := edit(t.Context(), live.New(client, harness.UTC(), 1).Articles(), a); err == nil {
				mu.Lock()
				titles[a.ID] = a.Title
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	leave(t, store, 5, noon, int64(60-5-len(goneArticles(t, store)))) // those that a change has saved
	all := listed(t, lister(t, store), article.New, "", 100)
	for _, g := range goneArticles(t, store) {
		all = append(all, g.Article)
	}
	if len(all) != 60 {
		t.Errorf("%d articles are left of 60", len(all))
	}
	for _, a := range all {
		if want, changed := titles[a.ID]; changed && (a.Title != want || strings.Join(a.Groups, " ") != "go moved") {
			t.Errorf("%q is %+v", a.ID, a)
		}
	}
	for _, list := range []string{"hot", "new", "group:go:hot", "group:go:new"} {
		if n := client.ZCard(t.Context(), "laurel:{articles}:"+list).Val(); n != 5 {
			t.Errorf("%d on %s", n, list)
		}
	}
}
