package doctor

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"laurel/shared/api/httpapi"
)

// kindsShown is how many different answers to webhooks are shown.
const kindsShown = 20

// status checks boards, periods, imports, the nightly run and webhooks, with the service's token.
func (c *client) status(ctx context.Context, token string, line func(check string, l Line)) {
	const night, webhooks = "nightly run", "last webhooks"
	if token == "" {
		l := skipped("give --secret-file or --token, of the service", "the service's token is needed")
		line(night, l)
		line(webhooks, l)
		return
	}
	var s httpapi.Status
	a, err := c.get(ctx, "/v1/status", &s, "Authorization", "Bearer "+token)
	now, unread := time.Parse(time.RFC3339, s.AsOf)
	if err == nil && unread != nil {
		err = fmt.Errorf("%s, which is not an answer of Laurel", a.shown())
	}
	if err != nil {
		l := Fail("look at the log of the server, or of the function query", "/v1/status: %v", err)
		line(night, l)
		line(webhooks, l)
		return
	}
	line("boards", boardsOf(s, now))
	if s.Eviction != "" {
		line("cache", Warn("set maxmemory-policy noeviction: a full cache then refuses, and boards catch up",
			"a full cache throws away boards (%s): they answer 503, or lack people, until they are filled again",
			shortened(s.Eviction)))
	}
	line(night, nightOf(s, now))
	line("periods", periodsOf(s, now))
	line("imports", importsOf(s))
	line("members-only areas", untitledOf(s, now))
	if len(s.Events) > 0 {
		line("events", eventsOf(s, now))
	}
	line(webhooks, hooksOf(s))
}

// nightOf checks that the last nightly run is of today or yesterday.
func nightOf(s httpapi.Status, now time.Time) Line {
	const do = "look at the log of the function archive, or of the server, and at the output of laurel archive; " +
		"docs/operations.md"
	parsed := func(layout string, text *string) time.Time {
		if text == nil {
			return time.Time{}
		}
		t, _ := time.Parse(layout, *text) // a time that is none is long ago
		return t
	}
	since, last := parsed(time.RFC3339, s.Since), parsed(time.DateOnly, s.LastNight)
	day, _ := time.Parse(time.DateOnly, s.AsOf[:len(time.DateOnly)])
	days := int(day.Sub(last).Hours() / 24)
	switch {
	case s.Since == nil && s.LastNight == nil:
		return Warn("nothing to do for laurel dev without --data; else see whether a table is named",
			"nothing is kept, and no night was complete")
	case s.LastNight == nil && now.Sub(since) < 48*time.Hour:
		return Well("none yet; activities are kept since %s", *s.Since)
	case s.LastNight == nil:
		return Fail(do, "none was complete since %s", *s.Since)
	case days > 1:
		return Fail(do, "the last complete one was on %s, %d days ago", shortened(*s.LastNight), days)
	}
	return Well("the last complete one was on %s", *s.LastNight)
}

// lateEvents is the longest usual wait of an event: it was tried often by then.
const lateEvents = 15 * time.Minute

// eventsOf lists the addresses that do not take their events.
func eventsOf(s httpapi.Status, now time.Time) Line {
	waiting, late := 0, []string(nil)
	for _, q := range s.Events {
		waiting += q.Waiting
		since, err := time.Parse(time.RFC3339, q.Since)
		if q.Waiting > 0 && (err != nil || now.Sub(since) > lateEvents) {
			late = append(late, fmt.Sprintf("%s: %d since %s, tried %d times: %s", shortened(q.Address), q.Waiting,
				shortened(q.Since), q.Attempts, shortened(q.Problem)))
		}
	}
	if len(late) > 0 {
		return Warn("look at the address, which is tried again for three days; docs/events.md",
			"not taken by %d of %d addresses\n%s", len(late), len(s.Events), strings.Join(late, "\n"))
	}
	return Well("%d wait for %d addresses", waiting, len(s.Events))
}

// hooksOf shows the last webhooks, those with the same answer together. A refused one may come from another sender.
func hooksOf(s httpapi.Status) Line {
	if len(s.Hooks) == 0 {
		return Well("none yet")
	}
	l := Well("the last %d", len(s.Hooks))
	times, latest := map[string]int{}, map[string]string{}
	var kinds []string // the latest first
	refused := 0
	for _, h := range s.Hooks {
		if h.Status != http.StatusOK {
			refused++
		}
		kind := hookText(h)
		if times[kind]++; times[kind] == 1 {
			kinds, latest[kind] = append(kinds, kind), h.At
		}
	}
	for _, kind := range kinds[:min(len(kinds), kindsShown)] {
		l.More = append(l.More, shortenedTo(fmt.Sprintf("%s %s (%d)", latest[kind], kind, times[kind]), 4*maxShown))
	}
	if refused > 0 {
		l.Result, l.Seen = Warning, fmt.Sprintf("%s, %d of them refused", l.Seen, refused)
		l.Do = "each says why it was refused: compare secrets, clocks and the forum's webhooks; docs/connect.md"
	}
	return l
}

