package reference

import (
	"cmp"
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

// Friends returns a user's friends board, whole: whom the user follows and the
// user in the board's order, then those who are not on the board by id.
func (l *Ledger) Friends(boardName string, p board.Period, user string) []board.Friend {
	whole := l.Board(boardName, p)
	var friends []board.Friend
	for _, id := range append(l.Following(user), user) {
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
