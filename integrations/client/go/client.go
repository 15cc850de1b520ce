// Package laurel is a client of Laurel, leaderboards for forums. A Client reports users' activities, reads boards,
// and keeps profiles, follow lists and articles; Verify checks the events that Laurel sends. It promises to send a
// request again only where that changes nothing, to stay within the context's deadline, and to return typed results
// or a Problem. It does not keep requests that it could not send.
package laurel

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
)

// maxAnswer is how many bytes of an answer are read; a page of 100 entries has some 50,000.
const maxAnswer = 16 << 20

// A Client sends requests to one Laurel. It is safe for concurrent use, once its fields are set.
type Client struct {
	// HTTP sends the requests. Its Timeout is that of each try; New sets 30 seconds.
	HTTP *http.Client
	// Tries is how often a request is sent at most. New sets 4.
	Tries int
	// MaxWait is the longest Retry-After that is obeyed; after a longer one the problem is returned. New sets a minute.
	MaxWait time.Duration

	address string
	tokens  *tokens
	member  chan struct{} // holds one value while a report without moments is on its way
}

// New returns a client of the Laurel at an address, https://boards.example. A nil source is for public reads alone.
func New(address string, source TokenSource) *Client {
	return &Client{
		HTTP: &http.Client{Timeout: 30 * time.Second}, Tries: 4, MaxWait: time.Minute,
		address: strings.TrimRight(address, "/"),
		tokens:  &tokens{source: source, lock: make(chan struct{}, 1)}, member: make(chan struct{}, 1),
	}
}

// A request is one operation. Each may be sent again: its body has its time and its id, where they matter.
type request struct {
	method string
	path   string // with the query; its segments are escaped
	body   any    // nil for none
	public bool   // it needs no token and gets none, so that caches answer it and browsers ask no leave for it
}

// do sends a request until it is answered, and decodes the answer into a value. The error is or wraps a *Problem if
// Laurel or a server before it refused, and the context's error if that ended first.
func (c *Client) do(ctx context.Context, r request, into any) error {
	var body []byte
	if r.body != nil {
		var err error
		if body, err = json.Marshal(r.body); err != nil {
			return fmt.Errorf("laurel: %s %s: %w", r.method, r.path, err)
		}
	}
	refused := ""
	for try := 1; ; {
		token, err := c.tokens.get(ctx, r, refused)
		if err != nil {
			return err
		}
		if err = c.send(ctx, r, token, body, into); err == nil {
			return nil
		}
		if refused == "" && token != "" && refusesToken(err) {
			refused = token
			continue // with another token; nothing was applied
		}
		wait, again := c.wait(ctx, err, try)
		if !again {
			return err
		}
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return fmt.Errorf("%w; before: %w", ctx.Err(), err)
		}
		try++
	}
}

// errUnsent is wrapped by the errors of requests that could not even be made, so sending them again is of no use.
var errUnsent = errors.New("laurel: the request cannot be made")

// send sends a request once.
func (c *Client) send(ctx context.Context, r request, token string, body []byte, into any) error {
	if !strings.HasPrefix(r.path, "/") { // a next from elsewhere must not lead the token elsewhere
		return fmt.Errorf("%w: %q is not a path", errUnsent, r.path)
	}
	sent, err := http.NewRequestWithContext(ctx, r.method, c.address+r.path, bytes.NewReader(body))
	if err != nil {
		return fmt.Errorf("%w: %w", errUnsent, err)
	}
	if body != nil {
		sent.Header.Set("Content-Type", "application/json")
	}
	if token != "" {
		sent.Header.Set("Authorization", "Bearer "+token)
	}
	answer, err := c.HTTP.Do(sent)
	if err != nil {
		return fmt.Errorf("laurel: %w", err)
	}
	defer func() { _ = answer.Body.Close() }() // only the bytes read count
	text, err := io.ReadAll(io.LimitReader(answer.Body, maxAnswer))
	if err != nil {
		return fmt.Errorf("laurel: %s %s: %w", r.method, r.path, err)
	}
	if answer.StatusCode < 200 || answer.StatusCode > 299 {
		return problem(answer, text)
	}
	if answer.StatusCode == http.StatusNoContent {
		return nil
	}
	if err := json.Unmarshal(text, into); err != nil {
		return fmt.Errorf("laurel: the answer to %s %s: %w", r.method, r.path, err)
	}
	return nil
}

// call sends a request and returns its answer.
func call[T any](ctx context.Context, c *Client, r request) (*T, error) {
	into := new(T)
	if err := c.do(ctx, r, into); err != nil {
		return nil, err
	}
	return into, nil
}

// pathOf returns a path with escaped segments.
func pathOf(format string, segments ...string) string {
	escaped := make([]any, len(segments))
	for i, s := range segments {
		escaped[i] = url.PathEscape(s)
	}
	return fmt.Sprintf(format, escaped...)
}

// ask returns a path with parameters, each a name and its value; those that are empty or 0 are left out.
func ask(path string, parameters ...any) string {
	query := url.Values{}
	for parameter := range slices.Chunk(parameters, 2) {
		name, value := fmt.Sprint(parameter[0]), parameter[1]
		if list, ok := value.([]string); ok {
			query[name] = list
		} else if text := fmt.Sprint(value); text != "" && value != 0 {
			query.Set(name, text)
		}
	}
	if text := query.Encode(); text != "" {
		return path + "?" + text
	}
	return path
}

// A Page is one of a list: Board, Friends, Periods, Following, Entries or Articles.
type Page[P, T any] interface {
	*P
	page() (items []T, next request)
}

// All yields the items of a list from a page on. It follows the paths that pages name in Next and computes no offsets:
// on a live board these carry the position of the last entry, so that nobody who stays is left out while others
// overtake. An error ends it.
func All[L Page[P, T], P, T any](ctx context.Context, c *Client, first L) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for page := first; ; {
			items, next := page.page()
			for _, item := range items {
				if !yield(item, nil) {
					return
				}
			}
			if next.path == "" {
				return
			}
			var err error
			if page, err = call[P](ctx, c, next); err != nil {
				yield(*new(T), err)
				return
			}
		}
	}
}

// open is a read that everybody may make.
func open(path string) request { return request{method: http.MethodGet, path: path, public: true} }

// own is a read of a user's own data.
func own(path string) request { return request{method: http.MethodGet, path: path} }

func (b *Board) page() ([]Entry, request)                 { return b.Entries, open(b.Next) }
func (f *Friends) page() ([]Friend, request)              { return f.Entries, own(f.Next) }
func (p *Periods) page() ([]Period, request)              { return p.Periods, open(p.Next) }
func (f *Following) page() ([]User, request)              { return f.Users, own(f.Next) }
func (e *Entries) page() ([]KeptEntry, request)           { return e.Entries, own(e.Next) }
func (r *OperatorsRecord) page() ([]RecordedAct, request) { return r.Record, own(r.Next) }
func (a *Articles) page() ([]Article, request)            { return a.Articles, open(a.Next) }
