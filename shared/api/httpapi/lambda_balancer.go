package httpapi

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/aws/aws-lambda-go/events"
)

// LambdaOrBalancer returns the function that answers events of an HTTP API as Lambda does, and those of an Application
// Load Balancer whose target group has multi-value headers. A request through a load balancer has no caller, even with
// a token, which nobody has checked.
func LambdaOrBalancer(h http.Handler) func(context.Context, json.RawMessage) (any, error) {
	gateway, balanced := Lambda(h), WithRequestID(h)
	return func(ctx context.Context, raw json.RawMessage) (any, error) {
		var e events.APIGatewayV2HTTPRequest
		if err := json.Unmarshal(raw, &e); err == nil && e.RequestContext.HTTP.Method != "" {
			return gateway(ctx, e)
		}
		var b events.ALBTargetGroupRequest
		if err := json.Unmarshal(raw, &b); err != nil || b.RequestContext.ELB.TargetGroupArn == "" {
			return nil, ErrEvent
		}
		ctx, cancel := WithReserve(ctx)
		defer cancel()
		w := &response{header: http.Header{}}
		if r, err := requestOfBalancer(ctx, b); err == nil {
			balanced.ServeHTTP(w, r)
		} else { // the client's bytes are at fault, not the function
			Identify(w, (&http.Request{}).WithContext(ctx))
			w.header.Set("Cache-Control", "no-store")
			newProblem(CodeUnreadable, "the request is not readable").write(w)
		}
		return w.balancer(b.HTTPMethod), nil
	}
}

// requestOfBalancer makes the request that an event tells of. A load balancer decodes neither the path nor the query
// ("Use Lambda functions as targets of an Application Load Balancer"), of which it does not keep the names' order.
func requestOfBalancer(ctx context.Context, e events.ALBTargetGroupRequest) (*http.Request, error) {
	r, err := requestWith(ctx, e.HTTPMethod, e.Body, e.IsBase64Encoded)
	if err != nil {
		return nil, err
	}
	var query []string
	for _, name := range slices.Sorted(maps.Keys(e.MultiValueQueryStringParameters)) {
		for _, value := range e.MultiValueQueryStringParameters[name] {
			query = append(query, name+"="+value)
		}
	}
	path, err := url.PathUnescape(e.Path)
	if err != nil {
		return nil, fmt.Errorf("httpapi: path of an event: %w", err)
	}
	r.URL = &url.URL{Path: path, RawPath: e.Path, RawQuery: strings.Join(query, "&")}
	r.RequestURI = r.URL.RequestURI()
	for name, values := range e.MultiValueHeaders {
		r.Header[http.CanonicalHeaderKey(name)] = values
	}
	r.Header.Del(RequestIDHeader) // a client's
	via := strings.Split(strings.Join(r.Header["X-Forwarded-For"], ","), ",")
	r.RemoteAddr = strings.TrimSpace(via[len(via)-1]) // the load balancer adds its client
	r.Host = r.Header.Get("Host")
	r.Header.Del("Host")
	return r, nil
}

// balancer returns the answer as a load balancer takes it.
func (r *response) balancer(method string) events.ALBTargetGroupResponse {
	whole := r.lambda(method)
	return events.ALBTargetGroupResponse{
		StatusCode: whole.StatusCode, StatusDescription: fmt.Sprint(whole.StatusCode, " ", http.StatusText(whole.StatusCode)),
		MultiValueHeaders: r.header, Body: whole.Body, IsBase64Encoded: whole.IsBase64Encoded,
	}
}
