package httpapi

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/aws/aws-lambda-go/events"

	"laurel/shared/api/auth"
)

// ErrEvent is a function's answer to an event that is not a request of an HTTP API.
var ErrEvent = errors.New("httpapi: the event is not a request of an HTTP API, payload format 2.0")

// A LambdaFunction is a function that the Lambda runtime calls.
type LambdaFunction = func(
	context.Context, events.APIGatewayV2HTTPRequest) (events.APIGatewayV2HTTPResponse, error)

// Lambda returns the function that answers events of an HTTP API, payload format 2.0, with a handler,
// which sees the request as the client sent it, as far as the event tells it, with the caller whom
// API Gateway's authorizer has checked. Any request is answered before the function is at its end.
//
// API Gateway decodes a path before it hands it on, so an id with a slash or a question mark in it
// can't be distinguished from more path and can't be reached there.
func Lambda(h http.Handler) LambdaFunction {
	h = WithRequestID(h)
	return func(ctx context.Context, event events.APIGatewayV2HTTPRequest) (events.APIGatewayV2HTTPResponse, error) {
		method := event.RequestContext.HTTP.Method
		if method == "" { // every request has one
			return events.APIGatewayV2HTTPResponse{}, ErrEvent
		}
		ctx, cancel := WithReserve(ctx)
		defer cancel()
		w := &response{header: http.Header{}}
		if r, err := requestOf(ctx, event); err == nil {
			h.ServeHTTP(w, r)
		} else { // the client's bytes are at fault, not the function
			w.header.Set("Cache-Control", "no-store")
			w.header.Set(RequestIDHeader, event.RequestContext.RequestID)
			newProblem(CodeUnreadable, "the request is not readable").write(w)
		}
		return w.lambda(method), nil
	}
}

// requestOf makes the request that an event tells of.
func requestOf(ctx context.Context, event events.APIGatewayV2HTTPRequest) (*http.Request, error) {
	about := event.RequestContext
	r, err := requestWith(ctx, about.HTTP.Method, event.Body, event.IsBase64Encoded)
	if err != nil {
		return nil, err
	}
	// In spite of its name rawPath is decoded, and has the name of the stage before it, unless that is $default.
	path := event.RawPath
	if rest, ok := strings.CutPrefix(path, "/"+about.Stage); ok && strings.HasPrefix(rest, "/") {
		path = rest
	}
	r.URL = &url.URL{Path: "/" + strings.TrimPrefix(path, "/"), RawQuery: event.RawQueryString}
	r.RequestURI, r.RemoteAddr = r.URL.RequestURI(), about.HTTP.SourceIP
	for name, value := range event.Headers { // one that came more than once is joined with commas
		r.Header.Set(name, value)
	}
	if len(event.Cookies) > 0 {
		r.Header.Set("Cookie", strings.Join(event.Cookies, "; "))
	}
	if about.RequestID != "" { // its log names it, too
		r.Header.Set(RequestIDHeader, about.RequestID)
	}
	r.Host = r.Header.Get("Host")
	r.Header.Del("Host")
	if about.Authorizer == nil { // even with a token
		return r, nil
	}
	text, _ := about.Authorizer.Lambda[auth.ContextKey].(string)
	if caller, err := auth.ParseText(text); err == nil {
		r = r.WithContext(auth.WithCaller(ctx, caller))
	}
	return r, nil
}

// requestWith makes a request with the method and the body of an event.
func requestWith(ctx context.Context, method, text string, encoded bool) (*http.Request, error) {
	body := []byte(text)
	if encoded {
		var err error
		if body, err = base64.StdEncoding.DecodeString(text); err != nil {
			return nil, fmt.Errorf("httpapi: body of an event: %w", err)
		}
	}
	r, err := http.NewRequestWithContext(ctx, method, "/", bytes.NewReader(body))
	if err != nil {
		return nil, fmt.Errorf("httpapi: method of an event: %w", err)
	}
	return r, nil
}

// lambda returns the answer as API Gateway takes it.
func (r *response) lambda(method string) events.APIGatewayV2HTTPResponse {
	r.WriteHeader(http.StatusOK)
	out := events.APIGatewayV2HTTPResponse{StatusCode: r.status, Headers: map[string]string{}}
	for name, values := range r.header {
		if name == "Set-Cookie" { // the one header that can't be joined
			out.Cookies = values
			continue
		}
		out.Headers[name] = strings.Join(values, ", ")
	}
	switch {
	case method == http.MethodHead:
	case utf8.Valid(r.body):
		out.Body = string(r.body)
	default:
		out.Body, out.IsBase64Encoded = base64.StdEncoding.EncodeToString(r.body), true
	}
	return out
}

// Reserve is how much of a function's time is kept for its answer: never more than a quarter of the time left.
const Reserve = 500 * time.Millisecond

// WithReserve returns a context that ends before the given one's deadline, by Reserve. Lambda ends a function
// at its deadline, and the caller learns nothing; an operation that waits for a store until then gives up too late to
// say
// so. A context without a deadline, as outside Lambda, has none afterwards either.
func WithReserve(ctx context.Context) (context.Context, context.CancelFunc) {
	end, ok := ctx.Deadline()
	if !ok {
		return context.WithCancel(ctx)
	}
	return context.WithDeadline(ctx, end.Add(-min(Reserve, time.Until(end)/4)))
}
