//go:build forums

package integrations_test

import (
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"

	"laurel/internal/harness"
)

// What a Flarum's own tables say: everybody's points, and the articles.
const (
	flarumVisible = `p.created_at > '2021' AND p.hidden_at IS NULL AND p.is_private = 0
		AND d.hidden_at IS NULL AND d.is_private = 0
		AND d.id NOT IN (SELECT discussion_id FROM discussion_tag JOIN tags ON tags.id = tag_id WHERE is_restricted)`
	flarumPoints = `SELECT u.id AS ID, SUM(points) AS Points, u.username AS Name, COALESCE(u.avatar_url, '') AS Face
		FROM users u JOIN (
		SELECT p.user_id, CASE WHEN p.number = 1 THEN 10 ELSE 3 END AS points FROM posts p
		JOIN discussions d ON d.id = p.discussion_id WHERE ` + flarumVisible + `
		UNION ALL SELECT l.user_id, 2 FROM post_likes l JOIN posts p ON p.id = l.post_id
		JOIN discussions d ON d.id = p.discussion_id WHERE ` + flarumVisible + `) done ON done.user_id = u.id GROUP BY u.id`
	flarumArticles = `SELECT d.id AS ID, d.title AS Title FROM discussions d JOIN posts p ON p.id = d.first_post_id
		WHERE ` + flarumVisible
)

// flarumPosts are posts with their discussions, and members.
const flarumPosts = ` FROM posts p JOIN discussions d ON d.id = p.discussion_id JOIN users u WHERE `

var flarum = kind{
	name: "Flarum", folder: "flarum", prefix: "laurel.", points: flarumPoints, articles: flarumArticles,
	acts: []act{
		{6, "start", `SELECT json_array(u.id, 'Title ' || (SELECT COUNT(*) FROM discussions),
			json_object('unapproved', held.column1)) AS Args FROM users u, (VALUES (0), (0), (0), (0), (1)) held`},
		{18, "reply", `SELECT json_array(u.id, d.id, json_object('unapproved', held.column1)) AS Args
			FROM users u, discussions d, (VALUES (0), (0), (0), (0), (1)) held WHERE d.hidden_at IS NULL AND d.is_private = 0`},
		{6, "like", `SELECT json_array(u.id, p.id) AS Args` + flarumPosts + flarumVisible + `
			AND NOT EXISTS (SELECT 1 FROM post_likes l WHERE l.post_id = p.id AND l.user_id = u.id)`},
		{3, "unlike", `SELECT json_array(u.id, p.id) AS Args` + flarumPosts + flarumVisible + `
			AND EXISTS (SELECT 1 FROM post_likes l WHERE l.post_id = p.id AND l.user_id = u.id)`},
		{6, "approve", `SELECT json_array(p.id, u.id) AS Args FROM posts p, users u WHERE p.is_private = 1`},
		{6, "hide_post", `SELECT json_array(id) AS Args FROM posts WHERE hidden_at IS NULL AND is_private = 0`},
		{3, "restore_post", `SELECT json_array(id) AS Args FROM posts WHERE hidden_at IS NOT NULL AND is_private = 0`},
		{3, "hide", `SELECT json_array(id) AS Args FROM discussions WHERE hidden_at IS NULL`},
		{3, "restore", `SELECT json_array(id) AS Args FROM discussions WHERE hidden_at IS NOT NULL`},
		{1, "delete", `SELECT json_array(d.id, u.id) AS Args FROM discussions d, users u`},
		{2, "delete_post", `SELECT json_array(p.id, u.id) AS Args FROM posts p, users u`},
		{3, "rename_user", `SELECT json_array(id, 'Name ' || (SELECT COUNT(*) FROM posts)) AS Args FROM users`},
	},
	leave: [][]any{{"delete_user", 1}}, again: []any{"send", with{"--again": true}},
	comparison: with{"compare": true}, paired: "no report yet, 0 waiting",
	pair: func(address, code string) any { return with{"url": address, "code": code} },
	settings: func(since int) [][2]string {
		return [][2]string{{"laurel.compared", fmt.Sprintf(`{"at": 0, "since": %d}`, since)}}
	},
	silently: map[string]string{
		"reply": `INSERT INTO posts (id, discussion_id, number, user_id, type, created_at)
			VALUES (800, %d, 99, %d, 'comment', datetime(%d, 'unixepoch'))`,
		"begin": `INSERT INTO posts (id, discussion_id, number, user_id, type, created_at)
			VALUES (900, 900, 1, %d, 'comment', datetime(%d, 'unixepoch'));
			INSERT INTO discussions (id, title, first_post_id, comment_count) VALUES (900, 'Lost', 900, 1)`,
		"hide":       "UPDATE posts SET hidden_at = '2026-01-01 00:00:00' WHERE id = %d",
		"redate":     "UPDATE posts SET created_at = datetime(created_at, '-1 day') WHERE id = %d",
		"move":       "UPDATE posts SET discussion_id = %[2]d WHERE id = %[1]d",
		"author":     "UPDATE posts SET user_id = %[2]d WHERE id = %[1]d",
		"hide topic": "UPDATE discussions SET hidden_at = '2026-01-01 00:00:00' WHERE id = %d",
		"many": `INSERT INTO posts (discussion_id, number, user_id, type, created_at) WITH RECURSIVE n(i) AS (SELECT 1
			UNION ALL SELECT i + 1 FROM n WHERE i < 20000) SELECT 1, 1000 + i, 100 + i %% 60, 'comment',
			datetime(%d, 'unixepoch') FROM n`,
		"like":        "INSERT INTO post_likes VALUES (%d, %d, datetime(%d, 'unixepoch'))",
		"unlike":      "DELETE FROM post_likes",
		"no likes":    "DROP TABLE post_likes",
		"close topic": "INSERT INTO discussion_tag VALUES (%d, 2)",
	},
}

