//go:build forums

package nodebb_test

import (
	"crypto/hmac"
	"crypto/sha1"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"testing"
	"time"

	"laurel/internal/harness"

	"github.com/google/go-cmp/cmp"
)

// Each hook alone, what is sent of it, the queue, the token and the widget.
func TestHooks(t *testing.T) {
	t.Parallel()
	command, _, out := node(t, nil, "--test", "--test-reporter", "spec", "plugin.test.js")
	said, err := io.ReadAll(out)
	if err == nil {
		err = command.Wait()
	}
	if err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
}

// Each case of what members and moderators do.
func TestBoardAfterEachThingThatMembersDo(t *testing.T) {
	t.Parallel()
	f := open(t)
	ann, bob, eve := f.do("register", "ann"), f.do("register", "bob"), f.do("register", "eve")
	tid, pid := f.topic(ann, "Ten ways & more")
	first := f.do("reply", bob, tid)
	second := f.do("reply", eve, tid)
	f.same("a topic and replies")
	f.do("upvote", bob, pid)
	f.do("upvote", bob, pid)
	f.do("upvote", eve, pid)
	f.do("upvote", ann, first)
	f.do("downvote", eve, pid)
	f.same("votes, voting again, and a downvote of what one has upvoted")
	f.do("unvote", bob, pid)
	f.do("bookmark", bob, pid)
	f.do("bookmark", eve, first)
	f.do("bookmark", eve, first)
	f.do("follow", bob, ann)
	f.do("follow", eve, ann)
	f.do("follow", eve, ann)
	f.same("bookmarks and follows, and taking them back")

	for _, step := range []struct {
		what string
		args []any
	}{
		{"deletePost", []any{first}},
		{"restorePost", []any{first}},
		{"deletePost", []any{pid}}, // a topic's first post alone
		{"restorePost", []any{pid}},
		{"edit", []any{tid, "Eleven ways"}},
		{"move", []any{tid, 7}},
		{"move", []any{tid, 9}}, // whose topics guests cannot read
		{"deleteTopic", []any{tid}},
		{"restoreTopic", []any{tid}},
		{"move", []any{tid, 2}},
		{"deleteTopic", []any{tid}},
		{"edit", []any{tid, "Twelve ways"}},
		{"restoreTopic", []any{tid}},
		{"rename", []any{bob, "Bob <b>B.</b> 李"}},
		{"rename", []any{bob, "Bob B.", ann}}, // by an administrator
		{"purge", []any{[]int{second}}},
		{"changeOwner", []any{[]int{pid, first}, eve}},
		{"deleteTopic", []any{tid}},
		{"restoreTopic", []any{tid}},
		{"move", []any{tid, 9}},
		{"move", []any{tid, 2}},
	} {
		f.do(step.what, step.args...)
		f.same(fmt.Sprint(step))
	}
	other, _ := f.topic(bob, "Another")
	moved := f.do("reply", eve, tid)
	f.do("movePost", moved, other)
	f.same("moving a reply")
	f.do("purgeTopic", other)
	f.same("purging a topic: its posts, then itself")
	f.do("online", ann)
	f.do("online", ann)
	f.do("online", eve)
	f.same("visits", ann, eve)
	own, _ := f.topic(eve, "Of somebody who leaves")
	f.do("upvote", eve, first)
	f.do("deleteUser", eve)
	f.same("deleting a user", ann)
	for _, what := range []string{"deletePost", "restorePost", "deletePost"} {
		f.do(what, first)
	}
	for _, what := range []string{"deleteTopic", "restoreTopic", "deleteTopic"} {
		f.do(what, tid)
		f.do(what, own)
		f.same(what+" of a deleted user's topics", ann)
	}
}

