package answer

import (
	"context"

	"laurel/shared/board"
	"laurel/shared/pull"
)

// States of questions, answers, comments and users.
const (
	available = 1
	closed    = 2 // a question that takes no more answers
	suspended = 9
	deleted   = 10
	hidden    = 2 // a question that is on no list
)

// What answer calls what it keeps in the table activity, and what is read of it.
const (
	questionUp, answerUp, commentUp = "question.vote_up", "answer.vote_up", "comment.vote_up"
	questionGot, answerGot          = "question.voted_up", "answer.voted_up"
	accepted                        = "answer.accepted"
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
	post struct { // an answer, or a comment
		id, question, user string
		status             int
		created            board.Moment
	}
	bookmark struct {
		user, object string
		created      board.Moment
	}
	vote struct {
		kind, user, by, object        string
		cancelled                     int
		created, updated, cancelledAt board.Moment
	}
)

// tables are all that is read at once.
type tables struct {
	members   []member
	questions []question
	posts     []post
	bookmarks []bookmark
	votes     []vote
}

// readTables reads them: what was written since a moment, and votes that were cast or taken back
// since another. What is written meanwhile is read the next time.
func readTables(ctx context.Context, d *pull.Database, since, votes board.Moment) (t tables, err error) {
	if t.members, err = pull.ReadRows(ctx, d,
		"SELECT id, status, display_name, username, avatar, created_at, deleted_at FROM `user`",
		func(m *member) []any {
			return []any{&m.id, &m.status, &m.name, &m.username, &m.avatar, &m.created, &m.deleted}
		}); err != nil {
		return t, err
	}
	if t.questions, err = pull.ReadRows(ctx, d, "SELECT id, user_id, title, status, `show`, created_at FROM question",
		func(q *question) []any {
			return []any{&q.id, &q.user, &q.title, &q.status, &q.show, &q.created}
		}); err != nil {
		return t, err
	}
	written := " WHERE created_at >= " + d.Literal(since)
	for _, table := range []string{"answer", "comment"} {
		posts, err := pull.ReadRows(ctx, d, "SELECT id, question_id, user_id, status, created_at FROM "+table+written,
			func(p *post) []any {
				return []any{&p.id, &p.question, &p.user, &p.status, &p.created}
			})
		if err != nil {
			return t, err
		}
		t.posts = append(t.posts, posts...)
	}
	if t.bookmarks, err = pull.ReadRows(ctx, d, "SELECT user_id, object_id, created_at FROM collection"+written,
		func(b *bookmark) []any { return []any{&b.user, &b.object, &b.created} }); err != nil {
		return t, err
	}
	t.votes, err = pull.ReadRows(ctx, d, "SELECT c.`key`, a.user_id, a.trigger_user_id, a.object_id, a.cancelled, "+
		"a.created_at, a.updated_at, a.cancelled_at FROM activity a JOIN config c ON c.id = a.activity_type "+
		"WHERE a.updated_at >= "+
		d.Literal(votes)+" AND c.`key` IN ('question.vote_up', 'answer.vote_up', 'comment.vote_up', 'question.voted_up', "+
		"'answer.voted_up', 'answer.accepted') ORDER BY a.id",
		func(v *vote) []any {
			return []any{&v.kind, &v.user, &v.by, &v.object, &v.cancelled, &v.created, &v.updated, &v.cancelledAt}
		})
	return t, err
}
