package reference

import (
	"slices"

	"laurel/shared/core/board"
)

// A Person has the present properties of a user that boards ask for. The zero value is a user in no group, whose
// account is of an unknown day.
type Person struct {
	Groups     []string
	Since      board.Date // the day of the account; 0: not known
	Suppressed bool       // on no board that others see
}

// SetPerson sets the properties of a user.
func (l *Ledger) SetPerson(user string, p Person) { l.people[user] = p }

// Admits says whether the conditions of a board on people, in a period, hold for a user.
func (l *Ledger) Admits(user, name string, p board.Period) bool {
	person, asked, day := l.people[user], l.rules.Board(name).People, p.First()
	if p.Window().Rolls() {
		day = p.Last()
	}
	isIn := func(group string) bool { return slices.Contains(person.Groups, group) }
	return (len(asked.In) == 0 || slices.ContainsFunc(asked.In, isIn)) && !slices.ContainsFunc(asked.NotIn, isIn) &&
		(asked.NewDays == 0 || person.Since != 0 && day-person.Since <= board.Date(asked.NewDays))
}

// Place returns a user's sum on a board in a period, below zero too, and the place that it is; 0 for none.
func (l *Ledger) Place(user, name string, p board.Period) (sum int64, place board.Packed) {
	var all score
	for on, s := range l.days() {
		if on.user == user && on.board == name && p.Has(on.day) {
			all = all.and(s)
		}
	}
	if all.points > 0 && l.Admits(user, name, p) {
		place = board.Pack(min(all.points, board.MaxScore), l.calendar.Ticks(p, all.reached))
	}
	return all.points, place
}
