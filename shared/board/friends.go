package board

import "slices"

// A Friend is a user on a friends board.
type Friend struct {
	Entry
	Rank      int64 // among the friends, from 1; 0 without points
	BoardRank int64 // on the whole board, from 1; 0 without points
}

// A FriendsPage is a page of a friends board: the user and those whom the user follows, in
// the board's order, then those without points by id.
type FriendsPage struct {
	Final   bool  // the period is final
	Total   int64 // the friends and the user
	Friends []Friend

	Standing  Standing // the user's own among the friends, without a previous rank
	BoardRank int64    // the user's own; 0 without points
}

// Users returns the users on the page.
func (p FriendsPage) Users() []string {
	users := make([]string, len(p.Friends))
	for i, f := range p.Friends {
		users[i] = f.User
	}
	return users
}

// NewFriendsPage returns the friends board of a user, with limit entries of it from an offset on. places are
// the places of those who are on the board, with their ranks there; others are those who are not. Both are in
// any order and have each user once, the user too.
func NewFriendsPage(user string, places []Place, others []string, offset, limit int64) FriendsPage {
	places, others = slices.Clone(places), slices.Clone(others)
	slices.SortFunc(places, ComparePlaces)
	slices.Sort(others)
	page := FriendsPage{Total: int64(len(places) + len(others))}
	end := min(offset+limit, page.Total)
	page.Friends = make([]Friend, 0, max(end-offset, 0))
	for i := offset; i < end; i++ {
		if i < int64(len(places)) {
			page.Friends = append(page.Friends, Friend{Entry: places[i].Entry, Rank: i + 1, BoardRank: places[i].Rank})
		} else {
			page.Friends = append(page.Friends, Friend{Entry: Entry{User: others[i-int64(len(places))]}})
		}
	}
	page.Standing = *OffBoard(page.Total, 0)
	if i := slices.IndexFunc(places, func(p Place) bool { return p.User == user }); i >= 0 {
		var above int64
		if i > 0 {
			above = places[i-1].Packed.Score()
		}
		page.Standing, page.BoardRank = NewStanding(int64(i)+1, places[i].Packed, page.Total, above, 0), places[i].Rank
	}
	return page
}
