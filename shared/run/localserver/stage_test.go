package localserver_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"laurel/internal/harness"
	"laurel/shared/api/auth/token"
	"laurel/shared/api/httpapi"
	"laurel/shared/run/localserver"
)

const userSecret = "the-users-secret-of-tests-of-32-bytes"

// Operations that need a token tell a caller without a valid one why; so does the log, without naming
// the caller. Operations that need none are answered all the same.
func TestRefusalsOfTokens(t *testing.T) {
	t.Parallel()
	f := open(t)
	own, service := f.token("user=ann"), f.token("scope=laurel/service")
	forums := harness.Must(token.Sign(userSecret, "ann", "laurel", f.Now.Add(time.Hour)))(t)
	for name, c := range map[string]struct {
		method, path, token, body string
		status                    int
		says                      string
	}{
		"nobody":               {"GET", "/v1/users/ann/standings", "", "", 401, `"code":"token_missing"`},
		"nobody, with a body":  {"POST", "/v1/activities", "", "{", 401, `"code":"token_missing"`},
		"nobody, to the queue": {"POST", "/v1/queue/activities", "", like, 401, `"code":"token_missing"`},
		"a bad token":          {"GET", "/v1/users/ann/standings", own + "x", "", 401, `"code":"token_signature"`},
		"a bad token, queue":   {"POST", "/v1/queue/activities", own + "x", like, 401, `"code":"token_signature"`},
		"a stranger's":         {"GET", "/v1/users/ann/standings", forums + "x", "", 401, `"code":"token_signature"`},
		"another user's":       {"GET", "/v1/users/bob/standings", own, "", 403, `"status":403`},
		"one's own":            {"GET", "/v1/users/ann/standings", own, "", 200, `"standings"`},
		"the forum's":          {"GET", "/v1/users/ann/standings", forums, "", 200, `"standings"`},
		"the service's":        {"GET", "/v1/users/ann/standings", service, "", 200, `"standings"`},
		"public, a bad token":  {"GET", "/v1/rules", "x", "", 200, `"versions"`},
		"no route":             {"GET", "/v1/nothing", "x", "", 404, `"status":404`},
		"two slashes":          {"GET", "//v1/rules", "", "", 404, `"status":404`},
		"two slashes within":   {"GET", "/v1//rules", "", "", 404, `"status":404`},
		"dots":                 {"GET", "/v1/../v1/rules", "", "", 404, `"status":404`},
		"the queue":            {"POST", "/v1/queue/activities", own, like, 202, "<SendMessageResult><MessageId>"},
	} {
		a := f.Do(c.method, c.path, c.token, c.body)
		if a.Status != c.status || !strings.Contains(a.Body, c.says) {
			t.Errorf("%s: %d %s", name, a.Status, a.Body)
		}
		if want := map[bool]string{true: `Bearer`, false: `Bearer error="invalid_token"`}[c.token == ""]; c.status == 401 &&
			(a.Header.Get("WWW-Authenticate") != want || a.Header.Get("Cache-Control") != "private, no-store") {
			t.Errorf("%s: %v", name, a.Header)
		}
	}
	f.Now = f.Now.Add(61 * time.Minute)
	if a := f.Get("/v1/users/ann/standings", own); a.Status != http.StatusUnauthorized ||
		!strings.Contains(a.Body, "it expired at ") {
		t.Errorf("an hour later: %d %s", a.Status, a.Body)
	}
	log := f.Out.String()
	if !strings.Contains(log, `"msg":"a token is refused","code":"token_expired"`) || strings.Contains(log, "ann") {
		t.Errorf("logged %s", log)
	}
}

// CORS is answered as the template sets it by default.
func TestCORSAsInAWS(t *testing.T) {
	t.Parallel()
	template := harness.YAML(t, "../../../template.yaml")
	const cors = "x-amazon-apigateway-cors"
	stack := func(name string) any {
		return harness.Below(template, "Resources", "Api", "Properties", "DefinitionBody", cors, name)
	}
	list := func(name string) string {
		var all []string
		for _, word := range stack(name).([]any) {
			all = append(all, word.(string))
		}
		slices.Sort(all)
		return strings.Join(all, ",")
	}
	f := open(t)
	if got := harness.Below(template, "Parameters", "CorsOrigins", "Default"); got != localserver.CORSOrigins {
		t.Errorf("origins %v", got)
	}
	for _, path := range []string{"/v1/activities", "/v1/boards/activity/day", "/v1/nothing"} {
		a := f.Do(http.MethodOptions, path, "", "", "Origin", "https://forum.example")
		got := []string{
			a.Header.Get("Access-Control-Allow-Methods"), a.Header.Get("Access-Control-Allow-Headers"),
			a.Header.Get("Access-Control-Max-Age"),
		}
		want := []string{list("allowMethods"), list("allowHeaders"), fmt.Sprint(stack("maxAge"))}
		if a.Status != http.StatusNoContent || a.Body != "" || !slices.Equal(got, want) {
			t.Errorf("%s: %d %q, want %q", path, a.Status, got, want)
		}
	}
	for path, want := range map[string]struct {
		status int
		allow  string
	}{
		"/v1/activities": {204, "POST, OPTIONS"}, "/v1/users/ann": {204, "DELETE, GET, HEAD, PUT, OPTIONS"},
		"/v1/nothing": {404, ""}, "/v1//activities": {404, ""},
	} {
		plain := f.Do(http.MethodOptions, path, "", "")
		asked := f.Do(http.MethodOptions, path, "", "", "Origin", "https://a.example")
		if plain.Status != want.status || plain.Header.Get("Allow") != want.allow ||
			plain.Header.Get("Access-Control-Allow-Methods") != "" || plain.Header.Get(httpapi.RequestIDHeader) == "" {
			t.Errorf("OPTIONS %s: %d %v %s", path, plain.Status, plain.Header, plain.Body)
		}
		if asked.Status != http.StatusNoContent || asked.Header.Get("Allow") != want.allow {
			t.Errorf("OPTIONS %s of a page: %d %v", path, asked.Status, asked.Header)
		}
	}
	for path, status := range map[string]int{"/v1/rules": 200, "/v1/users/ann/standings": 401, "/v1/nothing": 404} {
		a := f.Get(path, "", "Origin", "https://forum.example")
		if a.Status != status || a.Header.Get("Access-Control-Expose-Headers") != list("exposeHeaders") {
			t.Errorf("%s: %d %v", path, a.Status, a.Header)
		}
	}
}
