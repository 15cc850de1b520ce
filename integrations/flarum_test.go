//go:build forums

package integrations_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
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

func openFlarum(t *testing.T) *forum {
	t.Helper()
	return open(t, forum{
		script: "flarum/harness/forum.php", prefix: "laurel.", points: flarumPoints, articles: flarumArticles,
	})
}

// begin starts a discussion, and returns its id and that of its first post.
func (f *forum) begin(user int, title string, with map[string]any) (int, int) {
	f.Helper()
	ids := call[[]int](f.php, "start", user, title, with)
	return ids[0], ids[1]
}

type with = map[string]any

// Each case is one of what Flarum does in its own source.
func TestFlarumBoardAfterEachThingThatMembersDo(t *testing.T) {
	f := openFlarum(t)
	ann, bob, eve := f.do("user", "ann"), f.do("user", "bob"), f.do("user", "eve")
	topic, first := f.begin(ann, "Ten ways & more", with{"tags": []int{1}})
	reply := f.do("reply", bob, topic)
	own := f.do("reply", ann, topic)
	f.same("starting a discussion and replying")

	f.do("like", bob, first)
	f.do("like", eve, reply)
	f.do("like", bob, reply)
	f.same("likes, of a first post and of one's own")
	var article struct {
		Votes  int
		Groups []string
	}
	f.get(fmt.Sprint("/v1/articles/t", topic), &article)
	if article.Votes != 2 || !slices.Equal(article.Groups, []string{"garden"}) {
		t.Errorf("a like of the first post is a vote beside the author's: %+v", article)
	}
	f.do("unlike", bob, first)
	f.same("taking a like back")
	f.do("like", bob, first)
	f.same("liking it again")

	for _, what := range []string{"hide_post", "restore_post", "hide_post", "restore_post"} {
		f.do(what, reply)
		f.same(what)
	}
	f.do("hide_post", first)
	f.same("hiding a first post, but not the discussion")
	f.do("restore_post", first)
	f.same("restoring it")
	f.do("hide_post", own)
	f.do("hide", topic)
	f.same("hiding a discussion, in which a reply was hidden before")
	f.do("restore", topic)
	f.same("restoring it, and not that reply")
	f.do("restore_post", own)
	f.do("rename", topic, "Eleven ways")
	f.same("another title")
	f.do("tag", topic, []int{2}, eve)
	f.same("moving it into a restricted tag, with its replies and likes")
	f.do("tag", topic, []int{1}, eve)
	f.same("moving it back")

	f.begin(eve, "Of two people", with{"private": true})
	secret, _ := f.begin(eve, "Of the staff", with{"tags": []int{2}})
	f.do("reply", ann, secret)
	f.same("private and restricted discussions")
	if all := strings.Join(f.network.Seen(), ""); strings.Contains(all, "comment\",\"ref\":\"p"+fmt.Sprint(own+3)) {
		t.Error("a reply in a restricted tag was sent")
	}
	held := f.do("reply", eve, topic, with{"unapproved": true})
	another, heldFirst := f.begin(bob, "Is held", with{"unapproved": true})
	f.same("unapproved posts")
	f.do("approve", held, ann)
	f.do("approve", heldFirst, ann)
	f.same("approving them")
	f.do("like", ann, held)
	f.do("delete_post", held, ann)
	f.same("deleting a reply for good, with its likes")

	gone, goneFirst := f.begin(bob, "To be deleted", nil)
	f.do("like", ann, f.do("reply", eve, gone))
	f.do("like", ann, goneFirst)
	f.same("another discussion")
	f.do("delete", gone, ann)
	f.same("deleting it for good: its posts and likes go without events")
	_, only := f.begin(bob, "Of one post", nil)
	f.do("delete_post", only, ann)
	f.same("deleting the only post: the discussion goes without an event")
	kept, keptFirst := f.begin(bob, "Without a beginning", nil)
	f.do("reply", eve, kept)
	f.do("like", eve, keptFirst)
	f.do("delete_post", keptFirst, ann)
	f.same("deleting a first post, but not the replies")

	f.do("rename_user", ann, "Ann \u202e <b>Lee</b> 李")
	f.do("avatar", ann, "https://forum.example/ann.png")
	f.send()
	shown, _ := f.shows()
	if is := shown["1"]; is.Name != "Ann   <b>Lee</b> 李" || is.Face != "https://forum.example/ann.png" {
		t.Errorf("the profile is %+v", is)
	}
	f.do("rename_user", ann, "ann")
	f.do("rename", topic, "Turned \u202e ways")
	f.do("rename", topic, "\u202e\u202e")
	f.do("rename", topic, strings.Repeat("长 ", 400))
	f.do("rename", topic, "Ten ways")
	f.same("names and titles that cannot be shown")

	old, _ := f.begin(eve, "Of long ago", with{"at": 1577836800})
	f.do("reply", eve, old, with{"at": 1577836900})
	f.same("an old discussion, which is imported and not reported")
	f.do("rename", old, "Is not new")
	f.do("hide", old)
	f.do("restore", old)
	f.do("delete", old, ann)
	f.same("changes of an old one that Laurel does not know")

	f.do("delete_user", bob)
	f.same("deleting a user: posts have no author, likes are gone")
	f.do("hide", another)
	f.same("hiding what a deleted user wrote")
	f.do("restore", another)
	f.do("hide", kept)
	f.do("restore", kept)
	f.do("unlike", eve, reply)
	f.same("restoring it")
	if f.status(fmt.Sprint("/v1/users/", bob), "") == http.StatusOK {
		t.Error("the deleted user has a profile")
	}
	f.sameEntries(call[[]stands](f.php, "standing"), false, "comment", "like", "publish")
	f.clean()
}

