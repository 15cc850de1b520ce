package main

import (
	"database/sql"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gofrs/flock"
)

// answerFile makes answer's tables in a file, with a question of five minutes ago and one of last
// week.
func answerFile(t *testing.T) (file string, do func(statement string)) {
	t.Helper()
	file = filepath.Join(t.TempDir(), "answer db.sqlite")
	db, err := sql.Open("sqlite", file)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	do = func(statement string) {
		t.Helper()
		at := func(d time.Duration) string { return time.Now().UTC().Add(-d).Format("'2006-01-02 15:04:05'") }
		statement = strings.NewReplacer(":recent", at(5*time.Minute), ":old", at(7*24*time.Hour)).Replace(statement)
		if _, err := db.ExecContext(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	schema, err := os.ReadFile("../../shared/pull/answer/testdata/schema.sql")
	if err != nil {
		t.Fatal(err)
	}
	do(string(schema))
	do("INSERT INTO `user` (id, created_at, username, display_name, avatar) VALUES (2, :old, 'ada', 'Ada', '')")
	do("INSERT INTO question (id, created_at, user_id, title) VALUES (10010000000000020, :recent, 2, 'How?')")
	do("INSERT INTO answer (id, created_at, question_id, user_id) VALUES (10020000000000021, :old, 10010000000000020, 2)")
	return file, do
}

// The command brings what is new from answer's tables, again nothing, and then what is undone.
func TestPullAnswer(t *testing.T) {
	t.Parallel()
	secrets := fileOf(t, "USER_SECRETS=users-secret-users-secret-users-secret\n"+
		"SERVICE_SECRETS=service-secret-service-secret-service\n")
	url := served(t, secrets)
	file, do := answerFile(t)
	args := []string{
		"pull", "answer", "--database", "sqlite:" + file, "--url", url, "--secret-file", secrets,
		"--forum", "https://a.example/", "--state", filepath.Join(t.TempDir(), "state.json"),
	}
	for _, step := range []struct{ change, want string }{
		{"", "activities: none\nchanged:    1 articles, 1 users\nolder than 48 hours, for laurel import: 1\n"},
		{"", "activities: none\nchanged:    none\n"},
		{
			"UPDATE answer SET status = 10; INSERT INTO comment (id, created_at, user_id, object_id, question_id, status) " +
				"VALUES (10070000000000022, :recent, 2, 10010000000000020, 10010000000000020, 1)",
			"activities: 1 counted, 1 nothing_to_revoke\nchanged:    none\n",
		},
	} {
		if step.change != "" {
			do(step.change)
		}
		if out, errs, code := laurel(t, "", args...); code != exitDone || out != step.want || errs != "" {
			t.Errorf("%d, %s%s; want %s", code, out, errs, step.want)
		}
	}
	held := args[len(args)-1]
	other := flock.New(held + ".lock")
	if alone, err := other.TryLock(); err != nil || !alone {
		t.Fatal(alone, err)
	}
	if _, errs, code := laurel(t, "", args...); code != exitFound || !strings.Contains(errs, "another run has it") {
		t.Errorf("beside another run: %d, %s", code, errs)
	}
	if err := other.Close(); err != nil {
		t.Fatal(err)
	}
	if _, article, _ := get(t, url+"/v1/articles/t10010000000000020"); !strings.Contains(article, `"name":"Ada"`) ||
		!strings.Contains(article, "https://a.example/questions/10010000000000020") {
		t.Errorf("the article: %s", article)
	}
	out, errs, code := laurel(t, "", append(args, "--json")...)
	if !json.Valid([]byte(out)) || !strings.HasPrefix(out, `{"receipts":{`) || code != exitDone ||
		strings.Count(out, "\n") != 1 {
		t.Errorf("--json: %d, %s%s", code, out, errs)
	}
	// What Laurel would never take is said, and does not hold up the rest.
	state := fileOf(t, `{"format":1,"source":"answer sqlite:`+file+`","read":1795190400000,"outbox":[{"method":"POST",`+
		`"path":"/v1/activities","body":{"activities":[{"action":"fly","user":"2","target":"t1"}]}}]}`)
	out, errs, code = laurel(t, "", append(args[:len(args)-1:len(args)-1], state)...)
	if code != exitDrops || !strings.Contains(out, "refused: ") || !strings.Contains(out, "unknown action") {
		t.Errorf("refused: %d, %s%s", code, out, errs)
	}
	// Another's secret is refused, and nothing is forgotten.
	out, errs, code = laurel(t, "", append(args[:len(args)-1:len(args)-1], filepath.Join(t.TempDir(), "s"),
		"--token", "x.y.z")...)
	if code != exitFound || !strings.Contains(errs, "403") || out != "" {
		t.Errorf("another token: %d, %s%s", code, out, errs)
	}
}

// The command brings what a Discourse's API says.
func TestPullDiscourse(t *testing.T) {
	t.Parallel()
	secrets := fileOf(t, "SERVICE_SECRETS=service-secret-service-secret-service")
	url := served(t, secrets)
	written := time.Now().UTC().Format("2006-01-02T15:04:05.000Z")
	forum := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Api-Key") != "the-key" || r.Header.Get("Api-Username") != "system" {
			w.WriteHeader(http.StatusForbidden)
		}
		text := "[]"
		if r.URL.String() == "/posts.json" {
			text = `{"latest_posts":[{"id":9,"post_number":2,"post_type":1,"topic_id":3,"category_id":4,"user_id":7,` +
				`"username":"ada","created_at":"` + written + `"}]}`
		} else if r.URL.Path == "/posts.json" {
			text = `{"latest_posts":[]}`
		}
		_, _ = io.WriteString(w, text)
	}))
	t.Cleanup(forum.Close)
	args := []string{
		"pull", "discourse", "--forum", forum.URL + "/", "--api-key-file", fileOf(t, "the-key\n"), "--url", url,
		"--secret-file", secrets, "--state", filepath.Join(t.TempDir(), "state.json"), "--pace", "0s",
	}
	for _, want := range []string{
		"activities: 1 counted\nchanged:    1 users\n", "activities: none\nchanged:    none\n",
	} {
		if out, errs, code := laurel(t, "", args...); code != exitDone || out != want || errs != "" {
			t.Errorf("%d, %s%s; want %s", code, out, errs, want)
		}
	}
	out, errs, code := laurel(t, "", append(args, "--api-username", "ada")...)
	if code != exitFound || !strings.Contains(errs, "the forum, GET /posts.json: 403") || out != "" {
		t.Errorf("another user: %d, %s%s", code, out, errs)
	}
}

