package main

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// served starts a server of one's own with secrets in a file, and returns its address.
func served(t *testing.T, file string) string {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	var out, errs screen
	ended := make(chan int, 1)
	go func() {
		ended <- run(ctx, []string{
			"serve", "--data", t.TempDir(), "--secret-file", file, "--addr", "localhost:0", "--origins", "https://forum.example",
		}, streams{in: strings.NewReader(""), out: &out, err: &errs})
	}()
	t.Cleanup(func() {
		stop()
		if code := <-ended; code != exitDone {
			t.Errorf("laurel serve: %d, %s", code, errs.String())
		}
	})
	for range 600 {
		if _, rest, ok := strings.Cut(errs.String(), `"msg":"serving","addr":"`); ok {
			addr, _, _ := strings.Cut(rest, `"`)
			return "http://" + addr
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Fatalf("it does not serve: %s", errs.String())
	return ""
}

func fileOf(t *testing.T, text string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "secrets")
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// The file of laurel serve is all that doctor needs; with it every line is well, and with
// another's it exits with 1. No secret and no token is printed.
func TestDoctor(t *testing.T) {
	t.Parallel()
	const users, service = "users-secret-users-secret-users-secret", "service-secret-service-secret-service"
	file := fileOf(t, "# of the forum\nUSER_SECRETS="+users+"\nSERVICE_SECRETS = "+service+
		" another-secret-another-secret-another\nHOOK_SECRETS=standard=hook-secret-1\n")
	url := served(t, file)
	for _, c := range []struct {
		args string
		code int
		want []string
	}{
		{"--origin https://forum.example --secret-file " + file, exitDone, []string{
			"ok health", "ok CORS", "ok token of USER_SECRETS accepted, as a user's",
			"ok token of SERVICE_SECRETS accepted, as the service's", "ok nightly run", "ok webhook of standard",
		}},
		{"--secret-file " + fileOf(t, service+"\n"), exitDone, []string{
			"skipped CORS", "ok token of --secret-file accepted, as the service's", "-> give --hook-secrets",
		}},
		{
			"--secret-file " + fileOf(t, `{"user":"","service":"`+service+`","hooks":"standard=hook-secret-1"}`), exitDone,
			[]string{"ok token of SERVICE_SECRETS accepted, as the service's", "ok webhook of standard"},
		},
		{"--secret-file " + fileOf(t, users), exitDone, []string{"accepted, as a user's", "skipped nightly run"}},
		{"--secret-file " + fileOf(t, users+"!"), exitFound, []string{"failure token of --secret-file it is refused: 403"}},
		{"--hook-secrets " + fileOf(t, "standard=hook-secret-2"), exitFound, []string{"failure webhook of standard"}},
		{"--token x.y.z --origin https://b.example", exitFound, []string{"failure token of --token", "failure CORS"}},
	} {
		out, errs, code := laurel(t, "", append(strings.Fields("doctor --url "+url), strings.Fields(c.args)...)...)
		if code != c.code || errs != "" {
			t.Errorf("%s: %d, %s%s", c.args, code, out, errs)
		}
		for _, want := range c.want {
			if !strings.Contains(strings.Join(strings.Fields(out), " "), want) {
				t.Errorf("%s: no %q in\n%s", c.args, want, out)
			}
		}
		if strings.Contains(out, "secret-users") || strings.Contains(out, "eyJ") || strings.Contains(out, "hook-secret-") {
			t.Errorf("%s: it prints a secret:\n%s", c.args, out)
		}
	}
	out, _, code := laurel(t, "", "doctor", "--url", url, "--json", "--secret-file", file)
	var found diagnosis
	if err := json.Unmarshal([]byte(out), &found); err != nil || code != exitDone || !found.Well ||
		len(found.Checks) < 10 || strings.Count(out, "\n") != 1 {
		t.Errorf("--json: %d, %v, %s", code, err, out)
	}
}

// What cannot be understood is said before anything is asked.
func TestDoctorsMistakes(t *testing.T) {
	t.Parallel()
	for args, want := range map[string]string{
		"":                        "name what to look at: --url https://laurel.example, or --stack NAME",
		"--url laurel.example":    `--url "laurel.example" is not an address`,
		"--url ftp://a.example":   "is not an address",
		"--url https://u:p@a/?x=": "is not an address",
		"--url http://127.0.0.1:1 --origin forum.example/a":              `--origin "forum.example/a" is not an origin`,
		"--url http://127.0.0.1:1 --secret-file nowhere":                 "no such file",
		"--url http://127.0.0.1:1 --secret-file " + fileOf(t, " \n"):     "has no secret",
		"--url http://127.0.0.1:1 --secret-file " + fileOf(t, "short"):   "32",
		"--url http://127.0.0.1:1 --hook-secrets " + fileOf(t, "secret"): "pair 1 is not SOURCE=SECRET",
	} {
		out, errs, code := laurel(t, "", append([]string{"doctor"}, strings.Fields(args)...)...)
		if code != exitUsage || out != "" || !strings.Contains(errs, want) {
			t.Errorf("%s: %d, %s%s; want %s", args, code, out, errs, want)
		}
	}
}

// It ends when it is told to.
func TestDoctorEnds(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithCancel(t.Context())
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		stop()
		<-r.Context().Done()
	}))
	defer server.Close()
	if _, errs, code := laurelContext(ctx, "", "doctor", "--url", server.URL); code != exitFound ||
		!strings.Contains(errs, "context canceled") {
		t.Errorf("%d, %s", code, errs)
	}
}
