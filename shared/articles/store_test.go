package articles_test

import (
	"testing"

	"laurel/shared/articles"
	"laurel/shared/live"

	"github.com/google/go-cmp/cmp"
	"github.com/redis/go-redis/v9"

	"laurel/internal/harness"
	"laurel/internal/testserver"
	"laurel/shared/activity"
	"laurel/shared/article"
	"laurel/shared/board"
	"laurel/shared/ledger"
)

// What is stored of an article, whole: names and kinds of keys, the indexes; and
// what stays when it is deleted.
func TestCreateStoresPageListsAndIndexes(t *testing.T) {
	t.Parallel()
	client := testserver.Redis(t)
	store := live.New(client, harness.UTC(), 1)
	noon := harness.At(t, "2026-11-20T12:00")
	create(t, store, published("1", "ann", noon, "go", "redis"))
	harness.Record(t, store, harness.Did(t, "bob like 1", noon+1))
	state := harness.Everything(t, client)
	for _, key := range []string{
		"laurel:{0}:pages:bob", "laurel:{0}:month:2026-11", "laurel:{0}:periods",
		"laurel:{0}:board:activity:day:2026-11-20", "laurel:{0}:board:activity:month:2026-11",
	} {
		delete(state, key)
	}
	pages := state["laurel:{articles}:pages"].(map[string]string)
	if p, err := article.DecodePage("1", pages["1"]); err != nil || p.Title != "About 1" || len(pages) != 1 {
		t.Errorf("the page: %+v, %v", p, err)
	}
	delete(state, "laurel:{articles}:pages")
	const member = "337be46de001" // 5,333,126,400,000 - 1,795,176,000,000 in hex, then the id
	score := float64(1_795_176_000 + 2*432)
	want := map[string]any{
		"laurel:{articles}:votes":    map[string]string{"1": "2"},
		"laurel:{articles}:voters:1": map[string]string{"bob": "14361408000009"},
		"laurel:{articles}:groups":   map[string]string{"go": "1", "redis": "1"},
		"laurel:{articles}:wrote":    map[string]string{"1": "ann"},
		"laurel:{articles}:voting":   []redis.Z{harness.ZOf("1", float64(noon))},
		"laurel:{articles}:by:ann":   map[string]struct{}{"1": {}},
	}
	for _, list := range []string{"", "group:go:", "group:redis:"} {
		want["laurel:{articles}:"+list+"hot"] = []redis.Z{harness.ZOf(member, -score)}
		want["laurel:{articles}:"+list+"new"] = []redis.Z{harness.ZOf(member, -float64(noon))}
	}
	if diff := cmp.Diff(want, state); diff != "" {
		t.Errorf("stored (-want +got):\n%s", diff)
	}

	if _, err := store.Articles().Delete(t.Context(), "1", noon+5); err != nil {
		t.Fatal(err)
	}
	left := harness.Everything(t, client)
	for key := range want {
		switch key {
		case "laurel:{articles}:votes", "laurel:{articles}:by:ann":
		default:
			if _, ok := left[key]; ok {
				t.Errorf("%s is there after the article was deleted", key)
			}
		}
	}
	if diff := cmp.Diff([]redis.Z{harness.ZOf("1", float64(noon+5))}, left["laurel:{articles}:gone"]); diff != "" {
		t.Errorf("what is gone (-want +got):\n%s", diff)
	}
}

