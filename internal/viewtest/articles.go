package viewtest

import (
	"fmt"
	"strings"
	"testing"

	"laurel/internal/harness"
	"laurel/shared/core/article"
	"laurel/shared/core/board"
	"laurel/shared/store/view"
)

const published = board.Moment(1_795_000_000_000) // in November 2026

// PageOf is an article's page.
func PageOf(id string, revision int64, groups ...string) view.ArticleUnit {
	p := article.Page{Article: article.Article{
		ID: id, Author: "ann", Title: "On " + id, Published: published, Groups: groups,
	}}
	return view.ArticleUnit{Page: p, Revision: revision, By: Head.KeyOf("ann")}
}

// PutArticle shows an article.
func (h *View) PutArticle(u view.ArticleUnit) {
	h.T.Helper()
	got := harness.Must(h.ShowArticles(h.T.Context(), u))(h.T)
	h.Equal([]view.ShowResult{view.ShowApplied}, got)
}

// Votes is the unit of a user's votes of November.
func Votes(user string, revision int64, ids ...string) view.VotesUnit {
	u := view.VotesUnit{Key: Head.KeyOf(user), MonthRevision: view.MonthRevision{Month: November, Revision: revision}}
	for _, id := range ids {
		u.Articles = append(u.Articles, view.VotedArticle{ID: id})
	}
	return u
}

// Vote shows the articles that a user's votes stand for.
func (h *View) Vote(user string, revision int64, ids ...string) {
	h.T.Helper()
	got := harness.Must(h.ShowVotes(h.T.Context(), Votes(user, revision, ids...)))(h.T)
	h.Equal([]view.ShowResult{view.ShowApplied}, got)
}

// Listing reads a list of articles: ids with their votes.
func (h *View) Listing(by article.Sort, group string) string {
	h.T.Helper()
	found := harness.Must(h.List(h.T.Context(), article.View{Sort: by, Group: group, Limit: 100}))(h.T)
	var texts []string
	for _, a := range found.Articles {
		texts = append(texts, a.ID+":"+strings.Repeat("+", int(a.Votes)))
	}
	return strings.Join(texts, " ")
}

// testArticleMoves: an article moves between groups, off the lists and back, and is gone; an earlier revision changes
// nothing.
func testArticleMoves(t *testing.T, open func(testing.TB) *View) {
	t.Helper()
	h := open(t)
	h.PutArticle(PageOf("a", 3, "g", "h"))
	h.PutArticle(PageOf("b", 3, "g"))
	h.Vote("bob", 5, "a")
	h.PutArticle(PageOf("a", 4, "h", "i"))
	h.Equal("b:+", h.Listing(article.Hot, "g"))
	h.Equal("a:++", h.Listing(article.New, "i"))
	groups := harness.Must(h.Groups(t.Context()))(t)
	h.Equal([]article.Group{{Name: "g", Articles: 1}, {Name: "h", Articles: 1}, {Name: "i", Articles: 1}}, groups)

	off := PageOf("a", 5, "h", "i")
	off.Unlisted = true
	h.PutArticle(off)
	h.Equal("b:+", h.Listing(article.Hot, ""))
	h.Vote("cid", 5, "a")
	shown := harness.Must(h.Articles(t.Context(), "a", "none"))(t)
	h.Equal(map[string]view.Listed{"a": {ID: "a", Revision: 5, By: Head.KeyOf("ann"), Votes: 3, Open: true}}, shown)
	off = PageOf("a", 5, "h", "i")
	off.Withheld = true
	h.PutArticle(off)
	h.Equal("b:+", h.Listing(article.New, ""))
	h.PutArticle(PageOf("a", 6, "h"))
	h.Equal("a:+++ b:+", h.Listing(article.Hot, ""))

	gone := PageOf("a", 7)
	gone.State, gone.Title = article.Deleted, ""
	h.PutArticle(gone)
	h.Equal("b:+", h.Listing(article.New, ""))
	shown = harness.Must(h.Articles(t.Context(), "a"))(t)
	h.Equal(map[string]view.Listed{"a": {ID: "a", Revision: 7, By: Head.KeyOf("ann")}}, shown)
	got := harness.Must(h.ShowArticles(t.Context(), PageOf("a", 6, "h")))(t)
	h.Equal([]view.ShowResult{view.ShowStale}, got)
	seen := harness.Must(h.SeenArticles(t.Context(), "a", "b", "c"))(t)
	h.Equal(map[string]int64{"a": 7, "b": 3}, seen)
	h.Vote("bob", 6)
	h.Equal("b:+", h.Listing(article.Hot, ""))
}

// testTexts: the view keeps neither texts of articles nor ids of people, only the author's key.
func testTexts(t *testing.T, open func(testing.TB) *View) {
	t.Helper()
	h := open(t)
	a := PageOf("a", 3, "g")
	a.Link = "https://example.org/secret"
	h.PutArticle(a)
	h.Vote("bob", 5, "a")
	for _, text := range []string{"on a", "secret", "ann", "bob"} {
		h.nowhere(text)
	}
	list := harness.Must(h.List(t.Context(), article.View{Sort: article.Hot, Limit: 1}))(t)
	h.Equal([]view.Listed{{ID: "a", Revision: 3, By: Head.KeyOf("ann"), Votes: 2, Open: true}}, list.Articles)
}

// testPeopleBesideArticles: people are shown while the articles are yet to be filled.
func testPeopleBesideArticles(t *testing.T, open func(testing.TB) *View) {
	t.Helper()
	h := open(t)
	harness.OK(t, h.Clear(t.Context(), view.Articles, view.Marker{Table: "table-2", Fill: "some"}))
	h.Apply(view.ShowApplied, Person(Unit("ann", 7, 0, Place(Today, 5, 1)), 1, "Ann"))
	h.Equal("ann", h.Order(Today))
}

// testManyVotes: votes for a thousand articles, in ten groups each, are shown whole, and so are the lists of them.
func testManyVotes(t *testing.T, open func(testing.TB) *View) {
	t.Helper()
	h := open(t)
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
			articles = append(articles, PageOf(ids[i], 1, groups...))
		}
		units = append(units, Votes(fmt.Sprint("user-", user), 1, ids...))
	}
	if _, err := h.ShowArticles(t.Context(), articles...); err != nil {
		t.Fatal(err)
	}
	if _, err := h.ShowVotes(t.Context(), units...); err != nil {
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
