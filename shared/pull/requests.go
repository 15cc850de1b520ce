package pull

import (
	"encoding/json"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"github.com/cespare/xxhash/v2"

	"laurel/shared/activity"
	"laurel/shared/request"
)

const profilesAtOnce = 100

// A Profile is who a user is.
type Profile = request.ListedProfile

// Activities returns requests that report activities.
func Activities(acts []activity.Activity) []Request {
	var all []Request
	for some := range slices.Chunk(acts, request.MaxByService) {
		var report request.Report
		for _, a := range some {
			one := request.ReportedActivity{
				User: a.User, Action: a.Action, Target: a.Target, Ref: a.Ref, At: a.At.String(),
			}
			if a.Restores {
				one.Restores = new(true)
			}
			report.Activities = append(report.Activities, one)
		}
		all = append(all, to(http.MethodPost, "/v1/activities", report))
	}
	return all
}

// Profile adds a profile to those that are to be put, if it differs from what was reported.
func (s *State) Profile(p Profile, put []Profile) []Profile {
	u := s.Users[p.ID]
	if hash := hash(p); hash != u.Profile {
		u.Profile = hash
		put = append(put, p)
	}
	s.Users[p.ID] = u
	return put
}

// Profiles returns requests that put profiles.
func Profiles(all []Profile) []Request {
	var put []Request
	for some := range slices.Chunk(all, profilesAtOnce) {
		put = append(put, to(http.MethodPut, "/v1/users", request.ProfileList{Users: some}))
	}
	return put
}

// Exclude returns a request that takes a user off the boards, or puts the user back.
func Exclude(user string, excluded bool) Request {
	path := "/v1/users/" + url.PathEscape(user) + "/exclusion"
	if excluded {
		return Request{Method: http.MethodPut, Path: path}
	}
	return Request{Method: http.MethodDelete, Path: path}
}

// Erase returns a request that erases a user.
func Erase(user string) Request {
	return Request{Method: http.MethodDelete, Path: "/v1/users/" + url.PathEscape(user)}
}

// A Topic is an article as the forum has it now.
type Topic struct {
	ID, Author string
	request.ArticleText
	Listed   bool
	New      bool // it may be published: its moment is not too late
	Excluded bool // its author is: what the author gets by it is not kept meanwhile
}

// Topic returns the requests that report what has changed of an article.
func (s *State) Topic(t Topic) []Request {
	was, known := s.Articles[t.ID]
	text := t.ArticleText
	text.PublishedAt = ""
	is := Article{Author: t.Author, Text: hash(text), Listed: t.Listed}
	is.Owed = t.Excluded && (was.Owed || was.Listed != is.Listed)
	if !known && !t.Listed || known && was == is {
		return nil
	}
	s.Articles[t.ID] = is
	var all []Request
	if t.New && (!known || was.Owed) {
		post := request.NewArticle{ID: t.ID, ArticleText: t.ArticleText, Author: request.UserRef{ID: t.Author}}
		all = append(all, to(http.MethodPost, "/v1/articles", post))
	}
	if known {
		put := request.ArticleDetails{ArticleText: text}
		if was.Listed != is.Listed || was.Owed {
			put.Listed = &t.Listed
		}
		all = append(all, to(http.MethodPut, "/v1/articles/"+url.PathEscape(t.ID), put))
	}
	return all
}

// Purge returns requests that delete the articles that are not there any more, but those of
// authors who are excluded.
func (s *State) Purge(there map[string]bool, excluded map[string]bool) []Request {
	var all []Request
	for _, id := range slices.Sorted(maps.Keys(s.Articles)) {
		if !there[id] && !excluded[s.Articles[id].Author] {
			delete(s.Articles, id)
			all = append(all, Request{Method: http.MethodDelete, Path: "/v1/articles/" + url.PathEscape(id)})
		}
	}
	return all
}

func to(method, path string, body any) Request {
	text, _ := json.Marshal(body) //nolint:errchkjson // of texts
	return Request{Method: method, Path: path, Body: text}
}

func hash(of any) string {
	text, _ := json.Marshal(of) //nolint:errchkjson // of texts
	return strconv.FormatUint(xxhash.Sum64(text), 36)
}