// In a forum for members alone all of them see what counts.
func TestFlarumForMembersAlone(t *testing.T) {
	f := openFlarum(t)
	f.do("close", true)
	ann := f.do("user", "ann")
	topic, _ := f.begin(ann, "Inside", nil)
	f.do("reply", ann, topic)
	f.begin(ann, "Of two people", with{"private": true})
	f.same("writing in a closed forum")
	f.do("hide", topic)
	f.same("hiding")
	f.clean()
}

// Hooks and the statement of the history give the same targets, moments included.
func TestFlarumHistoryIsTheSame(t *testing.T) {
	f := openFlarum(t)
	ann, bob := f.do("user", "ann"), f.do("user", "bob")
	topic, first := f.begin(ann, "A title", nil)
	reply := f.do("reply", bob, topic)
	for _, like := range [][2]int{{bob, first}, {ann, reply}} {
		f.do("like", like[0], like[1])
	}
	f.do("hide_post", reply)
	f.do("restore_post", reply)
	f.do("hide", topic)
	f.do("restore", topic)
	f.same("restoring, which leaves moments as they were")
	f.sameEntries(f.history("flarum"), true, "comment", "like", "publish")
}

// What members do does not wait for Laurel: with PHP-FPM the queue is sent when the page is done.
func TestFlarumMembersDoNotWait(t *testing.T) {
	f := openFlarum(t)
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

// The queue keeps the order, pauses after errors, and drops what will never be taken.
func TestFlarumQueue(t *testing.T) {
	f := openFlarum(t)
	f.testQueue(func(n int) { f.begin(n, "A title", nil) })
	f.same("Laurel takes everything")
}

// Repeated, unanswered and refused deliveries change nothing; late and lost ones are made up for by sending again.
func TestFlarumWhateverTheNetworkDoes(t *testing.T) {
	f := openFlarum(t)
	var users, posts, topics []int
	for n := range 6 {
		users = append(users, f.do("user", fmt.Sprint("member", n)))
	}
	pick := rand.New(rand.NewPCG(3, 4)).IntN
	one := func(all []int) int { return all[pick(len(all))] }
	exists := func(table string, id int, where string) bool {
		return f.found("SELECT 1 FROM %s WHERE id = %d AND %s", table, id, where)
	}
	const visible = "SELECT 1 FROM posts p JOIN discussions d ON d.id = discussion_id WHERE p.id = %d AND " + flarumVisible
	act := func(step int) int {
		what, user := pick(20), one(users)
		if len(topics) < 3 {
			what = 0
		}
		switch {
		case what < 2:
			topic, first := f.begin(user, fmt.Sprint("Title ", step), with{"unapproved": pick(5) == 0})
			topics, posts = append(topics, topic), append(posts, first)
		case what < 8:
			if topic := one(topics); exists("discussions", topic, "hidden_at IS NULL AND is_private = 0") {
				posts = append(posts, f.do("reply", user, topic, with{"unapproved": pick(5) == 0}))
			}
		case what < 11:
			if post := one(posts); f.found(visible, post) {
				name := "like"
				if f.found("SELECT 1 FROM post_likes WHERE post_id = %d AND user_id = %d", post, user) {
					name = "unlike"
				}
				f.do(name, user, post)
			}
		case what < 13:
			if post := one(posts); exists("posts", post, "is_private = 1") {
				f.do("approve", post, user)
			}
		case what < 16:
			if post := one(posts); exists("posts", post, "hidden_at IS NULL AND is_private = 0") {
				f.do("hide_post", post)
			} else if exists("posts", post, "is_private = 0") {
				f.do("restore_post", post)
			}
		case what < 18:
			if topic := one(topics); exists("discussions", topic, "hidden_at IS NULL") {
				f.do("hide", topic)
			} else if exists("discussions", topic, "1") {
				f.do("restore", topic)
			}
		case what == 18 && pick(3) == 0:
			if topic := one(topics); exists("discussions", topic, "1") {
				f.do("delete", topic, user)
			}
		case what == 18:
			if post := one(posts); exists("posts", post, "1") {
				f.do("delete_post", post, user)
			}
		default:
			f.do("rename_user", user, fmt.Sprint("Name ", step))
		}
		return what
	}
	f.whateverTheNetworkDoes(act, func() { f.do("delete_user", users[0]) },
		func() { call[[]string](f.php, "send", with{"--again": true}) })
	f.sameEntries(call[[]stands](f.php, "standing"), false, "comment", "like", "publish")
}

// A visitor's token is taken for this visitor alone, and a guest gets none.
func TestFlarumTokenIsTheVisitors(t *testing.T) {
	f := openFlarum(t)
	f.testToken()
	asked := call[struct{ Route, Forum, Schedule []string }](f.php, "asked")
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
	for _, version := range []string{"1", "2"} {
		out, err := exec.Command("node", "flarum/harness/browser.js", version).CombinedOutput()
		if err != nil {
			t.Fatalf("%v %s", err, out)
		}
		const want = `{"member":{"tag":"laurel-board","attrs":{"board":"help","windows":"day month","layout":"compact",` +
			`"user":"7","token-url":"https://forum.example/laurel/token"}},` +
			`"guest":{"tag":"laurel-board","attrs":{"board":"help","windows":"day month","layout":"compact"}},"unset":null,` +
			`"head":["module https://laurel.example/embed/laurel.js"],"settings":["laurel-leaderboards",` +
			`"laurel.url url laurel-leaderboards.admin.url","laurel.board text laurel-leaderboards.admin.board",` +
			`"laurel.hook_secret password laurel-leaderboards.admin.hook_secret",` +
			`"laurel.user_secret password laurel-leaderboards.admin.user_secret"],` +
			`"said":[[["laurel-leaderboards.admin.ago",", ","laurel-leaderboards.admin.waiting"," ",` +
			`"laurel-leaderboards.admin.no_answer"],"laurel-leaderboards.admin.differ","laurel-leaderboards.admin.compared",` +
			`"laurel-leaderboards.admin.no_likes","laurel-leaderboards.admin.member",` +
			`["» comment t1 p2 2026-11-02: ","laurel-leaderboards.admin.missing"],` +
			`["» 42: ","laurel-leaderboards.admin.other"]],` +
			`["laurel-leaderboards.admin.wrong_code","laurel-leaderboards.admin.not_compared"],` +
			`["laurel-leaderboards.admin.unpaired",["laurel-leaderboards.admin.compare_failed"," ",` +
			`"laurel-leaderboards.admin.no_answer"]]],` +
			`"asked":["{\"method\":\"GET\",\"url\":\"/api/laurel/pair\"}",` +
			`"{\"method\":\"POST\",\"url\":\"/api/laurel/pair\",\"body\":{\"url\":\"https://b.example\",\"code\":\"A\"}}",` +
			`"{\"method\":\"POST\",\"url\":\"/api/laurel/pair\",\"body\":{\"compare\":true}}"]}`
		if got := strings.TrimSpace(string(out)); got != want {
			t.Errorf("Flarum %s: %s", version, got)
		}
	}
}

// The extension leaves no table behind, and PHP's linter finds nothing.
func TestFlarumFiles(t *testing.T) {
	lint(t, "flarum")
	f := openFlarum(t)
	f.do("down")
	if left := call[[]any](f.php, "sql", "SELECT name FROM sqlite_master WHERE name LIKE '%laurel%'"); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestFlarumIsPaired(t *testing.T) {
	f := openFlarum(t)
	ann := f.do("user", "ann")
	f.testPairing(func(address, code string) string {
		said := call[string](f.php, "page", map[string]string{"url": address, "code": code})
		return strings.Replace(said, "no report yet, 0 waiting", "Paired.", 1)
	}, func() string {
		return call[string](f.php, "page", nil)
	}, func() { f.do("start", ann, "Paired", nil) })
}

// What the extension was not told, or Laurel has too much, is on the page of settings.
func TestFlarumSaysWhetherBoardsEqualItsTables(t *testing.T) {
	f := openFlarum(t)
	(&comparing{
		forum: f, name: "Flarum",
		page: func(compare bool) string {
			return call[string](f.php, "page", map[bool]any{true: map[string]bool{"compare": true}}[compare])
		},
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
	}).testComparison()
}
