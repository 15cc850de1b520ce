package e2e

import (
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"time"
)

// A value is an attribute's, as JSON; a text has an S.
type value = json.RawMessage

// attributes are an item, or its key, by DynamoDB's names.
type attributes map[string]value

func (a attributes) text(name string) string {
	var v struct {
		S string `json:"S"` //nolint:tagliatelle // DynamoDB's names
	}
	_ = json.Unmarshal(a[name], &v) // the program's own
	return v.S
}

// A tableRequest is what requests of all operations have.
type tableRequest struct {
	Item         attributes
	Key          attributes
	RequestItems map[string]struct{ Keys []attributes }
	Statements   []struct {
		Statement  string
		Parameters []value
	}
	TransactItems             []struct{ Put, Delete tableRequest }
	ExpressionAttributeValues attributes
	ScanIndexForward          bool
	Limit                     int
}

// A memoryTable is items by partition and sort key.
type memoryTable map[string]map[string]attributes

// NewTable starts a table that answers after a delay, for measurements: it writes whatever the
// condition is.
func NewTable(delay time.Duration) *httptest.Server {
	var mu sync.Mutex
	stored := memoryTable{}
	return httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(delay)
		var asked tableRequest
		body, _ := io.ReadAll(r.Body)
		_ = json.Unmarshal(body, &asked) //nolint:musttag // DynamoDB's names; the body is the program's own
		_, operation, _ := strings.Cut(r.Header.Get("X-Amz-Target"), ".")
		mu.Lock()
		defer mu.Unlock()
		_ = json.NewEncoder(w).Encode(stored.do(operation, asked))
	}))
}

// do carries out an operation and returns the answer.
func (t memoryTable) do(operation string, asked tableRequest) any {
	switch operation {
	case "DescribeTable":
		return map[string]any{"Table": map[string]string{"TableStatus": "ACTIVE"}}
	case "DescribeTimeToLive":
		return map[string]any{"TimeToLiveDescription": map[string]string{"TimeToLiveStatus": "ENABLED"}}
	case "PutItem":
		t.put(asked.Item)
	case "DeleteItem":
		delete(t[asked.Key.text("pk")], asked.Key.text("sk"))
	case "TransactWriteItems":
		for _, one := range asked.TransactItems {
			t.put(one.Put.Item)
		}
	case "BatchExecuteStatement":
		for _, s := range asked.Statements {
			t.execute(s.Statement, s.Parameters)
		}
		return map[string]any{"Responses": make([]struct{}, len(asked.Statements))}
	case "GetItem":
		return map[string]any{"Item": t.get(asked.Key)}
	case "BatchGetItem":
		found := map[string][]attributes{}
		for name, of := range asked.RequestItems {
			for _, key := range of.Keys {
				if item := t.get(key); item != nil {
					found[name] = append(found[name], item)
				}
			}
		}
		return map[string]any{"Responses": found}
	case "Query":
		items := t.query(asked)
		return map[string]any{"Items": items, "Count": len(items), "ScannedCount": len(items)}
	}
	return struct{}{}
}

func (t memoryTable) get(key attributes) attributes { return t[key.text("pk")][key.text("sk")] }

func (t memoryTable) put(item attributes) {
	pk := item.text("pk")
	if t[pk] == nil {
		t[pk] = map[string]attributes{}
	}
	t[pk][item.text("sk")] = item
}

// execute carries out a statement, of which the parameters have the order of package dynamo.
func (t memoryTable) execute(statement string, with []value) {
	order := map[string]string{"INSERT": "pk sk data r m", "UPDATE": "data r m pk sk", "DELETE": "pk sk"}
	kind, _, _ := strings.Cut(statement, " ")
	item := attributes{}
	for i, name := range strings.Fields(order[kind]) {
		item[name] = with[i]
	}
	if t.put(item); kind == "DELETE" {
		delete(t[item.text("pk")], item.text("sk"))
	}
}

// query returns the items of a partition between two sort keys, or below one.
func (t memoryTable) query(asked tableRequest) (items []attributes) {
	of, of2 := asked.ExpressionAttributeValues, t[asked.ExpressionAttributeValues.text(":pk")]
	sorted := slices.Sorted(maps.Keys(of2))
	if !asked.ScanIndexForward {
		slices.Reverse(sorted)
	}
	for _, sk := range sorted {
		in := of.text(":first") <= sk && sk <= of.text(":last")
		if below := of.text(":below"); below != "" {
			in = sk < below
		}
		if in && len(items) < asked.Limit {
			items = append(items, of2[sk])
		}
	}
	return items
}
