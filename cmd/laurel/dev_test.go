package main

import (
	"context"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"laurel/internal/harness"
	"laurel/internal/testserver"
)

// dev starts a development server and returns its address; stop ends it as Ctrl-C
// does and returns what it has said and its exit code.
func dev(t *testing.T, args ...string) (base string, greeting func() string, stop func() (errs string, code int)) {
	t.Helper()
	ctx, interrupt := context.WithCancel(t.Context())
	var out, errs screen
	ended := make(chan int, 1)
	go func() {
		ended <- run(ctx, append([]string{"dev", "--addr", "127.0.0.1:0"}, args...),
			streams{in: strings.NewReader(""), out: &out, err: &errs, pace: quick})
	}()
	t.Cleanup(interrupt)
	address := regexp.MustCompile(`(?m)^Laurel is on (http://\S+)$`)
	for deadline := time.Now().Add(2 * time.Minute); ; time.Sleep(5 * time.Millisecond) {
		if found := address.FindStringSubmatch(out.String()); found != nil && strings.Contains(out.String(), "Ctrl-C") {
			base = found[1]
			break
		}
		if len(ended) > 0 || time.Now().After(deadline) {
			t.Fatalf("the server does not start: %s%s", out.String(), errs.String())
		}
	}
	return base, out.String, func() (string, int) {
		interrupt()
		code := <-ended
		return errs.String(), code
	}
}

func get(t *testing.T, url string) (status int, body string, header http.Header) {
	t.Helper()
	answer, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, string(text), answer.Header
}

func post(t *testing.T, url, token, body string) string {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Authorization", "Bearer "+token)
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// The newcomer's minutes: the server, a token, a report, the board, the page; on
// the embedded Redis and on a real one.
func TestDev(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "history.csv")
	if err := os.WriteFile(file, []byte(history), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, store := range map[string][]string{"embedded": nil, "real": {"--redis", testserver.RedisURL(t)}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			args := mapped("--import", file, "--timezone", "Asia/Shanghai", "--now", "2026-03-15T23:59:30")[1:]
			base, greeting, stop := dev(t, append(args, store...)...)
			for _, piece := range []string{
				"clock   2026-03-15 23:59:3", "+08:00, as --now says", "zone    Asia/Shanghai, where it is 2026-03-15",
				"curl -s " + base + "/v1/activities -H", "counted                             3",
			} {
				if !strings.Contains(greeting(), piece) {
					t.Errorf("the greeting lacks %q:\n%s", piece, greeting())
				}
			}

			status, token, _ := get(t, base+"/dev/token?user=bob")
			if status != http.StatusOK || strings.Count(token, ".") != 2 || !strings.HasSuffix(token, "\n") {
				t.Fatalf("token: %d %q", status, token)
			}
			receipt := post(t, base+"/v1/activities", strings.TrimSpace(token),
				`{"activities":[{"action":"like","target":"article-1"}]}`)
			if want := `"status":"counted","points":2,"board":"activity","day":"2026-03-15"`; !strings.Contains(receipt, want) {
				t.Errorf("receipt %s", receipt)
			}
			if refused := post(t, base+"/v1/activities", "x"+token[1:len(token)-1], `{}`); refused != `{"message":"Forbidden"}` {
				t.Errorf("a false token: %s", refused)
			}
			_, service, _ := get(t, base+"/dev/token?scope=laurel/service")
			receipt = post(t, base+"/v1/activities", strings.TrimSpace(service),
				`{"activities":[{"action":"publish","user":"eve","target":"a"}]}`)
			if !strings.Contains(receipt, `"points":10`) {
				t.Errorf("the service's receipt %s", receipt)
			}
			_, month, header := get(t, base+"/v1/boards/activity/month?user=ann")
			if timing := header.Get("Server-Timing"); !strings.HasPrefix(timing, "redis;dur=") ||
				strings.HasPrefix(timing, "redis;dur=0.000") {
				t.Errorf("Server-Timing: %q", timing)
			}
			for _, piece := range []string{
				`"rank":1,"score":10,"reachedAt":"2026-03-15T`, `"user":{"id":"eve"}`, `"id":"-9223372036854775808"`,
				`"total":4`,
			} {
				if !strings.Contains(month, piece) {
					t.Errorf("the month's board lacks %s: %s", piece, month)
				}
			}
			if status, detail, _ := get(t, base+"/dev/token"); status != http.StatusBadRequest ||
				!strings.Contains(detail, "user must not be empty") {
				t.Errorf("nobody's token: %d %s", status, detail)
			}
			checkPage(t, base)

			errs, code := stop()
			if code != exitDone || !strings.HasSuffix(errs, "stopped\n") || !strings.Contains(errs, "POST /v1/activities") {
				t.Errorf("stopped with %d: %s", code, errs)
			}
			if _, err := net.DialTimeout("tcp", strings.TrimPrefix(base, "http://"), time.Second); err == nil {
				t.Error("it listens yet")
			}
		})
	}
}

