package board

import "slices"

// A Friend is a user on a friends board.
type Friend struct {
	Entry
	Rank      int64 // among the friends, from 1; 0 without points
	BoardRank int64 // on the whole board, from 1; 0 without points
}

// A FriendsPage is the beginning of a friends board: the user and those whom the user
// follows, in the board's order, then those without points by id.
type FriendsPage struct {
	Final   bool  // the period is final
	Total   int64 // the friends and the user
	Friends []Friend
}

// Friends returns the first limit entries of a friends board. places are the places of
// those who are on the board, with their ranks there; others are those who are not.
// Both are in any order and have each user once.
func Friends(places []Place, others []string, limit int64) []Friend {
	places, others = slices.Clone(places), slices.Clone(others)
	slices.SortFunc(places, ComparePlaces)
	slices.Sort(others)
	n := min(limit, int64(len(places)+len(others)))
	friends := make([]Friend, 0, n)
	for i, p := range places[:min(n, int64(len(places)))] {
		friends = append(friends, Friend{Entry: p.Entry, Rank: int64(i) + 1, BoardRank: p.Rank})
	}
	for _, user := range others[:n-int64(len(friends))] {
		friends = append(friends, Friend{Entry: Entry{User: user}})
	}
	return friends
}
