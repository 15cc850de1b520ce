package e2e

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
)

// NewTable starts a table that answers at once and keeps nothing but the stamp of the
// stores, for measurements.
func NewTable() *httptest.Server {
	var mu sync.Mutex
	var stamp json.RawMessage
	return httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var asked struct {
			Item json.RawMessage `json:"Item"` //nolint:tagliatelle // DynamoDB's names
			Key  json.RawMessage `json:"Key"`  //nolint:tagliatelle // as above
		}
		body, _ := io.ReadAll(r.Body)
		_ = json.Unmarshal(body, &asked) // the program's own
		mu.Lock()
		defer mu.Unlock()
		_, operation, _ := strings.Cut(r.Header.Get("X-Amz-Target"), ".")
		switch ofStamp := strings.Contains(string(asked.Item)+string(asked.Key), `"stamp"`); {
		case operation == "PutItem" && ofStamp:
			stamp = asked.Item
			_, _ = io.WriteString(w, `{}`)
		case operation == "GetItem" && ofStamp && stamp != nil:
			_, _ = io.WriteString(w, `{"Item":`+string(stamp)+`}`)
		default:
			_, _ = io.WriteString(w, `{"Responses":{},"Items":[],"Count":0,"ScannedCount":0}`)
		}
	}))
}
