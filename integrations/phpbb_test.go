//go:build forums

package integrations_test

import (
	"fmt"
	"strings"
	"testing"
)

// What a phpBB's own tables say: everybody's points, and the articles. Guests read the forums 1 and 2.
const (
	phpbbVisible = `p.post_visibility = 1 AND t.topic_visibility = 1 AND p.forum_id IN (1, 2) AND p.post_time > 1600000000`
	phpbbPoints  = `SELECT u.user_id AS ID, SUM(points) AS Points, u.username AS Name, '' AS Face FROM phpbb_users u JOIN (
		SELECT p.poster_id, CASE WHEN p.post_id = t.topic_first_post_id THEN 10 ELSE 3 END AS points FROM phpbb_posts p
		JOIN phpbb_topics t ON t.topic_id = p.topic_id WHERE ` + phpbbVisible + `
		UNION ALL SELECT h.user_id, 2 FROM phpbb_thanks h JOIN phpbb_posts p ON p.post_id = h.post_id
		JOIN phpbb_topics t ON t.topic_id = p.topic_id WHERE ` + phpbbVisible + `
	) done ON done.poster_id = u.user_id WHERE u.user_type <> 2 GROUP BY u.user_id`
	phpbbArticles = `SELECT t.topic_id AS ID, t.topic_title AS Title FROM phpbb_topics t
		JOIN phpbb_posts p ON p.post_id = t.topic_first_post_id
		WHERE t.topic_title NOT LIKE 'Of a guest%' AND ` + phpbbVisible
)

// phpbbPosts are posts with their topics, and members.
const phpbbPosts = ` FROM phpbb_posts p JOIN phpbb_topics t ON t.topic_id = p.topic_id
	JOIN phpbb_users u ON u.user_type <> 2 WHERE `

var phpBB = kind{
	name: "phpBB", folder: "phpbb", prefix: "laurel_", points: phpbbPoints, articles: phpbbArticles,
	acts: []act{
		{6, "start", `SELECT json_array(user_id, 'Title ' || (SELECT COUNT(*) FROM phpbb_topics),
			json_object('visibility', seen.column1)) AS Args FROM phpbb_users, (VALUES (0), (1), (1), (1), (1)) seen
			WHERE user_type <> 2`},
		{18, "reply", `SELECT json_array(user_id, topic_id, json_object('visibility', seen.column1)) AS Args
			FROM phpbb_users, phpbb_topics, (VALUES (0), (1), (1), (1), (1)) seen
			WHERE user_type <> 2 AND topic_visibility = 1`},
		{6, "like", `SELECT json_array(u.user_id, p.post_id) AS Args` + phpbbPosts + phpbbVisible + `
			AND NOT EXISTS (SELECT 1 FROM phpbb_thanks h WHERE h.post_id = p.post_id AND h.user_id = u.user_id)`},
		{3, "unlike", `SELECT json_array(u.user_id, p.post_id) AS Args` + phpbbPosts + phpbbVisible + `
			AND EXISTS (SELECT 1 FROM phpbb_thanks h WHERE h.post_id = p.post_id AND h.user_id = u.user_id)`},
		{9, "show_post", `SELECT json_array(p.post_id, seen.column1) AS Args FROM phpbb_posts p
			JOIN phpbb_topics t ON t.topic_id = p.topic_id, (VALUES (1), (2)) seen WHERE t.topic_visibility = 1`},
		{6, "show", `SELECT json_array(topic_id, CASE topic_visibility WHEN 1 THEN 2 ELSE 1 END) AS Args FROM phpbb_topics`},
		{3, "move", `SELECT json_array(topic_id, forum_id.column1) AS Args FROM phpbb_topics,
			(VALUES (1), (2), (3)) forum_id`},
		{1, "delete", `SELECT json_array(topic_id) AS Args FROM phpbb_topics`},
		{2, "delete_post", `SELECT json_array(post_id) AS Args FROM phpbb_posts`},
		{3, "move_post", `SELECT json_array(p.post_id, o.topic_id) AS Args FROM phpbb_posts p
			JOIN phpbb_topics t ON t.topic_id = p.topic_id, phpbb_topics o
			WHERE t.topic_visibility = 1 AND o.topic_visibility = 1`},
		{3, "rename_user", `SELECT json_array(user_id, 'Name ' || (SELECT COUNT(*) FROM phpbb_posts)) AS Args FROM phpbb_users
			WHERE user_type <> 2`},
	},
	leave: [][]any{{"delete_user", 3, "remove"}, {"delete_user", 4, "retain"}}, again: []any{"again"},
	nothing: with{"none": ""}, comparison: with{"compare": "1"}, paired: "Paired.",
	pair: func(address, code string) any { return with{"pair": "1", "pair_url": address, "pair_code": code} },
	settings: func(since int) [][2]string {
		return [][2]string{{"laurel_since", fmt.Sprint(since)}, {"laurel_compared", "0"}}
	},
	silently: map[string]string{
		"reply": "INSERT INTO phpbb_posts (post_id, topic_id, forum_id, poster_id, post_time) VALUES (800, %d, 1, %d, %d)",
		"begin": `INSERT INTO phpbb_posts (post_id, topic_id, forum_id, poster_id, post_time) VALUES (900, 900, 1, %d, %d);
			INSERT INTO phpbb_topics (topic_id, forum_id, topic_title, topic_first_post_id) VALUES (900, 1, 'Lost', 900)`,
		"hide":       "UPDATE phpbb_posts SET post_visibility = 2 WHERE post_id = %d",
		"redate":     "UPDATE phpbb_posts SET post_time = post_time - 86400 WHERE post_id = %d",
		"move":       "UPDATE phpbb_posts SET topic_id = %[2]d WHERE post_id = %[1]d",
		"author":     "UPDATE phpbb_posts SET poster_id = %[2]d WHERE post_id = %[1]d",
		"hide topic": "UPDATE phpbb_topics SET topic_visibility = 2 WHERE topic_id = %d",
		"many": `INSERT INTO phpbb_users (user_id, username) WITH RECURSIVE n(i) AS (SELECT 100 UNION ALL SELECT i + 1 FROM n
			WHERE i < 159) SELECT i, 'many' FROM n;
			INSERT INTO phpbb_posts (topic_id, forum_id, poster_id, post_time) WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL
			SELECT i + 1 FROM n WHERE i < 20000) SELECT 1, 1, 100 + i %% 60, %d FROM n`,
		"like":        "INSERT INTO phpbb_thanks (post_id, user_id, thanks_time) VALUES (%d, %d, %d)",
		"unlike":      "DELETE FROM phpbb_thanks",
		"no likes":    "DROP TABLE phpbb_thanks",
		"close topic": "UPDATE phpbb_posts SET forum_id = 3 WHERE topic_id = %d",
	},
}

