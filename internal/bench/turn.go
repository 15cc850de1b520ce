package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"laurel/internal/e2e"
)

// turn sends the requests and returns what each of them cost.
func (s *side) turn(ctx context.Context, through string, requests []request, connections int) (t turn, err error) {
	process, ask, printed := "server", s.ask, 0
	if through == viaLambda {
		process, ask, connections = requests[0].function(), s.invoke, 1
		printed = len(s.functions[process].Stdout())
	}
	before, err := s.usage(process)
	if err != nil {
		return t, err
	}
	if t.latency, err = send(ctx, requests, connections, ask); err != nil {
		return t, err
	}
	after, err := s.usage(process)
	n := float64(len(requests))
	t.server = float64((after.cpu - before.cpu).Nanoseconds()) / 1000 / n
	t.redis = float64((after.redis - before.redis).Nanoseconds()) / 1000 / n
	t.allocs, t.kb = (after.allocs-before.allocs)/n, (after.bytes-before.bytes)/1000/n
	if through == viaLambda {
		t.trips = roundTrips(s.functions[process].Stdout()[printed:]) / n
	}
	return t, err
}

// usage is what a process and its Redis have used since their start.
type usage struct {
	cpu, redis    time.Duration
	allocs, bytes float64
}

// usage asks the probe of a process.
func (s *side) usage(process string) (u usage, err error) {
	c, err := net.Dial("unix", s.socket(process))
	if err != nil {
		return u, err
	}
	var pid int
	_, err = fmt.Fscan(c, &pid, &u.allocs, &u.bytes)
	if err := errors.Join(err, c.Close()); err != nil {
		return u, fmt.Errorf("probe of %s: %w", process, err)
	}
	if u.cpu, err = cpuOf("/proc", pid); err != nil {
		return u, err
	}
	u.redis, err = cpuOf("/proc", s.redis)
	return u, err
}

// cpuOf returns how long the threads of a process have run, in user and kernel mode.
// A thread that has ended does not count; threads of Go and of Redis do not end.
func cpuOf(proc string, pid int) (time.Duration, error) {
	files, err := filepath.Glob(filepath.Join(proc, strconv.Itoa(pid), "task", "*", "schedstat"))
	if err == nil && len(files) == 0 {
		err = fmt.Errorf("no threads of process %d in %s", pid, proc)
	}
	var sum time.Duration
	for _, file := range files {
		text, readErr := os.ReadFile(file)
		ran, _, _ := strings.Cut(string(text), " ") // in ns; then: time waited, and how often it ran
		ns, parseErr := strconv.ParseInt(ran, 10, 64)
		if err := cmp.Or(readErr, parseErr); err != nil {
			return 0, fmt.Errorf("CPU of a thread: %s: %w", file, err)
		}
		sum += time.Duration(ns)
	}
	return sum, err
}

var roundTripsMetric = regexp.MustCompile(`"RoundTrips":(\d+)`)

// roundTrips adds up those that a function's metrics tell of.
func roundTrips(output string) (sum float64) {
	for _, found := range roundTripsMetric.FindAllStringSubmatch(output, -1) {
		n, _ := strconv.ParseFloat(found[1], 64) // digits
		sum += n
	}
	return sum
}

// send sends requests on so many connections and returns how long each took.
func send(
	ctx context.Context, requests []request, connections int, ask func(context.Context, request) (string, error),
) ([]time.Duration, error) {
	took := make([]time.Duration, len(requests))
	var next atomic.Int64
	failed := make([]error, connections)
	var wg sync.WaitGroup
	for c := range connections {
		wg.Go(func() {
			for i := int(next.Add(1)); i <= len(requests) && failed[c] == nil; i = int(next.Add(1)) {
				began := time.Now()
				_, failed[c] = ask(ctx, requests[i-1])
				took[i-1] = time.Since(began)
			}
		})
	}
	wg.Wait()
	return took, errors.Join(failed...)
}

// ask sends a request to the server and returns the answer.
func (s *side) ask(ctx context.Context, r request) (string, error) {
	q, err := http.NewRequestWithContext(ctx, r.method, s.server+r.path+"?"+r.query, strings.NewReader(r.body))
	if err != nil {
		return "", err
	}
	if r.body != "" {
		q.Header.Set("Content-Type", "application/json")
		q.Header.Set("Authorization", "Bearer "+s.token)
	}
	answer, err := s.client.Do(q)
	if err != nil {
		return "", err
	}
	body, err := io.ReadAll(answer.Body)
	return string(body), errors.Join(err, answer.Body.Close(), r.check(answer.StatusCode, string(body)))
}

// function names the function that answers a request.
func (r request) function() string {
	if r.method == http.MethodGet {
		return "query"
	}
	return "record"
}

// invoke hands a request to its function, as API Gateway does, and returns the answer.
func (s *side) invoke(ctx context.Context, r request) (string, error) {
	caller := e2e.Caller{}
	if r.body != "" {
		caller = e2e.Service
	}
	event := e2e.Request(r.method, r.path+"?"+r.query, r.body, caller)
	// Old versions have their caller from API Gateway's own authorizer.
	event = bytes.Replace(event, []byte(`"authorizer": {`),
		[]byte(`"authorizer": {"jwt": {"claims": {"scope": "laurel/service"}},`), 1)
	text, err := s.functions[r.function()].Invoke(ctx, event)
	if err != nil {
		return "", err
	}
	var answer struct {
		StatusCode int    `json:"statusCode"`
		Body       string `json:"body"`
	}
	err = json.Unmarshal(text, &answer)
	return answer.Body, errors.Join(err, r.check(answer.StatusCode, answer.Body))
}

// check returns an error when an answer is not the one that is measured.
func (r request) check(status int, body string) error {
	if status != http.StatusOK || !strings.Contains(body, r.want) {
		return fmt.Errorf("%s %s: status %d, or no %s in %.300s", r.method, r.path, status, r.want, body)
	}
	return nil
}
