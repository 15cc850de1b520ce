package e2e_test

import (
	_ "embed"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"laurel/internal/e2e"
)

// operations are requests of the service to what the functions carry out, each with the status of its answer.
//
//go:embed testdata/operations.txt
var operations string

// Every operation is answered by the function that the template routes it to, with the calls of the table that its role
// allows. What each answers otherwise is in httpapi's request files.
func TestEveryOperation(t *testing.T) {
	t.Parallel()
	f := newForum(t)
	for line := range strings.SplitSeq(strings.TrimSpace(operations), "\n") {
		words := append(strings.SplitN(line, " ", 4), "")
		status, err := strconv.Atoi(words[2])
		if err != nil {
			t.Fatal(line, err)
		}
		f.expect(e2e.Service, words[0]+" "+words[1], words[3], status)
	}
	like := `{"action":"like","target":"t2"}`
	f.deliver(e2e.Batch(time.Now(), e2e.Message{ID: "queued", Body: like, Caller: e2e.User("eve")}))
	f.expect(nobody, "POST /v1/activities", reportOf(like), http.StatusUnauthorized)
	f.expect(nobody, "GET /openapi.json", "", http.StatusOK, `"openapi"`)
	f.audit()
}
