package httpapi_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"laurel/internal/harness"
	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/httpapi"
)

// votes are how many votes an article has.
func (f *forum) votes(id string) int64 {
	f.TB.Helper()
	return read[item](f.TB, f.Get("/v1/articles/"+id, "")).Votes
}

// act reports what a user does now, and returns the status of the receipt.
func (f *forum) act(user, action, id string) string {
	f.TB.Helper()
	body := list(fmt.Sprintf(`{"action":%q,"target":%q}`, action, id))
	return read[httpapi.Receipts](f.TB, f.Post(f.User(user), body)).Receipts[0].Status
}

// voted are the articles of some that a user has voted for, as JSON.
func (f *forum) voted(user string, ids ...string) string {
	f.TB.Helper()
	a := f.Get("/v1/users/"+user+"/votes?article="+strings.Join(ids, "&article="), f.User(user))
	return strings.TrimSpace(a.Body)
}

func TestLikeIsPointsAndVote(t *testing.T) {
	t.Parallel()
	p := open(t)
	p.publish(http.StatusCreated, simple("1", "ann"))
	p.publish(http.StatusCreated, simple("2", "bob"))
	if got := p.act("bob", "like", "1"); got != "counted" || p.votes("1") != 2 || p.points("bob") != 12 {
		t.Errorf("%s, %d votes, bob has %d points", got, p.votes("1"), p.points("bob"))
	}
	// The author's own counts from the start, and not twice; the points are the liker's.
	if got := p.act("ann", "like", "1"); got != "counted" || p.votes("1") != 2 || p.points("ann") != 12 {
		t.Errorf("%s, %d votes, ann has %d points", got, p.votes("1"), p.points("ann"))
	}
	for user, want := range map[string]string{
		"ann": `{"votes":["1"]}`, "bob": `{"votes":["2","1"]}`,
		"cid": `{"votes":[]}`,
	} {
		if got := p.voted(user, "2", "1", "unknown"); got != want {
			t.Errorf("%s has voted for %s, want %s", user, got, want)
		}
	}
	p.Now = p.Now.Add(time.Second)
	if got := p.act("bob", "unlike", "1"); got != "revoked" || p.votes("1") != 1 || p.points("bob") != 10 {
		t.Errorf("%s, %d votes, bob has %d points", got, p.votes("1"), p.points("bob"))
	}
	if p.act("ann", "unlike", "1"); p.votes("1") != 1 {
		t.Error("the author's own vote is gone")
	}
}

// A restored like is a vote again, one that never was is none.
func TestRestoredLikeIsVoteAgain(t *testing.T) {
	t.Parallel()
	p := open(t)
	p.publish(http.StatusCreated, simple("1", "ann"))
	for _, step := range []struct {
		user, action string
		restores     bool
		status       string
		votes        int64
	}{
		{"bob", "like", false, "counted", 2},
		{"bob", "unlike", false, "revoked", 1},
		{"eve", "like", true, "superseded", 1},
		{"bob", "like", true, "counted", 2},
		{"bob", "like", true, "duplicate", 2},
		{"bob", "unlike", false, "revoked", 1},
		{"eve", "like", false, "counted", 2},
		{"bob", "like", true, "counted", 3},
	} {
		p.Now = p.Now.Add(time.Second)
		act := activity.Activity{
			User: step.user, Action: step.action, Target: "1", At: board.MomentOf(p.Now), Restores: step.restores,
		}
		got := read[httpapi.Receipts](t, p.Post(p.Service(), list(harness.Reported(act, true)))).Receipts[0].Status
		if got != step.status || p.votes("1") != step.votes {
			t.Errorf("%+v: %s, %d votes", step, got, p.votes("1"))
		}
	}
}

func TestVotesOfMany(t *testing.T) {
	t.Parallel()
	p := open(t)
	p.publish(http.StatusCreated, simple("1", "ann"))
	var all sync.WaitGroup
	for i := range 100 {
		all.Go(func() { // one user a hundred times, with two others among them
			user := "bob"
			if i%40 == 20 {
				user = fmt.Sprint("user-", i)
			}
			p.act(user, "like", "1")
		})
	}
	all.Wait()
	if n := p.votes("1"); n != 4 { // ann, bob, user-20 and user-60
		t.Errorf("%d votes, want 4", n)
	}
	if n := p.points("bob"); n != 2 {
		t.Errorf("bob has %d points", n)
	}
}

