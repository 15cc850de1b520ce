package e2e_test

import (
	"bytes"
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
	"strings"
	"sync"
	"testing"
)

// callsFile has the calls of DynamoDB that the functions make in these tests: the function,
// the action as IAM names it, and for writes the first word of the partition key. The
// repository's checks hold the functions' roles against it.
const callsFile = "testdata/calls.golden"

// calls are those of this run.
var calls struct {
	sync.Mutex
	made map[string]bool
}

var writtenKey = regexp.MustCompile(`"pk":\{"S":"([^"#]+)`)

// recorded returns the address of a table that lists the calls of a function.
func recorded(t *testing.T, function, endpoint string) string {
	t.Helper()
	target, err := url.Parse(endpoint)
	if err != nil {
		t.Fatal(err)
	}
	transport := &http.Transport{MaxIdleConnsPerHost: 100}
	t.Cleanup(transport.CloseIdleConnections)
	proxy := &httputil.ReverseProxy{Transport: transport, Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(target)
		r.Out.Host = r.In.Host // it is signed
	}}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		r.Body = io.NopCloser(bytes.NewReader(body))
		addCall(function, r.Header.Get("X-Amz-Target"), body)
		proxy.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// addCall adds a call, DynamoDB_20120810.PutItem for example.
func addCall(function, target string, body []byte) {
	_, operation, _ := strings.Cut(target, ".")
	call, keys := function+" dynamodb:"+operation, [][][]byte{{nil, nil}}
	if !strings.Contains(operation, "Get") && operation != "Query" {
		keys = writtenKey.FindAllSubmatch(body, -1)
	}
	calls.Lock()
	defer calls.Unlock()
	if calls.made == nil {
		calls.made = map[string]bool{}
	}
	for _, key := range keys {
		calls.made[strings.TrimSpace(call+" "+string(key[1]))] = true
	}
}

// checkCalls compares the calls with those in the file. Tests that were chosen make a part
// of them.
func checkCalls() error {
	made := slices.Sorted(maps.Keys(calls.made))
	if *update {
		return os.WriteFile(callsFile, []byte(strings.Join(made, "\n")+"\n"), 0o600)
	}
	text, err := os.ReadFile(callsFile)
	if err != nil {
		return err
	}
	known := strings.Fields(strings.ReplaceAll(string(text), " ", "_"))
	for _, call := range made {
		if !slices.Contains(known, strings.ReplaceAll(call, " ", "_")) {
			return fmt.Errorf("%s does not have %q: go test ./internal/e2e -update", callsFile, call)
		}
	}
	chosen := flag.Lookup("test.run").Value.String() + flag.Lookup("test.skip").Value.String()
	if chosen == "" && len(made) < len(known) {
		return fmt.Errorf("%s has %d calls, %d are made: go test ./internal/e2e -update", callsFile, len(known), len(made))
	}
	return nil
}
