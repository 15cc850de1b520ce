package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"laurel/internal/testserver"
)

// asProgram is set for a process of the tests that is the program.
const asProgram = "LAUREL_TEST_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		os.Exit(run(context.Background(), os.Args[1:], streams{in: os.Stdin, out: os.Stdout, err: os.Stderr}))
	}
	os.Exit(m.Run())
}

// A process is the program as a process of its own, which can be killed.
type process struct {
	*exec.Cmd
	base string
}

// startProcess starts a dev server on a folder.
func startProcess(t *testing.T, folder string) *process {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	p := &process{Cmd: exec.Command(program, "dev", "--addr", "127.0.0.1:0", "--data", folder)}
	p.Env = append(os.Environ(), asProgram+"=1")
	var errs bytes.Buffer
	p.Stderr = &errs
	out, err := p.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	address := regexp.MustCompile(`(?m)^Laurel is on (http://\S+)$`)
	var said []byte
	for buffer := make([]byte, 4096); p.base == ""; {
		n, err := out.Read(buffer)
		said = append(said, buffer[:n]...)
		if found := address.FindSubmatch(said); found != nil {
			p.base = string(found[1])
		} else if err != nil {
			t.Fatalf("the server does not start: %s%s", said, errs.String())
		}
	}
	go func() { _, _ = io.Copy(io.Discard, out) }()
	return p
}

// kill ends the process as a power failure does.
func (p *process) kill() {
	_ = p.Process.Kill()
	_ = p.Wait()
}

// report reports that a user has published something, and says whether it was answered.
func (p *process) report(client *http.Client, token, user, target string) bool {
	body := `{"activities":[{"action":"publish","user":"` + user + `","target":"` + target + `"}]}`
	request, err := http.NewRequest(http.MethodPost, p.base+"/v1/activities", strings.NewReader(body))
	if err != nil {
		return false
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Authorization", "Bearer "+token)
	answer, err := client.Do(request)
	if err != nil {
		return false
	}
	defer answer.Body.Close()
	_, err = io.Copy(io.Discard, answer.Body)
	return err == nil && answer.StatusCode == http.StatusOK
}

// Promise 5: whatever was answered is there after kill -9 of the server, its Redis, which
// keeps nothing, and its nightly run, once, however often that happens under load.
func TestPromise5AnsweredActivitiesSurviveKills(t *testing.T) {
	t.Parallel()
	const writing = 8
	folder, answered := t.TempDir(), map[string]int{}
	for n := range testserver.Times(6, 200) {
		p := startProcess(t, folder)
		_, token, _ := get(t, p.base+"/dev/token?scope=laurel/service")
		var writers sync.WaitGroup
		var mu sync.Mutex
		for u := range writing {
			writers.Go(func() {
				client := &http.Client{Transport: &http.Transport{}, Timeout: 10 * time.Second}
				defer client.CloseIdleConnections()
				user := fmt.Sprintf("u%d-%d", u, n/5)
				mu.Lock()
				count := answered[user]
				mu.Unlock()
				// What was not answered is sent again by the next server's writer.
				for p.report(client, strings.TrimSpace(token), user, fmt.Sprint("a", count)) {
					count++
				}
				mu.Lock()
				answered[user] = count
				mu.Unlock()
			})
		}
		time.Sleep(time.Duration(20+rand.IntN(150)) * time.Millisecond)
		p.kill()
		writers.Wait()
		if n%5 == 4 || n == 0 {
			checkAnswered(t, folder, answered)
		}
	}
	checkAnswered(t, folder, answered)
}

// checkAnswered compares what users have with what was answered: nothing less, and at most
// one more each, which was on its way.
func checkAnswered(t *testing.T, folder string, answered map[string]int) {
	t.Helper()
	p := startProcess(t, folder)
	defer p.kill()
	_, token, _ := get(t, p.base+"/dev/token?scope=laurel/service")
	for user, n := range answered {
		request, err := http.NewRequest(http.MethodGet, p.base+"/v1/users/"+user+"/activity?days=2", http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Authorization", "Bearer "+strings.TrimSpace(token))
		answer, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		text, _ := io.ReadAll(answer.Body)
		_ = answer.Body.Close()
		count := 0
		if found := regexp.MustCompile(`"totals":\{"publish":\{"count":(\d+)`).FindSubmatch(text); found != nil {
			_, _ = fmt.Sscan(string(found[1]), &count)
		}
		if count != n && count != n+1 {
			t.Fatalf("%s has %d, %d were answered: %s", user, count, n, text)
		}
	}
}
