package memory

import (
	"context"
	"errors"
	"slices"

	"laurel/shared/core/ledger"
	"laurel/shared/store/view"
)

// ShowAll applies units of all kinds: those of users at one moment, with the ranks afterwards; then articles and votes.
func (v *View) ShowAll(_ context.Context, showing view.Showing) (view.Showed, error) {
	showed := view.NewShowed(showing, view.ShowFailed)
	err := errors.Join(v.showUnits(&showing, &showed), v.showArticles(&showing, &showed))
	return showed, err
}

func (v *View) showUnits(showing *view.Showing, showed *view.Showed) error {
	if len(showing.Units)+len(showing.Ranks) == 0 {
		return nil
	}
	b := &v.boards
	b.Lock()
	defer b.Unlock()
	if len(showing.Units) > 0 {
		if err := b.check(showing.Table, true); err != nil {
			return err
		}
		late := b.life > showing.Life
		showed.Days = b.rolling.Days()
		b.life = max(b.life, showing.Life)
		for i := range showing.Units {
			if showed.Units[i] = b.judge(&showing.Units[i], late); showed.Units[i] == view.ShowApplied {
				b.apply(&showing.Units[i], v.options.Teams)
			}
		}
	}
	if b.check(showing.Table, false) == nil {
		for i, wanted := range showing.Ranks {
			wanted.Exact = true
			if _, whole := b.rolling.Answer(&wanted); whole {
				showed.Ranks[i] = b.on(wanted.Board, wanted.Period).rank(b.users[wanted.User])
			}
		}
	}
	return nil
}

// judge returns the result of a unit, by the revisions that it was read at and those that were seen. late says that the
// slot knows of a later life.
func (b *boards) judge(u *view.Unit, late bool) view.ShowResult {
	changed := slices.ContainsFunc(u.Months, func(m view.MonthUnit) bool { return m.Changed })
	seen := b.people.seen(u.Key)
	stale, whole := late || seen > u.Person, seen != u.Person
	for _, m := range u.Months {
		seen := b.months[m.Month].seen(u.Key)
		stale = stale || seen > m.Revision
		whole = whole || changed && seen != m.Was
	}
	for _, m := range u.Others {
		stale = stale || b.months[m.Month].seen(u.Key) > m.Revision
	}
	switch {
	case stale:
		return view.ShowStale
	case whole && !u.Whole:
		return view.ShowWhole
	case b.rolling.Short(u.Days):
		return view.ShowShort
	}
	return view.ShowApplied
}

// apply applies a unit: for one that has changes alone, status and absent names stay as they are.
func (b *boards) apply(u *view.Unit, teams map[string][]string) {
	b.see(u)
	changed, on, n := false, false, 0
	shown := b.user(u.User)
	defer b.settle(shown)
	put := func(p ledger.Shown) { b.put(shown, n, p, len(teams[p.Board]), u.Suppressed) }
	for _, m := range u.Months {
		changed = changed || m.Changed
		for _, p := range m.Places {
			on = on || p.Packed != 0 && len(teams[p.Board]) == 0
			put(p)
			n++
		}
	}
	for _, p := range u.Rolling {
		on = on || p.Packed != 0 && len(teams[p.Board]) == 0
		if b.rolling.Days().Has(p.Period.Last()) && b.rolling.Begun > 0 {
			put(p)
		}
		n++
	}
	all := u.Whole || !changed
	switch {
	case on && u.Name != "":
		b.call(shown, u.Name)
	case all && (u.Name == "" || u.Whole):
		b.call(shown, "")
	}
	if all {
		shown.suppressed = u.Suppressed
	}
}

// see keeps the revisions of a unit.
func (b *boards) see(u *view.Unit) {
	if b.people.seen(u.Key) != u.Person {
		b.people.set(u.Key, u.Person)
	}
	for _, m := range u.Months {
		if b.months[m.Month].seen(u.Key) != m.Revision {
			b.saw(m.Month, u.Key, m.Revision)
		}
	}
}
