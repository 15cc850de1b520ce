package projection

import (
	"fmt"
	"maps"
	"slices"

	"laurel/shared/core/activity"
	"laurel/shared/core/article"
	"laurel/shared/core/board"
	"laurel/shared/core/ledger"
	"laurel/shared/store/items"
	"laurel/shared/store/table"
	"laurel/shared/store/view"
)

// Whole returns the unit of all months of an account that the view follows, and of the days that it keeps. The error
// concerns this user alone; it wraps table.ErrConflict where the account lacks a month that these days need.
func (p *Projector) Whole(head *items.Head, account *items.Account) (view.Unit, error) {
	return p.WholeOf(head, account, p.Days())
}

// WholeOf is Whole with the last days of rolling periods.
func (p *Projector) WholeOf(head *items.Head, account *items.Account, days view.Days) (view.Unit, error) {
	u, months := unitOf(account.Key, account.ID, account.Person), p.Followed(head)
	u.Whole, u.Name = true, nameOf(account.Person, p.ledger.Guests())
	u.Days = days
	touched := head.RollingMonths(p.ledger, days.First, days.Last)
	a, err := account.Counting(slices.Concat(months, touched)...)
	if err == nil {
		err = p.reaches(head, days, account.Months)
	}
	if err == nil {
		u.Rolling, err = p.ledger.Rolling(a, head.Life, days.First, days.Last)
	}
	if err != nil {
		return u, err
	}
	today := p.Today()
	for _, m := range months {
		places, err := p.places(a, head.Life, today, m)
		if err != nil {
			return u, err
		}
		revision := view.MonthRevision{Month: m, Revision: account.Ledgers[m].Revision}
		u.Months = append(u.Months, view.MonthUnit{MonthRevision: revision, Was: revision.Revision, Places: places})
	}
	for _, m := range touched {
		if !slices.Contains(months, m) {
			u.Others = append(u.Others, view.MonthRevision{Month: m, Revision: account.Ledgers[m].Revision})
		}
	}
	return p.suppress(u, account.Person), nil
}

// reaches returns an error if the ledgers of some months are not all those that boards whose windows roll need on some
// days. It is that of Whole.
func (p *Projector) reaches(head *items.Head, days view.Days, read []board.MonthOf) error {
	for _, m := range head.RollingMonths(p.ledger, days.First, days.Last) {
		if !slices.Contains(read, m) {
			return fmt.Errorf("%w: the ledger of %s was not read", table.ErrConflict, m)
		}
	}
	return nil
}

// unitOf returns a unit without a name and months.
func unitOf(key items.Key, user string, person items.Row[*items.Person]) view.Unit {
	u := view.Unit{User: user, Key: key, Person: person.Revision}
	if person.Value != nil {
		u.Suppressed = person.Value.OffBoards()
	}
	return u
}

// nameOf returns a person's name as the view keeps it and guests see it by their rules, "" for none.
func nameOf(person items.Row[*items.Person], guests *activity.Rules) string {
	if person.Value == nil {
		return ""
	}
	return person.Value.Public(guests).Text()
}

// suppress takes the places from the unit of a person who is on no board. A person who hides still counts for a team.
func (p *Projector) suppress(u view.Unit, person items.Row[*items.Person]) view.Unit {
	if !u.Suppressed {
		return u
	}
	hides := !person.Value.Status.Withheld() && person.Value.Into == ""
	stays := func(name string) bool { return hides && p.ledger.Rules().OfTeams(name) }
	for _, m := range u.Months {
		takePlaces(m.Places, stays)
	}
	takePlaces(u.Rolling, stays)
	return u
}

// takePlaces takes places away, but on boards where the person stays.
func takePlaces(places []ledger.Shown, stays func(board string) bool) {
	for i := range places {
		if places[i].Packed != 0 && !stays(places[i].Board) { // others share places of 0
			places[i].Packed = 0
		}
	}
}

// Votes returns a person's votes in each ledger of a live month that exists and is not damaged.
func Votes(head *items.Head, account *items.Account) (votes []view.VotesUnit) {
	for m, row := range account.Ledgers {
		a, err := account.Counting(m)
		if err == nil && row.Revision != 0 && !head.Life.Final(board.PeriodOf(board.Month, m.First())) {
			revision := view.MonthRevision{Month: m, Revision: row.Revision}
			votes = append(votes, votesOf(account.Key, revision, a.Months[m]))
		}
	}
	return votes
}

// votesOf returns the votes that stand in a ledger; without a ledger none do.
func votesOf(key items.Key, revision view.MonthRevision, m *ledger.MonthLedger) view.VotesUnit {
	v := view.VotesUnit{Key: key, MonthRevision: revision}
	if m == nil {
		return v
	}
	for _, id := range slices.Sorted(maps.Keys(m.Votes)) {
		if article.Vote(m.Votes[id]).Stands() {
			v.Articles = append(v.Articles, view.VotedArticle{ID: id})
		}
	}
	return v
}
