package pull_test

import (
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"laurel/internal/harness"
)

// A site is an answer on SQLite, which writes its tables as answer does: in UTC, in whole
// seconds.
type site struct {
	t     testing.TB
	db    *sql.DB
	file  string
	forum *harness.Forum // its clock is the site's, too
	ids   int64
}

func newSite(t *testing.T, f *harness.Forum) *site {
	t.Helper()
	s := &site{t: t, file: filepath.Join(t.TempDir(), "answer.db"), forum: f}
	db := harness.Must(sql.Open("sqlite", s.file))(t)
	t.Cleanup(func() { _ = db.Close() })
	s.db = db
	schema := harness.Must(os.ReadFile("testdata/answer.sql"))(t)
	for statement := range strings.SplitSeq(strings.TrimSpace(string(schema)), ";\n") {
		s.do(statement)
	}
	return s
}

// do runs a statement; :now in it is the site's clock.
func (s *site) do(statement string, args ...any) int64 {
	s.t.Helper()
	now := s.forum.Now.UTC().Format("'2006-01-02 15:04:05'")
	result, err := s.db.ExecContext(s.t.Context(), strings.ReplaceAll(statement, ":now", now), args...)
	if err != nil {
		s.t.Fatalf("%s: %v", statement, err)
	}
	return harness.Must(result.RowsAffected())(s.t)
}

func (s *site) wait(d time.Duration) { s.forum.Now = s.forum.Now.Add(d) }

// Ids have a digit for the kind of a thing.
const (
	questions = 10010000000000000
	answers   = 10020000000000000
	marks     = 10060000000000000
	comments  = 10070000000000000
)

func (s *site) id(kind int64) int64 {
	s.ids++
	return kind + s.ids
}

func (s *site) join(name string) int64 {
	s.ids++
	s.do("INSERT INTO `user` (id, created_at, updated_at, username, display_name, avatar) VALUES (?, :now, :now, ?, ?, ?)",
		s.ids, name, strings.ToUpper(name), `{"type":"custom","custom":"https://faces.example/`+name+`.png"}`)
	return s.ids
}

func (s *site) ask(user int64, title string) int64 {
	id := s.id(questions)
	s.do("INSERT INTO question (id, created_at, user_id, title) VALUES (?, :now, ?, ?)", id, user, title)
	s.act("question.asked", user, 0, id)
	return id
}

func (s *site) answer(user, question int64) int64 {
	id := s.id(answers)
	s.do("INSERT INTO answer (id, created_at, question_id, user_id) VALUES (?, :now, ?, ?)", id, question, user)
	s.act("answer.answered", user, 0, id)
	s.act("question.answered", user, 0, id)
	return id
}

func (s *site) comment(user, on, question int64) int64 {
	id := s.id(comments)
	s.do("INSERT INTO comment (id, created_at, updated_at, user_id, object_id, question_id, status) "+
		"VALUES (?, :now, :now, ?, ?, ?, 1)", id, user, on, question)
	return id
}

func (s *site) act(kind string, user, by, object int64) {
	s.do("INSERT INTO activity (created_at, updated_at, user_id, trigger_user_id, object_id, original_object_id, "+
		"activity_type) SELECT :now, :now, ?, ?, ?, ?, id FROM config WHERE `key` = ?", user, by, object, object, kind)
}

const which = " WHERE user_id = ? AND trigger_user_id = ? AND object_id = ? AND activity_type = " +
	"(SELECT id FROM config WHERE `key` = ?)"

// vote casts a vote: one row, whatever was before.
func (s *site) vote(kind string, user, by, object int64) {
	if s.do("UPDATE activity SET cancelled = 0, updated_at = :now"+which, user, by, object, kind) == 0 {
		s.act(kind, user, by, object)
	}
}

func (s *site) unvote(kind string, user, by, object int64) {
	s.do("UPDATE activity SET cancelled = 1, cancelled_at = :now, updated_at = :now"+which+" AND cancelled = 0",
		user, by, object, kind)
}

func (s *site) up(user, object int64)   { s.vote(kindOf(object), user, 0, object) }
func (s *site) down(user, object int64) { s.unvote(kindOf(object), user, 0, object) }

func kindOf(object int64) string {
	switch object - object%10000000000000 {
	case questions:
		return "question.vote_up"
	case answers:
		return "answer.vote_up"
	default:
		return "comment.vote_up"
	}
}

func (s *site) mark(user, question int64) {
	s.do("INSERT INTO collection (id, created_at, updated_at, user_id, object_id) VALUES (?, :now, :now, ?, ?)",
		s.id(marks), user, question)
}

// set sets the status of a question, an answer, a comment or a user. Only that of a comment and of
// a user changes updated_at.
func (s *site) set(table string, id int64, status int) {
	more := ""
	switch {
	case table == "user" && status == 10:
		more = ", updated_at = :now, deleted_at = :now"
	case table == "user" || table == "comment":
		more = ", updated_at = :now"
	}
	s.do("UPDATE `"+table+"` SET status = ?"+more+" WHERE id = ?", status, id)
}
