package view

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"laurel/shared/core/board"
)

// Days are civil days from one to another, both included; the zero value has none.
type Days struct{ First, Last board.Date }

// And returns the days from the first of both to the last of both.
func (d Days) And(other Days) Days {
	switch {
	case d == Days{}:
		return other
	case other == Days{}:
		return d
	}
	return Days{min(d.First, other.First), max(d.Last, other.Last)}
}

// Has says whether a day is among the days.
func (d Days) Has(day board.Date) bool { return d.First <= day && day <= d.Last }

// Rolling are the last days of the rolling periods that a slot has boards of, the same for all of its boards. The zero
// value is of a slot that has none.
type Rolling struct {
	Oldest board.Date // that is kept
	Begun  board.Date // the newest: units are shown up to it
	Whole  board.Date // the newest on whose boards everybody is
	Pass   string     // how far the chain is of the pass that makes the newest whole; "" for none
}

// Days returns those that the slot keeps.
func (r Rolling) Days() Days { return Days{r.Oldest, r.Begun} }

// Short says whether the days of a unit do not reach from the oldest that the slot keeps to the newest.
func (r Rolling) Short(d Days) bool {
	return r != (Rolling{}) && d != (Days{}) && (d.First > r.Oldest || d.Last < r.Begun)
}

// Drops says whether the boards of a day go when others become these.
func (r Rolling) Drops(was Rolling, day board.Date) bool {
	return day < r.Oldest || day > r.Begun || day > was.Begun
}

// Answer returns the period by which a view is answered, and whether there is one: the view's own, or of a window that
// rolls the newest whole one up to that, the one of the day before at the earliest.
func (r Rolling) Answer(v *board.View) (board.Period, bool) {
	if !v.Period.Window().Rolls() {
		return v.Period, true
	}
	wanted := v.Period.Last()
	day := min(wanted, r.Whole)
	ok := r.Oldest <= day && (day == wanted || day == wanted-1 && !v.Exact)
	return board.PeriodOf(v.Period.Window(), day), ok && r.Oldest > 0
}

// earlierPeriod returns the period that answers a view in place of its own, which was not whole, by an error.
func earlierPeriod(v *board.View, err error) (board.Period, bool) {
	var u unready
	if !errors.As(err, &u) {
		return board.Period{}, false
	}
	period, whole := u.days.Answer(v)
	return period, whole && period != v.Period
}

// earlierViews returns the views with the periods that answer in place of theirs, by an error, and whether there are
// any.
func earlierViews(views []board.View, err error) (earlier []board.View, found bool) {
	earlier = slices.Clone(views)
	for i := range earlier {
		if period, known := earlierPeriod(&views[i], err); known {
			earlier[i].Period, earlier[i].Exact, found = period, true, true
		}
	}
	return earlier, found
}

// text returns the days as a marker has them: in days since 1970-01-01, with blanks between; "" for none.
func (r Rolling) text() string {
	if r == (Rolling{}) {
		return ""
	}
	return fmt.Sprintf("%d %d %d %s", r.Oldest, r.Begun, r.Whole, r.Pass)
}

// parseRolling reads the text that text wrote; another one is that of none.
func parseRolling(text string) (r Rolling) {
	parts := strings.SplitN(text, " ", 4)
	if len(parts) != 4 {
		return Rolling{}
	}
	for i, day := range []*board.Date{&r.Oldest, &r.Begun, &r.Whole} {
		n, err := strconv.ParseInt(parts[i], 10, 32)
		if err != nil {
			return Rolling{}
		}
		*day = board.Date(n)
	}
	r.Pass = parts[3]
	return r
}

var setDaysScript = newScript("slot.lua", "set_days.lua")

// SetDays changes the days of a shard's boards that roll, if they are as expected, and removes the boards of days that
// it does not keep or that were not begun before. A change of them takes two trips, a deliberate exception once a day:
// the keys are known when the marker has listed them.
func (s *Store) SetDays(ctx context.Context, slot Slot, table string, was, now Rolling) (bool, error) {
	keys, fields := []string{s.markerKey(slot)}, []string(nil)
	if was.Days() != now.Days() {
		indexes, err := s.indexes(ctx, []Slot{slot})
		if err != nil {
			return false, err
		}
		for _, field := range indexes[0] {
			if _, p, ok := parseBoardField(field); ok && p.Window().Rolls() && now.Drops(was, p.Last()) {
				keys, fields = append(keys, s.key(slot, field)), append(fields, field)
			}
		}
	}
	n, err := s.number(ctx, "set the days of a slot", &call{
		script: setDaysScript, keys: keys, args: append([]string{s.identityOf(table), was.text(), now.text()}, fields...),
		whenFull: true,
	})
	return n == 1, err
}