func TestCreateIsDoneOnce(t *testing.T) {
	t.Parallel()
	store := articleStore(t)
	press, noon := store.Articles(), harness.At(t, "2026-11-20T12:00")
	create(t, store, published("1", "ann", noon, "b", "a"))
	harness.Record(t, store, harness.Did(t, "bob like 1", noon))

	again := published("1", "ann", noon, "c")
	again.Title = "Another title"
	got, created, err := press.Create(t.Context(), again)
	want := published("1", "ann", noon, "a", "b")
	want.Votes = 2
	if diff := cmp.Diff(want, got); diff != "" || created || err != nil {
		t.Errorf("again: created %v, %v (-want +got):\n%s", created, err, diff)
	}
	_, _, err = press.Create(t.Context(), published("1", "eve", noon))
	isArticleError(t, "by another author", err, articles.ErrTaken)
	_, _, err = press.Create(t.Context(), published("1", "ann", noon+1))
	isArticleError(t, "at another moment", err, articles.ErrTaken)
	if _, err := press.Delete(t.Context(), "1", noon); err != nil {
		t.Fatal(err)
	}
	_, _, err = press.Create(t.Context(), published("1", "ann", noon))
	isArticleError(t, "after it was deleted", err, articles.ErrDeleted)
	if got := hot(t, store, ""); got != "" {
		t.Errorf("listed after it was deleted: %s", got)
	}
}

func TestPutMovesBetweenGroups(t *testing.T) {
	t.Parallel()
	store := articleStore(t)
	press, noon := store.Articles(), harness.At(t, "2026-11-20T12:00")
	create(t, store, published("1", "ann", noon, "a", "b"))
	create(t, store, published("2", "bob", noon+1, "b"))
	harness.Record(t, store, harness.Did(t, "eve like 1", noon+2))
	change := article.Article{ID: "1", Author: "ann", Title: "Better", Groups: []string{"c", "b"}}
	got, err := edit(t.Context(), press, change)
	want := article.Article{ID: "1", Author: "ann", Published: noon, Title: "Better", Groups: []string{"b", "c"}, Votes: 2}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	for group, want := range map[string]string{"": "1 2", "a": "", "b": "1 2", "c": "1", "never": ""} {
		if got := hot(t, store, group); got != want {
			t.Errorf("hot in %q: %q, want %q", group, got, want)
		}
	}
	groups, err := press.Groups(t.Context())
	if diff := cmp.Diff([]article.Group{{Name: "b", Articles: 2}, {Name: "c", Articles: 1}}, groups); diff != "" ||
		err != nil {
		t.Errorf("groups: %v (-want +got):\n%s", err, diff)
	}
	change.Published = noon
	if _, err := edit(t.Context(), press, change); err != nil {
		t.Errorf("again with the moment: %v", err)
	}
	change.Published++
	_, err = edit(t.Context(), press, change)
	isArticleError(t, "another moment", err, articles.ErrTaken)
	change.Published, change.Author = noon, "eve"
	_, err = edit(t.Context(), press, change)
	isArticleError(t, "another author", err, articles.ErrTaken)
	change.ID = "3"
	_, err = edit(t.Context(), press, change)
	isArticleError(t, "an unknown id", err, articles.ErrNoArticle)
	if _, err := press.Delete(t.Context(), "2", noon); err != nil {
		t.Fatal(err)
	}
	_, err = edit(t.Context(), press, published("2", "bob", noon+1))
	isArticleError(t, "a deleted one", err, articles.ErrDeleted)
}

func TestDeleteAgainAnswersTheSame(t *testing.T) {
	t.Parallel()
	store := articleStore(t)
	press, noon := store.Articles(), harness.At(t, "2026-11-20T12:00")
	create(t, store, published("1", "ann", noon, "a"))
	for range 2 {
		got, err := press.Delete(t.Context(), "1", noon+1)
		if diff := cmp.Diff(article.Article{ID: "1", Author: "ann", Published: noon}, got); diff != "" || err != nil {
			t.Errorf("%v (-want +got):\n%s", err, diff)
		}
	}
	_, err := press.Delete(t.Context(), "2", noon)
	isArticleError(t, "an unknown id", err, articles.ErrNoArticle)
	_, err = press.Get(t.Context(), "1")
	isArticleError(t, "reading it", err, articles.ErrDeleted)
	_, err = press.Get(t.Context(), "2")
	isArticleError(t, "reading an unknown one", err, articles.ErrNoArticle)
}

