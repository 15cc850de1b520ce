package reference

import (
	"slices"

	"laurel/shared/board"
)

// follow keeps that a target was followed or unfollowed, of whatever month.
func (l *Ledger) follow(user, target string, at board.Moment, undone bool) {
	m := Moments{First: at, Last: at}
	if undone {
		m = Moments{Undone: at}
	}
	if l.follows[user] == nil {
		l.follows[user] = map[string]Moments{}
	}
	l.follows[user][target] = l.follows[user][target].and(m)
}

// Following lists whom a user follows, by id.
func (l *Ledger) Following(user string) []string {
	var on []string
	for target, m := range l.follows[user] {
		if m.stands() {
			on = append(on, target)
		}
	}
	slices.Sort(on)
	return on
}
