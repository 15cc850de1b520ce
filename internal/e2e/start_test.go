package e2e_test

import (
	"debug/elf"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"laurel/internal/e2e"
)

// What is built is static and stripped, and has no path of this machine's.
func TestBinaries(t *testing.T) {
	t.Parallel()
	for _, name := range functions {
		path := binary(t, name)
		program, err := elf.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		if libraries, err := program.ImportedLibraries(); err != nil || len(libraries) > 0 {
			t.Errorf("%s needs %v, %v", name, libraries, err)
		}
		if program.Section(".symtab") != nil || program.Section(".debug_info") != nil {
			t.Errorf("%s is not stripped", name)
		}
		_ = program.Close()
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if here, err := filepath.Abs(root); err != nil || strings.Contains(string(text), here+"/") {
			t.Errorf("%s has the path of its sources, %v", name, err)
		}
	}
}

// A build fails with what make says.
func TestBuildFails(t *testing.T) {
	t.Parallel()
	err := e2e.Build(t.Context(), root, t.TempDir(), "arm64", "nothing")
	if err == nil || !strings.Contains(err.Error(), "dist/nothing") {
		t.Errorf("error %v", err)
	}
}

// A function with a wrong environment ends before its first event, and says all that
// is wrong.
func TestWrongConfiguration(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		function  string
		variables string
		want      []string
	}{
		"nothing is set":           {archive, "", []string{"REDIS_URL is missing", "TABLE_NAME is missing"}},
		"nothing is set for query": {query, "", []string{"REDIS_URL is missing"}},
		"invalid values": {
			record, "REDIS_URL=localhost:6379 FORUM_TIMEZONE=Mars BOARD_SHARDS=none REDIS_CLUSTER=maybe RULES={}",
			[]string{"REDIS_URL: ", "FORUM_TIMEZONE: ", "BOARD_SHARDS: ", "REDIS_CLUSTER: ", "RULES: "},
		},
		"values that do not go together": {
			query, "REDIS_URL=redis://r:1 RULES={} RULES_FILE=rules.json HOT_DAYS=5 ARCHIVE_DAYS=4",
			[]string{"RULES_FILE: ", "ARCHIVE_DAYS: "},
		},
		"an invalid Redis": {record, "REDIS_URL=redis://:port BOARD_SHARDS=65", []string{"edis", "BOARD_SHARDS: "}},
		"an invalid table": {
			archive, "REDIS_URL=redis://r:1 TABLE_NAME=t DYNAMODB_ENDPOINT=host:1 HOT_MONTHS=x",
			[]string{"DYNAMODB_ENDPOINT: ", "HOT_MONTHS: "},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := start(t, c.function, 0, strings.Fields(c.variables)...).Ready(t.Context())
			exit, ok := errors.AsType[*e2e.ExitError](err)
			if !ok || exit.Code != 1 || exit.Polled {
				t.Fatalf("error %v", err)
			}
			said := exit.Error()
			for _, want := range c.want {
				if !strings.Contains(said, want) {
					t.Errorf("no %q in %s", want, said)
				}
			}
			if strings.Contains(said, "panic") || strings.Contains(said, "goroutine") {
				t.Errorf("it crashed: %s", said)
			}
		})
	}
}

// An event of another kind is an error that says so; the function goes on.
func TestForeignEvents(t *testing.T) {
	t.Parallel()
	f := newForum(t)
	for name, function := range map[string]*e2e.Function{record: f.record, query: f.query, archive: f.start(archive)} {
		for _, event := range []string{
			`{}`, `null`, `[]`, `"text"`, `{"Records":[]}`, `{"Records":[{"eventSource":"aws:s3","s3":{}}]}`,
			`{"version":"1.0","httpMethod":"GET","path":"/v1/rules"}`, `{"source":"aws.events","detail-type":"Scheduled Event"}`,
		} {
			if name == archive && event == `{}` { // a run of now
				continue
			}
			text, err := function.Invoke(t.Context(), []byte(event))
			if failed, ok := errors.AsType[*e2e.FunctionError](err); !ok || !strings.Contains(failed.Message, "event") {
				t.Errorf("%s, %s: answered %s, error %v", name, event, text, err)
			}
		}
		proper := e2e.Request("GET", "/v1/health", "", nobody)
		if name == archive {
			proper = []byte(`{}`)
		}
		if _, err := function.Invoke(t.Context(), proper); err != nil {
			t.Errorf("%s, the next event: %v", name, err)
		}
	}
	keys, err := f.redis.Keys(t.Context(), "*").Result() // the markers
	slices.Sort(keys)
	if want := []string{"laurel:{0}:marker", "laurel:{articles}:marker"}; err != nil ||
		!slices.Equal(keys, want) {
		t.Errorf("Redis has %q, %v; want %q", keys, err, want)
	}
}

// Lambda may hand a function several events at a time.
func TestEventsAtATime(t *testing.T) {
	t.Parallel()
	f := newForum(t, "AWS_LAMBDA_MAX_CONCURRENCY=8")
	var clients sync.WaitGroup
	for i := range 16 {
		clients.Go(func() {
			for j := range 10 { // two clients a user, who report five of the articles twice
				like := fmt.Sprintf(`{"action":"like","target":"a%d"}`, j+i/8*5)
				f.expect(e2e.User(fmt.Sprintf("u%d", i%8)), "POST /v1/activities", reportOf(like), 200)
				f.expect(nobody, "GET /v1/boards/activity/day", "", 200)
			}
		})
	}
	clients.Wait()
	a := f.expect(nobody, "GET /v1/boards/activity/day", "", 200)
	if strings.Count(a.Body, `"score":30,`) != 8 || !strings.Contains(a.Body, `"total":8`) {
		t.Errorf("the board: %s", a.Body)
	}
	f.audit()
}
