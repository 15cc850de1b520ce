package main

import (
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
	code := m.Run()
	stopChromium()
	os.Exit(code)
}

// A process is the program as a process of its own, which can be killed.
type process struct {
	*exec.Cmd
	base string
}

// startProcess starts a server, and waits until it says where it is.
func startProcess(t *testing.T, args ...string) *process {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return startCommand(t, exec.Command(program, append(args, "--addr", "127.0.0.1:0")...))
}

func startCommand(t *testing.T, command *exec.Cmd) *process {
	t.Helper()
	p := &process{Cmd: command}
	p.Env = append(os.Environ(), asProgram+"=1")
	out, err := p.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	p.Stderr = p.Stdout
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	address := regexp.MustCompile(`(?m)^Laurel is on http://(\S+)$|"serving","addr":"([^"]+)"`)
	var said []byte
	for buffer := make([]byte, 4096); p.base == ""; {
		n, err := out.Read(buffer)
		said = append(said, buffer[:n]...)
		if found := address.FindSubmatch(said); found != nil {
			p.base = "http://" + string(found[1]) + string(found[2])
		} else if err != nil {
			t.Fatalf("the server does not start: %s", said)
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

// report reports that a user has published something, and says whether it was answered, and
// whether the server is there.
func (p *process) report(client *http.Client, token, user, target string) (answered, there bool) {
	body := `{"activities":[{"action":"publish","user":"` + user + `","target":"` + target + `"}]}`
	request, err := http.NewRequest(http.MethodPost, p.base+"/v1/activities", strings.NewReader(body))
	if err != nil {
		return false, false
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Authorization", "Bearer "+token)
	answer, err := client.Do(request)
	if err != nil {
		return false, false
	}
	defer answer.Body.Close()
	if _, err = io.Copy(io.Discard, answer.Body); err != nil {
		return false, false
	}
	return answer.StatusCode == http.StatusOK || answer.StatusCode == http.StatusAccepted, true
}

// Promise 5: whatever was answered is there after kill -9 of the server, its Redis, which
// keeps nothing, and its nightly run, once, however often that happens under load.
func TestPromise5AnsweredActivitiesSurviveKills(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	killUnderLoad(t, testserver.Times(6, 200), func() (*process, string) {
		p := startProcess(t, "dev", "--data", folder)
		_, token, _ := get(t, p.base+"/dev/token?scope=laurel/service")
		return p, strings.TrimSpace(token)
	})
}

// The same of a server of one's own, which answers while it is being filled, too, with its
// Redis inside and with one beside it.
func TestPromise5AnsweredActivitiesSurviveKillsOfServe(t *testing.T) {
	t.Parallel()
	for name, store := range map[string][]string{"embedded": nil, "Redis": {"--redis", testserver.OwnRedis(t).URL()}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			args := append([]string{
				"serve", "--data", t.TempDir(), "--service-secrets", secretFile(t, serviceSecret), "--rate", "0",
			}, store...)
			service := signed(t, serviceSecret, "service")
			killUnderLoad(t, testserver.Times(3, 50), func() (*process, string) { return startProcess(t, args...), service })
		})
	}
}

// killUnderLoad starts a server, kills it while users report, and so on; at times it compares
// what users have with what was answered.
func killUnderLoad(t *testing.T, times int, start func() (p *process, token string)) {
	t.Helper()
	const writing = 8
	answered := map[string]int{}
	for n := range times {
		p, token := start()
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
				for there := true; there; {
					var ok bool
					if ok, there = p.report(client, token, user, fmt.Sprint("a", count)); ok {
						count++
					}
				}
				mu.Lock()
				answered[user] = count
				mu.Unlock()
			})
		}
		time.Sleep(time.Duration(50+rand.IntN(300)) * time.Millisecond)
		p.kill()
		writers.Wait()
		if n%5 == 4 || n == 0 || n == times-1 {
			checkAnswered(t, start, answered)
		}
	}
}

// checkAnswered compares what users have with what was answered: nothing less, and at most
// one more each, which was on its way.
func checkAnswered(t *testing.T, start func() (*process, string), answered map[string]int) {
	t.Helper()
	p, token := start()
	defer p.kill()
	for status := 0; status != http.StatusOK; time.Sleep(5 * time.Millisecond) {
		status, _, _ = get(t, p.base+"/readyz")
	}
	total := 0
	for user, n := range answered {
		total += n
		count, text := 0, ""
		for end := time.Now().Add(10 * time.Second); count < n && time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
			text = getAs(t, p.base+"/v1/users/"+user+"/activity?days=2", token)
			if found := regexp.MustCompile(`"totals":\{"publish":\{"count":(\d+)`).FindStringSubmatch(text); found != nil {
				_, _ = fmt.Sscan(found[1], &count)
			}
		}
		if count != n && count != n+1 {
			t.Fatalf("%s has %d, %d were answered: %s", user, count, n, text)
		}
	}
	t.Logf("%d answered activities are there", total)
}

func getAs(t *testing.T, address, token string) string {
	t.Helper()
	request, err := http.NewRequest(http.MethodGet, address, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
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
