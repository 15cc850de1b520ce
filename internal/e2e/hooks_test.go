package e2e_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"laurel/internal/e2e"
)

const hookSecret = "a-published-secret-of-webhooks"

// A webhook comes as API Gateway sends it, in base64 or as a text: the bytes are what was
// signed, and the function has no caller.
func TestSignedHook(t *testing.T) {
	t.Parallel()
	f := newForum(t)
	body := `{"post":{"id":81,"post_number":2,"post_type":1,"topic_id":12,"user_id":8,"username":"zoë",` +
		`"created_at":"` + f.now.UTC().Format(time.RFC3339Nano) + `"}}`
	mac := hmac.New(sha256.New, []byte(hookSecret))
	mac.Write([]byte(body))
	for i, want := range []string{`"status":"counted"`, `"status":"duplicate"`} {
		var event map[string]any
		request := e2e.Request(http.MethodPost, "/v1/hooks/{source=discourse}", body, nobody)
		if err := json.Unmarshal(request, &event); err != nil {
			t.Fatal(err)
		}
		headers := event["headers"].(map[string]any)
		headers["x-discourse-event"], headers["x-discourse-instance"] = "post_created", "https://forum.example"
		headers["x-discourse-event-signature"] = "sha256=" + hex.EncodeToString(mac.Sum(nil))
		if i == 0 {
			event["isBase64Encoded"], event["body"] = true, base64.StdEncoding.EncodeToString([]byte(body))
		}
		text, err := json.Marshal(event)
		if err != nil {
			t.Fatal(err)
		}
		if a := do(t, f.record, text); a.Status != http.StatusOK || !strings.Contains(a.Body, want) {
			t.Errorf("%+v, want %s", a, want)
		}
	}
	f.expect(nobody, "GET /v1/users/{user=8}", "", http.StatusOK, "zoë")
	f.audit()
}