// What cannot be understood is said before anything is read, without passwords.
func TestPullsMistakes(t *testing.T) {
	t.Parallel()
	secret := fileOf(t, "service-secret-service-secret-service")
	const all = "answer --state s --database sqlite:a "
	const keyIn = "discourse --state s --url http://h --token t --forum http://f --api-key-file "
	for args, want := range map[string]string{
		"":         "expected ",
		"answer":   "missing flags: --database=URL, --state=FILE, --url=URL",
		"answer x": "unexpected argument x",
		all + "--url laurel.example --secret-file " + secret:                `--url "laurel.example" is not`,
		all + "--url http://h --secret-file " + fileOf(t, "USER_SECRETS=x"): "name the file with the service's secret",
		all + "--url http://h --secret-file " +
			fileOf(t, "short"): "32",
		all + "--url http://h --token t --zone Nowhere": `"Nowhere" is not an IANA time zone`,
		all + "--url http://h --token t --forum here":   `--forum "here" is not an address`,
		keyIn + fileOf(t, "a b"):                        "not one key",
		keyIn + "nowhere":                               "no such file",
	} {
		out, errs, code := laurel(t, "", append([]string{"pull"}, strings.Fields(args)...)...)
		if code != exitUsage || out != "" || !strings.Contains(errs, want) {
			t.Errorf("%s: %d, %s%s; want %s", args, code, out, errs, want)
		}
	}
}
