package memory

import (
	"context"
	"errors"
	"slices"

	"laurel/shared/view"
)

// ShowAll applies units of all kinds: those of users at one moment, with the ranks afterwards; then articles and votes.
func (v *View) ShowAll(ctx context.Context, life int64, what view.Showing) (showed view.Showed, err error) {
	err = v.options.Identify(ctx, func(table string) error {
		showed = failed(what)
		return errors.Join(v.showUnits(table, life, &what, &showed), v.showArticles(table, life, &what, &showed))
	})
	if showed.Units == nil { // the table did not say its id
		showed = failed(what)
	}
	return showed, err
}

// failed says that nothing of a showing was applied.
func failed(what view.Showing) view.Showed {
	return view.Showed{
		Units:    slices.Repeat([]view.ShowResult{view.ShowFailed}, len(what.Units)),
		Votes:    slices.Repeat([]view.ShowResult{view.ShowFailed}, len(what.Votes)),
		Articles: slices.Repeat([]view.ShowResult{view.ShowFailed}, len(what.Articles)),
		Ranks:    make([]int64, len(what.Ranks)),
	}
}

func (v *View) showUnits(table string, life int64, what *view.Showing, showed *view.Showed) error {
	if len(what.Units)+len(what.Ranks) == 0 {
		return nil
	}
	b := &v.boards
	b.Lock()
	defer b.Unlock()
	if len(what.Units) > 0 {
		if err := b.check(table, true); err != nil {
			return err
		}
		late := b.life > life
		b.life = max(b.life, life)
		for i := range what.Units {
			if showed.Units[i] = b.judge(&what.Units[i], late); showed.Units[i] == view.ShowApplied {
				b.apply(&what.Units[i])
			}
		}
	}
	if b.check(table, false) == nil {
		for i, of := range what.Ranks {
			showed.Ranks[i] = b.on(of.Board, of.Period).rank(b.users[of.User])
		}
	}
	return nil
}

// judge returns the result of a unit, by the revisions that it was read at and those that were seen. late says that the
// slot knows of a later life.
func (b *boards) judge(u *view.Unit, late bool) view.ShowResult {
	changed := slices.ContainsFunc(u.Months, func(m view.MonthUnit) bool { return m.Changed })
	seen := b.people.of(u.Key)
	stale, whole := late || seen > u.Person, seen != u.Person
	for _, m := range u.Months {
		seen := b.months[m.Month].of(u.Key)
		stale = stale || seen > m.Revision
		whole = whole || changed && seen != m.Was
	}
	for _, m := range u.Others {
		stale = stale || b.months[m.Month].of(u.Key) > m.Revision
	}
	switch {
	case stale:
		return view.ShowStale
	case whole && !u.Whole:
		return view.ShowWhole
	}
	return view.ShowApplied
}

// apply applies a unit: of one that has what changed alone, status and absent names stay as they are.
func (b *boards) apply(u *view.Unit) {
	b.see(u)
	changed, on := false, false
	who := b.user(u.User)
	defer b.settle(who)
	for _, m := range u.Months {
		changed = changed || m.Changed
		for _, p := range m.Places {
			on = on || p.Packed != 0
			b.put(who, boardKey{p.Board, p.Period}, p.Packed)
		}
	}
	all := u.Whole || !changed
	switch {
	case on && u.Name != "":
		b.call(who, u.Name)
	case all && (u.Name == "" || u.Whole):
		b.call(who, "")
	}
	if all {
		who.suppressed = u.Suppressed
	}
}

// see keeps the revisions of a unit.
func (b *boards) see(u *view.Unit) {
	if b.people.of(u.Key) != u.Person {
		b.people.set(u.Key, u.Person)
	}
	for _, m := range u.Months {
		if b.months[m.Month].of(u.Key) != m.Revision {
			b.saw(m.Month, u.Key, m.Revision)
		}
	}
}
