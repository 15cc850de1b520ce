package ledger

import (
	"slices"

	"laurel/shared/core/activity"
	"laurel/shared/core/board"
)

// betterMetric returns the summary with the larger value, of equal ones the earlier.
func betterMetric(a, b *daySummary) daySummary {
	if a.n > b.n || a.n == b.n && a.moments[0] <= b.moments[0] {
		return *a
	}
	return *b
}

// joinDay returns the summary of a closed day of two people: the sum of their numbers, so that a target of both counts
// twice, as the entries are gone. Where summaries list the moments of the earliest entries, theirs are those of the
// joined day; else the later decisive moments stand.
func joinDay(a, b *daySummary, rule *activity.Rule) daySummary {
	joined := daySummary{day: a.day, n: a.n + b.n}
	count, caps := rule.Counted(int(joined.n)), rule.Caps()
	if len(a.caps)+len(b.caps) == 0 && sharesCaps(rule) {
		all := slices.Sorted(slices.Values(slices.Concat(a.moments, b.moments)))
		if most := len(all); rule.Cap > 0 {
			joined.moments = all[:min(most, count)]
		} else {
			joined.moments = slices.Delete(all, min(most-1, caps[len(caps)-1]), most-1)
		}
		return joined
	}
	for _, limit := range caps {
		if limit < count {
			joined.caps = append(joined.caps, limit)
			joined.moments = append(joined.moments, max(a.decisive(limit), b.decisive(limit)))
		}
	}
	joined.moments = append(joined.moments, max(a.decisive(0), b.decisive(0)))
	return joined
}

// decisive returns the moment that decides within a cap of a board, as far as the summary has it; within the action's
// own for 0.
func (s *daySummary) decisive(limit int) board.Moment {
	if moment, known := s.within(limit); known {
		return moment
	}
	if last := len(s.moments) - 1; limit == 0 || len(s.caps) > 0 || limit > last {
		return s.moments[last]
	}
	return s.moments[limit-1]
}

// sharesCaps says whether entries by day and by month of an action share caps, so that summaries list moments.
func sharesCaps(rule *activity.Rule) bool {
	return rule.TakesRef() && rule.EntryWithRef != rule.Entry && (rule.Cap > 0 || len(rule.Caps()) > 0)
}

// JoinTotals returns the totals of two people as those of one.
func JoinTotals(a, b []MonthTotal) []MonthTotal {
	joined := slices.Clone(a)
	for _, t := range b {
		i := slices.IndexFunc(joined, func(was MonthTotal) bool { return was.Board == t.Board && was.Month == t.Month })
		if i < 0 {
			joined = append(joined, t)
			continue
		}
		joined[i].Score, joined[i].Reached = joined[i].Score+t.Score, max(joined[i].Reached, t.Reached)
	}
	return joined
}
