package doctor

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"laurel/shared/httpapi"
)

// kindsShown is how many different answers to webhooks are shown.
const kindsShown = 20

// status asks how boards, periods, imports, the nightly run and webhooks are, with the service's token.
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
	at, unread := time.Parse(time.RFC3339, s.AsOf)
	if err == nil && unread != nil {
		err = fmt.Errorf("%s, which is not an answer of Laurel", a.shown())
	}
	if err != nil {
		l := Fail("look at the log of the server, or of the function query", "/v1/status: %v", err)
		line(night, l)
		line(webhooks, l)
		return
	}
	line("boards", boardsOf(s, at))
	if s.Eviction != "" {
		line("cache", Warn("set maxmemory-policy noeviction: a full cache then refuses, and boards catch up",
			"a full cache throws away boards (%s): they answer 503, or lack people, until they are made again",
			shortened(s.Eviction)))
	}
	line(night, nightOf(s, at))
	line("periods", periodsOf(s, at))
	line("imports", importsOf(s))
	line("members-only areas", untitledOf(s, at))
	if len(s.Events) > 0 {
		line("events", eventsOf(s, at))
	}
	line(webhooks, hooksOf(s))
}

// nightOf says whether the last nightly run is of today or yesterday.
func nightOf(s httpapi.Status, at time.Time) Line {
	const do = "look at the log of the function archive, or of the server, and at what laurel archive says; " +
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
	case s.LastNight == nil && at.Sub(since) < 48*time.Hour:
		return Well("none yet; activities are kept since %s", *s.Since)
	case s.LastNight == nil:
		return Fail(do, "none was complete since %s", *s.Since)
	case days > 1:
		return Fail(do, "the last complete one was on %s, %d days ago", shortened(*s.LastNight), days)
	}
	return Well("the last complete one was on %s", *s.LastNight)
}

// lateEvents is for how long an event may wait: it was tried often by then.
const lateEvents = 15 * time.Minute

// eventsOf says which addresses do not take their events.
func eventsOf(s httpapi.Status, at time.Time) Line {
	waiting, late := 0, []string(nil)
	for _, q := range s.Events {
		waiting += q.Waiting
		since, err := time.Parse(time.RFC3339, q.Since)
		if q.Waiting > 0 && (err != nil || at.Sub(since) > lateEvents) {
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

// hooksOf shows the last webhooks, those of the same answer together. One that was refused may be somebody else's.
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
		l.Do = "each says why it was refused: compare secrets, clocks and what the forum sends; docs/connect.md"
	}
	return l
}

// hookText is how a webhook was answered, in a line.
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
	maxBehind = time.Hour      // for which boards may lack something
	maxStep   = 24 * time.Hour // for which a period may be in a state that the next tick ends
)

// long reports whether a moment is so far back; one that is none is.
func long(since string, at time.Time, most time.Duration) bool {
	t, _ := time.Parse(time.RFC3339, since)
	return at.Sub(t) > most
}

// boardsOf says whether boards have all that was reported.
func boardsOf(s httpapi.Status, at time.Time) Line {
	const do = "they catch up by themselves once Redis is well; laurel repair says what is wrong, and does it now; " +
		"docs/operations.md"
	if s.View == nil {
		return Well("they have all that was reported")
	}
	l := Warn(do, "they may lack something since %s: %s", shortened(s.View.BehindSince), shortened(s.View.Reason))
	if long(s.View.BehindSince, at, maxBehind) {
		l.Result = Failure
	}
	return l
}

// periodsOf shows what has steps to take until it is final and out of Redis. What waits for a tick
// or for other periods is as it should be.
func periodsOf(s httpapi.Status, at time.Time) Line {
	if len(s.Left) == 0 {
		return Well("all that are due are final")
	}
	why := map[string]string{
		"waits": "waits for reports that began before its last step", "due": "the next tick goes on",
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
		if others || p.Since != "" && p.Reason != "votes" && p.Reason != "history" && long(p.Since, at, maxStep) {
			stuck++
		}
	}
	if stuck > 0 {
		l.Result, l.Seen = Warning, fmt.Sprintf("%s, %d of them held up", l.Seen, stuck)
		l.Do = "laurel repair says what they wait for, and goes on; docs/operations.md"
	}
	return l
}

// untitledOf says whether boards, which everybody reads, count what guests of the forum cannot read.
func untitledOf(s httpapi.Status, at time.Time) Line {
	if s.Untitled == nil || long(*s.Untitled+"T00:00:00Z", at, 32*24*time.Hour) {
		return Well("nothing that guests of the forum cannot read was reported this month")
	}
	return Warn("leave such places out of the reports, or restrict who reads Laurel, if nobody else is to see who is "+
		"active there; docs/connect.md", "boards are public, and count what guests of the forum cannot read: something "+
		"was published without a title on %s", shortened(*s.Untitled))
}

// importsOf shows which imports are in progress.
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
