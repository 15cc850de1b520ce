// Package doctor checks a running Laurel from outside, as the forum's pages and its backend see it.
//
// Each check is a small function that sends requests and returns a Line: the finding, whether it is well, and the act
// that mends it. A check changes nothing, except that it tells Laurel the categories that a Discourse shows guests;
// its webhooks are ignored. It follows no redirect, so that no token goes to another server, reads at most a megabyte
// of a Laurel answer, and waits ten seconds for it.
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

	"laurel/shared/core/activity"
	"laurel/shared/core/signatures"
)

// A Result is the outcome of a check.
type Result string

// The results.
const (
	OK      Result = "ok"
	Warning Result = "warning" // it works, and an operator should look at it
	Failure Result = "failure"
	Skipped Result = "skipped" // nothing was given for the check
)

// A Line is the result of a check.
type Line struct {
	Check  string   `json:"check"`
	Result Result   `json:"result"`
	Seen   string   `json:"seen"`
	More   []string `json:"more,omitempty"` // single findings
	Do     string   `json:"do,omitempty"`   // the act that mends it; "" if none is needed
}

// Text returns the line for people.
func (l Line) Text() string {
	lines := append([]string{l.Seen}, l.More...)
	if l.Do != "" {
		lines = append(lines, "-> "+l.Do)
	}
	return fmt.Sprintf("%-8s %-26s %s\n", l.Result, l.Check, strings.Join(lines, "\n"+strings.Repeat(" ", 36)))
}

// Well returns a line about a thing that is as it should be.
func Well(seen string, args ...any) Line { return Line{Result: OK, Seen: fmt.Sprintf(seen, args...)} }

// Warn returns a line about a thing that works, and the act that improves it.
func Warn(do, seen string, args ...any) Line {
	return Line{Result: Warning, Seen: fmt.Sprintf(seen, args...), Do: do}
}

// Fail returns a line about a thing that does not work, and the act that mends it.
func Fail(do, seen string, args ...any) Line {
	return Line{Result: Failure, Seen: fmt.Sprintf(seen, args...), Do: do}
}

func skipped(do, seen string) Line { return Line{Result: Skipped, Seen: seen, Do: do} }

// Options are the address to check, and the tokens and secrets for it.
type Options struct {
	URL    *url.URL // of the API, with the path of a stage if there is one
	Origin string   // of the forum's pages, such as https://forum.example; "" to leave that out
	Tokens []Token
	Hooks  signatures.Secrets // the sources that a test webhook is sent for
	Now    func() time.Time
	HTTP   http.RoundTripper // nil: the default one
	Smoke  *Smoke            // nil: nothing is recorded
}

// A Token is a token and its name for people.
type Token struct{ Name, Text string }

// Run makes every check, in an order in which each tells more than those before, and shows each result as it comes.
// If nothing at the address can be Laurel, it stops. It returns whether no check has failed.
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
	health, answer := c.health(ctx)
	line("health", health)
	if answer == nil {
		return well
	}
	line("clock", answer.clock())
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
