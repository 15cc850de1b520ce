package endtoend_test

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"laurel/internal/runtimeapi"
)

// A function whose environment is at fault ends before its first event, and says
// all that is wrong.
func TestWrongConfiguration(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		function  string
		variables []string
		want      []string
	}{
		"nothing is set":                 {archive, nil, []string{"REDIS_URL is missing", "TABLE_NAME is missing"}},
		"nothing is set for record":      {record, nil, []string{"REDIS_URL is missing"}},
		"nothing is set for query":       {query, nil, []string{"REDIS_URL is missing"}},
		"values that are none":           {record, []string{"REDIS_URL=localhost:6379", "FORUM_TIMEZONE=Mars", "BOARD_SHARDS=none", "REDIS_CLUSTER=maybe", "RULES={}"}, []string{"REDIS_URL: ", "FORUM_TIMEZONE: ", "BOARD_SHARDS: ", "REDIS_CLUSTER: ", "RULES: "}},
		"values that do not go together": {query, []string{"REDIS_URL=redis://r:1", "RULES={}", "RULES_FILE=rules.json", "HOT_DAYS=5", "ARCHIVE_DAYS=4"}, []string{"RULES_FILE: ", "ARCHIVE_DAYS: "}},
		"a Redis that is no address":     {record, []string{"REDIS_URL=redis://:port", "BOARD_SHARDS=65"}, []string{"edis", "BOARD_SHARDS: "}},
		"a table that is no address":     {archive, []string{"REDIS_URL=redis://r:1", "TABLE_NAME=t", "DYNAMODB_ENDPOINT=host:1", "HOT_MONTHS=x"}, []string{"DYNAMODB_ENDPOINT: ", "HOT_MONTHS: "}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			function := start(t, c.function, 0, c.variables...)
			_, err := function.Ready(t.Context())
			exit, ok := errors.AsType[*runtimeapi.ExitError](err)
			if !ok || exit.Code != 1 || exit.Polled {
				t.Fatalf("error %v", err)
			}
			said := exit.Stdout + exit.Stderr
			if exit.Init != nil {
				said += exit.Init.Message
			}
			for _, want := range c.want {
				if !strings.Contains(said, want) {
					t.Errorf("it does not say %q: %s", want, said)
				}
			}
			if strings.Contains(said, "panic") || strings.Contains(said, "goroutine") {
				t.Errorf("it crashed: %s", said)
			}
		})
	}
}

// What is no event of a function's is an error that says so; the function goes on.
func TestForeignEvents(t *testing.T) {
	t.Parallel()
	f := newForum(t)
	foreign := []string{
		`{}`, `null`, `[]`, `"text"`, `{"Records":[]}`, `{"Records":[{"eventSource":"aws:s3","s3":{}}]}`,
		`{"version":"1.0","httpMethod":"GET","path":"/v1/rules"}`, `{"source":"aws.events","detail-type":"Scheduled Event"}`,
	}
	for _, name := range []string{record, query, archive} {
		function := f.start(t, name)
		for _, event := range foreign {
			if name == archive && event == `{}` { // a run of now
				continue
			}
			answer, err := function.Invoke(t.Context(), []byte(event))
			if told, ok := errors.AsType[*runtimeapi.FunctionError](err); !ok || !strings.Contains(told.Message, "event") {
				t.Errorf("%s, %s: answered %s, error %v", name, event, answer, err)
			}
		}
		proper := httpEvent(t, "GET", "/v1/health", "", nobody)
		if name == archive {
			proper = []byte(`{}`)
		}
		if _, err := function.Invoke(t.Context(), proper); err != nil {
			t.Errorf("%s: a proper event after these: %v", name, err)
		}
	}
	if keys := f.keys(t, ""); len(keys) > 0 {
		t.Errorf("Redis has %q", keys)
	}
}

// Lambda may hand a function several events at a time.
func TestEventsAtATime(t *testing.T) {
	t.Parallel()
	f := newForum(t)
	taking := f.start(t, record, "AWS_LAMBDA_MAX_CONCURRENCY=8")
	asking := f.start(t, query, "AWS_LAMBDA_MAX_CONCURRENCY=8")
	var clients sync.WaitGroup
	for i := range 16 {
		clients.Go(func() {
			for j := range 10 { // each user's articles, some of them reported by two
				report(t, taking, user(fmt.Sprintf("u%d", i%8)), fmt.Sprintf(`{"action":"like","target":"a%d"}`, j+i/8*5))
				ask(t, asking, "GET", "/v1/boards/activity/day", "", nobody)
			}
		})
	}
	clients.Wait()
	b := boardOf(t, asking, "day")
	if b.Total != 8 {
		t.Errorf("the board: %s", b)
	}
	for _, e := range b.Entries {
		if e.Score != 2*15 {
			t.Errorf("%s has %d points", e.User.ID, e.Score)
		}
	}
	f.audit(t)
}
