package e2e

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
)

// item is an item of a table, or its key, with DynamoDB's names.
type item map[string]struct {
	S string `json:"S"` //nolint:tagliatelle // DynamoDB's names
}

func (i item) key() string { return i["pk"].S + "\x00" + i["sk"].S }

// NewTable starts a table that answers at once, for measurements: it puts items whatever the
// condition is, and gets them.
func NewTable() *httptest.Server {
	var mu sync.Mutex
	stored := map[string]json.RawMessage{}
	return httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var asked struct {
			Item         json.RawMessage `json:"Item"` //nolint:tagliatelle // DynamoDB's names
			Key          item            `json:"Key"`  //nolint:tagliatelle // as above
			RequestItems map[string]struct {
				Keys []item `json:"Keys"` //nolint:tagliatelle // as above
			} `json:"RequestItems"` //nolint:tagliatelle // as above
		}
		body, _ := io.ReadAll(r.Body)
		_ = json.Unmarshal(body, &asked) // the program's own
		mu.Lock()
		defer mu.Unlock()
		found := map[string][]json.RawMessage{}
		for name, of := range asked.RequestItems {
			for _, key := range of.Keys {
				if there := stored[key.key()]; there != nil {
					found[name] = append(found[name], there)
				}
			}
		}
		if put := (item{}); json.Unmarshal(asked.Item, &put) == nil && len(put) > 0 {
			stored[put.key()] = asked.Item
		}
		answer := map[string]any{"Responses": found, "Items": []any{}, "Count": 0, "ScannedCount": 0}
		if there := stored[asked.Key.key()]; there != nil {
			answer["Item"] = there
		}
		_ = json.NewEncoder(w).Encode(answer)
	}))
}
