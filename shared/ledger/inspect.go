package ledger

import (
	"fmt"
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

// Entries reads the entries and metrics of a month's or a day's page. The error
// is that of Decide.
func (l *Ledger) Entries(key PageKey, page string) ([]Entry, error) {
	groups, err := l.entries.decodeEntries(new(room), page)
	if err != nil {
		return nil, fmt.Errorf("page %s: %w", key, err)
	}
	own := Entry{Scope: activity.PerMonth}
	own.Month, _ = key.Month()
	if key.kind == kindDay {
		own.Scope, own.Day = activity.PerDay, board.Date(key.n)
	}
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
	return entries, nil
}

// Summarized returns what a month's page knows of days whose own pages are gone: for each
// entry that counted one with its number for a target, done when that decides the score.
func (l *Ledger) Summarized(of board.MonthOf, page string, gone func(board.Date) bool) ([]Entry, error) {
	groups, err := l.entries.decodeEntries(new(room), page)
	if err != nil {
		return nil, fmt.Errorf("page %s: %w", MonthPage(of), err)
	}
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
	return entries, nil
}

func (l *Ledger) isMetric(action string, date board.Date) bool {
	rule := l.rules.On(date).Find(action)
	return rule != nil && rule.Metric
}

// Rebuild works out afresh what a user's entries say: the summaries of the months,
// the totals, and every score on a board that is not closed. pages are all of
// the user's. The pages in the answer are those that differ from what was given,
// the scores are all there are.
func (l *Ledger) Rebuild(pages Pages, closed *board.Closed) (Changes, error) {
	p, err := l.open(pages, closed)
	if err != nil {
		return Changes{}, err
	}
	for _, m := range p.months {
		p.summarizeDays(m)
	}
	if p.totals == nil && l.rules.Keeps(board.Year, board.All) {
		p.totals = &monthTotals{isNew: true}
	}
	p.listAll()
	changes := p.changes()
	changes.Pages = slices.DeleteFunc(changes.Pages, func(p Page) bool { return pages[p.Key] == p.Data })
	return changes, nil
}

// summarizeDays makes a month's summaries from its days' pages, and counts it
// afresh. Of a day whose page is gone, the summary is what is known.
func (p *openPages) summarizeDays(m *month) {
	for _, t := range m.actions {
		t.summaries = slices.DeleteFunc(t.summaries, func(s daySummary) bool {
			date := m.days.First + board.Date(s.day)
			return !p.ledger.isMetric(t.action, date) &&
				slices.ContainsFunc(p.days, func(d *day) bool { return d.of == date && !d.isNew })
		})
	}
	for _, d := range p.days {
		if d.of.Month() != m.of {
			continue
		}
		for _, g := range d.groups {
			t, day := m.action(g.action), int(d.of-m.days.First)
			t.setSummary(summarize(g, day, m.rule(t, day)))
		}
	}
	m.dirty = true
	clear(m.sums)
	for _, t := range m.actions {
		m.countAll(t)
		for day := range m.days.Days {
			m.addSum(t, day, +1)
		}
	}
}
