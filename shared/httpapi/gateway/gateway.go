package gateway

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"unicode/utf8"

	"github.com/aws/aws-lambda-go/events"

	"laurel/shared/auth"
	"laurel/shared/httpapi"
)

// ErrEvent is a function's answer to an event that is not a request of an HTTP API.
var ErrEvent = errors.New("gateway: the event is not a request of an HTTP API, payload format 2.0")

// A Function is what the Lambda runtime calls.
type Function = func(context.Context, events.APIGatewayV2HTTPRequest) (events.APIGatewayV2HTTPResponse, error)

// Handle returns the function that answers events with the handler.
func Handle(h http.Handler) Function {
	return func(ctx context.Context, event events.APIGatewayV2HTTPRequest) (events.APIGatewayV2HTTPResponse, error) {
		if event.RequestContext.HTTP.Method == "" { // every request has one
			return events.APIGatewayV2HTTPResponse{}, ErrEvent
		}
		ctx, cancel := Early(ctx)
		defer cancel()
		w := &writer{header: http.Header{}}
		if r, err := request(ctx, event); err == nil {
			h.ServeHTTP(w, r)
		} else { // the client's bytes are at fault, not the function
			httpapi.AnswerUnreadable(w)
		}
		return w.response(event.RequestContext.HTTP.Method), nil
	}
}

// request makes the request that an event tells of.
func request(ctx context.Context, event events.APIGatewayV2HTTPRequest) (*http.Request, error) {
	about := event.RequestContext
	body := []byte(event.Body)
	if event.IsBase64Encoded {
		var err error
		if body, err = base64.StdEncoding.DecodeString(event.Body); err != nil {
			return nil, fmt.Errorf("gateway: body: %w", err)
		}
	}
	r, err := http.NewRequestWithContext(ctx, about.HTTP.Method, "/", bytes.NewReader(body))
	if err != nil {
		return nil, fmt.Errorf("gateway: method: %w", err)
	}
	r.URL = &url.URL{Path: path(event), RawQuery: event.RawQueryString}
	r.RequestURI = r.URL.RequestURI()
	r.RemoteAddr = about.HTTP.SourceIP
	for name, value := range event.Headers { // one that came more than once is joined with commas
		r.Header.Set(name, value)
	}
	if len(event.Cookies) > 0 {
		r.Header.Set("Cookie", strings.Join(event.Cookies, "; "))
	}
	r.Host = r.Header.Get("Host")
	r.Header.Del("Host")
	if caller, ok := callerOf(about.Authorizer); ok {
		r = r.WithContext(auth.WithCaller(ctx, caller))
	}
	return r, nil
}

// path returns the request's path. The event has it decoded, in spite of its
// name rawPath, and with the name of the stage before it, unless that is
// $default.
func path(event events.APIGatewayV2HTTPRequest) string {
	p := event.RawPath
	if rest, ok := strings.CutPrefix(p, "/"+event.RequestContext.Stage); ok && strings.HasPrefix(rest, "/") {
		p = rest
	}
	return "/" + strings.TrimPrefix(p, "/")
}

// ContextCaller is the name under which the authorizer tells API Gateway, and so the
// functions and the queue, the text of who is calling.
const ContextCaller = "caller"

// callerOf returns whom the authorizer has named. A route without one has no caller,
// whatever token came along.
func callerOf(authorizer *events.APIGatewayV2HTTPRequestContextAuthorizerDescription) (auth.Caller, bool) {
	if authorizer == nil {
		return auth.Caller{}, false
	}
	text, _ := authorizer.Lambda[ContextCaller].(string)
	caller, err := auth.ParseText(text)
	return caller, err == nil
}

// writer keeps an answer until it is whole.
type writer struct {
	header http.Header
	status int
	body   bytes.Buffer
}

// Header returns the headers that are going to be sent.
func (w *writer) Header() http.Header { return w.header }

// WriteHeader sets the status; the first one counts.
func (w *writer) WriteHeader(status int) {
	if w.status == 0 {
		w.status = status
	}
}

// Write adds to the body.
func (w *writer) Write(p []byte) (int, error) {
	w.WriteHeader(http.StatusOK)
	return w.body.Write(p)
}

// response makes the reply of a handler that is done.
func (w *writer) response(method string) events.APIGatewayV2HTTPResponse {
	w.WriteHeader(http.StatusOK)
	response := events.APIGatewayV2HTTPResponse{StatusCode: w.status, Headers: map[string]string{}}
	for name, values := range w.header {
		if name == "Set-Cookie" { // the one header that can't be joined
			response.Cookies = values
			continue
		}
		response.Headers[name] = strings.Join(values, ", ")
	}
	if method == http.MethodHead {
		return response
	}
	response.Body = w.body.String()
	if !utf8.ValidString(response.Body) {
		response.Body, response.IsBase64Encoded = base64.StdEncoding.EncodeToString(w.body.Bytes()), true
	}
	return response
}
