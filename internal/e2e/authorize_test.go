package e2e_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"laurel/internal/e2e"
	"laurel/shared/auth"
	"laurel/shared/auth/token"
)

const userSecret, serviceSecret = "the-users-secret-of-tests-of-32-bytes", "the-services-secret-of-tests-of-32-bytes"

// tokenOf is a token that a forum signed.
func tokenOf(secret, user string) string {
	text, err := token.Sign(secret, user, "laurel", time.Now().Add(time.Hour))
	if err != nil {
		panic(err) // the secrets above are too short
	}
	return text
}

// callerOf is whom the authorizer names, and whether it names anybody.
func callerOf(t *testing.T, f *e2e.Function, header string) (auth.Caller, bool) {
	t.Helper()
	raw, err := f.Invoke(t.Context(), e2e.Authorization(http.MethodPost, "/v1/activities", header))
	if err != nil {
		t.Fatal(err)
	}
	var answer struct {
		IsAuthorized bool              `json:"isAuthorized"`
		Context      map[string]string `json:"context"`
	}
	if err := json.Unmarshal(raw, &answer); err != nil {
		t.Fatal(err)
	}
	caller, err := auth.ParseText(answer.Context["caller"])
	if answer.IsAuthorized != (err == nil) {
		t.Fatalf("%s: %v", raw, err)
	}
	return caller, answer.IsAuthorized
}

// Tokens that a forum signed are who calls, from the authorizer to the boards, over the
// API and from the queue.
func TestTokensOfAForum(t *testing.T) {
	t.Parallel()
	f := newForum(t)
	authorizer := f.start(authorize)
	user, known := callerOf(t, authorizer, "Bearer "+tokenOf(userSecret, "ann"))
	service, knownToo := callerOf(t, authorizer, "Bearer "+tokenOf(serviceSecret, "backend"))
	if user != ann || service != e2e.Service || !known || !knownToo {
		t.Fatalf("%+v, %+v", user, service)
	}
	f.report(user, "counted 2", `{"action":"like","target":"a1"}`)
	f.deliver(e2e.Batch(time.Now(), e2e.Message{
		ID: "1", Caller: service, Body: `{"user":"bob","action":"publish","target":"a1"}`,
	}))
	f.board("day", "1 bob 10, 2 ann 2")
	for _, header := range []string{
		"Bearer " + tokenOf(userSecret+"x", "ann"), "Bearer " + tokenOf(userSecret, "ann\n"),
		"Bearer " + tokenOf(userSecret, "ann") + "x", tokenOf(userSecret, "ann"), "Basic YW5uOmFubg==", "Bearer",
	} {
		if caller, known := callerOf(t, authorizer, header); known {
			t.Errorf("%s is %+v", header, caller)
		}
	}
	if _, err := authorizer.Invoke(t.Context(), []byte(`{"version":"1.0","type":"TOKEN"}`)); err == nil ||
		!strings.Contains(err.Error(), "payload format 2.0") {
		t.Errorf("another event: %v", err)
	}
}
