package pull

import (
	"context"
	_ "embed"
	"encoding/json"
	"net/url"
	"strings"
	"time"

	"laurel/shared/api/wire"
	"laurel/shared/core/activity"
	"laurel/shared/core/article"
	"laurel/shared/core/board"
	"laurel/shared/core/profile"
)

// An Answer is an apache/answer forum, whose tables are only read: SQLite, MySQL or MariaDB, and PostgreSQL.
//
// Answer has no webhooks, but its table activity records for each vote when it was cast and taken back. A vote that
// is cast again is the same row: created_at keeps the first time, cancelled_at the last undo, cancelled says
// whether the undo holds, and updated_at since when. Questions, answers and comments have a status without a time of
// its last change: Read compares it with the reports, as it does with users and with bookmarks, whose rows are deleted.
type Answer struct {
	Database string // its address
	Zone     *time.Location
	Forum    string // the address of its pages, such as https://answer.example; "" makes no links
	Received string // the author's action when a post is voted for; "" for none
	Solved   string // the author's action when an answer is accepted; "" for none
	Erase    bool   // a deleted user is erased, not only excluded
}

// Name returns the forum's name for the state, without a password.
func (s *Answer) Name() string {
	address, err := url.Parse(s.Database)
	if err != nil {
		return "answer"
	}
	address.User = nil
	return "answer " + address.String()
}

//go:embed answer.sql
var answerRows string

// The rows are those of the statements.
type (
	member struct {
		id, name, page, avatar string
		deleted, out           bool
		since, deletedAt       board.Moment
	}
	question struct {
		Topic
		page string
	}
	done struct {
		Row
		changed board.Moment
	}
)

// Read reads rows as far back as an undo counts, and votes that may be reported or have changed since the last
// reading. Rows that are written meanwhile are read the next time.
func (s *Answer) Read(ctx context.Context, c *Comparison) error {
	db, err := OpenDatabase(ctx, s.Database, s.Zone)
	if err != nil {
		return err
	}
	defer func() { _ = db.Close() }()
	since, votes := c.Now.Add(-Undoable), c.Now.Add(-Latest-Overlap)
	if !c.First() {
		votes = min(votes, c.Read.Add(-Overlap))
	}
	c.forget(func(action string, e ReportedAct) bool {
		if action == "comment" || action == "bookmark" {
			return e.Seen < since
		}
		return e.At < votes.Add(-time.Minute) // report puts the times of undos one after the other
	})
	words := strings.NewReplacer("SINCE", db.literal(since), "VOTES", db.literal(votes),
		"RECEIVED", s.Received, "SOLVED", s.Solved)
	return s.compare(ctx, db, c, strings.Split(words.Replace(answerRows), ";\n"))
}

// compare runs the statements, and compares their rows.
func (s *Answer) compare(ctx context.Context, db *Database, c *Comparison, ask []string) error {
	members, err := ReadRows(ctx, db, ask[0], func(m *member) []any {
		return []any{&m.id, &m.deleted, &m.out, &m.name, &m.page, &m.avatar, &m.since, &m.deletedAt}
	})
	if err != nil {
		return err
	}
	for _, m := range members {
		s.member(c, m)
	}
	questions, err := ReadRows(ctx, db, ask[1], func(q *question) []any {
		return []any{&q.ID, &q.Author, &q.ArticleText.Title, &q.page, &q.Listed, &q.At}
	})
	if err != nil {
		return err
	}
	s.questions(c, questions)
	for _, statement := range ask[2:] {
		rows, err := ReadRows(ctx, db, statement, func(d *done) []any {
			return []any{&d.User, &d.Action, &d.Target, &d.Ref, &d.Other, &d.At, &d.changed, &d.Undone, &d.Stands, &d.Restores}
		})
		if err != nil {
			return err
		}
		for _, d := range rows {
			if d.Undone != 0 && d.Stands { // cast again: created_at is that of the first time
				d.At = d.changed
			}
			if d.Action != "" && !c.left(d.User) {
				c.compare(d.Row)
			}
		}
	}
	c.missing([]string{"comment", "bookmark"}, func(row Row) bool { return c.left(row.User) })
	return nil
}

// member finds whether a user is new, has changed, is suspended or deleted.
func (s *Answer) member(c *Comparison, m member) {
	if m.deleted && s.Erase {
		c.erased(m.id, !c.First() || m.deletedAt >= c.Now.Add(-Undoable))
		return
	}
	c.excluded(m.id, m.out)
	if name := activity.CleanText(m.name, article.MaxTitle); !m.deleted && name != "" {
		var face map[string]string // its type, and the address of each type
		_ = json.Unmarshal([]byte(m.avatar), &face)
		p := profile.Profile{Name: name, Link: valid(s.Forum + m.page), Avatar: valid(face[face["type"]])}
		if m.since != 0 {
			p.Since = m.since.String()
		}
		c.profile(wire.UserProfile{ID: m.id, Profile: p})
	}
}

// questions finds changes of questions, which are articles. Questions that were deleted for good have no row.
func (s *Answer) questions(c *Comparison, all []question) {
	found := map[string]bool{}
	for _, q := range all {
		found[q.ID] = true
		_, known := c.Articles[q.ID]
		author, ok := c.Users[q.Author]
		title := activity.CleanText(q.ArticleText.Title, article.MaxTitle)
		text := wire.ArticleText{Title: title, Link: valid(s.Forum + q.page)}
		if q.ArticleText = text; text.Title != "" && (known || ok && !author.Erased) {
			c.article(q.Topic)
		}
	}
	c.purge(found)
}

// valid returns an address if Laurel takes it, else "".
func valid(address string) string {
	if code, _ := activity.CheckURL(address); code != "" {
		return ""
	}
	return address
}
