//go:build forums

package integrations_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
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

// What is hidden, waits and counts, as phpBB's ITEM_UNAPPROVED and so on.
const waits, shown, hidden, edited = 0, 1, 2, 3

func openPhpBB(t *testing.T) *forum {
	t.Helper()
	return open(t, forum{
		script: "phpbb/harness/forum.php", prefix: "laurel_", points: phpbbPoints, articles: phpbbArticles,
	})
}

// Each case is one of what phpBB does in its own source.
func TestPhpBBBoardAfterEachThingThatMembersDo(t *testing.T) {
	f := openPhpBB(t)
	ann, bob, eve := f.do("user", "ann"), f.do("user", "bob"), f.do("user", "eve")
	topic, first := f.begin(ann, "Ten ways", nil)
	reply := f.do("reply", bob, topic)
	own := f.do("reply", ann, topic)
	f.same("starting a topic and replying")

	f.do("like", bob, first)
	f.do("like", eve, reply)
	f.same("thanks, for a first post and for a reply")
	var article struct{ Votes int }
	if f.get(fmt.Sprint("/v1/articles/t", topic), &article); article.Votes != 2 {
		t.Errorf("thanks for the first post are a vote beside the author's: %+v", article)
	}
	f.do("unlike", bob, first)
	f.same("taking thanks back, without an event")
	f.do("like", bob, first)
	f.same("thanking again")

	for _, visibility := range []int{hidden, shown, edited, shown} {
		f.do("show_post", reply, visibility)
		f.same(fmt.Sprint("visibility of a reply: ", visibility))
	}
	f.do("show_post", own, hidden)
	f.do("show", topic, hidden)
	f.same("hiding a topic, in which a reply was hidden before")
	f.do("show", topic, shown)
	f.same("restoring it, and not that reply")
	f.do("show_post", own, shown)
	f.do("edit", first, "Eleven ways & <more>")
	f.do("edit", reply, "Eleven ways")
	f.send()
	if _, listed := f.shows(); listed[fmt.Sprint("t", topic)] != "Eleven ways & <more>" {
		t.Errorf("the title is %q", listed)
	}
	f.do("edit", first, "Ten ways")
	f.same("another title")
	f.do("move", topic, 2)
	f.same("moving it into another forum")
	f.do("move", topic, 3)
	f.same("into one that guests do not read")
	f.do("move", topic, 1)
	f.same("and back")

	staff, staffFirst := f.begin(eve, "Of the staff", with{"forum": 3})
	f.do("like", ann, staffFirst)
	f.do("reply", ann, staff)
	f.begin(eve, "Behind a password", with{"forum": 4})
	guests, _ := f.begin(1, "Of a guest", nil)
	f.do("reply", 1, topic)
	f.do("reply", eve, guests)
	f.begin(2, "Of a guest: a bot", nil)
	f.same("closed forums and guests")
	held := f.do("reply", eve, topic, with{"visibility": waits})
	waiting, _ := f.begin(bob, "Waits", with{"visibility": waits})
	f.same("posts that wait for approval")
	f.do("show_post", held, shown)
	f.do("show", waiting, shown)
	f.same("approving them")
	late, _ := f.begin(bob, "Waits for long", with{"visibility": waits, "at": 1600000001})
	f.do("show", late, shown)
	f.same("approving what was written long ago: it counts from now on")
	f.do("delete", late)
	old := f.do("reply", bob, topic, with{"visibility": waits, "at": 1600000001})
	f.do("show_post", old, shown)
	f.same("and a reply of long ago")
	f.do("delete_post", old)

	f.do("like", ann, held)
	f.do("delete_post", held)
	f.same("deleting a reply for good, with its thanks")
	gone, goneFirst := f.begin(bob, "To be deleted", nil)
	f.do("like", ann, f.do("reply", eve, gone))
	f.do("like", ann, goneFirst)
	f.same("another topic")
	f.do("delete", gone)
	f.same("deleting it for good")
	_, only := f.begin(bob, "Of one post", nil)
	f.do("delete_post", only)
	f.same("deleting the only post")

	shift, shiftFirst := f.begin(bob, "Another beginning", nil)
	next := f.do("reply", eve, shift)
	f.do("like", ann, next)
	f.same("one more topic")
	f.do("show_post", shiftFirst, hidden)
	f.same("hiding a first post: phpBB makes the next one the first")
	f.do("show", shift, hidden)
	f.do("show", shift, shown)
	f.same("hiding and restoring that topic")
	f.do("show_post", shiftFirst, shown)
	f.same("restoring the first post")
	f.do("delete_post", shiftFirst)
	f.same("deleting the first post")

	f.do("change_poster", own, eve)
	f.same("another author of a reply")
	f.do("move_post", own, shift)
	f.same("moving a reply into another topic")
	f.do("move_post", next, topic)
	f.do("move_post", own, topic)
	f.same("merging a topic into another one")

	split, splitFirst := f.begin(bob, "Is split", nil)
	f.do("reply", ann, split)
	f.same("a topic of two")
	f.do("move_post", splitFirst, topic)
	f.same("moving its first post: the other one is the first then")
	kim := f.do("user", "kim")
	f.do("reply", kim, topic)
	f.do("like", kim, first)
	f.same("one more member")
	f.do("delete_posts_of", kim)
	f.same("deleting a member's posts, but not the member")

	f.do("rename_user", ann, "Ann \u202e <b>Lee</b> 李")
	f.send()
	if board, _ := f.shows(); board[fmt.Sprint(ann)].Name != "Ann   <b>Lee</b> 李" {
		t.Errorf("the name is %q", board[fmt.Sprint(ann)].Name)
	}
	f.do("rename_user", ann, "ann")
	const face = "user_avatar = 'A@B.example', user_avatar_type = 'avatar.driver.gravatar'"
	f.do("do", fmt.Sprintf("UPDATE phpbb_users SET %s WHERE user_id = %d", face, bob))
	f.do("edit", first, "Turned \u202e ways")
	f.do("edit", first, "\u202e")
	f.do("edit", first, strings.Repeat("长 ", 200))
	f.do("edit", first, "Ten ways")
	bobs := f.do("reply", bob, topic)
	f.send()
	if board, _ := f.shows(); !strings.HasPrefix(board[fmt.Sprint(bob)].Face, "https://secure.gravatar.com/avatar/") {
		t.Errorf("the picture is %q", board[fmt.Sprint(bob)].Face)
	}
	f.do("delete_post", bobs)

	f.do("delete_user", bob, "retain")
	f.same("deleting a user whose posts are a guest's then, silently; thanks stay in the table")
	f.do("show", waiting, hidden)
	f.same("hiding what a deleted user wrote")
	f.do("show", waiting, shown)
	f.do("unlike", bob, first)
	f.same("restoring it")
	passed, _ := f.begin(eve, "Goes to the next author", nil)
	f.do("reply", ann, passed)
	f.same("a topic that will lose its first post")
	f.do("delete_user", eve, "remove")
	f.same("deleting a user and the posts")
	for _, user := range []int{bob, eve} {
		if f.status(fmt.Sprint("/v1/users/", user), "") == http.StatusOK {
			t.Error("a deleted user has a profile")
		}
	}
	f.sameEntries(call[[]stands](f.php, "standing"), false, "comment", "like", "publish")
	f.clean()
}

