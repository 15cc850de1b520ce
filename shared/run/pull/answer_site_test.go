package pull_test

import (
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"laurel/internal/harness"
)

// A site is an Answer on SQLite, with tables written as Answer writes them: in UTC, in whole seconds.
type site struct {
	t     testing.TB
	db    *sql.DB
	file  string
	forum *harness.Forum // its clock is the site's, too
	ids   map[string]int64
	acts  map[string]siteAct
}

// A siteAct is an act of a user there: the arguments of statements. A new thing gets an id whose first digits tell
// its kind, "-" for nothing.
type siteAct struct {
	kind       string
	arguments  []string
	statements string
}

// newSite reads the schema, and the statements below the name of each act.
func newSite(t *testing.T, f *harness.Forum) *site {
	t.Helper()
	s := &site{
		t: t, file: filepath.Join(t.TempDir(), "answer.db"), forum: f, ids: map[string]int64{}, acts: map[string]siteAct{},
	}
	s.db = harness.Must(sql.Open("sqlite", s.file))(t)
	t.Cleanup(func() { _ = s.db.Close() })
	harness.Must(s.db.ExecContext(t.Context(), string(harness.Must(os.ReadFile("testdata/answer.sql"))(t))))(t)
	acts := "\n" + string(harness.Must(os.ReadFile("testdata/answer_acts.sql"))(t))
	for _, part := range strings.Split(acts, "\n-- ")[1:] {
		heading, statements, _ := strings.Cut(part, "\n")
		words := strings.Fields(heading)
		s.acts[words[0]] = siteAct{words[1], words[2:], statements}
	}
	return s
}

// do performs an act of a user, such as "ask q ann How?", which names the new question. It reports whether the act
// exists.
func (s *site) do(verb, rest string) bool {
	s.t.Helper()
	act, known := s.acts[verb]
	if !known {
		return false
	}
	args := []any{sql.Named("now", s.forum.Now.UTC().Format("2006-01-02 15:04:05"))}
	if act.kind != "-" {
		var name string
		name, rest, _ = strings.Cut(rest, " ")
		id := int64(len(s.ids) + 1)
		if act.kind != "0" {
			id += harness.Must(strconv.ParseInt(act.kind, 10, 64))(s.t) * 1e13
		}
		s.ids[name] = id
		args = append(args, sql.Named("id", id))
	}
	for i, word := range strings.SplitN(rest, " ", len(act.arguments)) {
		var value any = strings.ReplaceAll(word, `\n`, "\n")
		if n, err := strconv.ParseInt(word, 10, 64); err == nil {
			value = n
		} else if id, found := s.ids[word]; found && act.arguments[i] != "name" {
			value = id
		}
		args = append(args, sql.Named(act.arguments[i], value))
	}
	if _, err := s.db.ExecContext(s.t.Context(), act.statements, args...); err != nil {
		s.t.Fatalf("%s %s: %v", verb, rest, err)
	}
	return true
}

// path puts ids in place of names: of a user, or of an article.
func (s *site) path(path string) string {
	parts := strings.Split(path, "/")
	if id, found := s.ids[parts[3]]; found {
		parts[3] = map[string]string{"users": "", "articles": "t"}[parts[2]] + fmt.Sprint(id)
	}
	return strings.Join(parts, "/")
}
