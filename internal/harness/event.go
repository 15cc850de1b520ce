package harness

import (
	"encoding/json"
	"io"
	"net/http"
	"testing"
	"time"

	"laurel/shared/activity"
	"laurel/shared/events"
	"laurel/shared/hooks"
)

// EventSecret signs events of tests.
const EventSecret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"

// Event reads an event as a forum's server does, which checks its signature first.
func Event(tb testing.TB, r *http.Request) (b events.Body) {
	tb.Helper()
	text, _ := io.ReadAll(r.Body)
	of := hooks.Secrets{activity.StandardHooks: {EventSecret}}
	err := of.Verify(activity.StandardHooks, r.Header.Get, text, time.Now())
	if err == nil {
		err = json.Unmarshal(text, &b)
	}
	if err != nil {
		tb.Errorf("%s: %v", text, err)
	}
	return b
}
