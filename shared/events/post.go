package events

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
)

var (
	// errGone is wrapped if the receiver wants no events any more: 410.
	errGone   = errors.New("the receiver answers 410: it wants no events")
	errScheme = errors.New("the address does not begin with https://; EVENTS_PRIVATE allows it")
)

// maxAnswer is how much of an answer is read, so that its connection can be used again.
const maxAnswer = 16 << 10

// A poster makes requests.
type poster struct {
	client  *http.Client
	private bool
}

// send sends a body. The error says why the receiver has not taken it, without the address, which may have
// a secret in it.
func (p *poster) send(ctx context.Context, address string, headers map[string]string, body []byte) error {
	if !p.private && !strings.HasPrefix(strings.ToLower(address), "https://") {
		return errScheme
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(body))
	if err != nil {
		return errors.New("the address is not one of HTTP")
	}
	for name, value := range headers {
		request.Header.Set(name, value)
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("User-Agent", "Laurel")
	response, err := p.client.Do(request)
	if err != nil {
		return withoutAddress(err)
	}
	defer func() { _ = response.Body.Close() }()
	_, _ = io.CopyN(io.Discard, response.Body, maxAnswer) // the status has told all
	switch code := response.StatusCode; {
	case code >= 200 && code < 300:
		return nil
	case code == http.StatusGone:
		return errGone
	case code >= 300 && code < 400:
		return fmt.Errorf("the receiver answers %d: redirects are not followed", code)
	default:
		return fmt.Errorf("the receiver answers %d", code)
	}
}

// withoutAddress returns what is wrong without the address, which package net/http names.
func withoutAddress(err error) error {
	if e, ok := errors.AsType[*url.Error](err); ok {
		err = e.Err
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return errors.New("no answer in time")
	}
	return err
}
