package live_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/redis/go-redis/v9"

	"laurel/internal/testserver"
	"laurel/shared/article"
	"laurel/shared/live"
)

// Erasing a user takes the name off the articles and the votes back, and leaves
// nothing of the user; a settled article's votes stay.
func TestEraseTakesTheAuthorAndVotesBack(t *testing.T) {
	t.Parallel()
	client := testserver.Redis(t)
	store := live.New(client, utc(), 1)
	articles, noon := store.Articles(), at(t, "2026-11-20T12:00")
	create(t, store, published("settled", "bob", noon))
	create(t, store, published("0", "ann", noon))
	create(t, store, published("1", "bob", noon+20*articleDay, "go"))
	create(t, store, published("2", "ann", noon+20*articleDay, "go"))
	create(t, store, published("3", "ann", noon+20*articleDay))
	record(t, store, did(t, "bob like settled", noon), did(t, "bob like 0", noon))
	settle(t, store, noon+20*articleDay, 2)
	record(t, store, did(t, "bob like 2", noon+20*articleDay), did(t, "bob like 3", noon+20*articleDay), did(t, "bob unlike 3", noon+20*articleDay))
	if _, err := articles.Delete(t.Context(), "settled", noon); err != nil {
		t.Fatal(err)
	}
	if err := articles.FillAuthors(t.Context(), map[string]string{"bob": "1 {}", "ann": "1 {}"}); err != nil {
		t.Fatal(err)
	}
	erased, err := articles.Erase(t.Context(), "bob")
	if diff := cmp.Diff(live.ErasedArticles{Articles: 2, Votes: 2}, erased); diff != "" || err != nil {
		t.Errorf("erased: %v (-want +got):\n%s", err, diff)
	}
	erased, err = articles.Erase(t.Context(), "bob")
	if diff := cmp.Diff(live.ErasedArticles{}, erased); diff != "" || err != nil {
		t.Errorf("erased again: %v (-want +got):\n%s", err, diff)
	}
	for id, want := range map[string]int64{"0": 2, "1": 1, "2": 1, "3": 1} {
		expectVotes(t, store, id, want, noon)
	}
	if a, err := articles.Get(t.Context(), "1"); err != nil || a.Author != "" || a.Profile != "" || a.Title != "About 1" {
		t.Errorf("the article: %+v, %v", a, err)
	}
	for key, value := range everything(t, client) {
		if strings.HasPrefix(key, "laurel:{articles}") && (strings.Contains(key, "bob") || strings.Contains(fmt.Sprint(value), "bob")) {
			t.Errorf("%s tells of the user: %v", key, value)
		}
	}
}

// Who has read an author's profile before the author was erased, and keeps the copy
// after it, leaves nothing: neither of who stays away nor over the name of who comes
// back.
func TestACopyThatComesAfterTheErasureIsNotKept(t *testing.T) {
	t.Parallel()
	client := testserver.Redis(t)
	store := live.New(client, utc(), 1)
	articles, noon := store.Articles(), at(t, "2026-11-20T12:00")
	create(t, store, published("1", "bob", noon))
	create(t, store, published("2", "ann", noon))
	if _, err := articles.Erase(t.Context(), "bob"); err != nil {
		t.Fatal(err)
	}
	late := map[string]string{"bob": `5 {"name":"Bob"}`, "ann": `1 {"name":"Ann"}`}
	if err := articles.FillAuthors(t.Context(), late); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]string{"ann": late["ann"]}, client.HGetAll(t.Context(), "laurel:{articles}:authors").Val()); diff != "" {
		t.Errorf("copies of authors (-want +got):\n%s", diff)
	}
	create(t, store, published("3", "bob", noon))
	if err := articles.FillAuthors(t.Context(), map[string]string{"bob": `1 {"name":"Robert"}`}); err != nil {
		t.Fatal(err)
	}
	if a, err := articles.Get(t.Context(), "3"); err != nil || a.Profile != `1 {"name":"Robert"}` {
		t.Errorf("who came back: %+v, %v", a, err)
	}
}

// A server that is away is an error of every operation, and the error says so.
func TestArticlesOfAServerThatIsAway(t *testing.T) {
	t.Parallel()
	server := testserver.OwnRedis(t)
	options := server.Options()
	options.MaxRetries = -1
	store := live.New(redis.NewClient(options), utc(), 1)
	defer store.Close()
	server.Stop()
	ctx, articles, noon := t.Context(), store.Articles(), at(t, "2026-11-20T12:00")
	a := published("1", "ann", noon)
	var failed []error
	add := func(_ any, err error) { failed = append(failed, err) }
	_, _, err := articles.Create(ctx, a)
	add(nil, err)
	add(articles.Put(ctx, a))
	add(articles.Delete(ctx, "1", noon))
	add(articles.Get(ctx, "1"))
	add(articles.List(ctx, viewOf("")))
	add(articles.Groups(ctx))
	add(articles.Voted(ctx, "ann", []string{"1"}, noon))
	add(nil, articles.FillAuthors(ctx, map[string]string{"ann": "1 {}"}))
	add(articles.Settle(ctx, noon))
	add(articles.Leave(ctx, 1, noon))
	add(articles.Gone(ctx))
	add(articles.Forget(ctx, live.GoneArticle{Page: article.Page{Article: a}}))
	add(articles.Erase(ctx, "ann"))
	for i, err := range failed {
		isArticleError(t, fmt.Sprint("operation ", i), err, live.ErrUnavailable)
	}
}
