package ledger

import (
	"errors"
	"fmt"

	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/codec"
)

// mend is Merge with all rows of a user.
func (l *Ledger) mend(pages Pages, closed *board.Closed, friends []string, rows []Row) (Changes, error) {
	sound, none, damaged, empty := Pages{}, Pages{}, map[PageKey]error{}, true
	for key, page := range pages {
		if _, entries := key.Month(); entries && page != "" {
			empty = false
		}
		_, err := l.open(Pages{key: page}, closed)
		switch {
		case err == nil:
			sound[key] = page
		case !errors.Is(err, codec.ErrDamaged) || key == StatusPage():
			return Changes{}, err
		default:
			sound[key], damaged[key] = "", err
		}
		none[key] = ""
	}
	p, err := l.open(sound, closed)
	if err != nil {
		return Changes{}, err
	}
	if p.anew, p.damaged = p, damaged; !empty {
		if p.anew, err = l.open(none, closed); err != nil {
			return Changes{}, err
		}
		p.anew.anew = p.anew
		p.anew.mergeRows(rows)
	}
	p.mergeRows(rows)
	for _, m := range p.months {
		if damaged[MonthPage(m.of)] != nil && m.dirty {
			p.summarizeDays(m) // of days whose pages are sound
		}
	}
	if p.follow != nil {
		p.follow.compareWith(friends)
	}
	c := p.changes()
	for _, made := range c.Pages {
		delete(damaged, made.Key)
	}
	for key, err := range damaged {
		return Changes{}, fmt.Errorf("%w: the rows do not make it anew: page %s", err, key)
	}
	return c, nil
}

// lacks says whether all rows of the user say more of a day, whose page is gone, than the
// summary that is left of it, and nothing less. Of a day that is open, or whose page is
// damaged, it is enough that they say nothing less.
func (p *openPages) lacks(rule *activity.Rule, date board.Date) bool {
	if p.anew == nil || p.anew == p {
		return p.anew == p
	}
	day, is, rows := int(date-date.Month().First()), p.month(date.Month()), p.anew.month(date.Month())
	more := p.damaged[DayPage(date)] != nil || !p.dayClosed(rule, date)
	for _, t := range rows.actions {
		var known int64
		if s := is.action(t.action).summary(day); s != nil {
			known = s.n
		}
		if s := t.summary(day); s != nil && s.n > known {
			more = true
		}
	}
	for _, t := range is.actions {
		s, found := t.summary(day), rows.action(t.action).summary(day)
		if s != nil && !is.rule(t, day).Metric && (found == nil || found.n < s.n) {
			return false
		}
	}
	return more
}