// Repeated, unanswered, refused, lost and late deliveries, and processes of the forum that are killed, change nothing.
func TestBoardWhateverTheNetworkDoes(t *testing.T) {
	t.Parallel()
	f := open(t)
	f.between.Set(harness.Trouble{Refused: 10, Repeated: 15, Unanswered: 10, Lost: 10, Late: 20}, nil)
	var all []int
	for n := range 6 {
		all = append(all, f.do("register", fmt.Sprint("member", n)))
	}
	pick := rand.New(rand.NewPCG(3, 4)).IntN
	type topic struct{ tid, pid int }
	var topics []topic
	var replies []int
	deleted := map[int]bool{}
	for step := range 300 {
		uid, process := all[pick(len(all))], pick(2)
		if step%3 == 0 && step%80 > 10 { // some reports wait when a process is killed
			f.drain()
		}
		if step%80 == 10 {
			f.restart(process)
		}
		if len(topics) < 3 || pick(15) == 0 {
			tid, pid := f.topic(uid, fmt.Sprint("Title ", step))
			topics = append(topics, topic{tid, pid})
			continue
		}
		in := topics[pick(len(topics))]
		post := in.pid
		if len(replies) > 0 && pick(2) == 0 {
			post = replies[pick(len(replies))]
		}
		switch what := pick(12); {
		case what < 2:
			replies = append(replies, f.do("reply", uid, in.tid))
		case what < 4:
			f.by(process, "upvote", uid, post)
		case what == 4:
			f.by(process, "unvote", uid, post)
		case what == 5:
			f.by(process, "bookmark", uid, post)
		case what == 6:
			if other := all[pick(len(all))]; other != uid {
				f.by(process, "follow", uid, other)
			}
		case what < 9 && len(replies) > 0:
			post := replies[pick(len(replies))]
			deleted[post] = !deleted[post]
			f.by(process, map[bool]string{true: "deletePost", false: "restorePost"}[deleted[post]], post)
		case what == 9:
			deleted[-in.tid] = !deleted[-in.tid]
			f.by(process, map[bool]string{true: "deleteTopic", false: "restoreTopic"}[deleted[-in.tid]], in.tid)
		case what == 10 && len(replies) > 3 && pick(3) == 0:
			n := pick(len(replies))
			f.by(process, "purge", replies[n:n+1])
			replies = append(replies[:n], replies[n+1:]...)
		case what == 11 && pick(3) == 0:
			f.by(process, "rename", uid, fmt.Sprint("Name ", step))
		}
	}
	f.by(1, "deleteUser", all[0])
	f.drain()
	f.between.Drain()
	count := f.between.Count
	f.between.Set(harness.Trouble{}, nil)
	for _, uid := range all[1:] { // a late delivery has the name of its time
		f.do("rename", uid, fmt.Sprint("Last ", uid))
	}
	f.same("all of it")
	for _, what := range []string{"refused", "repeated", "unanswered", "lost", "late"} {
		if count[what] == 0 {
			t.Errorf("no delivery was %s: %v", what, count)
		}
	}
	t.Logf("the network: %v", count)
}

// An outage of Laurel loses nothing, and no member waits for it.
func TestNothingIsLostWhileLaurelIsUnavailable(t *testing.T) {
	t.Parallel()
	f := open(t)
	f.between.Set(harness.Trouble{Refused: 100}, nil)
	ann := f.do("register", "ann")
	tid, _ := f.topic(ann, "While it is unavailable")
	for range 20 {
		f.do("reply", ann, tid)
	}
	f.restart(0)
	f.restart(1)
	if waiting := f.do("waiting"); waiting < 21 {
		t.Errorf("%d reports wait, want all", waiting)
	}
	f.between.Drain()
	f.between.Set(harness.Trouble{}, nil)
	f.same("Laurel is there again")
	if status := f.laurel.Get("/v1/users/1", "").Status; status != http.StatusOK {
		t.Errorf("no profile: %d", status)
	}
}

// The plugin gives the same board as NodeBB's own webhook plugin with the source nodebb does, where that says as much.
func TestPluginAgreesWithTheWebhooks(t *testing.T) {
	t.Parallel()
	f := open(t)
	ann, bob, eve := f.do("register", "ann"), f.do("register", "bob"), f.do("register", "eve")
	tid, pid := f.topic(ann, "One")
	other, _ := f.topic(bob, "Two")
	gone, _ := f.topic(eve, "Three")
	first, second := f.do("reply", bob, tid), f.do("reply", eve, tid)
	f.do("reply", ann, gone)
	for _, uid := range []int{bob, eve} {
		f.do("upvote", uid, pid)
		f.do("upvote", uid, pid)
		f.do("follow", uid, ann)
	}
	f.do("upvote", ann, second)
	f.do("downvote", bob, pid)
	f.do("bookmark", ann, first)
	f.do("bookmark", bob, second)
	f.do("bookmark", bob, second)
	f.do("follow", eve, ann)
	f.do("deletePost", second)
	f.do("restorePost", second)
	f.do("deletePost", first)
	f.do("deleteTopic", other)
	f.do("deleteTopic", tid)
	f.do("restoreTopic", tid)
	f.do("purgeTopic", gone)
	f.same("all of it")

	var sent []string
	if err := json.Unmarshal(f.by(0, "hooks"), &sent); err != nil {
		t.Fatal(err)
	}
	plugin := shows(f.laurel)
	f.laurel = newLaurel(t)
	for _, body := range sent {
		sum := hmac.New(sha1.New, []byte(hookSecret[len("whsec_"):]))
		sum.Write([]byte(body))
		time.Sleep(2 * time.Millisecond) // a webhook's moment is its arrival
		answer := f.laurel.Do(http.MethodPost, "/v1/hooks/nodebb", "", body, "X-Webhook-Signature",
			"sha1="+hex.EncodeToString(sum.Sum(nil)))
		if answer.Status != http.StatusOK {
			t.Fatal(body, answer.Status, answer.Body)
		}
	}
	f.voids()
	webhooks := shows(f.laurel)
	for id, r := range plugin.Board { // hooks of the stand-in have no names
		plugin.Board[id] = row{Score: r.Score}
	}
	if diff := cmp.Diff(webhooks, plugin); diff != "" || len(plugin.Board) != 3 {
		t.Errorf("(-webhooks +plugin):\n%s", diff)
	}
}
