package e2e_test

import (
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"laurel/internal/e2e"
)

// operations are requests of the service to what the functions carry out, each with the status of its answer.
const operations = `
PUT /v1/users/{user=bob} 200 {"name":"Bob"}
PUT /v1/users 200 {"users":[{"id":"ann","name":"Ann"},{"id":"cat","name":"Cat"}]}
POST /v1/activities 200 {"activities":[{"user":"ann","action":"like","target":"t1"}]}
PUT /v1/users/{user=ann}/following 200 {"users":[{"id":"bob"}]}
PUT /v1/users/{user=cat}/visibility 200 {"boards":"hidden","days":"public"}
PUT /v1/users/{user=dan}/exclusion 200 {"shadow":true}
DELETE /v1/users/{user=dan}/exclusion 200
POST /v1/articles 201 {"id":"a1","title":"One","author":{"id":"bob"},"groups":["go"]}
PUT /v1/articles/{id=a1} 200 {"title":"Two","author":{"id":"bob"}}
POST /v1/activities 200 {"activities":[{"user":"ann","action":"like","target":"a1"}]}
POST /v1/activities 200 {"activities":[{"user":"ann","action":"follow","target":"cat"}]}
PUT /v1/targets/{target=t1}/void 200 {}
GET /v1/targets/{target=t1}/void 200
DELETE /v1/targets/{target=t1}/void 200
GET /v1/articles 200
GET /v1/articles/{id=a1} 200
GET /v1/groups 200
GET /v1/status 200
GET /v1/boards 200
GET /v1/boards/{board=activity} 200
GET /v1/boards/{board=activity}/{window=day}?with=movement&user=ann 200
GET /v1/boards/{board=activity}/{window=month}/periods 200
GET /v1/boards/{board=activity}/{window=month}/winners 200
GET /v1/boards/{board=activity}/{window=day}/users/{user=ann}?around=1 200
GET /v1/boards/{board=activity}/{window=month}/users/{user=ann}/friends 200
GET /v1/users/{user=ann} 200
GET /v1/users/{user=ann}/activity?days=2 200
GET /v1/users/{user=cat}/days?days=2 200
GET /v1/users/{user=ann}/entries 200
GET /v1/users/{user=ann}/export 200
GET /v1/users/{user=ann}/following 200
GET /v1/users/{user=ann}/standings 200
GET /v1/users/{user=ann}/votes?article=a1 200
GET /v1/users/{user=ann}/visibility 200
GET /v1/users/{user=ann}/exclusion 200
GET /v1/users/{user=ann}/wreaths 200
DELETE /v1/articles/{id=a1} 200
DELETE /v1/users/{user=ann} 202
GET /v1/users/{user=ann}/erasure 200`

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
