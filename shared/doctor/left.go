package doctor

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"laurel/shared/httpapi"
)

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
	const do = "they catch up by themselves once Redis is well; laurel recover says what is wrong, and does it now; " +
		"docs/operations.md"
	if s.View == nil {
		return ok("they have all that was reported")
	}
	l := warning(do, "they may lack something since %s: %s", shortened(s.View.BehindSince), shortened(s.View.Reason))
	if long(s.View.BehindSince, at, maxBehind) {
		l.Result = Failure
	}
	return l
}

// periodsOf shows what has steps to take until it is final and out of Redis. What waits for a tick
// or for other periods is as it should be.
func periodsOf(s httpapi.Status, at time.Time) Line {
	if len(s.Left) == 0 {
		return ok("all that are due are final")
	}
	why := map[string]string{
		"waits": "waits for reports that began before its last step", "due": "the next tick goes on",
		"parts": "waits until its days, weeks or months are final", "votes": "its articles can still be voted for",
		"reopened": "is reopened until the next night", "import": "an import of its months is in progress",
	}
	l, stuck := ok("%d on their way", len(s.Left)), 0
	for _, p := range s.Left {
		text := shortened(p.Period)
		if p.Until != "" {
			text += " to " + shortened(p.Until)
		}
		if text += ": "; why[p.Reason] != "" {
			text += why[p.Reason]
		} else {
			text += shortened(p.Reason)
		}
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
		if others || p.Since != "" && p.Reason != "votes" && long(p.Since, at, maxStep) {
			stuck++
		}
	}
	if stuck > 0 {
		l.Result, l.Seen = Warning, fmt.Sprintf("%s, %d of them held up", l.Seen, stuck)
		l.Do = "laurel recover says what they wait for, and goes on; docs/operations.md"
	}
	return l
}

// importsOf shows which imports are in progress.
func importsOf(s httpapi.Status) Line {
	if len(s.Imports) == 0 {
		return ok("none is in progress")
	}
	l := warning("run laurel import with the file again, or with --finish or --give-up; laurel recover lists them",
		"%d in progress: nothing of their months becomes final", len(s.Imports))
	for _, i := range s.Imports[:min(len(s.Imports), kindsShown)] {
		l.More = append(l.More, fmt.Sprintf("%s, since %s: %s", shortened(i.Name), shortened(i.Since),
			shortened(strings.Join(i.Months, ", "))))
	}
	return l
}
