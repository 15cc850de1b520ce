package board

import (
	"fmt"
	"maps"
	"slices"
)

// A PeriodState is a stage in the life of a period.
type PeriodState string

// The states of a period.
const (
	PeriodLive     PeriodState = "live"
	PeriodHeld     PeriodState = "held"     // live, and an import of its months is in progress: not stored
	PeriodClosed   PeriodState = "closed"   // it takes nothing more
	PeriodFinal    PeriodState = "final"    // its boards are stored for good
	PeriodRemoved  PeriodState = "removed"  // and have left the view
	PeriodReopened PeriodState = "reopened" // live once more
)

// A PeriodEvent moves a period from one state to another.
type PeriodEvent string

// The events. Life.Hold and Life.Release are of months.
const (
	EventClose  PeriodEvent = "close"
	EventMake   PeriodEvent = "make"
	EventRemove PeriodEvent = "remove"
	EventReopen PeriodEvent = "reopen"
)

// transitions is the table of all moves. Held periods, all time and periods that roll are never closed.
var transitions = map[PeriodState]map[PeriodEvent]PeriodState{
	PeriodLive:     {EventClose: PeriodClosed},
	PeriodClosed:   {EventMake: PeriodFinal},
	PeriodFinal:    {EventRemove: PeriodRemoved, EventReopen: PeriodReopened},
	PeriodRemoved:  {EventReopen: PeriodReopened},
	PeriodReopened: {EventClose: PeriodClosed},
}

// A Life is the states of all periods but those that are live; nil is of a forum all of whose
// periods are. It is immutable. Its text is JSON.
type Life struct {
	number   int64
	spans    [Year][]lifeSpan // by window less Day, of those that tile: in order, without overlaps
	contests []PeriodLife     // in order
	gone     MonthOf          // the last month whose ledgers are deleted, 0 for none
	held     map[string][]MonthOf
}

// lifeSpan is a run of periods, both ends included, that came into a state together.
type lifeSpan struct {
	from, to int32
	state    PeriodState
	since    Moment // 0 of those removed
}

// State returns the state of a period.
func (l *Life) State(p Period) PeriodState {
	if s := l.find(p); s.state != "" {
		return s.state
	}
	if l.holds(p) {
		return PeriodHeld
	}
	return PeriodLive
}

// Since returns when the period came into its state, by real time; 0 if it is live, held or removed.
func (l *Life) Since(p Period) Moment { return l.find(p).since }

// find returns the span that a period is in, the zero one if there is none.
func (l *Life) find(p Period) lifeSpan {
	if l == nil || !p.window.Tiles() {
		return l.findContest(p)
	}
	spans := l.spans[p.window-Day]
	for i := len(spans) - 1; i >= 0 && p.n <= spans[i].to; i-- {
		if spans[i].from <= p.n {
			return spans[i]
		}
	}
	return lifeSpan{}
}

// TakesReports says whether neither a day nor its month is closed: activities can still change ledgers.
func (l *Life) TakesReports(d Date) bool {
	return !l.Closed(PeriodOf(Day, d)) && !l.Closed(PeriodOf(Month, d))
}

// Closed says whether a period takes nothing more: it is closed, final or removed.
func (l *Life) Closed(p Period) bool {
	state := l.find(p).state
	return state == PeriodClosed || state == PeriodFinal || state == PeriodRemoved
}

// Final says whether a period is final or removed: then its month counts by people's totals,
// and its boards are in the table.
func (l *Life) Final(p Period) bool {
	state := l.find(p).state
	return state == PeriodFinal || state == PeriodRemoved
}

// WasClosed says whether a period is or ever was closed, even if it was reopened since: the
// pages of such a day are gone, and the summaries in its month's page stand.
func (l *Life) WasClosed(p Period) bool { return l.find(p).state != "" }

// Number grows with each change but EventRemove and imports: a showing with a smaller one than
// the view has seen reads again.
func (l *Life) Number() int64 {
	if l == nil {
		return 0
	}
	return l.number
}

// Apply returns the life with a period moved by an event at a moment of real time. It is an error
// if the table of transitions has no such move.
func (l *Life) Apply(p Period, e PeriodEvent, now Moment) (*Life, error) {
	state := l.State(p)
	reached, ok := transitions[state][e]
	if !ok || !p.window.Ends() || p.window == Contest && p.Board() == "" || e == EventClose && l.holds(p) {
		return nil, fmt.Errorf("board: the period is in another state: %s is %s, cannot %s it", p, state, e)
	}
	next := l.clone()
	if e == EventRemove {
		now = 0 // so that all that are removed are one span
	} else {
		next.number++
	}
	if p.window == Contest {
		next.setContest(PeriodLife{p, reached, now})
		return next, nil
	}
	spans := &next.spans[p.window-Day]
	*spans = setSpan(*spans, lifeSpan{p.n, p.n, reached, now})
	return next, nil
}

// clone returns a copy whose spans are those of the life, which nobody changes.
func (l *Life) clone() *Life {
	if l == nil {
		return &Life{}
	}
	next := *l
	next.held = maps.Clone(l.held)
	return &next
}

// setSpan returns the spans with the one of a single period replaced.
func setSpan(spans []lifeSpan, set lifeSpan) []lifeSpan {
	next := make([]lifeSpan, 0, len(spans)+2)
	for _, s := range spans {
		before, after := s, s
		before.to, after.from = min(s.to, set.from-1), max(s.from, set.to+1)
		for _, part := range []lifeSpan{before, after} {
			if part.from <= part.to {
				next = append(next, part)
			}
		}
	}
	next = append(next, set)
	slices.SortFunc(next, func(a, b lifeSpan) int { return int(a.from) - int(b.from) })
	joined := next[:1]
	for _, s := range next[1:] {
		last := &joined[len(joined)-1]
		if s.from == last.to+1 && s.state == last.state && s.since == last.since {
			last.to = s.to
		} else {
			joined = append(joined, s)
		}
	}
	return joined
}
