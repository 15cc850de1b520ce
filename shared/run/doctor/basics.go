package doctor

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"laurel/shared/api/httpapi"
	"laurel/shared/core/activity"
	"laurel/shared/core/board"
)

// The allowed error of the clock: reports more than 5 minutes ahead are refused, as are webhooks that are 5 minutes
// off.
const (
	offWarning = 30 * time.Second
	offFailure = 5 * time.Minute
)

// health checks that Laurel answers and reaches its stores. It returns nil if another server answers.
func (c *client) health(ctx context.Context) (Line, *answer) {
	a, err := c.send(ctx, http.MethodGet, "/v1/health", "")
	if err != nil {
		return Fail("look whether the server runs, and at the address in --url, the proxy and the firewall",
			"cannot be reached: %v", err), nil
	}
	var h httpapi.Health
	status := http.StatusOK
	if a.status == http.StatusServiceUnavailable {
		status = a.status
	}
	err = a.read(status, &h)
	switch {
	case a.status >= 300 && a.status < 400:
		return Fail("give the address it redirects to as --url; clients must not be redirected, as they do not send "+
			"their token again", "%s", a.shown()), nil
	case err == nil && h.Status == "unavailable":
		names := slices.DeleteFunc(sortedKeys(h.Stores), func(name string) bool { return h.Stores[name] == "ok" })
		return Fail("GET /v1/health names the store; docs/operations.md has the remedy",
			"a store is unavailable: %s", strings.Join(names, ", ")), a
	case err != nil && a.status == http.StatusForbidden:
		return Fail("if the API takes requests of the CDN alone, give the CDN's address as --url",
			"%v", err), nil
	case err != nil || h.Status != "ok" || len(h.Stores) == 0:
		return Fail("look at the address in --url: it is that of the API, with its path if it has one, and not of the "+
			"forum; a proxy has to pass every path on", "not Laurel: %s", a.shown()), nil
	}
	return Well("its stores can be reached: %s; the view is in %s", strings.Join(sortedKeys(h.Stores), ", "), h.View), a
}

// clock compares the time in an answer with this computer's while the answer was on its way.
func (a *answer) clock() Line {
	const do = "set both clocks by NTP: reports that are more than 5 minutes ahead are refused, and so are webhooks " +
		"that are 5 minutes off"
	date, err := http.ParseTime(a.header.Get("Date"))
	if err != nil {
		return Warn("have the proxy pass the header Date on", "the answer has no date")
	}
	off := max(a.begin.Add(-time.Second).Sub(date), date.Sub(a.end), 0) // it has whole seconds
	text := fmt.Sprintf("it differs from this computer's by %v", off.Round(time.Second))
	switch {
	case off >= offFailure:
		return Fail(do, "%s", text)
	case off >= offWarning:
		return Warn(do, "%s", text)
	default:
		return Well("as this computer's")
	}
}

// encrypted checks that nobody can read tokens on their way, and that browsers of the forum's visitors can reach the
// address, which plugins have.
func (c *client) encrypted(origin string) Line {
	page, err := url.Parse(origin)
	switch visited := err == nil && page.Host != "" && !local(page.Hostname()); {
	case visited && local(c.base.Hostname()):
		return Warn("give Laurel an address of its own with TLS, and the plugin that address: boards stay empty for "+
			"everybody else", "%s is within this machine or network, where browsers of visitors of %s cannot reach it",
			c.base, origin)
	case visited && page.Scheme == "https" && c.base.Scheme != "https":
		return Warn("put a proxy with TLS in front, and give its address: browsers block it within pages over https",
			"%s is not encrypted, and %s is", c.base, origin)
	case c.base.Scheme == "https" || loopback(c.base.Hostname()):
		return Well("%s", c.base)
	}
	return Warn("put a proxy with TLS in front, and give its address: tokens can be read on their way",
		"%s is not encrypted", c.base)
}

func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || strings.HasSuffix(host, ".localhost") || ip != nil && ip.IsLoopback()
}

// local reports whether a host is known only within a machine or its network.
func local(host string) bool {
	ip := net.ParseIP(host)
	private := ip != nil && (ip.IsPrivate() || ip.IsLinkLocalUnicast() || ip.IsUnspecified())
	return loopback(host) || private || ip == nil && !strings.Contains(host, ".")
}

