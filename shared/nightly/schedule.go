package nightly

import (
	"encoding/json"
	"time"

	"laurel/shared/board"
)

const (
	// againAfter is how long after its second try a night is tried again; the first is repeated
	// by the next look. Each wait is twice the one before, up to againMost.
	againAfter = 10 * time.Minute
	againMost  = 40 * time.Minute // so that each hour has an error that an alarm can see
)

// Nights is what is known of the nightly runs of a forum: until which day they are complete,
// and how often the next was tried. Each of the forum's days has one, which is due from the
// day's start until one run has left nothing.
type Nights struct {
	Complete board.Date   `json:"complete,omitempty"` // 0: none is known
	Day      board.Date   `json:"day,omitempty"`      // of the tries
	Tries    int          `json:"tries,omitempty"`    // that have changed nothing, or are under way
	Tried    board.Moment `json:"tried,omitempty"`    // when the last of them began
}

// ParseNights reads what String has written. Of any other text nothing is known: a night too
// many changes nothing.
func ParseNights(text string) (n Nights) {
	if json.Unmarshal([]byte(text), &n) != nil {
		return Nights{}
	}
	return n
}

// String returns it as JSON.
func (n Nights) String() string {
	text, _ := json.Marshal(n) //nolint:errchkjson // days and numbers
	return string(text)
}

// Due says whether today's night has to be run now. After a run that was complete for a later
// day, as the clock was ahead, today's is due.
func (n Nights) Due(c *board.Calendar, now board.Moment) bool {
	today := c.Date(now)
	switch {
	case n.Complete == today:
		return false
	case n.Day != today || n.Tries <= 1 || now < n.Tried:
		return true
	}
	wait := againAfter
	for try := 2; try < n.Tries && wait < againMost; try++ {
		wait *= 2
	}
	return now >= n.Tried.Add(min(wait, againMost))
}

// Try returns what is known when a run begins: one that is killed counts as one that failed.
func (n Nights) Try(c *board.Calendar, now board.Moment) Nights {
	if today := c.Date(now); n.Day != today {
		n.Day, n.Tries = today, 0
	}
	n.Tries++
	n.Tried = now
	return n
}

// After returns what is known after a run of a day, whoever started it. A run that had no time
// for all of its work, and has done some, is followed by another at once.
func (n Nights) After(today board.Date, r Result, failed error) Nights {
	switch done := failed == nil && len(r.Failed) == 0 && len(r.Left) == 0; {
	case done && r.Today <= today && (r.Today > n.Complete || n.Complete > today):
		return Nights{Complete: r.Today}
	case !done && r.Short && r.advanced():
		n.Tries = 0
	}
	return n
}

// advanced says whether a run has done something that the next one does not repeat.
func (r *Result) advanced() bool {
	return len(r.Moved)+len(r.Months)+r.Sealed > 0 || r.Articles != Articles{}
}

// Overdue returns for how long the oldest night that is not complete has been due, 0 if today's
// is complete.
func (n Nights) Overdue(c *board.Calendar, now board.Moment) time.Duration {
	today := c.Date(now)
	switch {
	case n.Complete == today:
		return 0
	case n.Complete > 0 && n.Complete < today:
		today = n.Complete + 1
	}
	return now.Time().Sub(c.Start(today).Time())
}