// What there was before the extension is not reported again, but what becomes of it is.
func TestPhpBBWithPostsFromBefore(t *testing.T) {
	t.Setenv("BEFORE", "1")
	f := openPhpBB(t)
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
	f.do("show_post", reply, hidden)
	f.do("show", topic, hidden)
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
	f.do("show", topic, shown)
	f.do("like", bob, first)
	f.send()
	f.do("show_post", reply, shown)
	f.send()
	if f.compare() == "" { // the article was never reported: it is imported
		t.Error("an article from before was made")
	}
	rows, listed := f.shows()
	if rows[fmt.Sprint(ann)].Score != 10 || rows[fmt.Sprint(bob)].Score != 5 || len(listed) != 0 {
		t.Errorf("%v %v", rows, listed)
	}
}

// In a forum for members alone all of it counts.
func TestPhpBBForMembersAlone(t *testing.T) {
	f := openPhpBB(t)
	f.do("closed")
	f.begin(f.do("user", "ann"), "Inside", nil)
	f.same("writing in a closed forum")
	f.clean()
}

// Hooks and the statement of the history give the same targets, moments included.
func TestPhpBBHistoryIsTheSame(t *testing.T) {
	f := openPhpBB(t)
	ann, bob := f.do("user", "ann"), f.do("user", "bob")
	topic, first := f.begin(ann, "A title", nil)
	reply := f.do("reply", bob, topic)
	f.do("like", bob, first)
	f.do("like", ann, reply)
	f.do("show_post", reply, hidden)
	f.do("show_post", reply, shown)
	f.do("show", topic, hidden)
	f.do("show", topic, shown)
	f.same("restoring, which leaves moments as they were")
	f.sameEntries(f.history("phpbb"), true, "comment", "like", "publish")
}

// The queue keeps the order, pauses after errors, and drops what will never be taken.
func TestPhpBBQueue(t *testing.T) {
	f := openPhpBB(t)
	f.testQueue(func(n int) { f.begin(n, "A title", nil) })
	f.same("Laurel takes everything")
	if due := call[[]bool](f.php, "due"); !due[0] || due[1] {
		t.Errorf("the cron task is runnable, due: %v; it has just run", due)
	}
}

