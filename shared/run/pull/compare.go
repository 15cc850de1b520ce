package pull

import (
	"maps"
	"slices"
	"strings"
	"time"

	"laurel/shared/api/wire"
	"laurel/shared/core/activity"
	"laurel/shared/core/board"
)

const (
	// Latest is the maximum age of an activity that Laurel accepts, less the time of a request.
	Latest = 48*time.Hour - 10*time.Minute
	// Undoable is how far back an undo has an effect in Laurel: in its own month and the one before.
	Undoable = 63 * 24 * time.Hour
	// Overlap is the time that is read again: the longest transaction, and the largest error of a forum's clock.
	Overlap = time.Hour
)

// utc is the calendar that finds the rules of a day: only Laurel knows the forum's days.
var utc = board.NewCalendar(time.UTC)

// A Row is an act of a user, as the forum has it now, at the time of its last change. It restores if the act, when
// repeated, counts where it did: a written text.
type Row struct {
	activity.Activity

	Undone board.Moment // the time of the last undo; 0 if there was none or the forum does not tell
	Stands bool         // the act stands now
}

// A Comparison finds differences between a forum's rows and the reports.
type Comparison struct {
	*State
	Laurel *Service
	Rules  *activity.Rules // of Laurel
	Now    board.Moment    // when the rows were read

	Topics []Request // changes of articles, by article and purge
	Old    int       // rows that are noted and too old to report

	first      []Request // exclusions that end
	profiles   []wire.UserProfile
	activities []activity.Activity // by compare and missing
	last       []Request           // exclusions that begin, and erasures
	frozen     map[string]bool     // users who were excluded before: reports of them are not kept
	found      map[string]bool
}

// key names a row in the state. It has the other person where the rule has an entry for each.
func (c *Comparison) key(r Row) string {
	other := ""
	if rule := c.Rules.On(utc.Date(r.At)).Find(r.Action); rule != nil && rule.ByOther {
		other = r.Other
	}
	return strings.Join([]string{r.User, r.Action, r.Target, r.Ref, other}, " ")
}

// compare compares a row with its report.
func (c *Comparison) compare(r Row) {
	key := c.key(r)
	c.found[key] = true
	was, known := c.Entries[key]
	next := ReportedAct{Seen: r.At, At: was.At, Done: r.Stands}
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
		moment := r.Undone
		if moment < floor { // the forum does not tell, or it is too old to be reported
			moment = c.Now
		}
		c.report(r, &next, true, moment)
	case !known:
		return
	}
	c.Entries[key] = next
}

// again reports that an act was done at its time, and the undo before it.
func (c *Comparison) again(r Row, next *ReportedAct, floor board.Moment) {
	if r.Undone != 0 {
		c.report(r, next, true, max(r.Undone, min(floor, r.At-1)))
	}
	r.Restores = false
	c.report(r, next, false, r.At)
}

// missing reports the undo of entries that have no row any more, for those actions whose rows a forum deletes without
// a trace, unless left tells to leave it.
func (c *Comparison) missing(actions []string, left func(Row) bool) {
	for _, key := range slices.Sorted(maps.Keys(c.Entries)) {
		was := c.Entries[key]
		part := strings.Split(key, " ")
		row := Row{Activity: activity.Activity{
			User: part[0], Action: part[1], Target: part[2], Ref: part[3], Other: part[4], At: was.Seen,
		}}
		if was.Done && slices.Contains(actions, row.Action) && !c.found[key] && !left(row) {
			was.Done = false
			c.report(row, &was, true, c.Now)
			c.Entries[key] = was
		}
	}
}

// forget forgets entries whose rows will not be read again.
func (c *Comparison) forget(done func(action string, e ReportedAct) bool) {
	maps.DeleteFunc(c.Entries, func(key string, e ReportedAct) bool { return done(strings.Split(key, " ")[1], e) })
}

// report adds an activity, at a time later than the last report of the same entry: a forum's times may be whole
// seconds.
func (c *Comparison) report(r Row, next *ReportedAct, undo bool, moment board.Moment) {
	moment = max(moment, next.At+1)
	next.At = moment
	rules := c.Rules.On(utc.Date(moment))
	rule := rules.Find(r.Action)
	if rule == nil || undo && rule.Undo == "" {
		return
	}
	act := r.Activity
	act.At = moment
	if undo {
		act.Action, act.Restores = rule.Undo, false
	}
	if len(rules.Violations(act)) == 0 {
		c.activities = append(c.activities, act)
	}
}
