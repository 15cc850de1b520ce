package laurel

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A Problem is the answer to a request that was refused (RFC 9457). Code names its kind and does not change; Title
// and Detail are for people. An answer of API Gateway or a proxy is a problem without a Code.
type Problem struct { //nolint:errname // the word of RFC 9457
	Type     string      `json:"type"`
	Title    string      `json:"title"`
	Status   int         `json:"status"`
	Detail   string      `json:"detail"`
	Code     string      `json:"code"`
	Errors   []Violation `json:"errors"`
	Instance string      `json:"instance"` // the request's id, by which an operator finds it in the log

	RetryAfter time.Duration `json:"-"` // by the header; 0 for none
}

// Error returns a line with all violations, without their values, as these may be private.
func (p *Problem) Error() string {
	text := fmt.Sprintf("laurel: %d %s: %s", p.Status, cmp.Or(p.Code, http.StatusText(p.Status)), p.Detail)
	var wrong []string
	for _, v := range p.Errors {
		wrong = append(wrong, v.Location+": "+v.Message)
	}
	if len(wrong) > 0 {
		text += " (" + strings.Join(wrong, "; ") + ")"
	}
	if p.Instance != "" {
		text += ", request " + p.Instance
	}
	return text
}

// problem returns the problem in an answer.
func problem(answer *http.Response, text []byte) *Problem {
	var body struct {
		Problem

		Message string `json:"message"` // API Gateway's
	}
	isProblem := strings.HasPrefix(answer.Header.Get("Content-Type"), "application/problem+json")
	_ = json.Unmarshal(text, &body) // of a proxy it may be HTML: the status alone says enough then
	p := &body.Problem
	if !isProblem {
		p = &Problem{Detail: cmp.Or(body.Message, http.StatusText(answer.StatusCode))}
	}
	p.Status, p.RetryAfter = answer.StatusCode, retryAfter(answer.Header)
	p.Instance = cmp.Or(p.Instance, answer.Header.Get("X-Request-Id"), answer.Header.Get("Apigw-Requestid"))
	return p
}

// refusesToken reports whether an error may be that of an expired token: 401 of Laurel, or 403 of API Gateway, which
// has no code. A 403 with a code is for good: the token may not do this.
func refusesToken(err error) bool {
	p, ok := errors.AsType[*Problem](err)
	return ok && (p.Status == http.StatusUnauthorized || p.Status == http.StatusForbidden && p.Code == "")
}

// The waits before the second and any later try, where the answer does not say more: twice as long each time.
const (
	firstWait = 200 * time.Millisecond
	lastWait  = 5 * time.Second
)

// wait returns how long to wait for the next try, if there is one: after a failure that may pass, within tries and
// deadline.
func (c *Client) wait(ctx context.Context, err error, try int) (wait time.Duration, again bool) {
	if try >= c.Tries || ctx.Err() != nil || errors.Is(err, errUnsent) {
		return 0, false
	}
	if p, ok := errors.AsType[*Problem](err); ok {
		if !slices.Contains(mayPass, p.Status) || p.RetryAfter > c.MaxWait {
			return 0, false
		}
		wait = p.RetryAfter
	}
	most := firstWait
	for range try - 1 {
		most = min(2*most, lastWait)
	}
	wait += most/2 + rand.N(most/2) // with jitter: clients that failed together do not come together again
	if deadline, ok := ctx.Deadline(); ok && time.Until(deadline) < wait {
		return 0, false
	}
	return wait, true
}

// mayPass are statuses after which the same request may be answered otherwise a little later.
var mayPass = []int{
	http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout,
}

// retryAfter reads the header Retry-After: seconds, or a time, which proxies send. It is 0 for none.
func retryAfter(header http.Header) time.Duration {
	text := header.Get("Retry-After")
	if seconds, err := strconv.Atoi(text); err == nil {
		return time.Duration(max(seconds, 0)) * time.Second
	}
	moment, err := http.ParseTime(text)
	if err != nil {
		return 0
	}
	return max(time.Until(moment), 0)
}
