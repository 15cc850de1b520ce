package app_test

import (
	"cmp"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/redis/go-redis/v9"

	"laurel/internal/harness"
	"laurel/internal/testserver"
	"laurel/shared/audit"
	"laurel/shared/board"
	"laurel/shared/queue"
	"laurel/shared/redisstore"
)

// cache is a forum on a Redis of its own, whose size the test limits.
type cache struct {
	*harness.Forum
	t      *testing.T
	client *redis.Client
}

func newCache(t *testing.T, setup harness.Setup, policy string) *cache {
	t.Helper()
	client := testserver.OwnRedis(t, "--maxmemory-policy", policy).Client()
	setup.Redis = client
	c := &cache{harness.NewForum(t, setup).Serve(), t, client}
	if err := c.Kept.Stamps.Ready(t.Context()); err != nil {
		t.Fatal(err)
	}
	return c
}

// limit limits the memory of Redis, to no more when it is 0.
func (c *cache) limit(bytes int64) {
	c.t.Helper()
	if err := c.client.ConfigSet(c.t.Context(), "maxmemory", fmt.Sprint(bytes)).Err(); err != nil {
		c.t.Fatal(err)
	}
}

// fill makes Redis full as it is.
func (c *cache) fill() { c.limit(1) }

// names returns who is on a board, by their names.
func (c *cache) names(period string) string {
	c.t.Helper()
	page := harness.Read(c.t, c.Store, board.View{Board: "activity", Period: harness.Period(c.t, period), Limit: 100})
	var users []string
	for _, p := range page.Places {
		users = append(users, p.User)
	}
	named := c.Kept.People.Names(c.t.Context(), users, page.Profiles, page.Generation)
	for i, user := range users {
		users[i] = cmp.Or(named[user].Name, user)
	}
	return strings.Join(users, " ")
}

// What makes room, must not be lost, or is the truth is written in a full cache; what adds to
// it is answered 503, with the reason. With any policy that no key of ours is subject to.
func TestAFullCache(t *testing.T) {
	t.Parallel()
	for _, policy := range []string{"noeviction", "volatile-lru"} {
		t.Run(policy, func(t *testing.T) {
			t.Parallel()
			inAFullCache(t, newCache(t, harness.Setup{Shards: 2}, policy))
		})
	}
}

