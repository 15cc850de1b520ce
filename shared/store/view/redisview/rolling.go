package redisview

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"laurel/shared/core/board"
	"laurel/shared/store/view"
)

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

// rollingText returns the days as a marker has them: in days since 1970-01-01, with blanks between; "" for none.
func rollingText(r view.Rolling) string {
	if r == (view.Rolling{}) {
		return ""
	}
	return fmt.Sprintf("%d %d %d %s", r.Oldest, r.Begun, r.Whole, r.Pass)
}

// parseRolling reads the text that rollingText wrote; another one is that of none.
func parseRolling(text string) (r view.Rolling) {
	parts := strings.SplitN(text, " ", 4)
	if len(parts) != 4 {
		return view.Rolling{}
	}
	for i, day := range []*board.Date{&r.Oldest, &r.Begun, &r.Whole} {
		n, err := strconv.ParseInt(parts[i], 10, 32)
		if err != nil {
			return view.Rolling{}
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
func (s *Store) SetDays(ctx context.Context, slot view.Slot, table string, was, now view.Rolling) (bool, error) {
	keys, fields := []string{s.markerKey(slot)}, []string(nil)
	if was.Days() != now.Days() {
		indexes, err := s.indexes(ctx, []view.Slot{slot})
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
		script: setDaysScript, keys: keys, whenFull: true,
		args: append([]string{s.identityOf(table), rollingText(was), rollingText(now)}, fields...),
	})
	return n == 1, err
}
