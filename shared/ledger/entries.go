package ledger

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/codec"
)

// An Entry is an entry as a page holds it, or a metric of a day. Of a hashed
// target Target is "#" and the hash in hex.
type Entry struct {
	Action, Target, Ref string
	Scope               activity.Scope // "" of a metric
	Month               board.MonthOf  // of its page
	Day                 board.Date     // of a day's entry and of a metric, else 0
	Moments
	Value int64 // of a metric; its moment is First
}

// entriesOf returns what a ledger has: the entries of the month, metrics, those of days, and
// what the summaries say of days whose pages are gone.
func (l *Ledger) entriesOf(of board.MonthOf, from *MonthLedger) ([]Entry, error) {
	var all []Entry
	if from.Month != "" {
		groups, err := readPage(new(room), from.Month)
		if err != nil {
			return nil, err
		}
		all = l.entriesIn(groups, Entry{Scope: activity.PerMonth, Month: of})
		left := l.summarizedIn(groups, of, func(day board.Date) bool { return from.Days[day] == "" })
		for i := range left {
			left[i].Target = "" // a number
		}
		all = append(all, left...)
	}
	for _, day := range slices.Sorted(maps.Keys(from.Days)) {
		groups, err := readPage(new(room), from.Days[day])
		if err != nil {
			return nil, fmt.Errorf("page %s: %w", day, err)
		}
		all = append(all, l.entriesIn(groups, Entry{Scope: activity.PerDay, Month: of, Day: day})...)
	}
	return all, nil
}

// entriesIn returns the entries and metrics of groups, which are like own.
func (l *Ledger) entriesIn(groups []group, own Entry) []Entry {
	var entries []Entry
	for _, g := range groups {
		for _, rec := range g.records {
			e := own
			e.Action, e.Moments = g.action, rec.Moments
			e.Target, e.Ref = codec.SplitKey(rec.key)
			entries = append(entries, e)
		}
		for _, s := range g.summaries {
			if date := own.Month.First() + board.Date(s.day); l.isMetric(g.action, date) {
				entries = append(entries, Entry{
					Action: g.action, Month: own.Month, Day: date, Moments: Moments{First: s.moments[0]}, Value: s.n,
				})
			}
		}
	}
	return entries
}

// summarizedIn returns what a month's groups know of days whose own pages are gone.
func (l *Ledger) summarizedIn(groups []group, of board.MonthOf, gone func(board.Date) bool) []Entry {
	var entries []Entry
	for _, g := range groups {
		for _, s := range g.summaries {
			date := of.First() + board.Date(s.day)
			if rule := l.rules.On(date).Find(g.action); rule == nil || rule.Metric || !gone(date) {
				continue
			}
			for i := range s.n {
				at := s.moments[min(int(i), len(s.moments)-1)]
				entries = append(entries, Entry{
					Action: g.action, Target: strconv.FormatInt(i, 10), Scope: activity.PerDay, Month: of, Day: date,
					Moments: Moments{First: at, Last: at},
				})
			}
		}
	}
	return entries
}

func (l *Ledger) isMetric(action string, date board.Date) bool {
	rule := l.rules.On(date).Find(action)
	return rule != nil && rule.Metric
}
