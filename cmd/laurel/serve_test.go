package main

import (
	"context"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"laurel/internal/testserver"
	"laurel/shared/auth/token"
)

// serve starts a server of one's own until the test ends, and waits until it is ready; stop ends it as
// systemd does.
func serve(t *testing.T, args ...string) (base, metrics string, stop func() (log string, code int)) {
	t.Helper()
	base, metrics, stop = startServe(t, args...)
	for status := 0; status != http.StatusOK; time.Sleep(5 * time.Millisecond) {
		status, _, _ = get(t, base+"/readyz")
	}
	return base, metrics, stop
}

func startServe(t *testing.T, args ...string) (base, metrics string, stop func() (log string, code int)) {
	t.Helper()
	ctx, interrupt := context.WithCancel(t.Context())
	var out, log screen
	ended := make(chan int, 1)
	go func() {
		ended <- run(ctx, append([]string{"serve", "--addr", "127.0.0.1:0", "--metrics-addr", "127.0.0.1:0"}, args...),
			streams{in: strings.NewReader(""), out: &out, err: &log, pace: quick})
	}()
	t.Cleanup(interrupt)
	said := regexp.MustCompile(`"metrics","addr":"([^"]+)"[^$]+"serving","addr":"([^"]+)"`)
	for deadline := time.Now().Add(2 * time.Minute); ; time.Sleep(5 * time.Millisecond) {
		if found := said.FindStringSubmatch(log.String()); found != nil {
			metrics, base = "http://"+found[1]+"/metrics", "http://"+found[2]
			break
		}
		if len(ended) > 0 || time.Now().After(deadline) {
			t.Fatalf("the server does not start: %s%s", out.String(), log.String())
		}
	}
	return base, metrics, func() (string, int) {
		interrupt()
		code := <-ended
		return log.String(), code
	}
}

func secretsFile(t *testing.T) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "secrets")
	text := "# of tests\nSERVICE_SECRETS=" + serviceSecret + "\n\nUSER_SECRETS = " + userSecret + "\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

func signed(t *testing.T, secret, user string) string {
	t.Helper()
	text, err := token.Sign(secret, user, "laurel", time.Now().Add(token.MaxAge))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// A server of one's own takes the tokens of its forum and no test tokens, measures, and has
// after its end and the next start what it had; embedded and on a Redis that was emptied.
func TestServe(t *testing.T) {
	t.Parallel()
	url := testserver.OwnRedis(t)
	for name, store := range map[string][]string{"embedded": nil, "Redis": {"--redis", url.URL()}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			args := append([]string{
				"--data", t.TempDir(), "--secret-file", secretsFile(t), "--user-rate", "2", "--origins", "https://forum.example",
			}, store...)
			base, metrics, stop := serve(t, args...)
			service, ann := signed(t, serviceSecret, "service"), signed(t, userSecret, "ann")
			one := `{"activities":[{"action":"publish","user":"ann","target":"a1"}]}`
			if receipt := post(t, base+"/v1/activities", service, one); !strings.Contains(receipt, `"counted"`) {
				t.Error(receipt)
			}
			// The queue has it before it answers.
			queued := post(t, base+"/v1/queue/activities", ann, `{"activities":[{"action":"like","target":"a2"}]}`)
			if board := getAs(t, base+"/v1/boards/activity/day", ""); !strings.Contains(queued, "MessageId") ||
				!strings.Contains(board, `"score":12`) {
				t.Error(queued, board)
			}
			bad := post(t, base+"/v1/queue/activities", service, `{"activities":[{"action":"fly"}]}`)
			if !strings.Contains(bad, "MessageId") {
				t.Error(bad)
			}
			var limited strings.Builder
			for range 8 {
				limited.WriteString(getAs(t, base+"/v1/users/ann/standings", ann))
			}
			if !strings.Contains(limited.String(), `"standings"`) || !strings.Contains(limited.String(), "Too Many Requests") {
				t.Error("a user is not limited: ", limited.String())
			}
			for _, path := range []string{"/", "/dev/token?user=ann", "/demo/index.html"} {
				if status, _, _ := get(t, base+path); status != http.StatusNotFound {
					t.Errorf("%s: %d", path, status)
				}
			}
			checkOrigins(t, base)
			_, text, _ := get(t, metrics)
			for _, line := range []string{
				`laurel_requests_total{route="POST /v1/activities",status="200"} 1`, "laurel_ticks_failed_total 0", "laurel_left 0",
				"laurel_ready 1", "laurel_view_behind_seconds 0",
				`laurel_request_seconds_count{route="POST /v1/queue/activities"} 2`,
				"go_goroutines ",
			} {
				if !strings.Contains(text, "\n"+line) {
					t.Errorf("metrics lack %s:\n%s", line, text)
				}
			}
			log, code := stop()
			if code != exitDone || !strings.Contains(log, `"msg":"stopped"`) || strings.Contains(log, "/users/ann") ||
				!strings.Contains(log, `"route":"GET /v1/users/{user}/standings","status":429`) {
				t.Errorf("%d: %s", code, log)
			}
			if store != nil {
				url.Client().FlushAll(t.Context())
			}
			base, metrics, _ = serve(t, args...)
			if board := getAs(t, base+"/v1/boards/activity/day", ""); !strings.Contains(board, `"score":12`) {
				t.Error(board)
			}
			if _, text, _ := get(t, metrics); !strings.Contains(text, "laurel_ready 1") {
				t.Error(text)
			}
		})
	}
}

