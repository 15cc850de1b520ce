package doctor

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
)

const (
	patience = 10 * time.Second // for an answer, its body included
	maxBody  = 1 << 20          // bytes of an answer that are read
	maxShown = 80               // bytes of one that are shown
)

// client asks one API.
type client struct {
	base *url.URL
	http http.Client
	now  func() time.Time
	most int64 // bytes of an answer that are read; 0: maxBody
}

// An answer is one, read.
type answer struct {
	status     int
	header     http.Header
	body       []byte
	long       bool      // there is more of the body
	begin, end time.Time // when it was requested, and when it came
	said       message
}

// message is the message of a problem, or of API Gateway itself.
type message struct {
	Message string `json:"message"` // of API Gateway
	Detail  string `json:"detail"`
	Code    string `json:"code"`
}

// get reads an answer of Laurel with status 200. Its error describes any other answer.
func (c *client) get(ctx context.Context, path string, into any, headers ...string) (*answer, error) {
	a, err := c.send(ctx, http.MethodGet, path, "", headers...)
	if err == nil {
		err = a.read(http.StatusOK, into)
	}
	return a, err
}

// send sends a request; headers are names and values in turn. Its error tells why there was no answer.
func (c *client) send(ctx context.Context, method, path, body string, headers ...string) (*answer, error) {
	path, query, _ := strings.Cut(path, "?")
	address := c.base.JoinPath(path)
	address.RawQuery = query
	r, err := http.NewRequestWithContext(ctx, method, address.String(), strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for pair := range slices.Chunk(headers, 2) {
		r.Header.Set(pair[0], pair[1])
	}
	a, most := &answer{begin: c.now()}, cmp.Or(c.most, maxBody)
	response, err := c.http.Do(r)
	if err != nil {
		return nil, reason(err)
	}
	defer func() { _ = response.Body.Close() }()
	a.status, a.header, a.end = response.StatusCode, response.Header, c.now()
	if a.body, err = io.ReadAll(io.LimitReader(response.Body, most+1)); err != nil {
		return nil, fmt.Errorf("the answer ends early: %w", reason(err))
	}
	a.long = int64(len(a.body)) > most
	if json.Unmarshal(a.body, &a.said) != nil {
		a.said = message{} // it is another answer
	}
	return a, nil
}

// reason returns the network's error, without the address, which may be long.
func reason(err error) error {
	if e, isURL := errors.AsType[*url.Error](err); isURL {
		if e.Timeout() {
			return fmt.Errorf("no answer within %v", patience)
		}
		return e.Err
	}
	return err
}

// read reads an answer of Laurel with a status; into may be nil. Its error describes any other answer.
func (a *answer) read(status int, into any) error {
	if a.status != status || a.long {
		return errors.New(a.shown())
	}
	if into == nil {
		return nil
	}
	if err := json.Unmarshal(a.body, into); err != nil {
		return fmt.Errorf("%s, which is not an answer of Laurel", a.shown())
	}
	return nil
}

// shown describes an answer for people: its status and its message.
func (a *answer) shown() string {
	text := fmt.Sprintf("%d %s", a.status, http.StatusText(a.status))
	if location := a.header.Get("Location"); location != "" {
		return text + " to " + shortened(location)
	}
	kind, _, _ := mime.ParseMediaType(a.header.Get("Content-Type"))
	if a.long {
		return fmt.Sprintf("%s with more than %d bytes of %s", text, maxBody, cmp.Or(kind, "something"))
	}
	if said := a.said.Message + a.said.Detail; said != "" {
		return text + ": " + shortened(said)
	}
	if strings.HasSuffix(kind, "json") {
		return text + ": " + shortened(string(bytes.TrimSpace(a.body)))
	}
	return text + " with " + cmp.Or(kind, "a body of no type")
}

// shortened returns a text that fits a line and moves no cursor.
func shortened(text string) string { return shortenedTo(text, maxShown) }

func shortenedTo(text string, most int) string {
	text = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(text, "?"))
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + "..."
	}
	return text
}
