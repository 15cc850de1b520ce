package localserver_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"laurel/internal/harness"
	"laurel/shared/hooks"
	"laurel/shared/localserver"
)

// An event is shown once, if it is signed.
func TestEventsThatAreReceived(t *testing.T) {
	t.Parallel()
	e := &localserver.Events{Secret: "secret-of-tests", Now: time.Now}
	send := func(id, body, secret string) int {
		t.Helper()
		headers := harness.Must(hooks.SignByAll([]string{secret}, id, time.Now(), []byte(body)))(t)
		r, w := httptest.NewRequest(http.MethodPost, "/dev/events", strings.NewReader(body)), httptest.NewRecorder()
		for name, value := range headers {
			r.Header.Set(name, value)
		}
		e.ServeHTTP(w, r)
		return w.Code
	}
	for _, c := range []struct {
		id, body, secret string
		want             int
	}{
		{"evt_1", `{"n":1}`, "secret-of-tests", 204},
		{"evt_2", `{"n":2}`, "secret-of-tests", 204},
		{"evt_1", `{"n":1}`, "secret-of-tests", 204},
		{"evt_3", `{"n":3}`, "secret-of-others", 401},
		{"evt_4", `{`, "secret-of-tests", 401},
	} {
		if got := send(c.id, c.body, c.secret); got != c.want {
			t.Errorf("%s: %d", c.id, got)
		}
	}
	w := httptest.NewRecorder()
	e.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/dev/events", http.NoBody))
	want := `[{"id":"evt_2","event":{"n":2}},{"id":"evt_1","event":{"n":1}}]`
	if got := strings.TrimSpace(w.Body.String()); got != want {
		t.Errorf("shown: %s, want %s", got, want)
	}
}
