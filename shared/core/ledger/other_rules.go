package ledger

import (
	"fmt"
	"maps"
	"slices"

	"laurel/shared/core/activity"
	"laurel/shared/core/board"
)

// Rescored returns a copy of an account, which was kept by other rules, as it is by the ledger's own: summaries
// are made again, as they hold the entries within their day's cap, except of days whose pages are gone. The
// error is that of DecideAccount.
func (l *Ledger) Rescored(a *Account, life *board.Life) (*Account, error) {
	p := l.open(a, Surroundings{Life: life})
	defer p.close()
	if err := p.openMonths(a.sorted()); err != nil {
		return nil, err
	}
	next := *a
	next.Months = maps.Clone(a.Months)
	for _, m := range p.months {
		source := a.ledger(m.number)
		if source == nil {
			continue
		}
		changed, err := p.summarizeAgain(m, source)
		if err != nil {
			return nil, err
		}
		if changed {
			rescored := *source
			rescored.Month = p.page(m.groups)
			next.Months[m.number] = &rescored
		}
	}
	return &next, nil
}

// summarizeAgain sums up the days of a month whose pages are there, and says whether that changed anything.
func (p *openPages) summarizeAgain(m *month, source *MonthLedger) (changed bool, err error) {
	p.days = p.days[:0]
	for _, date := range slices.Sorted(maps.Keys(source.Days)) {
		if err := p.openDay(date); err != nil {
			return false, err
		}
	}
	for _, d := range p.days {
		day := int(d.date - m.days.First)
		for _, g := range d.groups {
			t := m.action(g.action)
			changed = t.setSummary(summarize(g, day, m.rule(t, day))) || changed
		}
	}
	return changed, nil
}

// Unknown returns the gaps in ledgers that were kept by the rules of a day, for scoring by other
// rules, a sentence for each action.
func Unknown(kept, other *activity.Ruleset) (all []string) {
	for _, word := range other.Words() {
		rule := other.Find(word)
		if word == rule.Undo {
			continue
		}
		if why := unknown(kept.Find(word), rule); why != "" {
			all = append(all, word+": "+why)
		}
	}
	return all
}

// unknown returns the gap for an action; was is nil if the rules did not have it.
func unknown(was, now *activity.Rule) string {
	switch {
	case was == nil || was.Action != now.Action:
		return "nobody has any, as the rules in force do not have it"
	case was.Metric != now.Metric || was.Entry != now.Entry || was.EntryWithRef != now.EntryWithRef,
		was.ByOther != now.ByOther:
		return "entries count as they were kept, though the file has others"
	case !now.Metric && was.Cap > 0 && (now.Cap == 0 || now.Cap > crowd*was.Cap):
		return fmt.Sprintf("more than %d on a day were not kept", crowd*was.Cap)
	case now.Published && !was.Published, now.NotOwn && !was.NotOwn, now.MinAgeDays > was.MinAgeDays,
		was.MayReport(activity.ByUser) && !now.MayReport(activity.ByUser):
		return "what members have reported counts, though the file refuses some of it"
	default:
		return ""
	}
}
