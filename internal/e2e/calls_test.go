package e2e_test

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"laurel/internal/e2e"
	"laurel/internal/harness"
)

// callsFile has the calls of DynamoDB that the functions make in these tests: the function, the action as IAM names
// it, and for writes the first word of the partition key. The repository's checks compare the functions' roles with
// it.
const callsFile = "testdata/calls.golden"

// calls are those of this run.
var calls = struct {
	sync.Mutex
	made  map[string]bool
	units map[string]e2e.Units // by function and table
}{units: map[string]e2e.Units{}}

// The writes in requests: of one item and of BatchWriteItem, of transactions, and statements.
var (
	writtenKey = regexp.MustCompile(`"pk":\{"S":"([^"#]+)`)
	transacted = regexp.MustCompile(`\{"(Put|Delete)":\{"TableName":"[^"]*","(?:Item|Key)":\{"pk":\{"S":"([^"#]+)`)
	statement  = regexp.MustCompile(`\{"Statement":"([A-Z]+) [^\[]*"Parameters":\[(?:\{"[BN]":"[^"]*"\},)*` +
		`\{"S":"([^"#]+)`)
	partiQLName = map[string]string{"INSERT": "PartiQLInsert", "UPDATE": "PartiQLUpdate", "DELETE": "PartiQLDelete"}
)

// recorded returns the address of a table that lists the calls of a function.
func recorded(tb testing.TB, function, endpoint string) string {
	tb.Helper()
	target := harness.Must(url.Parse(endpoint))(tb)
	transport := &http.Transport{MaxIdleConnsPerHost: 100}
	tb.Cleanup(transport.CloseIdleConnections)
	proxy := &httputil.ReverseProxy{Transport: transport, Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(target)
		r.Out.Host = r.In.Host // it is signed
	}, ModifyResponse: func(r *http.Response) error { return addUnits(function, r) }}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		addCall(function, r.Header.Get("X-Amz-Target"), body)
		addStatements(function, body)
		r = r.WithContext(context.WithValue(r.Context(), askedKey{}, body))
		body = asking(r.Header.Get("X-Amz-Target"), body)
		r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
		proxy.ServeHTTP(w, r)
	}))
	tb.Cleanup(server.Close)
	return server.URL
}

var capacity = regexp.MustCompile(
	`"TableName":"([^"]+)","CapacityUnits":([\d.]+)|"CapacityUnits":([\d.]+),"TableName":"([^"]+)"`)

// asking adds to a call the request for its consumption, which DynamoDB Local accepts under the old signature.
func asking(target string, body []byte) []byte {
	switch _, operation, _ := strings.Cut(target, "."); operation {
	case "BatchGetItem", "Query", "PutItem", "DeleteItem", "BatchWriteItem", "TransactWriteItems":
		return bytes.Replace(body, []byte("{"), []byte(`{"ReturnConsumedCapacity":"TOTAL",`), 1)
	default:
		return body
	}
}

// addUnits adds the consumption in the answer to a call.
func addUnits(function string, r *http.Response) error {
	body, err := io.ReadAll(r.Body)
	r.Body = io.NopCloser(bytes.NewReader(body))
	if err != nil {
		return err
	}
	_, operation, _ := strings.Cut(r.Request.Header.Get("X-Amz-Target"), ".")
	asked, _ := r.Request.Context().Value(askedKey{}).([]byte)
	for table, reads := range absent(operation, asked, body) {
		consumed(function+" "+table, e2e.Units{Reads: reads})
	}
	for _, found := range capacity.FindAllStringSubmatch(string(body), -1) {
		n, _ := strconv.ParseFloat(found[2]+found[3], 64)
		units := e2e.Units{Writes: n}
		if strings.Contains(operation, "Get") || operation == "Query" {
			units = e2e.Units{Reads: n}
		}
		consumed(function+" "+found[1]+found[4], units)
	}
	return nil
}

// askedKey is the key of a call's body in its context.
type askedKey struct{}

