package view_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"laurel/internal/harness"
	"laurel/shared/article"
	"laurel/shared/board"
	"laurel/shared/view"
)

const published = board.Moment(1_795_000_000_000) // in November 2026

// pageOf is an article's page.
func pageOf(id string, revision int64, groups ...string) view.ArticleUnit {
	p := article.Page{Article: article.Article{
		ID: id, Author: "ann", Title: "On " + id, Published: published, Groups: groups,
	}}
	return view.ArticleUnit{Page: p, Revision: revision, AuthorRev: 1, AuthorName: "Ann"}
}

// article shows an article.
func (h *testView) article(u view.ArticleUnit) {
	h.t.Helper()
	got := harness.Must(h.ShowArticles(h.t.Context(), 0, u))(h.t)
	h.equal([]view.ShowResult{view.ShowApplied}, got)
}

func votes(user string, revision int64, ids ...string) view.VotesUnit {
	u := view.VotesUnit{Key: head.KeyOf(user), MonthRevision: view.MonthRevision{Month: november, Revision: revision}}
	for _, id := range ids {
		u.Articles = append(u.Articles, view.VotedArticle{ID: id})
	}
	return u
}

// vote shows the articles that a user's votes stand for.
func (h *testView) vote(user string, revision int64, ids ...string) {
	h.t.Helper()
	got := harness.Must(h.ShowVotes(h.t.Context(), 0, votes(user, revision, ids...)))(h.t)
	h.equal([]view.ShowResult{view.ShowApplied}, got)
}

// list reads a list of articles: ids with their votes.
func (h *testView) list(by article.Sort, group string) string {
	h.t.Helper()
	found := harness.Must(h.List(h.t.Context(), article.View{Sort: by, Group: group, Limit: 100}))(h.t)
	var texts []string
	for _, a := range found.Articles {
		texts = append(texts, a.ID+":"+strings.Repeat("+", int(a.Votes)))
	}
	return strings.Join(texts, " ")
}

// A vote takes one trip with the page that says the lists, one more without.
func TestTripsOfAVote(t *testing.T) {
	t.Parallel()
	h, trips := counted(t, 1)
	a := pageOf("a", 3, "g", "h")
	h.article(a)
	h.vote("ann", 1, "a")
	given := votes("bob", 5, "a")
	given.Articles[0].Page = &a.Page
	show := func(u view.VotesUnit) func() {
		return func() {
			if got, err := h.ShowVotes(t.Context(), 0, u); err != nil || got[0] != view.ShowApplied {
				t.Error(got, err)
			}
		}
	}
	trips.Expect(t, "a vote with a page", 1, show(given))
	trips.Expect(t, "a vote without", 2, show(votes("cid", 5, "a")))
	show(votes("dan", 5))() // a unit without votes runs in a full Redis: a script of its own, which is learned
	trips.Expect(t, "a vote taken back without", 2, show(votes("cid", 6)))
	h.equal("a:+++", h.list(article.Hot, "h"))
}

// An article moves between groups, off the lists and back, and is gone; an earlier revision changes
// nothing.
func TestArticleMoves(t *testing.T) {
	t.Parallel()
	h := setup(t, 1)
	h.article(pageOf("a", 3, "g", "h"))
	h.article(pageOf("b", 3, "g"))
	h.vote("bob", 5, "a")
	h.article(pageOf("a", 4, "h", "i"))
	h.equal("b:+", h.list(article.Hot, "g"))
	h.equal("a:++", h.list(article.New, "i"))
	groups := harness.Must(h.Groups(t.Context()))(t)
	h.equal([]article.Group{{Name: "g", Articles: 1}, {Name: "h", Articles: 1}, {Name: "i", Articles: 1}}, groups)

	off := pageOf("a", 5, "h", "i")
	off.Unlisted = true
	h.article(off)
	h.equal("b:+", h.list(article.Hot, ""))
	h.vote("cid", 5, "a")
	if a, err := h.Article(t.Context(), "a"); err != nil || a.Votes != 3 || a.Name != "Ann" {
		t.Error(a, err)
	}
	h.article(pageOf("a", 6, "h"))
	h.equal("a:+++ b:+", h.list(article.Hot, ""))

	gone := pageOf("a", 7)
	gone.State, gone.Title = article.Deleted, ""
	h.article(gone)
	h.equal("b:+", h.list(article.New, ""))
	if _, err := h.Article(t.Context(), "a"); !errors.Is(err, view.ErrNoArticle) {
		t.Error(err)
	}
	got := harness.Must(h.ShowArticles(t.Context(), 0, pageOf("a", 6, "h")))(t)
	h.equal([]view.ShowResult{view.ShowStale}, got)
	seen := harness.Must(h.SeenArticles(t.Context(), "a", "b", "c"))(t)
	h.equal(map[string]int64{"a": 7, "b": 3}, seen)
	h.vote("bob", 6)
	h.equal("b:+", h.list(article.Hot, ""))
}