// Repeated, unanswered and refused deliveries change nothing; late and lost ones are made up for by sending again.
func TestPhpBBWhateverTheNetworkDoes(t *testing.T) {
	f := openPhpBB(t)
	var users, posts, topics []int
	for n := range 6 {
		users = append(users, f.do("user", fmt.Sprint("member", n)))
	}
	pick := rand.New(rand.NewPCG(5, 6)).IntN
	one := func(all []int) int { return all[pick(len(all))] }
	post := func(id int, where string) bool {
		const joined = "phpbb_posts p JOIN phpbb_topics t ON t.topic_id = p.topic_id"
		return f.found("SELECT 1 FROM %s WHERE p.post_id = %d AND %s", joined, id, where)
	}
	topic := func(id int, where string) bool {
		return f.found("SELECT 1 FROM phpbb_topics t WHERE t.topic_id = %d AND %s", id, where)
	}
	act := func(step int) int {
		what, user := pick(20), one(users)
		if len(topics) < 3 {
			what = 0
		}
		p, to := 0, 0
		if len(topics) > 0 {
			p, to = one(posts), one(topics)
		}
		switch {
		case what < 2:
			to, p := f.begin(user, fmt.Sprint("Title ", step), with{"visibility": min(1, pick(5))})
			topics, posts = append(topics, to), append(posts, p)
		case what < 8 && topic(to, "topic_visibility = 1"):
			posts = append(posts, f.do("reply", user, to, with{"visibility": min(1, pick(5))}))
		case what < 11 && post(p, phpbbVisible):
			if f.found("SELECT 1 FROM phpbb_thanks WHERE post_id = %d AND user_id = %d", p, user) {
				f.do("unlike", user, p)
			} else {
				f.do("like", user, p)
			}
		case what < 14 && post(p, "t.topic_visibility = 1"):
			f.do("show_post", p, 1+pick(2))
		case what < 16 && topic(to, "topic_visibility <> 1"):
			f.do("show", to, shown)
		case what < 16 && topic(to, "1"):
			f.do("show", to, hidden)
		case what == 16 && topic(to, "1"):
			f.do("move", to, 1+pick(3))
		case what == 17 && pick(3) == 0 && topic(to, "1"):
			f.do("delete", to)
		case what == 17 && post(p, "1"):
			f.do("delete_post", p)
		case what == 18 && post(p, "t.topic_visibility = 1") && topic(to, "topic_visibility = 1"):
			f.do("move_post", p, to)
		case what == 19:
			f.do("rename_user", user, fmt.Sprint("Name ", step))
		}
		return what
	}
	f.whateverTheNetworkDoes(act, func() {
		f.do("delete_user", users[0], "remove")
		f.do("delete_user", users[1], "retain")
	}, func() { f.do("again") })
	f.sameEntries(call[[]stands](f.php, "standing"), false, "comment", "like", "publish")
}

// A visitor's token is taken for this visitor alone, and a guest gets none; the index has the board.
func TestPhpBBTokenIsTheVisitors(t *testing.T) {
	f := openPhpBB(t)
	f.testToken()
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

// The extension leaves no table behind, and PHP's linter finds nothing.
func TestPhpBBFiles(t *testing.T) {
	lint(t, "phpbb")
	f := openPhpBB(t)
	f.network.Set(Trouble{}, func(http.ResponseWriter, *http.Request) bool { return false })
	f.do("down")
	left := call[[]struct{ Name string }](f.php, "sql", "SELECT name AS Name FROM sqlite_master WHERE type = 'table'")
	if slices.ContainsFunc(left, func(l struct{ Name string }) bool { return strings.Contains(l.Name, "laurel") }) {
		t.Errorf("left behind: %v", left)
	}
}

func TestPhpBBIsPaired(t *testing.T) {
	f := openPhpBB(t)
	ann := f.do("user", "ann")
	f.testPairing(func(address, code string) string {
		return call[string](f.php, "page", map[string]string{"pair": "1", "pair_url": address, "pair_code": code})
	}, func() string {
		return call[string](f.php, "page", map[string]string{"none": ""})
	}, func() { f.begin(ann, "Paired", nil) })
}

// What the extension was not told, or Laurel has too much, is on the page of settings.
func TestPhpBBSaysWhetherBoardsEqualItsTables(t *testing.T) {
	f := openPhpBB(t)
	(&comparing{
		forum: f, name: "phpBB",
		page: func(compare bool) string {
			return call[string](f.php, "page", map[bool]map[string]string{true: {"compare": "1"}, false: {"none": ""}}[compare])
		},
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
	}).testComparison()
}
