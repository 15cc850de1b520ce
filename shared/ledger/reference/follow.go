package reference

import (
	"cmp"
	"maps"
	"slices"
	"strings"

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

// Replace replaces a user's follow list: every target is followed at the moment,
// the others known by then are unfollowed. Of unknown nothing was known: a failover had lost
// it, and it was not replayed yet.
func (l *Ledger) Replace(user string, targets []string, at board.Moment, unknown ...string) {
	for other := range maps.Clone(l.follows[user]) {
		if !slices.Contains(targets, other) && !slices.Contains(unknown, other) {
			l.follow(user, other, at, true)
		}
	}
	for _, target := range targets {
		l.follow(user, target, at, false)
	}
}

// Following lists whom a user follows, by id.
func (l *Ledger) Following(user string) []string {
	var on []string
	for target, m := range l.follows[user] {
		if m.Stands() {
			on = append(on, target)
		}
	}
	slices.Sort(on)
	return on
}

// SetHidden hides a user, or shows the user again.
func (l *Ledger) SetHidden(user string, hidden bool) { l.hidden[user] = hidden }

// SetExcluded excludes a user, or takes that back.
func (l *Ledger) SetExcluded(user string, excluded bool) { l.excluded[user] = excluded }

// Forget forgets all of a user, and the user on the follow lists of others.
func (l *Ledger) Forget(user string) {
	delete(l.entries, user)
	delete(l.days, user)
	delete(l.follows, user)
	delete(l.hidden, user)
	delete(l.excluded, user)
	for _, targets := range l.follows {
		delete(targets, user)
	}
}

// Friends returns a user's friends board, whole: whom the user follows and the
// user in the board's order, then those who are not on the board by id. A hidden
// or excluded friend is not on it; a hidden user has the place that would be.
func (l *Ledger) Friends(boardName string, p board.Period, user string) []board.Friend {
	whole := l.boardFor(user, boardName, p)
	var friends []board.Friend
	for _, id := range append(l.Following(user), user) {
		if id != user && (l.hidden[id] || l.excluded[id]) {
			continue
		}
		f := board.Friend{Entry: board.Entry{User: id}, BoardRank: rank(whole, id)}
		if f.BoardRank > 0 {
			f.Entry = whole[f.BoardRank-1]
		}
		friends = append(friends, f)
	}
	slices.SortFunc(friends, func(a, b board.Friend) int {
		switch {
		case a.BoardRank > 0 && b.BoardRank > 0:
			return cmp.Compare(a.BoardRank, b.BoardRank)
		case a.BoardRank == b.BoardRank:
			return strings.Compare(a.User, b.User)
		default:
			return cmp.Compare(b.BoardRank, a.BoardRank)
		}
	})
	for i := range friends {
		if friends[i].BoardRank > 0 {
			friends[i].Rank = int64(i) + 1
		}
	}
	return friends
}
