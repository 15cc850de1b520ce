package articles_test

import (
	"fmt"
	"testing"

	"laurel/internal/harness"
	"laurel/internal/testserver"
	"laurel/shared/activity"
	"laurel/shared/article"
	"laurel/shared/live"
)

// Promise 6 for articles: a vote costs recording no round trip, a list with the
// names of its authors is one, whatever the number of groups.
func TestPromise6FewRoundTripsForArticles(t *testing.T) {
	t.Parallel()
	for _, shards := range []int{1, 8} {
		client, w := testserver.CountedRedis(t)
		store := live.New(client, harness.UTC(), shards)
		press, noon := store.Articles(), harness.At(t, "2026-11-20T12:00")
		harness.TeachScripts(t, store)
		many := make([]string, article.MaxGroups)
		for i := range many {
			many[i] = fmt.Sprint("group-", i)
		}
		must := func(err error) {
			t.Helper()
			if err != nil {
				t.Error(err)
			}
		}
		create(t, store, published("first", "ann", noon, many...)) // the server learns the scripts
		_, err := edit(t.Context(), press, published("first", "ann", noon))
		must(err)
		harness.Record(t, store, harness.Did(t, "bob like first", noon))
		_, err = press.List(t.Context(), viewOf(""))
		must(err)
		_, err = press.Get(t.Context(), "first")
		must(err)
		create(t, store, published("gone", "ann", noon, many...))
		_, err = press.Delete(t.Context(), "gone", noon)
		must(err)
		must(press.FillAuthors(t.Context(), map[string]string{"ann": "1 {}"}))
		_, err = press.Groups(t.Context()) // the client has connections for pipelines and others
		must(err)

		w.Expect(t, "creating", 1, func() { create(t, store, published("0", "ann", noon, many...)) })
		for i := 1; i < 60; i++ {
			create(t, store, published(fmt.Sprint(i), fmt.Sprint("author-", i%30), noon, many...))
		}
		var acts []activity.Activity
		for i := range 500 {
			acts = append(acts, harness.Did(t, fmt.Sprintf("user-%d %s %d", i%77, []string{"like", "unlike"}[i%7/6], i%90),
				noon))
		}
		w.Expect(t, "a batch of 500 votes for 60 articles in 20 groups", 2, func() { harness.Record(t, store, acts...) })
		w.Expect(t, "the batch again", 1, func() { harness.Record(t, store, acts...) })
		w.Expect(t, "a vote", 2, func() { harness.Record(t, store, harness.Did(t, "eve like 7", noon)) })
		w.Expect(t, "a like of nothing again", 1,
			func() { harness.Record(t, store, harness.Did(t, "user-70 like 70", noon)) })
		w.Expect(t, "no like", 2, func() { harness.Record(t, store, harness.Did(t, "eve visit 7", noon)) })
		for _, view := range []article.View{
			viewOf(""), viewOf("group-7"), viewOf("nobody"),
			{Sort: article.New, Offset: 40, Limit: 100},
		} {
			w.Expect(t, "a list", 1, func() {
				_, err := press.List(t.Context(), view)
				must(err)
			})
		}
		w.Expect(t, "an article", 1, func() {
			a, err := press.Get(t.Context(), "0")
			must(err)
			if a.Profile != "1 {}" {
				t.Errorf("shown: %+v", a)
			}
		})
		w.Expect(t, "what a user has voted for", 1, func() {
			var all []string
			for i := range 100 {
				all = append(all, fmt.Sprint(i))
			}
			_, err := press.Voted(t.Context(), "user-7", all, noon)
			must(err)
		})
		w.Expect(t, "the groups", 1, func() {
			_, err := press.Groups(t.Context())
			must(err)
		})
		w.Expect(t, "a move from 20 groups", 2, func() {
			_, err := edit(t.Context(), press, published("0", "ann", noon, "other"))
			must(err)
		})
		w.Expect(t, "a deletion", 2, func() {
			_, err := press.Delete(t.Context(), "1", noon)
			must(err)
		})
	}
}
