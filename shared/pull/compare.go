package pull

import (
	"maps"
	"slices"
	"strings"
	"time"

	"laurel/shared/activity"
	"laurel/shared/board"
)

const (
	// Latest is how late Laurel takes an activity, less what a request may take.
	Latest = 48*time.Hour - 10*time.Minute
	// Undoable is how far back an undo has an effect in Laurel: in its own month and the one before.
	Undoable = 63 * 24 * time.Hour
	// Overlap is how much is read again: how long a transaction may take, and how far a forum's clock may be off.
	Overlap = time.Hour
)

// utc is the calendar by which the rules of a day are found: which day it is in the forum is known to Laurel alone.
var utc = board.NewCalendar(time.UTC)

// A Row is something that a user did, as the forum has it now, at the moment at which it was done last. It restores if
// the same done again counts where it did: what somebody wrote.
type Row struct {
	activity.Activity

	Undone board.Moment // when it was undone last; 0 if the forum does not say, or it never was
	Stands bool         // it is done now
}

func (r Row) key() string { return strings.Join([]string{r.User, r.Action, r.Target, r.Ref}, " ") }

// A Comparison finds what a forum's rows say that was not reported.
type Comparison struct {
	*State
	Laurel *Service
	Rules  *activity.Rules // of Laurel
	Now    board.Moment    // when the rows were read

	Topics []Request // what becomes of articles, by Topic and Purge
	Old    int       // rows that are noted and too old to report

	first      []Request // exclusions that end
	profiles   []Profile
	activities []activity.Activity // by Compare and Missing
	last       []Request           // exclusions that begin, and erasures
	frozen     map[string]bool     // who were excluded before: what is reported of them is not kept
	found      map[string]bool
}

// Compare compares a row with what was reported.
func (c *Comparison) Compare(r Row) {
	key := r.key()
	c.found[key] = true
	was, known := c.Entries[key]
	next := Entry{Seen: r.At, At: was.At, Done: r.Stands}
	floor := c.Now.Add(-Latest)
	switch {
	case !known && r.Stands && r.At < floor:
		next.At = r.At
		c.Old++
	case !known && r.Stands, r.Stands && !was.Done && (!r.Restores || r.At != was.Seen):
		c.again(r, &next, floor)
	case known && r.Stands && !was.Done:
		c.report(r, &next, false, c.Now)
	case known && r.Stands && r.At != was.Seen: // undone and done again
		if r.Undone == 0 {
			r.Undone = r.At - 1
		}
		c.again(r, &next, floor)
	case !r.Stands && (was.Done || !known && r.Undone >= floor):
		at := r.Undone
		if at < floor { // the forum does not say, or too long ago to be reported
			at = c.Now
		}
		c.report(r, &next, true, at)
	case !known:
		return
	}
	c.Entries[key] = next
}

// again reports that something was done at its moment, and what undid it before.
func (c *Comparison) again(r Row, next *Entry, floor board.Moment) {
	if r.Undone != 0 {
		c.report(r, next, true, max(r.Undone, min(floor, r.At-1)))
	}
	r.Restores = false
	c.report(r, next, false, r.At)
}

// Missing reports the undo of what has no row any more, of those actions that a forum's data
// lose without a trace, unless it is left as it was.
func (c *Comparison) Missing(actions []string, left func(Row) bool) {
	for _, key := range slices.Sorted(maps.Keys(c.Entries)) {
		was := c.Entries[key]
		part := strings.Split(key, " ")
		row := Row{Activity: activity.Activity{
			User: part[0], Action: part[1], Target: part[2], Ref: part[3], At: was.Seen,
		}}
		if was.Done && slices.Contains(actions, row.Action) && !c.found[key] && !left(row) {
			was.Done = false
			c.report(row, &was, true, c.Now)
			c.Entries[key] = was
		}
	}
}

// Forget forgets entries of which nothing will be read any more.
func (c *Comparison) Forget(done func(action string, e Entry) bool) {
	maps.DeleteFunc(c.Entries, func(key string, e Entry) bool { return done(strings.Split(key, " ")[1], e) })
}

// report adds an activity, at a moment that is later than what was reported before of the same
// entry: a forum's moments may be whole seconds.
func (c *Comparison) report(r Row, next *Entry, undo bool, at board.Moment) {
	at = max(at, next.At+1)
	next.At = at
	rules := c.Rules.On(utc.Date(at))
	rule := rules.Find(r.Action)
	if rule == nil || undo && rule.Undo == "" {
		return
	}
	act := r.Activity
	act.At = at
	if undo {
		act.Action, act.Restores = rule.Undo, false
	}
	if len(rules.Violations(act)) == 0 {
		c.activities = append(c.activities, act)
	}
}
