//go:build sam

package samtest_test

import (
	"bytes"
	"io"
	"net/http"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"laurel/internal/machine"
	"laurel/internal/machine/machinetest"
)

// theAPIAnswers has sam serve the API of the template, and asks it as a forum's
// page and its backend would.
func theAPIAnswers(t *testing.T, s *stack) {
	t.Helper()
	api := s.serve(t)
	eve, forum := s.token(t, "--user", "eve"), s.token(t, "--service")
	const like = `{"activities":[{"action":"like","target":"77"}]}`
	for _, test := range []struct {
		name, method, path, token, body string
		status                          int
		says                            string
	}{
		{"without a token nothing is recorded", "POST", "/v1/activities", "", like, 401, `"status":401`},
		{"nor with one that nobody signed", "POST", "/v1/activities", eve + "x", like, 401, `"status":401`},
		{"a user records", "POST", "/v1/activities", eve, like, 200, `{"receipts":[{"status":"counted","points":2,`},
		{"once", "POST", "/v1/activities", eve, like, 200, `{"receipts":[{"status":"duplicate","points":0,`},
		{"for nobody else", "POST", "/v1/activities", eve, `{"activities":[{"user":"bob","action":"like","target":"77"}]}`, 422, "body.activities[0].user"},
		{
			"the forum records for everybody", "POST", "/v1/activities", forum,
			`{"activities":[{"user":"finn","action":"publish","target":"77"}]}`, 200, `"scores":{"day":10,"month":10}`,
		},
		{"anybody reads the board", "GET", "/v1/boards/activity/month?limit=2&offset=1", "", "", 200, `{"rank":2,"score":10,"user":{"id":"finn"}}`},
		{"and where somebody stands", "GET", "/v1/boards/activity/month/users/eve", "", "", 200, `"standing":{"user":"eve","rank":`},
		{"one's own days are one's own", "GET", "/v1/users/eve/activity?days=1", "", "", 401, `"status":401`},
		{"with a token they are told", "GET", "/v1/users/eve/activity?days=1", eve, "", 200, `"like":{"count":1,"points":2}`},
		{"the rules", "GET", "/v1/rules", "", "", 200, `"publish"`},
		{"the description", "GET", "/openapi.json", "", "", 200, `"openapi":"3.1.0"`},
	} {
		t.Run(test.name, func(t *testing.T) {
			status, body := ask(t, test.method, api+test.path, test.token, test.body)
			if status != test.status || !strings.Contains(body, test.says) {
				t.Errorf("got %d %s\nwant %d and %s", status, body, test.status, test.says)
			}
		})
	}
	want := map[string]int64{"bob": 15, "finn": 10, "ada": 7, "eve": 2, "dora": 2}
	if diff := cmp.Diff(want, s.scores(t, "activity")); diff != "" {
		t.Errorf("stored in Redis (-want +got):\n%s", diff)
	}
}

// serve starts sam local start-api, which ends with the test, and returns the API's
// address.
func (s *stack) serve(t *testing.T) (api string) {
	t.Helper()
	ports, err := machine.FreePorts(1)
	if err != nil {
		t.Fatal(err)
	}
	port := strconv.Itoa(ports[0])
	cmd := s.command(t, s.root, s.native, s.local("local", "start-api", "--port", port, "--warm-containers", "LAZY")...)
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() { _ = cmd.Wait(); close(ended) }()
	t.Cleanup(func() {
		_ = cmd.Cancel()
		<-ended
		if t.Failed() {
			t.Logf("sam local start-api said:\n%s", said.String())
		}
	})
	machinetest.Within(t, time.Minute, "the API to be served", func() bool {
		select {
		case <-ended:
			t.Fatal("sam local start-api has ended")
		default:
		}
		return machinetest.Listens("127.0.0.1:" + port)
	})
	return "http://127.0.0.1:" + port
}

// token is a development token, as a developer makes one.
func (s *stack) token(t *testing.T, arguments ...string) string {
	t.Helper()
	output, _ := s.run(t, exec.CommandContext(t.Context(), s.laurel, append([]string{"token"}, arguments...)...))
	return strings.TrimSpace(string(output))
}

func ask(t *testing.T, method, url, token, body string) (status int, answer string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if body != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	if token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, string(text)
}