// checkOrigins asks as a browser does.
func checkOrigins(t *testing.T, base string) {
	t.Helper()
	const ours = "https://forum.example"
	for origin, want := range map[string]string{ours: ours, "https://else.example": ""} {
		request, err := http.NewRequest(http.MethodOptions, base+"/v1/activities", http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Origin", origin)
		answer, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		_ = answer.Body.Close()
		if got := answer.Header.Get("Access-Control-Allow-Origin"); got != want || answer.Header.Get("Vary") != "Origin" {
			t.Errorf("%s: %q", origin, answer.Header)
		}
	}
}

// What is unsafe or wrong is one error that names each fault, and nothing is served.
func TestServeRefuses(t *testing.T) {
	t.Parallel()
	secrets := secretsFile(t)
	bad := filepath.Join(t.TempDir(), "bad")
	if err := os.WriteFile(bad, []byte("FLY=1\nUSER_SECRETS=short\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for args, wanted := range map[string][]string{
		"": {
			"--data or LAUREL_DATA is missing, as is --dynamodb: nothing that is answered would be kept\n",
			"USER_SECRETS is missing, as are SERVICE_SECRETS and JWT_ISSUER",
		},
		"--redis redis://h --secret-file " + secrets: {"--data or LAUREL_DATA is missing"},
		"--dynamodb http://h:1 --secret-file " + secrets: {
			"--redis or REDIS_URL is missing: an embedded",
		},
		"--dynamodb http://h:1 --redis redis://h --data d --secret-file " + secrets: {"there is only one table"},
		"--data d --secret-file " + bad: {
			"line 1 of " + bad, "USER_SECRETS: secret 1 has 5 bytes",
		},
		"--data d --secret-file none": {
			"--secret-file: ", "USER_SECRETS is missing",
		},
		"--data d --service-secrets " + secretFile(t, "the-published-service-secret-of-laurel-for-sam-local-alone"): {
			"has a published secret",
		},
		"--data d --sync maybe --drain 0 --addr 9 --metrics-addr x:y --origins forum " +
			"--trusted-proxies ten --rate=-1 --user-rate x --address-rate 9999999 --log-level loud --secret-file " + secrets: {
			"--sync: ", "--drain: ", "--addr: ", "--metrics-addr: ", "--origins: ", "--trusted-proxies: ", "--rate: ",
			"--user-rate: ",
			"--address-rate: ", "--log-level: ",
		},
	} {
		out, errs, code := laurel(t, "", append([]string{"serve"}, strings.Fields(args)...)...)
		if code != exitUsage || out != "" {
			t.Errorf("%s: %d, %s", args, code, out)
		}
		for _, want := range wanted {
			if !strings.Contains(errs, want) {
				t.Errorf("%s: lacks %q: %s", args, want, errs)
			}
		}
	}
}

// Without Redis history is imported into the folder while the server is stopped.
func TestServeHasWhatWasImportedIntoItsFolder(t *testing.T) {
	t.Parallel()
	folder, secrets := t.TempDir(), secretsFile(t)
	now := time.Now().UTC().Format(time.RFC3339)
	args := []string{"import", "-", "--data", folder}
	line := `{"at":"` + now + `","user":"7","action":"publish","target":"t1","title":"How to"}` + "\n"
	for _, want := range []string{"counted", "duplicate"} {
		if out, errs, code := laurel(t, line, args...); code != exitDone || !strings.Contains(out, want) {
			t.Errorf("%d, %s, %s, want %s", code, out, errs, want)
		}
	}
	base, _, stop := serve(t, "--data", folder, "--secret-file", secrets)
	if _, board, _ := get(t, base+"/v1/boards/activity/month"); !strings.Contains(board, `"score":10`) {
		t.Errorf("the board: %s", board)
	}
	if _, errs, code := laurel(t, line, args...); code != exitFound || !strings.Contains(errs, folder) {
		t.Errorf("beside the server: %d, %s", code, errs)
	}
	stop()
}