// Equal scores: the newer first, then the id, byte by byte; by time likewise.
func TestOneOrderOfArticles(t *testing.T) {
	t.Parallel()
	store := articleStore(t)
	noon := harness.At(t, "2026-11-20T12:00")
	for id, offset := range map[string]board.Moment{"old": 0, "b": 432_000, "a": 432_000, "é": 432_000, "late": 432_500} {
		create(t, store, published(id, "ann", noon+offset))
	}
	harness.Record(t, store, harness.Did(t, "bob like old", noon+500_000))
	if got, want := hot(t, store, ""), "late a b é old"; got != want {
		t.Errorf("hot: %s, want %s", got, want)
	}
	harness.Record(t, store, harness.Did(t, "eve like old", noon+500_000))
	if got, want := hot(t, store, ""), "old late a b é"; got != want {
		t.Errorf("hot: %s, want %s", got, want)
	}
	if got, want := ids(listed(t, lister(t, store), article.New, "", 2)), "late a b é old"; got != want {
		t.Errorf("new: %s, want %s", got, want)
	}
}

// Lists show the copies of profiles that are there, and an older copy changes
// nothing.
func TestListsShowAuthors(t *testing.T) {
	t.Parallel()
	store := articleStore(t)
	press, noon := store.Articles(), harness.At(t, "2026-11-20T12:00")
	create(t, store, published("1", "ann", noon))
	create(t, store, published("2", "bob", noon+1))
	expect := func(what string, want ...string) {
		t.Helper()
		list, err := press.List(t.Context(), article.View{Sort: article.New, Limit: 25})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, a := range list.Articles {
			got = append(got, a.Author+":"+a.Profile)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", what, diff)
		}
	}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	expect("without copies", "bob:", "ann:")
	must(press.RefreshAuthors(t.Context(), map[string]string{"ann": "3 {}"}))
	expect("a copy that nobody asked for", "bob:", "ann:")
	must(press.FillAuthors(t.Context(), map[string]string{"ann": `10 {"name":"Ann"}`, "bob": "0"}))
	expect("filled", "bob:0", `ann:10 {"name":"Ann"}`)
	must(press.FillAuthors(t.Context(), map[string]string{"ann": `9 {"name":"Anne"}`}))
	expect("an older copy", "bob:0", `ann:10 {"name":"Ann"}`)
	must(press.RefreshAuthors(t.Context(), map[string]string{"ann": `11 {"name":"Anna"}`, "eve": "1 {}"}))
	expect("a newer copy", "bob:0", `ann:11 {"name":"Anna"}`)
	must(press.FillAuthors(t.Context(), nil))
	a, err := press.Get(t.Context(), "1")
	if err != nil || a.Profile != `11 {"name":"Anna"}` {
		t.Errorf("read alone: %+v, %v", a, err)
	}
}

// articleRules are rules with these constants of articles.
func articleRules(tb testing.TB, constants string) *activity.Rules {
	tb.Helper()
	rules, err := activity.ParseRules([]byte(`{"boards":{"activity":{"windows":["day"]}},"articles":` + constants +
		`,"versions":[{"actions":{
		"like":{"undo":"unlike","board":"activity","points":2,"entry":"month","by":["user"]}}}]}`))
	if err != nil {
		tb.Fatal(err)
	}
	return rules
}

// The author's own vote, where the rules do not count it, is none.
func TestOwnVoteMayCountNothing(t *testing.T) {
	t.Parallel()
	store := live.New(testserver.Redis(t),
		ledger.New(articleRules(t, `{"ownVote":false,"votesPerDay":86400}`), harness.UTC().Calendar()), 1)
	noon := harness.At(t, "2026-11-20T12:00")
	create(t, store, published("1", "ann", noon))
	harness.Record(t, store, harness.Did(t, "ann like 1", noon), harness.Did(t, "bob like 1", noon))
	if n := votesOf(t, store, "1"); n != 1 {
		t.Errorf("%d votes, want bob's", n)
	}
	for user, want := range map[string]int{"ann": 0, "bob": 1} {
		voted, err := store.Articles().Voted(t.Context(), user, []string{"1"}, noon)
		if err != nil || len(voted) != want {
			t.Errorf("%s has voted for %q, %v", user, voted, err)
		}
	}
}
