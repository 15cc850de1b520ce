package doctor

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"laurel/shared/api/httpapi"
	"laurel/shared/core/activity"
	"laurel/shared/core/board"
)

// ErrNotNamed is wrapped by the error about a part that a stack does not have or that was not named.
var ErrNotNamed = errors.New("not named")

// A Smoke is a test of a deployment: it records as a user of its own, who is hidden from all others.
type Smoke struct {
	NoQueue bool          // there is no queue route
	Wait    time.Duration // for a message of the queue to be counted

	// Stack checks the parts that a deployment has beside its API, or tells why it cannot; nil: only the API is
	// tested.
	Stack func(ctx context.Context, tell func(part string, l Line, err error))
}

// eraseTime is how long the answer to the erasure may take.
const eraseTime = 45 * time.Second

// pollEvery is the time between two attempts while the test waits.
const pollEvery = 500 * time.Millisecond

// smokeUser is the user of a test.
type smokeUser struct {
	*client
	token, id string
	rules     *activity.Rules // nil: they cannot be read
	rule      activity.Rule
	score     int64 // after the recorded activities, on the rule's board in its longest window
	window    string
}

// smoke makes the test with the service's token, and erases its user even after failures.
func (u *smokeUser) smoke(ctx context.Context, o Smoke, line func(string, Line)) {
	switch {
	case u.token == "":
		line("records", Fail("give --secret-file or --token, of the service", "the service's token is needed"))
	case u.rules == nil:
		line("records", Fail("look at /v1/rules", "the rules cannot be read"))
	case u.rule.Action == "":
		line("records", Fail("look at /v1/rules",
			"the rules have no action that the service may report and that is worth points"))
	default:
		u.records(ctx, o, line)
	}
	if o.Stack == nil {
		for _, part := range []string{"archive function", "alarms", "dead letters"} {
			line(part, skipped("give --stack", "no stack to look at"))
		}
		return
	}
	o.Stack(ctx, func(part string, l Line, err error) {
		switch {
		case errors.Is(err, ErrNotNamed):
			l = skipped("give --stack of a stack that has it", err.Error())
		case err != nil:
			l = Fail("docs/health.md lists the permissions that this takes", "%v", err)
		}
		line(part, l)
	})
}

// records hides the user from all others before it records anything, reads it, and erases it at the end.
func (u *smokeUser) records(ctx context.Context, o Smoke, line func(string, Line)) {
	defer func() { line("erasure", u.erase(context.WithoutCancel(ctx))) }()
	_, err := u.do(ctx, http.MethodPut, "/v1/users/"+u.id+"/visibility", `{"boards":"hidden"}`, http.StatusOK, nil)
	if err != nil {
		line("hidden user", Fail("nothing was recorded; look at the log of the function record", "%v", err))
		return
	}
	line("hidden user", Well("%s, whom no member sees", u.id))
	recorded := u.record(ctx)
	if line("records", recorded); recorded.Result != OK {
		return
	}
	line("reads", u.read(ctx))
	if o.NoQueue {
		line("queue", skipped("leave --no-queue out", "no queue route"))
		return
	}
	line("queue", u.enqueue(ctx, o.Wait))
}

// do sends a request as the service.
func (u *smokeUser) do(ctx context.Context, method, path, body string, status int, into any) (*answer, error) {
	a, err := u.send(ctx, method, path, body, "Authorization", "Bearer "+u.token)
	if err == nil {
		err = a.read(status, into)
	}
	if err != nil {
		err = fmt.Errorf("%s %s: %w", method, strings.ReplaceAll(path, u.id, "{user}"), err)
	}
	return a, err
}

// choose takes an action of today's rules that the service may report, if there is one.
func (u *smokeUser) choose(today board.Date) {
	if u.rules == nil {
		return
	}
	now := u.rules.On(today)
	for _, word := range now.Words() {
		r := now.Find(word)
		if word != r.Undo && r.MayReport(activity.ByService) && !r.TargetIsUser && (r.Metric || r.Points > 0) &&
			(u.rule.Action == "" || u.rule.Metric) {
			windows := u.rules.Windows(r.Board)
			u.rule, u.window = *r, windows[len(windows)-1].String()
		}
	}
}

// activity returns the user's n-th activity, from 1.
func (u *smokeUser) activity(n int64) string {
	did := map[string]any{"user": u.id, "action": u.rule.Action}
	if u.rule.Metric {
		did["value"] = min(max(u.rule.Min, 0)+n, u.rule.Max)
	} else {
		did["target"] = fmt.Sprint(Nobody, "-", n)
	}
	text, err := json.Marshal(map[string]any{"activities": []any{did}})
	if err != nil {
		panic(err) // it is text and numbers
	}
	return string(text)
}

