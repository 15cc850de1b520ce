// Package doctor looks at a Laurel that runs, from outside, as the forum's pages and its backend see it.
//
// Each check is a small function that asks something over HTTP and returns a Line: what was
// seen, whether that is well, and what to do if it is not. A check changes nothing, but that it tells
// Laurel which categories a Discourse shows guests; what it sends as a webhook is ignored. It follows
// no redirect, so that no token goes where it was not meant for, reads a megabyte of an answer of
// Laurel at most, and waits ten seconds for it.
//
// It does not look into the stores: `laurel audit` does.
package doctor

import (
	"cmp"
	"context"
	"crypto/rand"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"laurel/shared/activity"
	"laurel/shared/hooks"
)

// A Result is how a check has ended.
type Result string

// The results.
const (
	OK      Result = "ok"
	Warning Result = "warning" // it works, and somebody should look at it
	Failure Result = "failure"
	Skipped Result = "skipped" // nothing was given to check it with
)

// A Line is the result of a check.
type Line struct {
	Check  string   `json:"check"`
	Result Result   `json:"result"`
	Seen   string   `json:"seen"`
	More   []string `json:"more,omitempty"` // single things that were seen
	Do     string   `json:"do,omitempty"`   // what to do; "" if nothing is
}

// Text returns the line for people.
func (l Line) Text() string {
	lines := append([]string{l.Seen}, l.More...)
	if l.Do != "" {
		lines = append(lines, "-> "+l.Do)
	}
	return fmt.Sprintf("%-8s %-26s %s\n", l.Result, l.Check, strings.Join(lines, "\n"+strings.Repeat(" ", 36)))
}

// Well returns what is as it should be.
func Well(seen string, args ...any) Line { return Line{Result: OK, Seen: fmt.Sprintf(seen, args...)} }

// Warn returns what works, and what to do about it.
func Warn(do, seen string, args ...any) Line {
	return Line{Result: Warning, Seen: fmt.Sprintf(seen, args...), Do: do}
}

// Fail returns what does not work, and what to do about it.
func Fail(do, seen string, args ...any) Line {
	return Line{Result: Failure, Seen: fmt.Sprintf(seen, args...), Do: do}
}

func skipped(do, seen string) Line { return Line{Result: Skipped, Seen: seen, Do: do} }

// Options are what to look at, and with what.
type Options struct {
	URL    *url.URL // of the API, with the path of a stage if there is one
	Origin string   // of the forum's pages, such as https://forum.example; "" to leave that out
	Tokens []Token
	Hooks  hooks.Secrets // those of which a webhook is sent
	Now    func() time.Time
	HTTP   http.RoundTripper // nil: the default one
	Smoke  *Smoke            // nil: nothing is recorded
}

// A Token is a token and what people call it.
type Token struct{ Name, Text string }

// Run makes every check, in an order in which each says more than those before, and tells each result as it comes. When
// nothing answers that could be Laurel, nothing more is asked. It returns whether no check has failed.
func Run(ctx context.Context, o Options, tell func(Line)) (well bool) {
	c := &client{base: o.URL, now: o.Now, http: http.Client{
		Transport: cmp.Or[http.RoundTripper](o.HTTP, http.DefaultTransport), Timeout: patience,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
	well = true
	line := func(check string, l Line) {
		l.Check = check
		well = well && l.Result != Failure
		tell(l)
	}
	health, at := c.health(ctx)
	line("health", health)
	if at == nil {
		return well
	}
	line("clock", at.clock())
	line("address", c.encrypted(o.Origin))
	zone, today := c.zone(ctx)
	line("time zone", zone)
	told, rules := c.rules(ctx, today)
	line("rules", told)
	line("CORS", c.cors(ctx, o.Origin))
	if len(o.Tokens) == 0 {
		line("token", skipped("give --secret-file or --token", "no token to check"))
	}
	service, member := "", false
	for _, t := range o.Tokens {
		checked, isService := c.token(ctx, t.Text)
		if isService {
			service = t.Text
		}
		member = member || !isService && checked.Result == OK
		line("token of "+t.Name, checked)
	}
	if member && rules != nil {
		members(rules.On(today), line)
	}
	c.status(ctx, service, line)
	if len(o.Hooks[activity.DiscourseHooks]) > 0 || rules != nil && rules.Hook(activity.DiscourseHooks).Instance != "" {
		line("public categories", c.public(ctx, service, rules))
	}
	if len(o.Hooks) == 0 {
		line("webhook", skipped("give --hook-secrets", "no secret to sign one with"))
	}
	for _, source := range sortedKeys(o.Hooks) {
		line("webhook of "+source, c.hook(ctx, source, o.Hooks[source][0]))
	}
	if o.Smoke != nil {
		u := &smokeUser{client: c, token: service, id: Nobody + "-" + strings.ToLower(rand.Text()), rules: rules}
		u.choose(today)
		u.smoke(ctx, *o.Smoke, line)
	}
	return well
}
