package main

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"laurel/internal/harness"
	"laurel/internal/testserver"
)

// Everybody has a name, an avatar and a link. The first of all users have 300 entries this month, those after them
// 30, the others 1.
const (
	allUsers                   = 100_000
	heavyUsers, heavyEntries   = 500, 300
	mediumUsers, mediumEntries = 5_000, 30
)

// BenchmarkRequests sends the same requests to two programs by turns, each with a Redis of its own that it filled, and
// tells the CPU that the program and its Redis take for one. The ratio holds on a busy machine; the rest is of this
// machine at this moment. make bench-http builds BENCH_OLD and BENCH_NEW.
func BenchmarkRequests(b *testing.B) {
	history := filepath.Join(b.TempDir(), "history.csv")
	harness.OK(b, os.WriteFile(history, []byte(historyOf(time.Now())), 0o600))
	sides := []*side{startSide(b, "BENCH_OLD", history), startSide(b, "BENCH_NEW", history)}
	for name, next := range scenarios() {
		b.Run(name, func(b *testing.B) {
			began := []time.Duration{sides[0].cpu(b), sides[1].cpu(b)}
			n := 0
			for ; b.Loop(); n++ {
				r := next()
				for i := range sides { // another one first in the next round
					sides[(i+n)%2].ask(b, r)
				}
			}
			before, after := sides[0].cpu(b)-began[0], sides[1].cpu(b)-began[1]
			b.ReportMetric(float64(before.Microseconds())/float64(n), "old-us/op")
			b.ReportMetric(float64(after.Microseconds())/float64(n), "new-us/op")
			b.ReportMetric(float64(after)/float64(before), "new/old")
		})
	}
}

// A call is a request, and a text that its answer contains.
type call struct{ method, path, body, want string }

// scenarios are the kinds of requests, of random users. No two activities have one target: one that came twice
// would be a duplicate, and cheaper.
func scenarios() map[string]func() call {
	random, target := rand.New(rand.NewPCG(3, 4)), 1_000_000
	write := func(size, from, to int) func() call {
		return func() call {
			var all []string
			for range size {
				target++
				all = append(all, reported(userID(from+random.IntN(to-from)), target))
			}
			// On the first of a month all of the history is of one day, and a report is capped; else it is counted.
			return call{http.MethodPost, "/v1/activities", harness.Report(all...), `"status":"c`}
		}
	}
	around := func(n int) func() call {
		return func() call {
			path := fmt.Sprintf("%s/users/%s?around=%d", month, userID(random.IntN(allUsers)), n)
			return call{http.MethodGet, path, "", `"avatar":`}
		}
	}
	return map[string]func() call{
		"write, 1 entry":           write(1, heavyUsers+mediumUsers, allUsers),
		"write, 30 entries":        write(1, heavyUsers, heavyUsers+mediumUsers),
		"write, 300 entries":       write(1, 0, heavyUsers),
		"batch of 100, 30 entries": write(100, heavyUsers, heavyUsers+mediumUsers),
		"top 30":                   func() call { return call{http.MethodGet, month + "?limit=30", "", `"avatar":`} },
		"standing":                 around(0),
		"around 15":                around(15),
		"page of 100": func() call {
			path := fmt.Sprintf("%s?limit=100&offset=%d", month, random.IntN(allUsers-100))
			return call{http.MethodGet, path, "", `"avatar":`}
		},
		"ids of 100": func() call {
			ids := make([]string, 100)
			for i := range ids {
				ids[i] = userID(random.IntN(allUsers/100) + i*allUsers/100)
			}
			return call{http.MethodGet, month + "?users=" + strings.Join(ids, "&users="), "", `"rank":`}
		},
	}
}

// reported is an activity of a user, another one for each number.
func reported(user string, n int) string {
	action := []string{`like"`, `bookmark"`, fmt.Sprintf(`comment","ref":"%d"`, 5_000_000+n)}[n%3]
	return fmt.Sprintf(`{"user":%q,"action":"%s,"target":"%d"}`, user, action, n)
}

// historyOf returns the users' activities of this month until now, as an import reads them.
func historyOf(now time.Time) string {
	month, random := time.Date(now.Year(), now.Month(), 1, 0, 0, 0, 0, time.UTC), rand.New(rand.NewPCG(1, 2))
	var text strings.Builder
	text.WriteString("at,user,action,target,ref\n")
	for i := range allUsers {
		entries := 1
		if i < heavyUsers {
			entries = heavyEntries
		} else if i < heavyUsers+mediumUsers {
			entries = mediumEntries
		}
		for n := range entries {
			moment := month.Add(time.Duration(random.Int64N(int64(now.Sub(month))))).UnixMilli()
			action := []string{"like,%d,", "bookmark,%d,", "comment,%d,7"}[n%3]
			fmt.Fprintf(&text, "%d,%s,"+action+"\n", moment, userID(i), 100_000+n*37)
		}
	}
	return text.String()
}

// A side is a program as it runs, and its Redis.
type side struct {
	url, token string
	processes  []int
}

// startSide starts the side that a variable names, and fills it.
func startSide(b *testing.B, variable, history string) *side {
	b.Helper()
	server := testserver.OwnRedis(b)
	laurel := harness.StartLaurel(b, []string{os.Getenv(variable)}, "", append(os.Environ(), "LAUREL_THROTTLE=0"),
		"dev", "--redis", server.URL(), "--import", history)
	s := &side{url: laurel.URL, processes: []int{laurel.Process.Pid, processOf(b, server)}}
	s.token = strings.TrimSpace(s.ask(b, call{http.MethodGet, "/dev/token?scope=laurel/service", "", ""}))
	for start := 0; start < allUsers; start += 100 {
		var people []string
		for i := start; i < start+100; i++ {
			people = append(people, fmt.Sprintf(`{"id":"%[1]s","name":"User %[1]s",`+
				`"avatar":"https://forum.example/avatars/%[1]s.png","link":"https://forum.example/u/%[1]s"}`, userID(i)))
		}
		s.ask(b, call{http.MethodPut, "/v1/users", `{"users":[` + strings.Join(people, ",") + `]}`, `"avatar":`})
	}
	return s
}

// ask sends a request and returns the answer, which has to be the one that is measured.
func (s *side) ask(b *testing.B, c call) string {
	b.Helper()
	token := ""
	if c.body != "" {
		token = s.token
	}
	answer := harness.NewClient(b, s.url).Do(c.method, c.path, token, c.body)
	if answer.Status != http.StatusOK || !strings.Contains(answer.Body, c.want) {
		b.Fatalf("%s %s: status %d, or no %s in %.300s", c.method, c.path, answer.Status, c.want, answer.Body)
	}
	return answer.Body
}

// cpu is how long the threads of the processes have run. One that has ended does not count; those of Go and of Redis
// do not end.
func (s *side) cpu(b *testing.B) (sum time.Duration) {
	b.Helper()
	for _, pid := range s.processes {
		for _, file := range harness.Must(filepath.Glob(fmt.Sprintf("/proc/%d/task/*/schedstat", pid)))(b) {
			var ran time.Duration // in ns; then: time waited, and how often it ran
			harness.Must(fmt.Sscan(string(harness.Must(os.ReadFile(file))(b)), &ran))(b)
			sum += ran
		}
	}
	return sum
}
