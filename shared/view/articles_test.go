package view_test

import (
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
	return view.ArticleUnit{Page: p, Revision: revision, By: head.KeyOf("ann")}
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
	shown := harness.Must(h.Articles(t.Context(), "a", "none"))(t)
	h.equal(map[string]view.Listed{"a": {ID: "a", Revision: 5, By: head.KeyOf("ann"), Votes: 3, Open: true}}, shown)
	h.article(pageOf("a", 6, "h"))
	h.equal("a:+++ b:+", h.list(article.Hot, ""))

	gone := pageOf("a", 7)
	gone.State, gone.Title = article.Deleted, ""
	h.article(gone)
	h.equal("b:+", h.list(article.New, ""))
	shown = harness.Must(h.Articles(t.Context(), "a"))(t)
	h.equal(map[string]view.Listed{"a": {ID: "a", Revision: 7, By: head.KeyOf("ann")}}, shown)
	got := harness.Must(h.ShowArticles(t.Context(), 0, pageOf("a", 6, "h")))(t)
	h.equal([]view.ShowResult{view.ShowStale}, got)
	seen := harness.Must(h.SeenArticles(t.Context(), "a", "b", "c"))(t)
	h.equal(map[string]int64{"a": 7, "b": 3}, seen)
	h.vote("bob", 6)
	h.equal("b:+", h.list(article.Hot, ""))
}

// The view keeps neither texts of articles nor ids of people, only the author's key.
func TestTextsAreNotKept(t *testing.T) {
	t.Parallel()
	h := setup(t, 1)
	a := pageOf("a", 3, "g")
	a.Link = "https://example.org/secret"
	h.article(a)
	h.vote("bob", 5, "a")
	held := strings.ToLower(dump(t, h.client))
	for _, text := range []string{"on a", "secret", "ann", "bob"} {
		if strings.Contains(held, text) {
			t.Errorf("Redis has %q: %s", text, held)
		}
	}
	list := harness.Must(h.List(t.Context(), article.View{Sort: article.Hot, Limit: 1}))(t)
	h.equal([]view.Listed{{ID: "a", Revision: 3, By: head.KeyOf("ann"), Votes: 2, Open: true}}, list.Articles)
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
