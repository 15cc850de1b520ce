package answer

import (
	"encoding/json"

	"laurel/shared/activity"
	"laurel/shared/article"
	"laurel/shared/board"
	"laurel/shared/hooks"
	"laurel/shared/pull"
	"laurel/shared/request"
)

// reading is the work on what was read.
type reading struct {
	*Source
	*pull.Comparison
	members  map[string]member // who are not erased
	frozen   map[string]bool   // who were excluded before: what is reported of them is not kept
	profiles []pull.Profile
	articles []pull.Request
	first    []pull.Request // exclusions that end, before what is reported
	last     []pull.Request // and those that begin, and erasures, after it
}

// users finds who is new, has changed, is suspended or deleted.
func (r *reading) users(all []member, since board.Moment) {
	for _, m := range all {
		was := r.Users[m.id]
		gone := m.status == deleted
		if gone && r.Erase {
			if !was.Erased && (!r.First() || m.deleted >= since) {
				r.last = append(r.last, pull.Erase(m.id))
			}
			r.Users[m.id] = pull.User{Erased: true}
			continue
		}
		out := gone || m.status == suspended
		switch {
		case out && was.Excluded != 0:
			r.frozen[m.id] = true
		case out:
			r.last = append(r.last, pull.Exclude(m.id, true))
			was.Excluded = r.Now
		case was.Excluded != 0:
			r.first = append(r.first, pull.Exclude(m.id, false))
			was.Excluded = 0
		}
		was.Erased = false
		r.Users[m.id] = was
		r.members[m.id] = m
		if name := hooks.Clean(m.name, article.MaxTitle); !gone && name != "" {
			r.profiles = r.Profile(r.profile(m, name), r.profiles)
		}
	}
}

// profile returns who a user is.
func (r *reading) profile(m member, name string) pull.Profile {
	p := pull.Profile{ID: m.id, Profile: request.Profile{Name: name, Link: r.page("/users/" + m.username)}}
	var face struct {
		Type     string `json:"type"`
		Gravatar string `json:"gravatar"`
		Custom   string `json:"custom"`
	}
	if json.Unmarshal([]byte(m.avatar), &face) == nil {
		p.Avatar = map[string]string{"gravatar": face.Gravatar, "custom": face.Custom}[face.Type]
	}
	if code, _ := activity.CheckURL(p.Avatar); code != "" {
		p.Avatar = ""
	}
	if m.created != 0 {
		p.Since = new(m.created.String())
	}
	return p
}

// page returns the address of a page of the forum, "" if it is not known where the forum is.
func (r *reading) page(path string) string {
	if code, _ := activity.CheckURL(r.Forum + path); r.Forum == "" || code != "" {
		return ""
	}
	return r.Forum + path
}

// questions finds what became of questions, which are articles. Those that are deleted for good
// have no row.
func (r *reading) questions(all []question) {
	there := map[string]bool{}
	for _, q := range all {
		id := "t" + q.id
		there[id] = true
		title := hooks.Clean(q.title, article.MaxTitle)
		if _, ok := r.members[q.user]; title == "" || !ok && r.Articles[id] == (pull.Article{}) {
			continue
		}
		r.articles = append(r.articles, r.Topic(pull.Topic{
			ID: id, Author: q.user,
			ArticleText: request.ArticleText{
				Title: title, Link: r.page("/questions/" + q.id), PublishedAt: q.created.String(),
			},
			Listed: (q.status == available || q.status == closed) && q.show != hidden,
			New:    q.created >= r.Now.Add(-pull.Latest), Excluded: r.frozen[q.user],
		})...)
	}
	r.articles = append(r.articles, r.Purge(there, r.frozen)...)
}

// left says whether a user is left as reported: excluded, or erased.
func (r *reading) left(user string) bool {
	_, ok := r.members[user]
	return !ok || r.frozen[user]
}

// posts finds what became of answers, comments and bookmarks.
func (r *reading) posts(t tables) {
	for _, p := range t.posts {
		if !r.left(p.user) {
			r.Compare(pull.Row{
				User: p.user, Action: comment, Target: "t" + p.question, Ref: "p" + p.id,
				Done: p.created, Stands: p.status == available, Restores: true,
			})
		}
	}
	for _, b := range t.bookmarks {
		if !r.left(b.user) {
			r.Compare(pull.Row{User: b.user, Action: bookmarked, Target: target(b.object), Done: b.created, Stands: true})
		}
	}
	r.Missing(r.written, func(row pull.Row) bool { return r.left(row.User) })
}

// cast finds which votes were cast and taken back, and which answers were accepted.
func (r *reading) cast(all []vote) {
	for _, v := range all {
		row := pull.Row{
			User: v.user, Target: target(v.object), Done: v.created, Undone: v.cancelledAt, Stands: v.cancelled == 0,
		}
		switch v.kind {
		case questionUp, answerUp, commentUp:
			row.Action = like
		case accepted:
			row.Action = r.Solved
		case questionGot, answerGot:
			row.Action, row.Target = r.Received, "p"+v.object+"/"+v.by
		}
		if v.cancelledAt != 0 && row.Stands { // cast again: created_at is that of the first time
			row.Done = v.updated
		}
		if row.Action != "" && !r.left(v.user) {
			r.Compare(row)
		}
	}
}

// target is what activities on a question, an answer or a comment are of: the fourth digit of an
// id says which it is.
func target(id string) string {
	if len(id) > 4 && id[:4] == "1001" {
		return "t" + id
	}
	return "p" + id
}
