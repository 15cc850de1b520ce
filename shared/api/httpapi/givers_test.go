package httpapi_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"laurel/internal/harness"
	"laurel/shared/api/httpapi"
	"laurel/shared/core/activity"
)

// The other person of acts, who does nothing else, is in no answer to everybody or to the receiver, in no line of the
// log, in no key of Redis and in no item of the table; with a void pair the table has the giver's own item. Requests
// that are refused are among those of the run.
func TestGiversArePrivate(t *testing.T) {
	t.Parallel()
	const giver = "a-marked-giver"
	f := openWith(t, harness.Setup{Ledger: ledgerOf(hookRules(t, "").Rules().WithEvents(activity.EventAddress{
		Name: "mail", URL: "https://f.example/mail", Types: activity.EventTypes(),
	}))}, func(o *httpapi.Options) { o.Hooks = hookSecrets() })
	statuses := map[int]int{}
	ask := func(method, path, body string) {
		t.Helper()
		statuses[f.Do(method, path, f.Service(), body).Status]++
	}
	with := func(word, target string) string {
		return `{"user":"ann","action":"` + word + `","target":"` + target + `","other":"` + giver + `"}`
	}
	f.Put("/v1/users/ann", f.Service(), `{"name":"Ann"}`)
	f.Put("/v1/users/ann/visibility", f.Service(), `{"days":"public"}`)
	f.Did("ann like 1", "bob like 1")
	f.published("a1", "ann")
	for _, path := range []string{"/v1/activities", "/v1/queue/activities"} {
		for _, body := range []string{
			list(with("like", "p1"), with("liked", "p2"), with("visit", "p3"), with("comment", "a1")),
			list(with("unlike", "p1"), with("unliked", "p2")),
			list(with("like", "p1") + `{`), list(with("nothing", "p1")), list(with("like", "")),
			list(strings.Replace(with("like", "p1"), giver, giver+"\\u0000", 1)),
		} {
			ask(http.MethodPost, path, body)
		}
	}
	f.hook("standard givers", list(with("like", "p4"), with("liked", "p5")))
	f.hook("standard flaws", list(with("like", "p4"), with("none", "p5")))
	ask(http.MethodGet, "/v1/users/ann/voids/"+giver, "")
	ask(http.MethodDelete, "/v1/users/ann/voids/"+giver, "")
	ask(http.MethodPut, "/v1/users/ann/voids/"+giver, `{"reason":1}`)
	if rows := f.Table.Grep(t, giver); len(rows) > 0 {
		t.Errorf("the table has the giver in %q", rows)
	}
	f.Put("/v1/users/ann/voids/"+giver, f.Service(), `{"reason":"A ring"}`)
	f.Put("/v1/users/"+giver+"/voids/ann", f.Service(), `{}`)
	ask(http.MethodGet, "/v1/users/ann/voids/"+giver, "")
	ask(http.MethodPost, "/v1/activities", list(with("like", "p1"), with("liked", "p6")))
	if events := harness.Must(f.Items.Events(t.Context(), "mail", 9))(t); len(events) != 1 {
		t.Errorf("%d events of the void pair", len(events))
	}
	f.Night(1)
	f.Fill()
	theDocument().operations(func(method, path string, _ map[string]any) {
		if method == http.MethodGet {
			for caller, token := range map[string]string{"nobody": "", "ann": f.User("ann")} {
				a := f.Do(method, strings.NewReplacer("{other}", "bob").Replace(filled.Replace(path)), token, "")
				if strings.Contains(a.Body, giver) {
					t.Errorf("%s reads %s: %s", caller, path, a.Body)
				}
				statuses[a.Status]++
			}
		}
	})
	for _, status := range []int{200, 400, 404, 422} {
		if statuses[status] == 0 {
			t.Errorf("no answer is %d: %v", status, statuses)
		}
	}
	if rows := f.Table.Grep(t, giver); len(rows) != 1 ||
		slices.ContainsFunc(rows, func(row string) bool { return !strings.Contains(row, "PERSON#") }) {
		t.Errorf("the table has the giver in %q", rows)
	}
	if keys := harness.Grep(t, f.Redis, giver); len(keys) > 0 {
		t.Errorf("Redis has the giver in %q", keys)
	}
	if log := f.Out.String(); strings.Contains(log, giver) || log == "" {
		t.Errorf("the log has the giver, or nothing: %s", log)
	}
}
