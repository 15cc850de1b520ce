package httpapi_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"laurel/internal/harness"
)

// groupReads are the operations whose answers have groups: the service reads the one, a person's export is the other.
var groupReads = []string{"/v1/private/users/{user}", "/v1/users/{user}/export"}

// publicReads are requests of everybody that the document does not have, or with parameters that it only names.
var publicReads = []string{
	"/embed/activity/day", "/embed/activity/day.html", "/embed/activity/day.svg", "/embed/activity/day.txt",
	"/embed/activity/day.atom", "/embed/activity/month/race.svg", "/embed/activity/day/winners.html",
	"/embed/activity/day/winners.svg", "/embed/activity/day/winners.txt", "/embed/users/ann/activity/day.svg",
	"/embed", "/openapi.json", "/problems/index", "/v1/boards/activity?user=ann&with=movement",
	"/v1/boards/activity/day?user=ann&users=ann&with=movement", "/v1/boards/activity/day?period=2026-11-15&users=ann",
	"/v1/boards/activity/day/winners?top=10", "/v1/articles?sort=new",
}

// No answer but two, no key of Redis, no other item of the table and no line of the log has a person's group, or a
// group of the rules' hooks. The test asks every operation of the document as everybody, as the person and as the
// service.
func TestGroupsArePrivate(t *testing.T) {
	t.Parallel()
	const marked = "a-marked-group"
	f := hooked(t, `"discourse":{"groups":{"forum-`+marked+`":"`+marked+`"}},"standard":{"groups":{"x":"`+marked+`"}}`)
	f.Put("/v1/users/ann", f.Service(), `{"name":"Ann","since":"2024-01-01T00:00:00Z","groups":["`+marked+`","other"]}`)
	f.Put("/v1/users/ann/visibility", f.Service(), `{"days":"public"}`)
	for day := 13; day <= 20; day++ {
		f.Now = harness.Noon.AddDate(0, 0, day-20)
		f.Did(fmt.Sprintf("ann like n%d", day), fmt.Sprintf("bob like n%d", day), "bob follow ann")
	}
	f.published("a1", "ann")
	f.hook("standard groups", `{"users":[{"id":"ann","name":"Ann B.","groups":["x"]}],`+
		`"activities":[{"user":"ann","action":"like","target":"z"}]}`)
	f.Night(0)
	requests := slices.Clone(publicReads)
	told := 0
	theDocument().operations(func(method, path string, _ map[string]any) {
		if method == http.MethodGet && !slices.Contains(groupReads, path) {
			requests = append(requests, filled.Replace(path))
		}
	})
	for _, request := range requests {
		for caller, token := range map[string]string{"nobody": "", "ann": f.User("ann"), "the service": f.Service()} {
			a := f.Do(http.MethodGet, request, token, "")
			if all := fmt.Sprint(a.Header, a.Body); strings.Contains(all, marked) {
				t.Errorf("%s reads %s: %s", caller, request, all)
			}
			if a.Status == http.StatusOK {
				told++
			} else if token == f.Service() && slices.Contains(publicReads, request) {
				t.Errorf("%s is %d", request, a.Status)
			}
		}
	}
	if told < 2*len(requests) {
		t.Errorf("%d of %d requests are answered", told, 3*len(requests))
	}
	for _, path := range groupReads {
		if a := f.Do(http.MethodGet, filled.Replace(path), f.Service(), ""); !strings.Contains(a.Body, marked) {
			t.Errorf("%s lacks the group: %d %s", path, a.Status, a.Body)
		}
	}
	if rows := f.Table.Grep(t, marked); len(rows) != 1 {
		t.Errorf("the table has it in %q", rows)
	}
	if keys := harness.Grep(t, f.Redis, marked); len(keys) > 0 {
		t.Errorf("Redis has it in %q", keys)
	}
	if strings.Contains(f.Out.String(), marked) {
		t.Error("it is logged")
	}
	f.Delete("/v1/users/ann", f.Service())
	if rows := f.Table.Grep(t, marked); len(rows) > 0 {
		t.Errorf("after the erasure the table has it in %q", rows)
	}
	for _, path := range groupReads {
		if a := f.Do(http.MethodGet, filled.Replace(path), f.Service(), ""); strings.Contains(a.Body, marked) {
			t.Errorf("%s has it after the erasure: %s", path, a.Body)
		}
	}
}
