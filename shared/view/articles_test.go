package view_test

import (
	"testing"

	"laurel/internal/viewtest"
	"laurel/shared/article"
	"laurel/shared/view"
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
			if got, err := h.ShowVotes(t.Context(), 0, u); err != nil || got[0] != view.ShowApplied {
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

// People are shown while the articles' slot is yet to be filled.
func TestPeopleAreShownBesideASlotToBeFilled(t *testing.T) {
	t.Parallel()
	h := setup(t, 1)
	for _, is := range []string{"", "1 Europe/Berlin 1 table-2"} {
		h.client.HSet(t.Context(), "laurel:{articles}:marker", "is", is)
		h.Apply(view.ShowApplied, viewtest.Person(viewtest.Unit("ann", 7, 0, viewtest.Place(viewtest.Today, 5, 1)), 1, "Ann"))
	}
	h.client.Del(t.Context(), "laurel:{articles}:marker")
	h.client.Set(t.Context(), "laurel:{articles}:marker", "damaged", 0)
	got, err := h.Show(t.Context(), 0, viewtest.Person(viewtest.Unit("ann", 7, 0, viewtest.Place(viewtest.Today, 5, 1)), 1, "Ann"))
	if err == nil || got[0] != view.ShowFailed {
		t.Error(got, err)
	}
}
