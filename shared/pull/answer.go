package pull

import (
	"context"
	_ "embed"
	"encoding/json"
	"net/url"
	"strings"
	"time"

	"laurel/shared/activity"
	"laurel/shared/article"
	"laurel/shared/board"
	"laurel/shared/request"
)

// An Answer is an apache/answer, of which the tables are only read: SQLite, MySQL or MariaDB, and PostgreSQL.
//
// answer has no webhooks, but its table activity says of each vote when it was cast and taken back. A vote that is
// cast again is the same row: created_at keeps the first moment, cancelled_at the last undo, cancelled says which of
// the two holds, and updated_at when that became so. Questions, answers and comments have a status, of which no moment
// says when it changed: it is compared with what was reported, as are bookmarks, whose rows are deleted, and users.
type Answer struct {
	Database string // its address
	Zone     *time.Location
	Forum    string // where its pages are, such as https://answer.example; "" makes no links
	Received string // an action of whose post is voted for; "" for none
	Solved   string // an action of whose answer is accepted; "" for none
	Erase    bool   // a deleted user is erased, not only excluded
}

// Name says which forum it is, without its password.
func (s *Answer) Name() string {
	at, err := url.Parse(s.Database)
	if err != nil {
		return "answer"
	}
	at.User = nil
	return "answer " + at.String()
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

// Read reads what was written as far back as an undo counts, and votes that may be reported or have changed since the
// last reading. What is written meanwhile is read the next time.
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
	c.Forget(func(action string, e Entry) bool {
		if action == "comment" || action == "bookmark" {
			return e.Seen < since
		}
		return e.At < votes.Add(-time.Minute) // the moments of an undo are taken one after the other
	})
	words := strings.NewReplacer("SINCE", db.Literal(since), "VOTES", db.Literal(votes),
		"RECEIVED", s.Received, "SOLVED", s.Solved)
	return s.compare(ctx, db, c, strings.Split(words.Replace(answerRows), ";\n"))
}

// compare runs the statements, and compares what they say.
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
			return []any{&d.User, &d.Action, &d.Target, &d.Ref, &d.At, &d.changed, &d.Undone, &d.Stands, &d.Restores}
		})
		if err != nil {
			return err
		}
		for _, d := range rows {
			if d.Undone != 0 && d.Stands { // cast again: created_at is that of the first time
				d.At = d.changed
			}
			if d.Action != "" && !c.Left(d.User) {
				c.Compare(d.Row)
			}
		}
	}
	c.Missing([]string{"comment", "bookmark"}, func(row Row) bool { return c.Left(row.User) })
	return nil
}

// member finds whether a user is new, has changed, is suspended or deleted.
func (s *Answer) member(c *Comparison, m member) {
	if m.deleted && s.Erase {
		c.Erased(m.id, !c.First() || m.deletedAt >= c.Now.Add(-Undoable))
		return
	}
	c.Excluded(m.id, m.out)
	if name := activity.CleanText(m.name, article.MaxTitle); !m.deleted && name != "" {
		var face map[string]string // its type, and the address of each type
		_ = json.Unmarshal([]byte(m.avatar), &face)
		p := request.Profile{Name: name, Link: valid(s.Forum + m.page), Avatar: valid(face[face["type"]])}
		if m.since != 0 {
			p.Since = new(m.since.String())
		}
		c.Profile(Profile{ID: m.id, Profile: p})
	}
}

// questions finds what became of questions, which are articles. Those that are deleted for good have no row.
func (s *Answer) questions(c *Comparison, all []question) {
	there := map[string]bool{}
	for _, q := range all {
		there[q.ID] = true
		_, known := c.Articles[q.ID]
		author, ok := c.Users[q.Author]
		title := activity.CleanText(q.ArticleText.Title, article.MaxTitle)
		text := request.ArticleText{Title: title, Link: valid(s.Forum + q.page)}
		if q.ArticleText = text; text.Title != "" && (known || ok && !author.Erased) {
			c.Topic(q.Topic)
		}
	}
	c.Purge(there)
}

// valid returns an address if Laurel takes it, else "".
func valid(address string) string {
	if code, _ := activity.CheckURL(address); code != "" {
		return ""
	}
	return address
}