// checkPage follows what the page loads: all of it is here, none from elsewhere.
func checkPage(t *testing.T, base string) {
	t.Helper()
	status, page, header := get(t, base+"/")
	if status != http.StatusOK || !strings.Contains(page, "<title>Laurel</title>") ||
		!strings.HasPrefix(header.Get("Content-Security-Policy"), "default-src 'self'") {
		t.Errorf("page: %d %v", status, header)
	}
	files := regexp.MustCompile(`(?:src|href)="([^"]+)"`).FindAllStringSubmatch(page, -1)
	if len(files) < 6 {
		t.Errorf("only %d links were found", len(files))
	}
	for _, file := range files {
		if strings.Contains(file[1], "//") {
			t.Errorf("the page loads %s", file[1])
		}
		if status, text, _ := get(t, base+"/"+file[1]); status != http.StatusOK || text == "" {
			t.Errorf("%s: %d", file[1], status)
		}
	}
	if status, _, _ := get(t, base+"/nothing"); status != http.StatusNotFound {
		t.Errorf("/nothing: %d", status)
	}
}

func TestDevWithAPortThatIsTaken(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	_, errs, code := laurel(t, "", "dev", "--addr", listener.Addr().String())
	if code != exitFound || !strings.Contains(errs, listener.Addr().String()+
		" is taken by another program; take another one with --addr") {
		t.Errorf("%d, %s", code, errs)
	}
}

// Without a table, beside a Redis that has another Laurel, a dev server says that it forgets. It
// uses keys of its own, which it clears at the start, and every route works.
func TestDevOnARedisAlone(t *testing.T) {
	t.Parallel()
	o := newOperated(t)
	before := o.answers()
	for range 2 {
		base, greeting, stop := dev(t, o.flags[:2]...)
		for _, says := range []string{
			"keys laurel-dev:*, which are cleared at the start", "embedded; it forgets everything when",
		} {
			if !strings.Contains(greeting(), says) {
				t.Errorf("no %q in %s", says, greeting())
			}
		}
		token, service := service(t, base), service(t, base)
		answer := post(t, base+"/v1/activities", token, harness.Report(`{"user":"ann","action":"like","target":"a1"}`))
		if !strings.Contains(answer, `"status":"counted"`) {
			t.Error(answer)
		}
		c := harness.NewClient(t, base)
		for _, step := range [][2]string{
			{http.MethodPut, "/v1/targets/a1/void"},
			{http.MethodGet, "/v1/targets/a1/void"},
			{http.MethodGet, "/v1/users/ann/export"},
			{http.MethodGet, "/v1/status"},
			{http.MethodGet, "/v1/boards/activity/day/periods"},
			{http.MethodDelete, "/v1/users/ann"},
			{http.MethodGet, "/v1/users/ann/erasure"},
		} {
			if a := c.Do(step[0], step[1], service, ""); a.Status >= http.StatusBadRequest {
				t.Errorf("%s: %d %s", step, a.Status, a.Body)
			}
		}
		stop()
	}
	if diff := cmp.Diff(before, o.answers()); diff != "" {
		t.Errorf("the other Laurel (-before +after):\n%s", diff)
	}
}
