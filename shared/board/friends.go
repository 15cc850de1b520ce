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

// FriendsStanding returns the standing of a user among the places of all friends that are
// on the board, with the user's own, and the rank on the board.
func FriendsStanding(places []Place, user string, total int64) (s Standing, boardRank int64) {
	var above, me *Place
	rank := int64(1)
	i := slices.IndexFunc(places, func(p Place) bool { return p.User == user })
	if i < 0 {
		return NewStanding(0, 0, total, 0, 0), 0
	}
	me = &places[i]
	for i := range places {
		if p := &places[i]; ComparePlaces(*p, *me) < 0 {
			rank++
			if above == nil || ComparePlaces(*above, *p) < 0 {
				above = p
			}
		}
	}
	var score int64
	if above != nil {
		score = above.Packed.Score()
	}
	return NewStanding(rank, me.Packed, total, score, 0), me.Rank
}

// Friends returns limit entries of a friends board from an offset on. places are the places of
// those who are on the board, with their ranks there; others are those who are not.
// Both are in any order and have each user once.
func Friends(places []Place, others []string, offset, limit int64) []Friend {
	places, others = slices.Clone(places), slices.Clone(others)
	slices.SortFunc(places, ComparePlaces)
	slices.Sort(others)
	end := min(offset+limit, int64(len(places)+len(others)))
	friends := make([]Friend, 0, max(end-offset, 0))
	for i := offset; i < end; i++ {
		if i < int64(len(places)) {
			friends = append(friends, Friend{Entry: places[i].Entry, Rank: i + 1, BoardRank: places[i].Rank})
		} else {
			friends = append(friends, Friend{Entry: Entry{User: others[i-int64(len(places))]}})
		}
	}
	return friends
}
