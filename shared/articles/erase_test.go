package articles_test

import (
	"fmt"
	"strings"
	"testing"

	"laurel/shared/articles"
	"laurel/shared/live"

	"github.com/google/go-cmp/cmp"
	"github.com/redis/go-redis/v9"

	"laurel/internal/harness"
	"laurel/internal/testserver"
	"laurel/shared/article"
	"laurel/shared/redisstore"
)

// Erasing a user takes the name off the articles and the votes back, and leaves
// nothing of the user; final votes stay.
func TestEraseTakesTheAuthorAndVotesBack(t *testing.T) {
	t.Parallel()
	client := testserver.Redis(t)
	store := live.New(client, harness.UTC(), 1)
	press, noon := store.Articles(), harness.At(t, "2026-11-20T12:00")
	create(t, store, published("votes-final", "bob", noon))
	create(t, store, published("0", "ann", noon))
	create(t, store, published("1", "bob", noon+20*articleDay, "go"))
	create(t, store, published("2", "ann", noon+20*articleDay, "go"))
	create(t, store, published("3", "ann", noon+20*articleDay))
	harness.Record(t, store, harness.Did(t, "bob like votes-final", noon), harness.Did(t, "bob like 0", noon))
	dropVoters(t, store, noon+20*articleDay, 2)
	harness.Record(t, store, harness.Did(t, "bob like 2", noon+20*articleDay),
		harness.Did(t, "bob like 3", noon+20*articleDay), harness.Did(t, "bob unlike 3", noon+20*articleDay))
	if _, err := press.Delete(t.Context(), "votes-final", noon); err != nil {
		t.Fatal(err)
	}
	if err := press.FillAuthors(t.Context(), map[string]string{"bob": "1 {}", "ann": "1 {}"}); err != nil {
		t.Fatal(err)
	}
	erased, err := press.Erase(t.Context(), "bob")
	if diff := cmp.Diff(articles.Erased{Articles: 2, Votes: 2}, erased); diff != "" || err != nil {
		t.Errorf("erased: %v (-want +got):\n%s", err, diff)
	}
	erased, err = press.Erase(t.Context(), "bob")
	if diff := cmp.Diff(articles.Erased{}, erased); diff != "" || err != nil {
		t.Errorf("erased again: %v (-want +got):\n%s", err, diff)
	}
	for id, want := range map[string]int64{"0": 2, "1": 1, "2": 1, "3": 1} {
		expectVotes(t, store, id, want, noon)
	}
	if a, err := press.Get(t.Context(), "1"); err != nil || a.Author != "" || a.Profile != "" || a.Title != "About 1" {
		t.Errorf("the article: %+v, %v", a, err)
	}
	for key, value := range harness.Everything(t, client) {
		if strings.HasPrefix(key, "laurel:{articles}") &&
			(strings.Contains(key, "bob") || strings.Contains(fmt.Sprint(value), "bob")) {
			t.Errorf("%s tells of the user: %v", key, value)
		}
	}
}

// A reader who read an author's profile before the erasure and sets the copy after it
// leaves nothing, whether the user is back with a new profile or not.
func TestLateCopyOfAnErasedAuthorIsNotKept(t *testing.T) {
	t.Parallel()
	client := testserver.Redis(t)
	store := live.New(client, harness.UTC(), 1)
	press, noon := store.Articles(), harness.At(t, "2026-11-20T12:00")
	create(t, store, published("1", "bob", noon))
	create(t, store, published("2", "ann", noon))
	if _, err := press.Erase(t.Context(), "bob"); err != nil {
		t.Fatal(err)
	}
	late := map[string]string{"bob": `5 {"name":"Bob"}`, "ann": `1 {"name":"Ann"}`}
	if err := press.FillAuthors(t.Context(), late); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]string{"ann": late["ann"]},
		client.HGetAll(t.Context(), "laurel:{articles}:authors").Val()); diff != "" {
		t.Errorf("copies of authors (-want +got):\n%s", diff)
	}
	create(t, store, published("3", "bob", noon))
	if err := press.FillAuthors(t.Context(), map[string]string{"bob": `1 {"name":"Robert"}`}); err != nil {
		t.Fatal(err)
	}
	if a, err := press.Get(t.Context(), "3"); err != nil || a.Profile != `1 {"name":"Robert"}` {
		t.Errorf("who came back: %+v, %v", a, err)
	}
}

// An unavailable server is an error of every operation, and the error says so.
func TestArticlesOfAnUnavailableServer(t *testing.T) {
	t.Parallel()
	server := testserver.OwnRedis(t)
	options := server.Options()
	options.MaxRetries = -1
	store := live.New(redis.NewClient(options), harness.UTC(), 1)
	defer store.Close()
	server.Stop()
	ctx, press, noon := t.Context(), store.Articles(), harness.At(t, "2026-11-20T12:00")
	a := published("1", "ann", noon)
	var failed []error
	add := func(_ any, err error) { failed = append(failed, err) }
	_, _, err := press.Create(ctx, a)
	add(nil, err)
	add(edit(ctx, press, a))
	add(press.Delete(ctx, "1", noon))
	add(press.Get(ctx, "1"))
	add(press.List(ctx, viewOf("")))
	add(press.Groups(ctx))
	add(press.Voted(ctx, "ann", []string{"1"}, noon))
	add(nil, press.FillAuthors(ctx, map[string]string{"ann": "1 {}"}))
	add(press.DropVoters(ctx, noon))
	add(press.Leave(ctx, 1, noon))
	add(press.Gone(ctx))
	add(press.Forget(ctx, articles.Gone{Page: article.Page{Article: a}}))
	add(press.Erase(ctx, "ann"))
	for i, err := range failed {
		isArticleError(t, fmt.Sprint("operation ", i), err, redisstore.ErrUnavailable)
	}
}
