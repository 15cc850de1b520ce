package house_test

import (
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"laurel/internal/house"
	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/httpapi"
	"laurel/shared/ledger"
)

// openAPI is the document of the operations, as it is served.
func openAPI(t *testing.T) []byte {
	t.Helper()
	handler := httpapi.New(httpapi.Options{Ledger: ledger.New(activity.Default(), board.NewCalendar(time.UTC)), Now: time.Now}, httpapi.Query)
	answer := httptest.NewRecorder()
	handler.ServeHTTP(answer, httptest.NewRequest(http.MethodGet, "/openapi.json", http.NoBody))
	if answer.Code != http.StatusOK {
		t.Fatalf("%d %s", answer.Code, answer.Body)
	}
	return answer.Body.Bytes()
}

func TestTheStackIsInOrder(t *testing.T) {
	t.Parallel()
	document := openAPI(t)
	for name, check := range map[string]check{
		"routes":     func(tree fs.FS) ([]string, error) { return house.Routes(tree, document) },
		"parameters": house.Parameters,
		"variables":  house.Variables,
		"samples":    func(tree fs.FS) ([]string, error) { return house.Samples(tree, document) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			faults, err := check(os.DirFS(root))
			if err != nil {
				t.Fatal(err)
			}
			for _, fault := range faults {
				t.Error(fault)
			}
		})
	}
}

// Each change of the stack as it is makes one fault, and the check says so in
// these words.
func TestAFaultOfTheStackIsFound(t *testing.T) {
	t.Parallel()
	document := openAPI(t)
	routes := func(tree fs.FS) ([]string, error) { return house.Routes(tree, document) }
	samples := func(tree fs.FS) ([]string, error) { return house.Samples(tree, document) }
	for _, test := range []struct {
		name, file, old, new string
		check                check
		want                 string
	}{
		{"a route is missing", "template.yaml", "Path: /v1/rules,", "Path: /v1/ruled,", routes, "does not route GET /v1/rules"},
		{"a route too many", "template.yaml", "Path: /v1/rules,", "Path: /v1/ruled,", routes, "routes GET /v1/ruled, which is no operation"},
		{"everybody reports", "template.yaml", "Path: /v1/activities }", "Path: /v1/activities, Auth: { Authorizer: NONE } }", routes, "lets everybody call POST /v1/activities"},
		{"a token to read", "template.yaml", "Path: /v1/rules, Auth: { Authorizer: NONE }", "Path: /v1/rules", routes, "asks for a token at GET /v1/rules"},
		{"the wrong function", "template.yaml", "Method: POST, Path: /v1/activities }", "Method: GET, Path: /v1/rules }", routes, "does not route POST /v1/activities"},
		{"everybody queues", "template.yaml", "security: [{ Token: [] }]", "security: []", routes, "lets everybody call POST /v1/queue/activities"},
		{"no queue behind the queue's route", "template.yaml", "integrationSubtype: SQS-SendMessage", "integrationSubtype: SQS-PurgeQueue", routes, "to nothing and not to the queue"},

		{"a parameter without a word", "template.yaml", "Description: How many requests it takes at once.", "Wants: 1", house.Parameters, "ThrottleBurst has no description"},
		{"a parameter in no group", "template.yaml", "ThrottleRate, ThrottleBurst]", "ThrottleRate]", house.Parameters, "ThrottleBurst is in no group"},
		{"a parameter that takes anything", "template.yaml", "AllowedValues: [arm64, x86_64]", "Wants: x86_64", house.Parameters, "Architecture takes anything"},
		{"a variable that nobody reads", "template.yaml", "BOARD_SHARDS:", "BOARD_SHARD:", house.Variables, "sets BOARD_SHARD, which shared/config does not read"},
		{"a variable that sam would leave out", "local-env.json", "REDIS_URL", "REDIS_URI", house.Variables, "sets REDIS_URI, which template.yaml does not"},

		{"an event with a field too many", "events/read-board.json", `"version"`, `"versions": "2.0", "version"`, samples, "unknown field"},
		{"an event of another route", "events/read-board.json", "/v1/boards/", "/v1/tables/", samples, "is no operation"},
		{"an event with another path", "events/read-board.json", "/activity/month", "/activity/day", samples, "is not that of its route"},
		{"an operation without an event", "events/read-rules.json", "/v1/rules", "/v1/health", samples, "no sample of GET /v1/rules"},
		{"a message that ages", "events/queue-batch.json", `"SenderId"`, `"SentTimestamp": "1795176000000", "SenderId"`, samples, "too late one day"},
		{"a schedule without a time", "events/nightly.json", `"time"`, `"times"`, samples, "unknown field"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			faults, err := test.check(changed(t, test.file, test.old, test.new))
			if err != nil {
				t.Fatal(err)
			}
			if !slices.ContainsFunc(faults, func(fault string) bool { return strings.Contains(fault, test.want) }) {
				t.Errorf("%q, want %q", faults, test.want)
			}
		})
	}
}

// changed is what the stack's checks read, with one file changed.
func changed(t *testing.T, file, old, replacement string) fs.FS {
	t.Helper()
	tree := fstest.MapFS{}
	for _, pattern := range []string{"template.yaml", "local-env.json", "events/*.json", "shared/config/*.go"} {
		names, err := fs.Glob(os.DirFS(root), pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			text, err := fs.ReadFile(os.DirFS(root), name)
			if err != nil {
				t.Fatal(err)
			}
			if name == file {
				if !strings.Contains(string(text), old) {
					t.Fatalf("%s has no %q", file, old)
				}
				text = []byte(strings.ReplaceAll(string(text), old, replacement))
			}
			tree[name] = &fstest.MapFile{Data: text}
		}
	}
	return tree
}
