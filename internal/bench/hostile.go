package main

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// A crowd is the load of a server: one address that asks for many standings, plain readers, slow ones.
type crowd struct {
	address  string        // of a server with a board of users, whose ids are those of the tests
	users    int           // on the board
	lasts    time.Duration // of the readers
	slow     int           // readers who take a byte a second
	standing int           // requests a second for a hundred standings
	reports  int           // of the service, a second, of one activity each
	token    string        // of the service
}

// hostile measures how long plain readers wait beside requests for many standings, and how long slow readers last.
func hostile(c invocation) error {
	var o crowd
	c.StringVar(&o.address, "url", "http://127.0.0.1:8080", "`address` of a server on this machine")
	c.IntVar(&o.users, "users", 5_000, "`users` on its board, by the ids 10000000, 10000007, ...")
	c.DurationVar(&o.lasts, "for", time.Minute, "`time` to read")
	c.IntVar(&o.slow, "slow", 300, "`readers` who take a byte a second")
	c.IntVar(&o.standing, "rate", 5, "`requests` a second with a hundred ids")
	c.IntVar(&o.reports, "reports", 0, "`reports` a second, of one activity each")
	c.StringVar(&o.token, "token", "", "the service's `token`, for reports")
	if err := c.parse(); err != nil {
		return err
	}
	if o.users < 100 || o.standing < 1 {
		return errors.New("-users is at least 100, and -rate at least 1")
	}
	waits, refused, counted := o.read()
	slices.Sort(waits)
	if len(waits) == 0 {
		return fmt.Errorf("no reader has an answer from %s", o.address)
	}
	percentile := func(percent int) time.Duration { return waits[(len(waits)-1)*percent/100].Round(time.Millisecond) }
	_, err := fmt.Fprintf(c.out, "%d plain reads: p50 %s, p99 %s; %d requests of 100 ids were refused\n",
		len(waits), percentile(50), percentile(99), refused)
	if err == nil && o.reports > 0 {
		_, err = fmt.Fprintf(c.out, "%.0f reports a second were answered\n", float64(counted)/o.lasts.Seconds())
	}
	if err == nil && o.slow > 0 {
		var last time.Duration
		last, err = o.dawdle()
		_, _ = fmt.Fprintf(c.out, "%d slow readers: the server has left the last one after %s\n",
			o.slow, last.Round(time.Second))
	}
	return err
}

// userID is the id of the i-th user.
func userID(i int) string { return strconv.Itoa(10_000_000 + 7*i) }

const month = "/v1/boards/activity/month"

// read reads pages ten times a second beside the standings and the reports, and returns how long each page took, how
// many standings were refused, and how many reports were answered.
func (o crowd) read() (waits []time.Duration, refused, counted int) {
	var all sync.WaitGroup
	var mu sync.Mutex
	// However late a request is answered, the next one begins in time.
	every := func(pause time.Duration, request func() (method, path, body string), done func(time.Duration, bool)) {
		began := time.Now()
		all.Go(func() {
			for due := pause; due < o.lasts; due += pause {
				time.Sleep(time.Until(began.Add(due)))
				all.Go(func() {
					began := time.Now()
					ok := o.ask(request())
					mu.Lock()
					defer mu.Unlock()
					done(time.Since(began), ok)
				})
			}
		})
	}
	every(time.Second/time.Duration(o.standing), func() (_, _, _ string) {
		query := url.Values{}
		for _, i := range rand.Perm(o.users)[:100] {
			query.Add("users", userID(i))
		}
		return http.MethodGet, month + "?" + query.Encode(), ""
	}, func(_ time.Duration, ok bool) {
		if !ok {
			refused++
		}
	})
	every(time.Second/10, func() (_, _, _ string) {
		return http.MethodGet, fmt.Sprintf("%s?offset=%d", month, rand.IntN(o.users)), ""
	}, func(wait time.Duration, ok bool) {
		if ok {
			waits = append(waits, wait)
		}
	})
	if o.reports > 0 {
		every(time.Second/time.Duration(o.reports), func() (_, _, _ string) {
			return http.MethodPost, "/v1/activities", fmt.Sprintf(
				`{"activities":[{"user":%q,"action":"like","target":"%d"}]}`, userID(rand.IntN(o.users)), rand.IntN(1_000_000))
		}, func(_ time.Duration, ok bool) {
			if ok {
				counted++
			}
		})
	}
	all.Wait()
	return waits, refused, counted
}

// readers keeps the connections of many requests at once.
var readers = http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 256}}

// ask sends a request, one with a body as the service, and reports whether it is answered well.
func (o crowd) ask(method, path, body string) bool {
	request, err := http.NewRequest(method, o.address+path, strings.NewReader(body))
	if err != nil {
		return false
	}
	if body != "" {
		request.Header.Set("Authorization", "Bearer "+o.token)
		request.Header.Set("Content-Type", "application/json")
	}
	answer, err := readers.Do(request)
	if err != nil {
		return false
	}
	defer func() { _ = answer.Body.Close() }()
	_, _ = io.Copy(io.Discard, answer.Body)
	return answer.StatusCode == http.StatusOK
}

// dawdle opens connections whose answers are read a byte a second, and returns when the server has left the last of
// them: the system may still deliver written bytes.
func (o crowd) dawdle() (time.Duration, error) {
	host, began := strings.TrimPrefix(o.address, "http://"), time.Now()
	var open []net.Conn
	defer func() {
		for _, c := range open {
			_ = c.Close()
		}
	}()
	for range o.slow {
		c, err := net.Dial("tcp", host)
		if err != nil {
			return 0, fmt.Errorf("dial: %w", err)
		}
		open = append(open, c)
		go func() {
			_, _ = fmt.Fprintf(c, "GET %s?limit=100&offset=%d HTTP/1.1\r\nHost: %s\r\n\r\n", month, rand.IntN(o.users), host)
			for one := make([]byte, 1); ; time.Sleep(time.Second) {
				if _, err := c.Read(one); err != nil {
					return
				}
			}
		}()
	}
	_, port, err := net.SplitHostPort(host)
	for n := 1; n > 0 && err == nil && time.Since(began) < longest; time.Sleep(time.Second) {
		n, err = held(port)
	}
	return time.Since(began), err
}

const longest = 3 * time.Minute // that is waited for slow readers

// held counts the connections to a port of this machine that a process holds open.
func held(port string) (n int, err error) {
	number, err := strconv.ParseUint(port, 10, 16)
	table, failed := os.ReadFile("/proc/net/tcp")
	for line := range strings.Lines(string(table)) {
		f := strings.Fields(line) // local address, remote address, state, ..., inode: 0 for a socket of no process
		if len(f) > 9 && strings.HasSuffix(f[1], fmt.Sprintf(":%04X", number)) && f[3] != "0A" && f[9] != "0" {
			n++
		}
	}
	return n, errors.Join(err, failed)
}