// absent returns the units of keys without an item and of queries without a result, by table, which AWS bills and
// DynamoDB Local does not: a strongly consistent read of nothing takes one, any other half of it ("DynamoDB read and
// write operations": "If you perform a read operation on an item that does not exist, DynamoDB still consumes read
// throughput").
func absent(operation string, request, response []byte) map[string]float64 {
	type table struct {
		Keys           []json.RawMessage
		ConsistentRead bool
	}
	var asked struct {
		TableName      string
		ConsistentRead bool
		RequestItems   map[string]table
	}
	var found struct {
		ScannedCount    *int
		Responses       map[string][]json.RawMessage
		UnprocessedKeys map[string]table
	}
	//nolint:musttag // DynamoDB's names are the fields'
	if json.Unmarshal(request, &asked) != nil || json.Unmarshal(response, &found) != nil {
		return nil
	}
	unit := map[bool]float64{true: 1, false: 0.5}
	switch {
	case operation == "Query" && found.ScannedCount != nil && *found.ScannedCount == 0:
		return map[string]float64{asked.TableName: unit[asked.ConsistentRead]}
	case operation == "BatchGetItem":
		all := map[string]float64{}
		for name, t := range asked.RequestItems {
			missing := len(t.Keys) - len(found.Responses[name]) - len(found.UnprocessedKeys[name].Keys)
			all[name] = float64(missing) * unit[t.ConsistentRead]
		}
		return all
	default:
		return nil
	}
}

var inStatement = regexp.MustCompile(`"Statement":"[A-Z]+ (?:[A-Z]+ )?\\"([^"\\]+)\\"`)

// addStatements adds a unit for each statement of a call, which DynamoDB Local does not tell: items of these tests
// have less than a KB.
func addStatements(function string, body []byte) {
	for _, found := range inStatement.FindAllStringSubmatch(string(body), -1) {
		consumed(function+" "+found[1], e2e.Units{Writes: 1})
	}
}

// consumed adds a function's consumption of a table.
func consumed(by string, more e2e.Units) {
	calls.Lock()
	defer calls.Unlock()
	so := calls.units[by]
	calls.units[by] = e2e.Units{Reads: so.Reads + more.Reads, Writes: so.Writes + more.Writes}
}

// spent returns the units of a table that a function uses during a call.
func spent(function, table string, do func()) e2e.Units {
	key := function + " " + table
	so := func() e2e.Units {
		calls.Lock()
		defer calls.Unlock()
		return calls.units[key]
	}
	before := so()
	do()
	after := so()
	return e2e.Units{Reads: after.Reads - before.Reads, Writes: after.Writes - before.Writes}
}

// addCall adds a call, DynamoDB_20120810.PutItem for example.
func addCall(function, target string, body []byte) {
	_, operation, _ := strings.Cut(target, ".")
	calls.Lock()
	defer calls.Unlock()
	if calls.made == nil {
		calls.made = map[string]bool{}
	}
	add := func(action, key string) { calls.made[strings.TrimSpace(function+" dynamodb:"+action+" "+key)] = true }
	switch operation {
	case "BatchGetItem", "Query":
		add(operation, "")
	case "TransactWriteItems":
		for _, write := range transacted.FindAllStringSubmatch(string(body), -1) {
			add(write[1]+"Item", write[2])
		}
	case "BatchExecuteStatement":
		for _, write := range statement.FindAllStringSubmatch(string(body), -1) {
			add(partiQLName[write[1]], write[2])
		}
	default:
		for _, write := range writtenKey.FindAllStringSubmatch(string(body), -1) {
			add(operation, write[1])
		}
	}
}

// checkCalls compares the calls with those in the file. Tests that were chosen make a part
// of them.
func checkCalls() error {
	made := slices.Sorted(maps.Keys(calls.made))
	if *harness.Update {
		return os.WriteFile(callsFile, []byte(strings.Join(made, "\n")+"\n"), 0o600)
	}
	text, err := os.ReadFile(callsFile)
	if err != nil {
		return err
	}
	known := strings.Split(strings.TrimSpace(string(text)), "\n")
	chosen := flag.Lookup("test.run").Value.String() + flag.Lookup("test.skip").Value.String()
	for _, call := range slices.Concat(made, known) {
		if !slices.Contains(known, call) || chosen == "" && !slices.Contains(made, call) {
			return fmt.Errorf("%s and the calls that are made differ in %q: go test ./internal/e2e -update", callsFile, call)
		}
	}
	return nil
}
