package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"laurel/internal/bootstrap"
	"laurel/internal/runtimeapi"
)

// A timing is what one start of a function took.
type timing struct {
	startup time.Duration // from exec to the first poll
	first   time.Duration // the first event, from handing it over to the answer
}

// requests are the functions' first events: an activity, a board, a night with
// nothing to do.
var requests = map[string]string{
	"record": `{"version":"2.0","routeKey":"POST /v1/activities","rawPath":"/v1/activities","headers":{"content-type":"application/json"},` +
		`"requestContext":{"apiId":"a","stage":"$default","http":{"method":"POST","path":"/v1/activities","sourceIp":"203.0.113.7"},` +
		`"authorizer":{"jwt":{"claims":{"sub":"ann","scope":"openid"}}}},"body":"{\"activities\":[{\"action\":\"like\",\"target\":\"a1\"}]}"}`,
	"query": `{"version":"2.0","routeKey":"GET /v1/boards/{board}/{window}","rawPath":"/v1/boards/activity/day","headers":{},` +
		`"requestContext":{"apiId":"a","stage":"$default","http":{"method":"GET","path":"/v1/boards/activity/day","sourceIp":"203.0.113.7"}}}`,
	"archive": `{}`,
}

// measure starts each function so many times, by turns.
func measure(ctx context.Context, dir, redis string, starts int) (map[string][]timing, error) {
	table := newEmptyTable()
	defer table.Close()
	taken := map[string][]timing{}
	for turn := range starts + 1 {
		for _, name := range functions {
			t, err := measureOne(ctx, bootstrap.Binary(dir, name), name, redis, table.URL)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
			if turn > 0 { // the first brings the binary into memory
				taken[name] = append(taken[name], t)
			}
		}
	}
	return taken, nil
}

func measureOne(ctx context.Context, binary, name, redis, table string) (t timing, err error) {
	function, err := runtimeapi.Start(runtimeapi.Options{
		Binary: binary, Name: name, Timeout: time.Minute,
		Environment: []string{"REDIS_URL=" + redis, "TABLE_NAME=laurel", "DYNAMODB_ENDPOINT=" + table},
	})
	if err != nil {
		return timing{}, err
	}
	defer function.Stop()
	if t.startup, err = function.Ready(ctx); err != nil {
		return timing{}, err
	}
	began := time.Now()
	answer, err := function.Invoke(ctx, []byte(requests[name]))
	t.first = time.Since(began)
	if err != nil {
		return timing{}, err
	}
	return t, answered(answer)
}

// answered checks that a function did what it is measured by.
func answered(answer []byte) error {
	var reply struct {
		StatusCode int             `json:"statusCode"`
		Moved      json.RawMessage `json:"moved"`
	}
	if err := json.Unmarshal(answer, &reply); err != nil || (reply.StatusCode != http.StatusOK && reply.Moved == nil) {
		return fmt.Errorf("it answered %s", answer)
	}
	return nil
}