// zone shows the forum's time zone, and returns the day there, that of UTC if the zone is not known.
func (c *client) zone(ctx context.Context) (l Line, today board.Date) {
	const do = "it should answer as docs/boards.md says; a proxy must pass every path on"
	today = board.NewCalendar(time.UTC).Date(board.MomentOf(c.now()))
	var list httpapi.BoardList
	_, err := c.get(ctx, "/v1/boards", &list)
	if err != nil || len(list.Boards) == 0 || len(list.Boards[0].Windows) == 0 {
		return Fail(do, "/v1/boards: %v", cmp.Or(err, errors.New("no boards"))), today
	}
	path := "/v1/boards/" + list.Boards[0].Board + "/" + list.Boards[0].Windows[0] + "?limit=1"
	var b httpapi.Board
	if _, err = c.get(ctx, path, &b); err != nil {
		return Fail(do, "%s: %v", path, err), today
	}
	zone, err := time.LoadLocation(b.Timezone)
	asOf, unread := time.Parse(time.RFC3339, b.AsOf)
	if err != nil || unread != nil || b.Timezone == "" {
		return Fail(do, "%s has no time zone, or no moment", path), today
	}
	text := fmt.Sprintf("%s, where it is %s", zone, asOf.In(zone).Format("2006-01-02 15:04"))
	today = board.NewCalendar(zone).Date(board.MomentOf(asOf))
	if off := c.now().Sub(asOf).Abs(); off > offFailure {
		return Warn("it runs with --now, or its clock is wrong", "%s; this computer's clock says %s", text,
			c.now().In(zone).Format("2006-01-02 15:04")), today
	}
	return Well("%s", text), today
}

// rules shows the rules in force, and returns all, nil if they cannot be read.
func (c *client) rules(ctx context.Context, today board.Date) (Line, *activity.Rules) {
	const do = "compare /v1/rules with the file of --rules or RULES_FILE; docs/rules.md lists its fields"
	a, err := c.send(ctx, http.MethodGet, "/v1/rules", "")
	if err == nil && (a.status != http.StatusOK || a.long) {
		err = fmt.Errorf("/v1/rules: %s", a.shown())
	}
	if err != nil {
		return Fail(do, "%v", err), nil
	}
	rules, err := activity.ParseRules(a.body)
	if err != nil {
		return Fail(do, "/v1/rules: %s is no rules file that this version knows", a.shown()), nil
	}
	var words []string
	now := rules.On(today)
	for _, word := range now.Words() {
		switch r := now.Find(word); {
		case r.Metric:
			words = append(words, word)
		case word != r.Undo:
			words = append(words, fmt.Sprintf("%s %d", word, r.Points))
		}
	}
	return Well("%s; boards %s", strings.Join(words, ", "), strings.Join(rules.Boards(), ", ")), rules
}

// members shows the rules for members' own tokens, if these are accepted.
func members(rules *activity.Ruleset, line func(check string, l Line)) {
	warnings := rules.Believes().Warnings()
	for _, w := range warnings {
		line("members' "+w.About, Warn(w.Do, "%s", w.Seen))
	}
	if len(warnings) == 0 {
		line("members' "+activity.AboutActions, Well("members' tokens are accepted, and the rules are not the default ones"))
	}
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// cors sends the requests of a browser with a page of the forum: for a report with a token, and for a board.
func (c *client) cors(ctx context.Context, origin string) Line {
	if origin == "" {
		return skipped("give --origin https://..., that of the forum's pages", "skipped: give --origin to test CORS")
	}
	const do = "add the origin to CorsOrigins in AWS, to --origins of laurel serve; a proxy must leave OPTIONS to " +
		"Laurel, and add no such header itself"
	for _, asked := range []struct {
		method, path string
		headers      []string
	}{
		{http.MethodOptions, "/v1/activities", []string{
			"Access-Control-Request-Method", http.MethodPost, "Access-Control-Request-Headers", "authorization,content-type",
		}},
		{http.MethodGet, "/v1/boards", nil},
	} {
		a, err := c.send(ctx, asked.method, asked.path, "", append(asked.headers, "Origin", origin)...)
		if err == nil {
			err = a.allows(origin, asked.method == http.MethodOptions)
		}
		if err != nil {
			return Fail(do, "%s %s: %v", asked.method, asked.path, err)
		}
	}
	return Well("pages of %s may read and report", origin)
}

// allows returns the reason why a browser would withhold an answer from a page, or not send the report.
func (a *answer) allows(origin string, preflight bool) error {
	const allowed = "Access-Control-Allow-Origin"
	if a.status >= http.StatusMultipleChoices {
		return fmt.Errorf("%s", a.shown())
	}
	switch values := a.header.Values(allowed); {
	case len(values) == 0:
		return fmt.Errorf("no %s: pages of %s may not", allowed, origin)
	case len(values) > 1:
		return fmt.Errorf("%s is there %d times, which browsers refuse", allowed, len(values))
	case values[0] != "*" && values[0] != origin:
		return fmt.Errorf("%s is %s, not %s", allowed, shortened(values[0]), origin)
	}
	if !preflight {
		return nil
	}
	for _, wanted := range [...][2]string{
		{"Access-Control-Allow-Methods", "post"},
		{"Access-Control-Allow-Headers", "authorization"},
		{"Access-Control-Allow-Headers", "content-type"},
	} {
		list := strings.Split(strings.ToLower(strings.ReplaceAll(a.header.Get(wanted[0]), " ", "")), ",")
		if !slices.Contains(list, wanted[1]) {
			return fmt.Errorf("%s has no %s", wanted[0], wanted[1])
		}
	}
	return nil
}
