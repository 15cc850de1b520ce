package pull

import (
	"encoding/json"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"github.com/cespare/xxhash/v2"

	"laurel/shared/api/wire"
	"laurel/shared/core/board"
)

const profilesAtOnce = 100

// requests returns the requests in the order in which they are sent.
func (c *Comparison) requests() []Request {
	all := c.first
	for some := range slices.Chunk(c.profiles, profilesAtOnce) {
		all = append(all, newRequest(http.MethodPut, "/v1/users", wire.ProfileList{Users: some}))
	}
	all = append(all, c.Topics...)
	for some := range slices.Chunk(c.activities, wire.MaxByService) {
		var report wire.Report
		for _, a := range some {
			one := wire.ReportedActivity{
				User: a.User, Action: a.Action, Target: a.Target, Ref: a.Ref, Other: a.Other, At: a.At.String(),
			}
			if a.Restores {
				one.Restores = new(true)
			}
			report.Activities = append(report.Activities, one)
		}
		all = append(all, newRequest(http.MethodPost, "/v1/activities", report))
	}
	return append(all, c.last...)
}

// profile reports a profile, if it differs from the reported one.
func (c *Comparison) profile(p wire.UserProfile) {
	u := c.Users[p.ID]
	if hash := hash(p); hash != u.Profile {
		u.Profile = hash
		c.profiles = append(c.profiles, p)
	}
	c.Users[p.ID] = u
}

// excluded reports that a user is taken off the boards, or put back.
func (c *Comparison) excluded(user string, out bool) {
	was := c.Users[user]
	path := "/v1/users/" + url.PathEscape(user) + "/exclusion"
	switch {
	case out && was.Excluded != 0:
		c.frozen[user] = true
	case out:
		c.last = append(c.last, Request{Method: http.MethodPut, Path: path})
		was.Excluded = c.Now
	case was.Excluded != 0:
		c.first = append(c.first, Request{Method: http.MethodDelete, Path: path})
		was.Excluded = 0
	}
	was.Erased = false
	c.Users[user] = was
}

// erased notes that a user is erased, and reports it if it was not, and is to be.
func (c *Comparison) erased(user string, report bool) {
	if !c.Users[user].Erased && report {
		c.last = append(c.last, Request{Method: http.MethodDelete, Path: "/v1/users/" + url.PathEscape(user)})
	}
	c.Users[user] = User{Erased: true}
}

// left reports whether a user stays as reported: excluded, erased, or not known.
func (c *Comparison) left(user string) bool {
	u, ok := c.Users[user]
	return !ok || u.Erased || c.frozen[user]
}

// A Topic is an article as the forum has it now.
type Topic struct {
	ID, Author  string
	ArticleText wire.ArticleText // without its moment
	At          board.Moment     // when it was published
	Listed      bool
}

// article reports changes of an article. Its author's activities are owed while the author is excluded.
func (c *Comparison) article(t Topic) {
	was, known := c.Articles[t.ID]
	article := Article{Author: t.Author, Text: hash(t.ArticleText), Listed: t.Listed}
	article.Owed = c.frozen[t.Author] && (was.Owed || was.Listed != article.Listed)
	if !known && !t.Listed || known && was == article {
		return
	}
	c.Articles[t.ID] = article
	if t.At >= c.Now.Add(-Latest) && (!known || was.Owed) {
		post := wire.NewArticle{ID: t.ID, ArticleText: t.ArticleText, Author: wire.UserRef{ID: t.Author}}
		post.PublishedAt = t.At.String()
		c.Topics = append(c.Topics, newRequest(http.MethodPost, "/v1/articles", post))
	}
	if known {
		put := wire.ArticleDetails{ArticleText: t.ArticleText}
		if was.Listed != article.Listed || was.Owed {
			put.Listed = &t.Listed
		}
		c.Topics = append(c.Topics, newRequest(http.MethodPut, "/v1/articles/"+url.PathEscape(t.ID), put))
	}
}

// purge reports the deletion of articles that no longer exist.
func (c *Comparison) purge(existing map[string]bool) {
	for _, id := range slices.Sorted(maps.Keys(c.Articles)) {
		if !existing[id] {
			delete(c.Articles, id)
			c.Topics = append(c.Topics, Request{Method: http.MethodDelete, Path: "/v1/articles/" + url.PathEscape(id)})
		}
	}
}

func newRequest(method, path string, body any) Request {
	text, _ := json.Marshal(body) //nolint:errchkjson // of texts
	return Request{Method: method, Path: path, Body: text}
}

func hash(value any) string {
	text, _ := json.Marshal(value) //nolint:errchkjson // of texts
	return strconv.FormatUint(xxhash.Sum64(text), 36)
}