// What members do does not wait for Laurel: with PHP-FPM the queue is sent when the page is done.
func TestFlarumMembersDoNotWait(t *testing.T) {
	f := flarum.open(t)
	ann := f.do("user", "ann")
	page := make(chan struct{})
	done := sync.OnceFunc(func() { close(page) })
	t.Cleanup(done)
	f.network.Set(Trouble{}, func(http.ResponseWriter, *http.Request) bool { <-page; return false })
	fpm := f.start("FPM=1")
	ids := call[[]int](fpm, "start", ann, "While it hangs", nil)
	call[int](fpm, "reply", ann, ids[0], nil)
	_ = fpm.in.Close()
	if line, err := fpm.out.ReadString('\n'); line != "\"the page is done\"\n" {
		t.Fatalf("the page is not done before Laurel answers: %q %v %s", line, err, fpm.stderr)
	}
	done()
	if err := fpm.command.Wait(); err != nil {
		t.Fatalf("%v %s", err, fpm.stderr)
	}
	if n := f.waiting(); n != 0 {
		t.Errorf("%d reports wait after the page", n)
	}
	if wrong := f.differs(); wrong != "" {
		t.Error(wrong)
	}
}

// Settings are read by administrators alone, and the extension asks for its route and for a task every minute.
func TestFlarumAsksFor(t *testing.T) {
	asked := call[struct{ Route, Forum, Schedule []string }](flarum.open(t).php, "asked")
	if !slices.Equal(asked.Route, []string{"forum", "/laurel/token"}) || !slices.Contains(asked.Schedule, "everyMinute") {
		t.Errorf("the extension asks for %+v", asked)
	}
	for _, name := range asked.Forum {
		if strings.Contains(name, "secret") {
			t.Errorf("everybody can read the setting %s", name)
		}
	}
}

// The scripts find their places in Flarum 1 and 2, whose forum and session are there only after they ran.
func TestFlarumScripts(t *testing.T) {
	want := string(harness.Must(os.ReadFile("flarum/harness/browser.json"))(t))
	for _, version := range []string{"1", "2"} {
		out, err := exec.Command("node", "flarum/harness/browser.js", version).CombinedOutput()
		if err != nil || string(out) != want {
			t.Errorf("Flarum %s: %v %s", version, err, out)
		}
	}
}
