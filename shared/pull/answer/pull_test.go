package answer_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"testing"
	"time"

	"laurel/internal/harness"
	"laurel/internal/testserver"
	"laurel/shared/pull"
	"laurel/shared/pull/answer"
)

// A puller pulls a site into its forum's Laurel.
type puller struct {
	t      testing.TB
	runner pull.Runner
	sent   []string // writing requests of the last run
}

func newPuller(s *site, change ...func(*answer.Source)) *puller {
	o := answer.Source{Database: "sqlite:" + s.file, Zone: time.UTC, Forum: "https://answer.example", Erase: true}
	for _, c := range change {
		c(&o)
	}
	at := harness.Must(url.Parse(s.forum.URL))(s.t)
	p := &puller{t: s.t}
	p.runner = pull.Runner{
		Source: &o, File: filepath.Join(s.t.TempDir(), "state"), Now: func() time.Time { return s.forum.Now },
		Laurel: &pull.Service{
			Name: "Laurel", URL: at, HTTP: p,
			Header: func() (http.Header, error) {
				return http.Header{"Authorization": {"Bearer " + s.forum.Service()}}, nil
			},
			Sleep: func(context.Context, time.Duration) error { return errors.New("it waits") },
		},
	}
	return p
}

// RoundTrip notes what is sent.
func (p *puller) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Method == http.MethodGet {
		return http.DefaultTransport.RoundTrip(r)
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	if _, err = os.Stat(p.runner.File); err != nil {
		return nil, fmt.Errorf("what is sent was not written first: %w", err)
	}
	p.sent = append(p.sent, r.Method+" "+r.URL.Path+" "+string(body))
	r.Body = io.NopCloser(bytes.NewReader(body))
	return http.DefaultTransport.RoundTrip(r)
}

// pull makes a run.
func (p *puller) pull() pull.Summary {
	p.t.Helper()
	p.sent = nil
	sum, err := p.runner.Run(p.t.Context())
	if err != nil || len(sum.Refused) > 0 {
		p.t.Fatalf("%+v, %v", sum, err)
	}
	return sum
}

func opened(t *testing.T, start time.Time) (*harness.Forum, *site) {
	t.Helper()
	f := harness.NewForum(t, harness.Setup{Now: start}).Serve()
	return f, newSite(t, f)
}

// A vote that is cast, taken back and cast again is one row, and counts on the day on which it was
// cast again, whenever the pull comes by; also within one second, at whose end the pull comes by
// each time.
func TestVoteIsOneRow(t *testing.T) {
	t.Parallel()
	for polls := range 8 { // a bit for each step after which the pull comes by
		for i, wait := range []time.Duration{13 * time.Hour, time.Second, 100 * time.Millisecond} {
			if i != (polls+2)%3 && testserver.Times(1, 3) == 1 {
				continue // all of them in check-long
			}
			f, s := opened(t, time.Date(2026, 11, 20, 3, 0, 0, 0, time.UTC))
			p := newPuller(s)
			ann, bob := s.join("ann"), s.join("bob")
			q := s.ask(ann, "How to?")
			p.pull()
			s.wait(time.Second)
			for i, step := range []func(int64, int64){s.up, s.down, s.up} {
				if step(bob, q); polls&(1<<i) != 0 {
					p.pull()
				}
				s.wait(wait)
			}
			p.pull()
			day := "2026-11-20"
			if wait > time.Hour {
				day = "2026-11-21"
			}
			if got := f.ScoreOn(day, fmt.Sprint(bob)); got != 2 || scores(f, bob) != "2" {
				t.Errorf("%b, %s: the like has %d points on %s, %s in the month", polls, wait, got, day, scores(f, bob))
			}
			s.down(bob, q)
			p.pull()
			if got := scores(f, bob); got != "0" {
				t.Errorf("%b, %s: taken back it has %s points", polls, wait, got)
			}
			s.wait(2 * time.Hour)
			if p.pull(); len(p.sent) > 0 {
				t.Errorf("%b, %s: without news it sends %q", polls, wait, p.sent)
			}
		}
	}
}
