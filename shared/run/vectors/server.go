package vectors

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
	"strings"
	"time"

	"laurel/shared/api/auth"
)

// A Server is one whose boards are compared.
type Server struct {
	URL   *url.URL
	Token func(now time.Time) (string, error) // of the service, by the server's clock; nil: as laurel dev gives one
	Sleep func(context.Context, time.Duration) error

	state *state
}

// A state has the settings, the clock and a token of a server.
type state struct {
	zone  string
	now   time.Time
	rules []byte
	token string
}

// client finds out soon that there is no server.
var client = &http.Client{
	Timeout:       30 * time.Second,
	CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	Transport:     &http.Transport{DialContext: (&net.Dialer{Timeout: 2 * time.Second}).DialContext},
}

// A page is the answer of a board.
type page struct {
	Timezone string    `json:"timezone"`
	AsOf     time.Time `json:"asOf"`
	Entries  []struct {
		Rank      int64     `json:"rank"`
		Score     int64     `json:"score"`
		ReachedAt time.Time `json:"reachedAt"`
		User      struct {
			ID string `json:"id"`
		} `json:"user"`
		Team *struct {
			ID      string `json:"id"`
			Members int64  `json:"members"`
		} `json:"team"`
	} `json:"entries"`
	Next *string `json:"next"`
}

// ask reads the state of a server, with a token by its clock.
func (s *Server) ask(ctx context.Context) (*state, error) {
	if s.state != nil {
		return s.state, nil
	}
	var list struct {
		Boards []struct {
			Board   string   `json:"board"`
			Windows []string `json:"windows"`
		} `json:"boards"`
	}
	if err := s.send(ctx, "", http.MethodGet, "/v1/boards", nil, &list); err != nil {
		return nil, err
	}
	if len(list.Boards) == 0 || len(list.Boards[0].Windows) == 0 {
		return nil, fmt.Errorf("%s has no boards", s.URL)
	}
	var first page
	path := boardPath(list.Boards[0].Board, list.Boards[0].Windows[0]) + "?limit=1"
	if err := s.send(ctx, "", http.MethodGet, path, nil, &first); err != nil {
		return nil, err
	}
	sign := s.Token
	if sign == nil {
		sign = func(time.Time) (string, error) { return s.given(ctx) }
	}
	token, err := sign(first.AsOf)
	if err != nil {
		return nil, err
	}
	found := &state{zone: first.Timezone, now: first.AsOf, token: token}
	var rules json.RawMessage
	if err := s.send(ctx, token, http.MethodGet, "/v1/private/rules", nil, &rules); err != nil {
		return nil, err
	}
	found.rules = rules
	s.state = found
	return found, nil
}

// ErrNoToken is the error of a server that gives no tokens away.
var ErrNoToken = errors.New("this is no laurel dev, which gives a token to everybody")

// given returns a token that the server gives.
func (s *Server) given(ctx context.Context) (string, error) {
	status, token, err := s.once(ctx, "", http.MethodGet, "/dev/token?user=forum&scope="+auth.ServiceScope, nil)
	if err == nil && status != http.StatusOK {
		err = ErrNoToken
	}
	return strings.TrimSpace(string(token)), err
}

func boardPath(board, window string) string {
	return "/v1/boards/" + url.PathEscape(board) + "/" + url.PathEscape(window)
}

// The wait for a server whose boards are not ready, or that has had enough for a second.
const (
	readyWithin = time.Minute
	readyAgain  = 500 * time.Millisecond
)

// send sends a request, again while the server is not ready, and reads the answer.
func (s *Server) send(ctx context.Context, token, method, path string, body []byte, into any) error {
	for end := time.Now().Add(readyWithin); ; {
		status, answer, err := s.once(ctx, token, method, path, body)
		switch {
		case err != nil:
			return err
		case status == http.StatusNoContent:
			return nil
		case status == http.StatusOK, status == http.StatusAccepted:
			if err := json.Unmarshal(answer, into); err != nil {
				return fmt.Errorf("%s %s: %w", method, path, err)
			}
			return nil
		case status != http.StatusServiceUnavailable && status != http.StatusTooManyRequests || time.Now().After(end):
			return fmt.Errorf("%s %s: status %d: %.500s", method, path, status, answer)
		}
		if err := s.Sleep(ctx, readyAgain); err != nil {
			return err
		}
	}
}

// maxAnswer is the size of the largest answer that is read.
const maxAnswer = 8 << 20

func (s *Server) once(ctx context.Context, token, method, path string, body []byte) (int, []byte, error) {
	r, err := http.NewRequestWithContext(ctx, method, s.URL.String()+path, bytes.NewReader(body))
	if err != nil {
		return 0, nil, err
	}
	r.Header.Set("User-Agent", "laurel vectors")
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	response, err := client.Do(r)
	if err != nil {
		return 0, nil, err
	}
	defer func() { _ = response.Body.Close() }()
	answer, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer))
	return response.StatusCode, answer, err
}
