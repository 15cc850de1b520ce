package pull

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"laurel/shared/core/activity"
	"laurel/shared/core/board"
)

const (
	patience = 30 * time.Second // for an answer
	reach    = 2 * time.Second  // for a connection
	tries    = 5                // of a request that may succeed later
	maxBody  = 16 << 20         // bytes of an answer that are read
)

// A Service is a server that answers over HTTP: Laurel, or a forum.
type Service struct {
	Name   string // in errors
	URL    *url.URL
	Header func() (http.Header, error) // of each request
	HTTP   http.RoundTripper
	Pace   time.Duration // before each request
	Sleep  func(context.Context, time.Duration) error
	Tell   func(err error, wait time.Duration) // of a failed attempt and the time until the next one; nil tells nobody
}

// A StatusError is an answer whose status is no success.
type StatusError struct {
	Status int
	Detail string

	after time.Duration // the time to wait before the next attempt, as the answer says
}

// Error returns the status and the answer's text.
func (e *StatusError) Error() string {
	return fmt.Sprintf("%d %s: %.300s", e.Status, http.StatusText(e.Status), e.Detail)
}

// Do sends a request, again if that may succeed, and returns the answer's body. Its path may have a query.
func (s *Service) Do(ctx context.Context, r Request) ([]byte, error) {
	wait := s.Pace
	for n := 0; ; n++ {
		if wait > 0 {
			if err := s.Sleep(ctx, wait); err != nil {
				return nil, err
			}
		}
		body, err := s.once(ctx, r)
		if err == nil {
			return body, nil
		}
		wait = time.Second << n
		again := ctx.Err() == nil && n < tries-1
		if status, ok := errors.AsType[*StatusError](err); ok {
			wait = max(wait, status.after)
			again = again && (status.Status == http.StatusTooManyRequests || status.Status >= http.StatusInternalServerError)
		}
		err = fmt.Errorf("%s, %s %s: %w", s.Name, r.Method, r.Path, err)
		if !again {
			return nil, err
		}
		if s.Tell != nil {
			s.Tell(err, wait)
		}
	}
}

// once sends a request, and returns the body of its answer.
func (s *Service) once(ctx context.Context, r Request) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	path, err := url.Parse(r.Path)
	if err != nil {
		return nil, err
	}
	address := s.URL.JoinPath(path.EscapedPath())
	address.RawQuery = path.RawQuery
	request, err := http.NewRequestWithContext(ctx, r.Method, address.String(), bytes.NewReader(r.Body))
	if err != nil {
		return nil, err
	}
	if request.Header, err = s.Header(); err != nil {
		return nil, err
	}
	if r.Body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	client := http.Client{Transport: s.HTTP, CheckRedirect: func(*http.Request, []*http.Request) error {
		return http.ErrUseLastResponse // a secret is sent with it
	}}
	answer, err := client.Do(request)
	if err != nil {
		if e, ok := errors.AsType[*url.Error](err); ok {
			err = e.Err
		}
		return nil, err
	}
	defer func() { _ = answer.Body.Close() }()
	body, err := io.ReadAll(io.LimitReader(answer.Body, maxBody))
	if err == nil && answer.StatusCode/100 != 2 {
		seconds, _ := strconv.Atoi(answer.Header.Get("Retry-After"))
		after := time.Duration(min(max(seconds, 0), 600)) * time.Second
		err = &StatusError{answer.StatusCode, detail(answer, body), after}
	}
	return body, err
}

// detail returns an answer's text, without control characters.
func detail(answer *http.Response, body []byte) string {
	if location := answer.Header.Get("Location"); location != "" {
		return "it is redirected to " + location
	}
	var problem struct {
		Detail string            `json:"detail"`
		Errors []json.RawMessage `json:"errors"`
	}
	text := string(body)
	if json.Unmarshal(body, &problem) == nil && problem.Detail != "" {
		text = problem.Detail
		if len(problem.Errors) > 0 {
			text += ": " + string(problem.Errors[0])
		}
	}
	return strconv.QuoteToGraphic(text)
}

// Transport returns the transport of a command. A server has 2 s to answer a connection.
func Transport() http.RoundTripper {
	t := http.DefaultTransport.(*http.Transport).Clone() //nolint:forcetypeassert // it is one
	t.DialContext = (&net.Dialer{Timeout: reach}).DialContext
	return t
}

// Missing reports whether an error is a 404.
func Missing(err error) bool {
	status, ok := errors.AsType[*StatusError](err)
	return ok && (status.Status == http.StatusNotFound || status.Status == http.StatusGone)
}

// Rules returns Laurel's whole rules, which its service alone reads.
func (s *Service) Rules(ctx context.Context) (*activity.Rules, error) {
	var text json.RawMessage
	if err := s.Get(ctx, "/v1/private/rules", &text); err != nil {
		return nil, err
	}
	rules, err := activity.ParseRules(text)
	if err != nil {
		return nil, fmt.Errorf("%s, its rules: %w", s.Name, err)
	}
	return rules, nil
}

// A LedgerEntry is one of Laurel's entries of a user, with the fields that are read.
type LedgerEntry struct {
	Action     string        `json:"action"`
	Target     string        `json:"target"`
	TargetHash string        `json:"targetHash"`
	Ref        string        `json:"ref"`
	RefHash    string        `json:"refHash"`
	State      string        `json:"state"`
	Points     int64         `json:"points"`
	Month      board.MonthOf `json:"month"`
	Day        board.Date    `json:"day"`
	LastAt     string        `json:"lastAt"`
	UndoneAt   string        `json:"undoneAt"`
	RestoredAt string        `json:"restoredAt"`
}

// Undone is the state of an entry that was taken back.
const Undone = "undone"

// Get reads an answer in JSON.
func (s *Service) Get(ctx context.Context, path string, into any) error {
	text, err := s.Do(ctx, Request{Method: http.MethodGet, Path: path})
	if err != nil {
		return err
	}
	if err := json.Unmarshal(text, into); err != nil {
		return fmt.Errorf("%s, GET %s: not an answer of its kind: %w", s.Name, path, err)
	}
	return nil
}

// LedgerEntries reads all pages of a user's entries, those that a query asks for.
func (s *Service) LedgerEntries(ctx context.Context, user string, query url.Values) (all []LedgerEntry, err error) {
	query.Set("limit", "100")
	for path := "/v1/users/" + url.PathEscape(user) + "/entries?" + query.Encode(); path != ""; {
		var p struct {
			Entries []LedgerEntry `json:"entries"`
			Next    string        `json:"next"`
		}
		if err := s.Get(ctx, path, &p); err != nil {
			return nil, err
		}
		all, path = append(all, p.Entries...), p.Next
	}
	return all, nil
}
