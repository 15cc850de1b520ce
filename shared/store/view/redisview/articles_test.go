package redisview_test

import (
	"testing"

	"laurel/internal/viewtest"
	"laurel/shared/core/article"
	"laurel/shared/store/view"
)

// A vote takes one trip with the page that says the lists, one more without.
func TestTripsOfAVote(t *testing.T) {
	t.Parallel()
	h, trips := counted(t, 1)
	a := viewtest.PageOf("a", 3, "g", "h")
	h.PutArticle(a)
	h.Vote("ann", 1, "a")
	given := viewtest.Votes("bob", 5, "a")
	given.Articles[0].Page = &a.Page
	show := func(u view.VotesUnit) func() {
		return func() {
			if got, err := h.ShowVotes(t.Context(), u); err != nil || got[0] != view.ShowApplied {
				t.Error(got, err)
			}
		}
	}
	trips.Expect(t, "a vote with a page", 1, show(given))
	trips.Expect(t, "a vote without", 2, show(viewtest.Votes("cid", 5, "a")))
	show(viewtest.Votes("dan", 5))() // a unit without votes runs in a full Redis: a script of its own, which is learned
	trips.Expect(t, "a vote taken back without", 2, show(viewtest.Votes("cid", 6)))
	h.Equal("a:+++", h.Listing(article.Hot, "h"))
}