func TestClosingSecond(t *testing.T) {
	t.Parallel()
	p := open(t)
	p.publish(http.StatusCreated, simple("1", "ann"))
	p.Now = noon.AddDate(0, 0, 7).Add(-time.Millisecond)
	if p.act("bob", "like", "1"); p.votes("1") != 2 || p.voted("bob", "1") != `{"votes":["1"]}` {
		t.Errorf("in the last moment: %d votes, %s", p.votes("1"), p.voted("bob", "1"))
	}
	if !read[item](t, p.Get("/v1/articles/1", "")).VotingOpen {
		t.Error("it is closed in the last moment")
	}
	p.Now = noon.AddDate(0, 0, 7)
	if got := p.act("cid", "like", "1"); got != "counted" || p.votes("1") != 2 || p.points("cid") != 2 {
		t.Errorf("after it: %s, %d votes, cid has %d points", got, p.votes("1"), p.points("cid"))
	}
	if read[item](t, p.Get("/v1/articles/1", "")).VotingOpen || p.voted("bob", "1") != `{"votes":[]}` {
		t.Error("it is open after the last moment")
	}
	// The moment of the vote decides, not that of its arrival.
	late := strings.Replace(list(likes), `"a1"`, `"1","at":"2026-11-27T11:59:59.999Z"`, 1)
	if read[httpapi.Receipts](t, p.Post(p.Service(), late)); p.votes("1") != 2 {
		t.Error("ann's own counts twice")
	}
	late = strings.Replace(late, `"ann"`, `"dan"`, 1)
	if read[httpapi.Receipts](t, p.Post(p.Service(), late)); p.votes("1") != 3 {
		t.Errorf("with one that came late it has %d votes", p.votes("1"))
	}
}

// Likes of what is no article are points alone, and no vote later.
func TestLikesOfNoArticle(t *testing.T) {
	t.Parallel()
	p := open(t)
	if got := p.act("bob", "like", "1"); got != "counted" {
		t.Error(got)
	}
	p.publish(http.StatusCreated, simple("1", "ann"))
	if n := p.votes("1"); n != 1 {
		t.Errorf("%d votes with one from before", n)
	}
	// Sent again it is a vote, though no points.
	if got := p.act("bob", "like", "1"); got != "duplicate" || p.votes("1") != 2 {
		t.Errorf("%s, %d votes", got, p.votes("1"))
	}
	if a := p.Do(http.MethodDelete, "/v1/articles/1", p.Service(), ""); a.Status != http.StatusOK {
		t.Fatal(a.Body)
	}
	if got := p.act("cid", "like", "1"); got != "counted" || p.points("cid") != 2 {
		t.Errorf("a deleted one: %s, %d points", got, p.points("cid"))
	}
	if a := p.Get("/v1/articles/1", ""); a.Status != http.StatusNotFound {
		t.Errorf("%d", a.Status)
	}
}

// When the points of an author cannot be recorded the request fails, and sending it again mends it.
func TestRetryMendsWhatFailed(t *testing.T) {
	t.Parallel()
	p := open(t)
	mend := p.Damage("cid")
	if a := p.Do(http.MethodPost, "/v1/articles", p.Service(), simple("2", "cid")); a.Status < 500 {
		t.Errorf("%d %s", a.Status, a.Body)
	}
	mend()
	p.publish(http.StatusOK, simple("2", "cid"))
	if n := p.points("cid"); n != 10 {
		t.Errorf("cid has %d points", n)
	}
	mend = p.Damage("cid")
	if a := p.Do(http.MethodDelete, "/v1/articles/2", p.Service(), ""); a.Status < 500 {
		t.Errorf("%d %s", a.Status, a.Body)
	}
	mend()
	if a := p.Do(http.MethodDelete, "/v1/articles/2", p.Service(), ""); a.Status != http.StatusOK || p.points("cid") != 0 {
		t.Errorf("%d %s, cid has %d points", a.Status, a.Body, p.points("cid"))
	}
}
