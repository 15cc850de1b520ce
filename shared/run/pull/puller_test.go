package pull_test

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
	"strings"
	"testing"
	"time"

	"laurel/internal/harness"
	"laurel/shared/run/pull"
)

// A puller pulls a source into a forum's Laurel.
type puller struct {
	t      *testing.T
	runner pull.Runner
	sent   []string // writing requests of the last run
	waited []time.Duration
	file   []byte // the state's file when the last of them was sent
	fail   int    // the number of the request that gets no answer; one with an odd number arrives
}

var errCut = errors.New("the connection is cut")

func newPuller(t *testing.T, f *harness.Forum) *puller {
	t.Helper()
	p := &puller{t: t}
	p.runner = pull.Runner{File: filepath.Join(t.TempDir(), "state"), Now: func() time.Time { return f.Now }}
	p.runner.Laurel = p.service("Laurel", f.URL, http.Header{"Authorization": {"Bearer " + f.Service()}})
	return p
}

// service returns a service at an address, whose requests the puller notes.
func (p *puller) service(name, address string, header http.Header) *pull.Service {
	return &pull.Service{
		Name: name, URL: harness.Must(url.Parse(address))(p.t), HTTP: p,
		Header: func() (http.Header, error) { return header.Clone(), nil },
		Sleep: func(_ context.Context, d time.Duration) error {
			if p.waited = append(p.waited, d); p.fail > 0 && len(p.sent) >= p.fail {
				return errCut
			}
			return nil
		},
	}
}

// RoundTrip notes requests to Laurel, each of which has to be in the state's file.
func (p *puller) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Method == http.MethodGet {
		return http.DefaultTransport.RoundTrip(r)
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	p.sent = append(p.sent, r.Method+" "+r.URL.Path+" "+string(body))
	r.Body = io.NopCloser(bytes.NewReader(body))
	if p.file, err = os.ReadFile(p.runner.File); err != nil {
		return nil, fmt.Errorf("a request was sent before it was written: %w", err)
	}
	if len(p.sent) == p.fail && p.fail%2 == 0 {
		return nil, errCut
	}
	response, err := http.DefaultTransport.RoundTrip(r)
	if len(p.sent) == p.fail && err == nil {
		_ = response.Body.Close()
		return nil, errCut
	}
	return response, err
}

// pull makes a run.
func (p *puller) pull() pull.Summary {
	p.t.Helper()
	p.sent, p.waited = nil, nil
	sum, err := p.runner.Run(p.t.Context())
	if err != nil || len(sum.Refused) > 0 {
		p.t.Fatalf("%+v, %v", sum, err)
	}
	return sum
}

// kill makes a run that is killed, or cut off, at its nth request: its file stays as it was then, or not.
func (p *puller) kill(n int, dies bool) {
	p.t.Helper()
	p.sent, p.fail = nil, n
	_, err := p.runner.Run(p.t.Context())
	if p.fail = 0; err != nil && !errors.Is(err, errCut) {
		p.t.Fatal(err)
	}
	if len(p.sent) == n && dies {
		harness.OK(p.t, os.WriteFile(p.runner.File, p.file, 0o600))
	}
}

// scores returns the month scores of some users.
func scores(f *harness.Forum, users ...int64) string {
	f.TB.Helper()
	var line []string
	for _, u := range users {
		line = append(line, fmt.Sprint(f.ScoreOn("2026-11", fmt.Sprint(u))))
	}
	return strings.Join(line, " ")
}