// hookText describes the answer to a webhook, in a line.
func hookText(h httpapi.RecentHook) string {
	var did []string
	for _, status := range sortedKeys(h.Receipts) {
		did = append(did, fmt.Sprintf("%d %s", h.Receipts[status], status))
	}
	if h.Changed > 0 {
		did = append(did, fmt.Sprintf("%d changed", h.Changed))
	}
	for _, why := range h.Ignored {
		did = append(did, "ignored: "+why)
	}
	if h.Problem != "" {
		did = append(did, h.Problem)
	}
	return fmt.Sprintf("%s %d: %s", h.Source, h.Status, strings.Join(did, ", "))
}

const (
	maxBehind = time.Hour      // the time for boards to catch up
	maxStep   = 24 * time.Hour // the longest time of a state that the next tick ends
)

// long reports whether a time is so far back; a missing one is.
func long(since string, now time.Time, most time.Duration) bool {
	t, _ := time.Parse(time.RFC3339, since)
	return now.Sub(t) > most
}

// boardsOf checks that boards have all reports.
func boardsOf(s httpapi.Status, now time.Time) Line {
	const do = "they catch up by themselves once the view can be reached; laurel repair shows the cause, and mends it " +
		"now; docs/operations.md"
	if s.View == nil {
		return Well("they have all that was reported")
	}
	l := Warn(do, "they may lack something since %s: %s", shortened(s.View.BehindSince), shortened(s.View.Reason))
	if long(s.View.BehindSince, now, maxBehind) {
		l.Result = Failure
	}
	return l
}

// periodsOf shows periods with steps to take until they are final and out of the view. Waiting for a tick or for other
// periods is no fault.
func periodsOf(s httpapi.Status, now time.Time) Line {
	if len(s.Left) == 0 {
		return Well("all that are due are final")
	}
	why := map[string]string{
		"waits": "waits for reports that began before its last step", "due": "the next tick continues",
		"parts": "waits until its days, weeks or months are final", "votes": "its articles can still be voted for",
		"reopened": "is reopened until the next night", "import": "an import of its months is in progress",
		"history": "waits for history; laurel import --last, or laurel archive --history-is-in, says that all is in",
	}
	l, stuck := Well("%d on their way", len(s.Left)), 0
	for _, p := range s.Left {
		text := shortened(p.Period)
		if p.Until != "" {
			text += " to " + shortened(p.Until)
		}
		text += ": " + cmp.Or(why[p.Reason], shortened(p.Reason))
		if p.Detail != "" {
			text += ", " + shortened(p.Detail)
		}
		if p.Since != "" {
			text += ", since " + shortened(p.Since)
		}
		if len(l.More) < kindsShown {
			l.More = append(l.More, text)
		}
		others := slices.Contains([]string{"reopened", "import"}, p.Reason)
		if others || p.Since != "" && p.Reason != "votes" && p.Reason != "history" && long(p.Since, now, maxStep) {
			stuck++
		}
	}
	if stuck > 0 {
		l.Result, l.Seen = Warning, fmt.Sprintf("%s, %d of them held up", l.Seen, stuck)
		l.Do = "laurel repair names the cause, and continues; docs/operations.md"
	}
	return l
}

// untitledOf checks whether boards, which are public, count places that guests of the forum cannot read.
func untitledOf(s httpapi.Status, now time.Time) Line {
	if s.Untitled == nil || long(*s.Untitled+"T00:00:00Z", now, 32*24*time.Hour) {
		return Well("no activity in places closed to guests was reported this month")
	}
	return Warn("leave such places out of the reports, or restrict who reads Laurel, if nobody else may see members "+
		"who are active there; docs/connect.md", "boards are public, and count places that guests of the forum cannot "+
		"read: something was published without a title on %s", shortened(*s.Untitled))
}

// importsOf shows the imports that are in progress.
func importsOf(s httpapi.Status) Line {
	if len(s.Imports) == 0 {
		return Well("none is in progress")
	}
	l := Warn("run laurel import with the file again, or with --finish or --give-up; laurel repair lists them",
		"%d in progress: nothing of their months becomes final", len(s.Imports))
	for _, i := range s.Imports[:min(len(s.Imports), kindsShown)] {
		l.More = append(l.More, fmt.Sprintf("%s, since %s: %s", shortened(i.Name), shortened(i.Since),
			shortened(strings.Join(i.Months, ", "))))
	}
	return l
}