func inAFullCache(t *testing.T, c *cache) {
	t.Helper()
	ctx, service := t.Context(), c.Service()
	said := func(answer harness.Answer, status int, piece string) {
		t.Helper()
		if answer.Status != status || !strings.Contains(answer.Body, piece) {
			t.Errorf("%d with %q, want %d with %q", answer.Status, answer.Body, status, piece)
		}
	}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Error(err)
		}
	}
	for _, user := range []string{"ann", "bob", "eve", "dan", "fay"} {
		c.Did(user+" like a1", user+" visit p1", user+" follow bob")
	}
	c.Did("ann like a2", "ann like a3", "bob like a2")
	said(c.Do(http.MethodPut, "/v1/users/bob", service, `{"name":"Bobby"}`), http.StatusOK, "Bobby")
	said(c.Do(http.MethodPost, "/v1/articles", service, `{"id":"w1","author":{"id":"dan"},"title":"One","groups":["g"]}`),
		http.StatusCreated, "w1")
	if got := c.names("2026-11"); got != "dan ann Bobby eve fay" {
		t.Fatal(got)
	}
	c.fill()

	// Refused, with the reason: what adds to it.
	const full = "the cache is full"
	for name, answer := range map[string]harness.Answer{
		"the service's": c.Post(service, `{"activities":[{"user":"ann","action":"like","target":"a4"}]}`),
		"a user's":      c.Post(c.User("bob"), `{"activities":[{"action":"like","target":"a4"}]}`),
		"an article":    c.Do(http.MethodPost, "/v1/articles", service, `{"id":"w2","author":{"id":"dan"},"title":"Two"}`),
		"a list":        c.Do(http.MethodPut, "/v1/users/ann/following", service, `{"users":[{"id":"x"}]}`),
	} {
		if said(answer, http.StatusServiceUnavailable, full); answer.Header.Get("Retry-After") == "" {
			t.Errorf("%s: %v", name, answer.Header)
		}
	}
	if !strings.Contains(c.Out.String(), `"msg":"the cache is full"`) {
		t.Error("the log does not say so")
	}
	said(c.Post(service, `{"activities":[{"user":"ann","action":"like","target":"a1"}]}`), http.StatusOK, "duplicate")
	if got := c.names("2026-11"); got != "dan ann Bobby eve fay" {
		t.Error("after refusals: ", got)
	}

	// Written: who is hidden or excluded, and what users are called.
	hidden := func(user, path, body string) {
		t.Helper()
		said(c.Do(http.MethodPut, "/v1/users/"+user+path, service, body), http.StatusOK, "")
	}
	hidden("ann", "/visibility", `{"boards":"hidden"}`)
	said(c.Do(http.MethodPut, "/v1/users/eve/exclusion", service, ""), http.StatusOK, "excluded")
	said(c.Do(http.MethodPut, "/v1/users/bob", service, `{"name":"Robert"}`), http.StatusOK, "Robert")
	said(c.Do(http.MethodPut, "/v1/users/fay", service, `{"name":"Fay"}`), http.StatusOK, "Fay")
	if got := c.names("2026-11"); got != "dan Robert Fay" {
		t.Error(got)
	}
	hidden("ann", "/visibility", `{"boards":"shown"}`)

	// Written: voids, erasures, repairs, and articles that change.
	_, err := c.Store.SetVoid(ctx, "a3", board.MomentOf(c.Now))
	must(err)
	if pass, err := c.Store.VoidPass(ctx); err != nil || pass.Undone != 1 {
		t.Errorf("void: %+v, %v", pass, err)
	}
	if erased, err := c.Kept.Eraser.Erase(ctx, "fay"); err != nil || erased.State != "done" {
		t.Errorf("erase: %+v, %v", erased, err)
	}
	month := redisstore.BoardKey(c.Store.ShardOf("bob"), "activity", harness.Period(t, "2026-11"))
	must(c.client.ZRem(ctx, month, "bob").Err())
	a := &audit.Auditor{
		Store: audit.NewInspector(c.Store.Redis()), Ledger: c.Ledger, Apply: true, Report: func(audit.Finding) {},
	}
	if totals, err := a.Run(ctx); err != nil || totals.Found != 1 || totals.Repaired != 1 {
		t.Errorf("audit: %+v, %v", totals, err)
	}
	if _, err := c.Store.Articles().Delete(ctx, "w1", board.MomentOf(c.Now)); err != nil {
		t.Error(err)
	}

	// The hourly replay leaves what was refused to the night, which counts it: it was put into
	// the journal before.
	c.Now = c.Now.Add(time.Hour)
	if r, err := c.Recover(ctx, c.Now); err != nil || r.Replayed != nil {
		t.Errorf("%+v, %v", r, err)
	}
	night := c.Night(5)
	if night.Proof.Mended != 3 || len(night.Moved) != 1 {
		t.Errorf("%+v", night)
	}
	if got := c.names("2026-11"); got != "dan ann Robert" {
		t.Error(got)
	}
	for user, want := range map[string]int64{"ann": 9, "bob": 7, "dan": 15, "eve": 0, "fay": 0} {
		if got := c.ScoreOn("2026-11", user); got != want {
			t.Errorf("%s has %d, want %d", user, got, want)
		}
	}

	// What was lost is filled again, whole; what is on the queue is pending until there is room.
	c.client.FlushDB(ctx)
	recovered, err := c.Recover(ctx, c.Now)
	if err != nil || recovered.Rebuilt == nil || c.names("2026-11") != "dan ann Robert" {
		t.Errorf("%+v, %v: %s", recovered, err, c.names("2026-11"))
	}
	message := events.SQSMessage{
		MessageId: "1", Body: `{"action":"like","target":"a9"}`, EventSource: "aws:sqs",
		Attributes: map[string]string{
			queue.SentTimestamp: fmt.Sprint(c.Now.UnixMilli()),
		},
		MessageAttributes: map[string]events.SQSMessageAttribute{
			queue.AttributeSub: {DataType: "String", StringValue: new("ann")},
		},
	}
	failures, err := queue.Handle(c.Batches())(ctx, events.SQSEvent{Records: []events.SQSMessage{message}})
	if err != nil || len(failures.BatchItemFailures) > 0 {
		t.Errorf("queue: %+v, %v", failures, err)
	}
	for _, want := range []int64{0, 1} {
		if recovered, err := c.Recover(ctx, c.Now); err != nil || recovered.Admitted != want {
			t.Errorf("pending: %+v, %v; want %d", recovered, err, want)
		}
		c.limit(0)
	}
}
