package main

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"laurel/internal/harness"
	"laurel/internal/testserver"
	"laurel/shared/api/auth/token"
)

// Promise 5: each answered activity is there once after kill -9 of the server and its nightly run, however often that
// happens under load: with a Redis inside, which keeps nothing, and with one beside it.
func TestPromise5AnsweredActivitiesSurviveKills(t *testing.T) {
	t.Parallel()
	const secret = "the-services-secret-of-tests-of-32-bytes"
	service := harness.Must(token.Sign(secret, "service", "laurel", time.Now().Add(token.MaxAge)))(t)
	for name, args := range map[string][]string{
		"dev": {"dev", "--throttle", "0"}, "serve": {"serve", "--rate", "0"},
		"serve with Redis": {"serve", "--rate", "0", "--redis", testserver.OwnRedis(t).URL()},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			folder, env := t.TempDir(), append(os.Environ(), "SERVICE_SECRETS="+secret)
			killUnderLoad(t, testserver.Times(3, 80), service, func() *harness.Laurel {
				return harness.StartLaurel(t, []string{"laurel"}, folder, env, append(args, "--data", ".")...)
			})
		})
	}
}

// ask sends a request, and returns the status and the body, 0 if there is no server.
func ask(t *testing.T, s *harness.Laurel, method, path, bearer, body string) (status int, text string) {
	t.Helper()
	a, err := harness.Send(t.Context(), method, s.URL+path, body, "Authorization", "Bearer "+bearer)
	if err != nil {
		return 0, ""
	}
	return a.Status, a.Body
}

// killUnderLoad starts a server and kills it while users report, several times; at times it compares users'
// activities with the answered ones.
func killUnderLoad(t *testing.T, times int, bearer string, start func() *harness.Laurel) {
	t.Helper()
	const writing = 8
	answered := map[string]int{}
	for n := range times {
		s := start()
		var writers sync.WaitGroup
		var mu sync.Mutex
		for u := range writing {
			writers.Go(func() {
				user := fmt.Sprintf("u%d-%d", u, n/5)
				mu.Lock()
				count := answered[user]
				mu.Unlock()
				// The next server's writer sends unanswered activities again.
				for status := 1; status != 0; {
					status, _ = ask(t, s, http.MethodPost, "/v1/activities", bearer, fmt.Sprintf(
						`{"activities":[{"action":"publish","user":%q,"target":"a%d"}]}`, user, count))
					if status == http.StatusOK || status == http.StatusAccepted {
						count++
					}
				}
				mu.Lock()
				answered[user] = count
				mu.Unlock()
			})
		}
		time.Sleep(time.Duration(50+rand.IntN(300)) * time.Millisecond)
		s.Stop(os.Kill)
		writers.Wait()
		if n%5 == 4 || n == 0 || n == times-1 {
			checkAnswered(t, start(), bearer, answered)
		}
	}
}

var published = regexp.MustCompile(`"totals":\{"publish":\{"count":(\d+)`)

// checkAnswered compares users' activities with the answered ones: no fewer, and at most one more each, which was on
// its way.
func checkAnswered(t *testing.T, s *harness.Laurel, bearer string, answered map[string]int) {
	t.Helper()
	defer s.Stop(os.Kill)
	for status := 0; status != http.StatusOK; time.Sleep(5 * time.Millisecond) {
		status, _ = ask(t, s, http.MethodGet, "/readyz", "", "")
	}
	total := 0
	for user, n := range answered {
		total += n
		count, text := 0, ""
		for end := time.Now().Add(10 * time.Second); count < n && time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
			_, text = ask(t, s, http.MethodGet, "/v1/users/"+user+"/activity?days=2", bearer, "")
			if found := published.FindStringSubmatch(text); found != nil {
				_, _ = fmt.Sscan(found[1], &count)
			}
		}
		if count != n && count != n+1 {
			t.Fatalf("%s has %d, %d were answered: %s", user, count, n, text)
		}
	}
	t.Logf("%d answered activities are there", total)
}

// An import beside a server that is killed in its middle, and started again, continues by itself: nothing is lost,
// and nothing counts twice. An interrupted one reports so, and is completed by another.
func TestImportOutlivesTheServersKill(t *testing.T) {
	t.Parallel()
	const secret, rows = "the-services-secret-of-tests-of-32-bytes", 100_000
	folder, env := t.TempDir(), append(os.Environ(), "SERVICE_SECRETS="+secret, "LAUREL_NOW=2026-11-24T18:00:00Z")
	start := func() *harness.Laurel {
		return harness.StartLaurel(t, []string{"laurel"}, folder, env, "serve", "--rate", "0", "--data", ".")
	}
	var text strings.Builder
	text.WriteString("at,user,action,target\n")
	for i := range rows {
		moment := time.Date(2026, 11, 1+i%20, 12, 0, 0, 0, time.UTC)
		fmt.Fprintf(&text, "%s,u%d,publish,p%d\n", moment.Format(time.RFC3339), i%500, i)
	}
	harness.OK(t, os.WriteFile(filepath.Join(folder, "history.csv"), []byte(text.String()), 0o600))
	load := func(stop os.Signal) (code int, said string) {
		s := start()
		cmd := exec.CommandContext(t.Context(), "laurel", "import", "--json", "--data", ".", "history.csv")
		var out strings.Builder
		cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = folder, env, &out, &out
		harness.OK(t, cmd.Start())
		time.Sleep(1500 * time.Millisecond) // it checks for a second whether the file is free
		switch stop {
		case os.Kill:
			s.Stop(os.Kill)
			s = start()
		case os.Interrupt:
			harness.OK(t, cmd.Process.Signal(stop))
		}
		_ = cmd.Wait() // the code says it
		s.Stop(os.Interrupt)
		return cmd.ProcessState.ExitCode(), out.String()
	}
	if code, said := load(os.Interrupt); code != 1 || !strings.Contains(said, "laurel: interrupted after ") {
		t.Errorf("interrupted: %d, %s", code, said)
	}
	if code, said := load(os.Kill); code != 0 || !strings.Contains(said, fmt.Sprintf(`"lines":%d,`, rows)) {
		t.Errorf("killed: %d, %s", code, said)
	}
	if code, said := load(nil); code != 0 || !strings.Contains(said, fmt.Sprintf(`"receipts":{"duplicate":%d}`, rows)) {
		t.Errorf("again: %d, %s", code, said)
	}
}