// An author's name follows the person; with an erasure it goes, and the id with it.
func TestAuthorsName(t *testing.T) {
	t.Parallel()
	h := setup(t, 1)
	h.article(pageOf("a", 3))
	name := func() string {
		a := harness.Must(h.Article(t.Context(), "a"))(t)
		return a.Name
	}
	h.equal("Ann", name())
	h.show(view.ShowApplied, person(unit("ann", 0, 0), 5, "Anna"))
	h.equal("Anna", name())
	h.article(pageOf("b", 3)) // with the name of before
	h.equal("Anna", name())
	seen := harness.Must(h.SeenAuthors(t.Context(), "ann", "bob"))(t)
	h.equal(map[string]int64{"ann": 5}, seen)

	gone := pageOf("c", 3)
	h.article(gone)
	h.show(view.ShowApplied, person(unit("ann", 0, 0), 6, "")) // no name is left, but the person is
	h.equal("", name())
	gone.State, gone.Revision = article.Deleted, 4
	h.article(gone)
	h.show(view.ShowApplied, person(unit("ann", 0, 0), 7, "Ann again"))
	h.equal("Ann again", name())

	erased := person(unit("ann", 0, 0), 8, "")
	erased.Erased = true
	h.show(view.ShowApplied, erased)
	late := pageOf("b", 3) // by a process that had read the person before
	late.AuthorRev = 7
	h.article(late)
	for _, id := range []string{"a", "b"} {
		u := pageOf(id, 4)
		u.Author, u.AuthorName, u.AuthorRev = "", "", 0 // by a comparison, which does not know whose it was
		h.article(u)
	}
	nowhere := func() {
		t.Helper()
		if held := dump(t, h.client); strings.Contains(strings.ToLower(held), "ann") {
			t.Error("Redis has the id of an erased person:", held)
		}
	}
	nowhere()

	since := pageOf("d", 5)
	since.AuthorRev, since.AuthorName = 8, "" // of the id's new owner
	h.article(since)
	h.show(view.ShowApplied, erased)
	h.show(view.ShowApplied, person(unit("ann", 0, 0), 9, "Another"))
	h.equal("Another", harness.Must(h.Article(t.Context(), "d"))(t).Name)

	h.show(view.ShowApplied, person(unit("ann", 0, 0), 10, "")) // without a name, and without an article
	since.State, since.Revision = article.Deleted, 6
	h.article(since)
	erased.Person = 11
	h.show(view.ShowApplied, erased)
	nowhere()
}

// People are shown while the articles' slot is yet to be filled.
func TestPeopleAreShownBesideASlotToBeFilled(t *testing.T) {
	t.Parallel()
	h := setup(t, 1)
	for _, is := range []string{"", "1 Europe/Berlin 1 table-2"} {
		h.client.HSet(t.Context(), "laurel:{articles}:marker", "is", is)
		h.show(view.ShowApplied, person(unit("ann", 7, 0, place(today, 5, 1)), 1, "Ann"))
	}
	h.client.Del(t.Context(), "laurel:{articles}:marker")
	h.client.Set(t.Context(), "laurel:{articles}:marker", "damaged", 0)
	got, err := h.Show(t.Context(), 0, person(unit("ann", 7, 0, place(today, 5, 1)), 1, "Ann"))
	if err == nil || got[0] != view.ShowFailed {
		t.Error(got, err)
	}
}

// Votes for a thousand articles, in ten groups each, are shown whole in calls of few enough arguments,
// and so are the articles, and the lists of them.
func TestManyVotesFitIntoCalls(t *testing.T) {
	t.Parallel()
	h := setup(t, 1)
	var groups, wrong []string
	for i := range 10 {
		groups = append(groups, fmt.Sprint("group-", i))
	}
	var articles []view.ArticleUnit
	var units []view.VotesUnit
	for user := range 20 {
		var ids []string
		for i := range 50 {
			ids = append(ids, fmt.Sprintf("%d-%d", user, i))
			articles = append(articles, pageOf(ids[i], 1, groups...))
		}
		units = append(units, votes(fmt.Sprint("user-", user), 1, ids...))
	}
	if _, err := h.ShowArticles(t.Context(), 0, articles...); err != nil {
		t.Fatal(err)
	}
	if _, err := h.ShowVotes(t.Context(), 0, units...); err != nil {
		t.Fatal(err)
	}
	for _, group := range append(groups, "") {
		found, err := h.List(t.Context(), article.View{Sort: article.Hot, Group: group, Limit: 1_000})
		if err != nil || found.Total != 1_000 {
			t.Fatal(found.Total, err)
		}
		for _, a := range found.Articles {
			if a.Votes != found.Articles[0].Votes || a.Votes == 0 {
				wrong = append(wrong, fmt.Sprint(a.ID, " in ", group, " has ", a.Votes))
			}
		}
	}
	if len(wrong) > 0 {
		t.Error(wrong)
	}
}