// What there was before the extension is not reported again, but what becomes of it is.
func TestPhpBBWithPostsFromBefore(t *testing.T) {
	f := phpBB.open(t, "BEFORE=1")
	ann, bob := f.do("user", "ann"), f.do("user", "bob")
	topic, first := f.begin(ann, "From before", nil)
	reply := f.do("reply", bob, topic)
	f.do("like", bob, first)
	f.do("install")
	f.send()
	if sent := f.network.Seen(); len(sent) != 0 {
		t.Fatalf("reported, though it is imported: %v", sent)
	}
	f.do("unlike", bob, first)
	f.do("show_post", reply, 2)
	f.do("show", topic, 2)
	f.send()
	all := strings.Join(f.network.Seen(), "\n")
	for _, undo := range []string{
		`"action":"unlike","user":"4"`, `"user":"4","target":"t1","action":"uncomment"`,
		`"user":"3","target":"t1","action":"unpublish"`, `"listed":false`,
	} {
		if !strings.Contains(all, undo) {
			t.Errorf("there is no %s: %s", undo, all)
		}
	}
	f.do("show", topic, 1)
	f.do("like", bob, first)
	f.send()
	f.do("show_post", reply, 1)
	f.send()
	if f.compare() == "" { // the article was never reported: it is imported
		t.Error("an article from before was made")
	}
	rows, listed := f.shows()
	if rows[fmt.Sprint(ann)].Score != 10 || rows[fmt.Sprint(bob)].Score != 5 || len(listed) != 0 {
		t.Errorf("%v %v", rows, listed)
	}
}

// The cron task is runnable, and not due when it has just run.
func TestPhpBBCron(t *testing.T) {
	f := phpBB.open(t)
	call[[]string](f.php, "send")
	if due := call[[]bool](f.php, "due"); !due[0] || due[1] {
		t.Errorf("the cron task is runnable, due: %v; it has just run", due)
	}
}

// The index has the board, and no secret.
func TestPhpBBIndex(t *testing.T) {
	f := phpBB.open(t)
	f.do("user", "ann")
	page := call[map[string]any](f.php, "index", 3)
	guest := call[map[string]any](f.php, "index", nil)
	if page["LAUREL_USER"] != 3.0 || page["U_LAUREL_TOKEN"] == "" || guest["LAUREL_USER"] != 0.0 ||
		guest["U_LAUREL_TOKEN"] != "" {
		t.Errorf("a member's index %v, a guest's %v", page, guest)
	}
	if heading := fmt.Sprint(page["LANGUAGE"]); !strings.Contains(heading, "laurel/leaderboards/common") {
		t.Errorf("the heading has no words: %s", heading)
	}
	for name, value := range page {
		if value == hookSecret || value == userSecret {
			t.Errorf("the page has a secret as %s", name)
		}
	}
}