func (u *smokeUser) record(ctx context.Context) Line {
	const do = "look at the log of the function record"
	var answer httpapi.Receipts
	if _, err := u.do(ctx, http.MethodPost, "/v1/activities", u.activity(1), http.StatusOK, &answer); err != nil {
		return Fail(do, "%v", err)
	}
	if len(answer.Receipts) != 1 || answer.Receipts[0].Status != "counted" {
		return Fail(do, "%s: %+v", u.rule.Action, answer.Receipts)
	}
	u.score = answer.Receipts[0].Scores[u.window]
	return Well("%s: counted, %d points", u.rule.Action, answer.Receipts[0].Points)
}

// standing reads the user's own score.
func (u *smokeUser) standing(ctx context.Context) (int64, error) {
	var all httpapi.Standings
	if _, err := u.do(ctx, http.MethodGet, "/v1/users/"+u.id+"/standings", "", http.StatusOK, &all); err != nil {
		return 0, err
	}
	for _, s := range all.Standings {
		if s.Board == u.rule.Board && s.Window == u.window {
			return s.Score, nil
		}
	}
	return 0, fmt.Errorf("the standings have no %s of the board %s", u.window, u.rule.Board)
}

// read checks that the points count, and that nobody else sees them.
func (u *smokeUser) read(ctx context.Context) Line {
	const do = "look at the logs of the functions record and query"
	score, err := u.standing(ctx)
	if err == nil && (score != u.score || score == 0) {
		err = fmt.Errorf("the score is %d, the receipt says %d", score, u.score)
	}
	var public httpapi.Board
	if err == nil {
		path := "/v1/boards/" + u.rule.Board + "/" + u.window + "/users/" + u.id
		_, err = u.do(ctx, http.MethodGet, path, "", http.StatusOK, &public)
	}
	if err != nil {
		return Fail(do, "%v", err)
	}
	if public.Standing == nil || public.Standing.Rank != nil || slices.ContainsFunc(public.Entries,
		func(e httpapi.Member) bool { return e.User.ID != nil && *e.User.ID == u.id }) {
		return Fail("tell Laurel's authors", "the user is hidden, and others see it on the board %s", u.rule.Board)
	}
	return Well("%d points on the board %s, seen by the user alone", score, u.rule.Board)
}

// enqueue sends an activity through the queue, and waits until it counts.
func (u *smokeUser) enqueue(ctx context.Context, wait time.Duration) Line {
	const do = "look at the log of the function record, and at the event source mapping and the dead-letter queue"
	began := u.now()
	if _, err := u.do(ctx, http.MethodPost, "/v1/queue/activities", u.activity(2), http.StatusAccepted, nil); err != nil {
		return Fail("look at the role of the queue route, and at the queue's policy", "%v", err)
	}
	var score int64
	err := poll(ctx, wait, func() (done bool, err error) {
		score, err = u.standing(ctx)
		return score > u.score, err
	})
	if err != nil {
		return Fail(do, "a message was taken, and does not count: %v", err)
	}
	return Well("a message counts after %v: %d points", u.now().Sub(began).Round(time.Second/10), score)
}

// erase erases the user, who is on no board then; a tick does the rest, within minutes.
func (u *smokeUser) erase(ctx context.Context) Line {
	ctx, cancel := context.WithTimeout(ctx, eraseTime)
	defer cancel()
	path := "/v1/users/" + u.id
	do := "erase it by hand: DELETE " + path + ", or laurel erase --user " + u.id + " --function NAME"
	a, err := u.do(ctx, http.MethodDelete, path, "", http.StatusOK, nil)
	if err != nil && (a == nil || a.status != http.StatusAccepted) {
		return Fail(do, "%s is not erased: %v", u.id, err)
	}
	var e struct {
		State string `json:"state"`
	}
	if _, err := u.do(ctx, http.MethodGet, path+"/erasure", "", http.StatusOK, &e); err != nil {
		return Warn("look at GET "+path+"/erasure later: it continues by itself", "%s is being erased: %v", u.id, err)
	}
	if e.State == "done" {
		return Well("%s is erased", u.id)
	}
	return Well("%s is on no board any more; its items go within minutes", u.id)
}

// poll repeats a function until it is done; at the end, the last failure is the reason.
func poll(ctx context.Context, wait time.Duration, ask func() (bool, error)) error {
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	for {
		done, err := ask()
		if err == nil && done {
			return nil
		}
		select {
		case <-ctx.Done():
			if err != nil {
				return err
			}
			return fmt.Errorf("not within %v", wait)
		case <-time.After(pollEvery):
		}
	}
}
