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

// States of questions, answers, comments and users.
const (
	available = 1
	closed    = 2 // a question that takes no more answers
	suspended = 9
	deleted   = 10
	hidden    = 2 // a question that is on no list
)

// The rows are those of answer's tables, as far as they are needed.
type (
	member struct {
		id, name, username, avatar string
		status                     int
		created, deleted           board.Moment
	}
	question struct {
		id, user, title string
		status, show    int
		created         board.Moment
	}
	done struct { // a row of rows.sql
		user, action, target, ref string
		created, updated, undone  board.Moment
		stands                    bool
	}
)

func (m *member) columns() []any {
	return []any{&m.id, &m.status, &m.name, &m.username, &m.avatar, &m.created, &m.deleted}
}

func (q *question) columns() []any {
	return []any{&q.id, &q.user, &q.title, &q.status, &q.show, &q.created}
}

func (d *done) columns() []any {
	return []any{&d.user, &d.action, &d.target, &d.ref, &d.created, &d.updated, &d.undone, &d.stands}
}

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

// done finds what became of what users did.
func (r *reading) done(all []done) {
	actions := map[string]string{
		comment: comment, bookmarked: bookmarked,
		"question.vote_up": like, "answer.vote_up": like, "comment.vote_up": like,
		"question.voted_up": r.Received, "answer.voted_up": r.Received, "answer.accepted": r.Solved,
	}
	for _, d := range all {
		row := pull.Row{
			User: d.user, Action: actions[d.action], Target: d.target, Ref: d.ref, Done: d.created, Undone: d.undone,
			Stands: d.stands, Restores: d.action == comment,
		}
		if d.undone != 0 && d.stands { // cast again: created_at is that of the first time
			row.Done = d.updated
		}
		if row.Action != "" && !r.left(d.user) {
			r.Compare(row)
		}
	}
}
