package ledger

import (
	"fmt"

	"laurel/shared/board"
	"laurel/shared/codec"
)

// An Entry is one entry as a page holds it, for who inspects pages. A hashed
// target reads as "#" and its hash in hex.
type Entry struct {
	Action, Target, Ref string
	Moments
	Value int64 // of a metric; its moment is First
}

// Entries reads the entries out of a month's or a day's page, the metrics of a
// month among them by the day they are of. The error wraps codec.ErrDamaged.
func (l *Ledger) Entries(key PageKey, page string) (entries []Entry, metrics map[board.Date][]Entry, err error) {
	groups, err := decodeEntries(page)
	if err != nil {
		return nil, nil, fmt.Errorf("page %s: %w", key, err)
	}
	metrics = map[board.Date][]Entry{}
	for _, g := range groups {
		for _, rec := range g.records {
			e := Entry{Action: g.action, Moments: rec.Moments}
			e.Target, e.Ref = codec.SplitKey(rec.key)
			entries = append(entries, e)
		}
		for _, n := range g.notes {
			date := board.MonthOf(key.n).First() + board.Date(n.day)
			if l.isMetric(g.action, date) {
				e := Entry{Action: g.action, Moments: Moments{First: n.moments[0]}, Value: n.n}
				metrics[date] = append(metrics[date], e)
			}
		}
	}
	return entries, metrics, nil
}

func (l *Ledger) isMetric(action string, date board.Date) bool {
	rule, ok := l.rules.On(date).Rule(action)
	return ok && rule.Metric
}

// Rebuild works out afresh what a user's entries say: the notes of the months,
// the totals, and every score on a board that is not closed. pages are all of
// the user's. The pages in the answer are those that differ from what was given,
// the scores are all there are.
func (l *Ledger) Rebuild(pages map[PageKey]string, closed *board.Closed) (Changes, error) {
	b, err := l.Open(pages, closed)
	if err != nil {
		return Changes{}, err
	}
	for _, m := range b.months {
		b.renote(m)
	}
	if b.totals == nil && l.rules.Keeps(board.Year, board.All) {
		b.totals = &totals{isNew: true}
	}
	for _, m := range b.months {
		for i := range m.days.Days {
			for _, name := range l.rules.Boards() {
				b.place(name, m.days.First+board.Date(i))
			}
		}
	}
	changes := b.Changes()
	kept := changes.Pages[:0]
	for _, p := range changes.Pages {
		if pages[p.Key] != p.Data {
			kept = append(kept, p)
		}
	}
	changes.Pages = kept
	return changes, nil
}

// place has Changes list what the user has on a day and its longer periods.
func (b *Book) place(name string, date board.Date) {
	for _, w := range b.ledger.rules.Windows(name) {
		at := place{name, board.PeriodOf(w, date)}
		if !b.remembers(at) && !b.closed.Has(at.board, at.period) {
			b.before = append(b.before, snapshot{at, 0})
		}
	}
}

// renote makes a month's notes from its days' pages, and counts it afresh.
func (b *Book) renote(m *month) {
	for _, ln := range m.lanes {
		kept := ln.notes[:0]
		for _, n := range ln.notes {
			if b.ledger.isMetric(ln.action, m.days.First+board.Date(n.day)) {
				kept = append(kept, n)
			}
		}
		ln.notes = kept
	}
	for _, d := range b.days {
		if d.of.Month() != m.of {
			continue
		}
		for _, g := range d.groups {
			ln, day := m.lane(g.action), int(d.of-m.days.First)
			ln.setNote(noteOf(g, day, m.rule(ln, day)))
		}
	}
	m.dirty = true
	clear(m.sums)
	for _, ln := range m.lanes {
		m.countAll(ln)
		for day := range m.days.Days {
			m.addSum(ln, day, +1)
		}
	}
}
