package app_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/redis/go-redis/v9"

	"laurel/internal/harness"
	"laurel/internal/testserver"
	"laurel/shared/board"
	"laurel/shared/httpapi"
	"laurel/shared/night"
	"laurel/shared/view"
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
	return &cache{harness.NewForum(t, setup).Serve(), t, client}
}

// limit limits the memory of Redis, to no more when it is 0.
func (c *cache) limit(bytes int64) {
	c.t.Helper()
	harness.OK(c.t, c.client.ConfigSet(c.t.Context(), "maxmemory", fmt.Sprint(bytes)).Err())
}

// names are who is on a board, by their names.
func (c *cache) names(period string) string {
	c.t.Helper()
	page := harness.JSON[httpapi.Board](c.t, c.Get("/v1/boards/activity/month?limit=100&period="+period, ""))
	var all []string
	for _, e := range page.Entries {
		all = append(all, string(e.User.ID)+e.User.Name)
	}
	return strings.Join(all, " ")
}

// A full cache costs nobody a receipt: boards stand still, who has to leave them leaves, and when
// there is room they have everything. With any policy that no key of ours is subject to.
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
	service := c.Service()
	put := func(path, body string) {
		t.Helper()
		if a := c.Put(path, service, body); a.Status != http.StatusOK {
			t.Errorf("%s: %d %s", path, a.Status, a.Body)
		}
	}
	stands := func(want string) {
		t.Helper()
		if got := c.names("2026-11"); got != want {
			t.Errorf("on the board: %s, want %s", got, want)
		}
	}
	for _, user := range []string{"ann", "bob", "eve", "dan", "fay"} {
		c.Did(user+" like a1", user+" visit p1", user+" follow bob")
	}
	c.Did("ann like a2", "ann like a3", "bob like a2")
	put("/v1/users/bob", `{"name":"Bobby"}`)
	stands("ann bobBobby dan eve fay")
	c.limit(1)

	// What adds to it has its receipt, and is in the ledger; the boards stand still.
	for _, r := range c.Did("ann like a4", "new like a1", "dan comment a1", "fay like a1") {
		if r.Status != "counted" && r.Status != "duplicate" {
			t.Errorf("%+v", r)
		}
	}
	const article = `{"id":"w1","author":{"id":"dan"},"title":"One"}`
	if a := c.Do(http.MethodPost, "/v1/articles", service, article); a.Status != http.StatusCreated {
		t.Errorf("an article: %d %s", a.Status, a.Body)
	}
	put("/v1/users/fay/following", `{"users":[{"id":"x"}]}`)
	stands("ann bobBobby dan eve fay")

	// Who is hidden, excluded or erased leaves at once, and what is void counts no more.
	put("/v1/users/ann/visibility", `{"boards":"hidden"}`)
	put("/v1/users/eve/exclusion", "")
	if a := c.Delete("/v1/users/fay", service); a.Status != http.StatusOK && a.Status != http.StatusAccepted {
		t.Errorf("erase: %d %s", a.Status, a.Body)
	}
	stands("bobBobby dan")
	put("/v1/targets/a2/void", "")
	put("/v1/users/bob", `{"name":"Robert"}`)

	// Nights move what is final out of it, and say what has to wait for room.
	result := c.Night(5)
	if !moved(result, board.EventRemove) || len(result.Left) != 1 || result.Left[0].Reason != night.ReasonView ||
		!strings.Contains(result.Left[0].Detail, view.ErrFull.Error()) {
		t.Errorf("%+v", result)
	}
	if !strings.Contains(c.Out.String(), "full") {
		t.Errorf("the log does not say so: %s", c.Out)
	}

	c.limit(0)
	if _, err := c.Tick(t.Context()); err != nil {
		t.Error(err)
	}
	stands("dan bobRobert new")
	if a := c.Get("/v1/users/fay/erasure", service); !strings.Contains(a.Body, `"done"`) {
		t.Errorf("erasure: %d %s", a.Status, a.Body)
	}
	for user, want := range map[string]int64{"bob": 3, "dan": 18, "new": 2, "eve": 0, "fay": 0} {
		if got := c.ScoreOn("2026-11", user); got != want {
			t.Errorf("%s has %d, want %d", user, got, want)
		}
	}
}

// moved says whether some periods took a step.
func moved(r night.Result, e board.PeriodEvent) bool {
	return slices.ContainsFunc(r.Moved, func(m night.Moved) bool { return m.Event == e })
}
