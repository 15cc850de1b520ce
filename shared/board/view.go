package board

import (
	"cmp"
	"slices"
)

// A View asks for a page of a board, for standings on it, or for both.
type View struct {
	Board  string
	Period Period
	Offset int64  // of the page, from 0
	Limit  int64  // of the page's places; 0 for no page
	User   string // of the standing; "" for none
	Around int64  // neighbours on each side of the user

	// After is the place that the page comes after, wherever it is now; Offset is 0 then. A place without
	// a rank is none.
	After Place

	Users    []string // of further standings
	Movement bool     // whether to read previous ranks, of those on the page and of the neighbours
}

// A Place is a user on a board.
type Place struct {
	Rank int64 // from 1
	Entry
}

// A Page is the answer to a View, read at one moment unless the board is in several
// shards.
type Page struct {
	Final      bool // the period is final
	Total      int64
	Places     []Place   // the page, in order
	Standing   *Standing // of the View's user
	Neighbours []Place   // with the user, in order; nil if the user is not on the board

	Standings []Standing       // of the View's Users, in their order
	Previous  map[string]int64 // ranks in the period before by user, of Movement; nobody who had none
}

// Users returns the users on the page and the neighbours, without erased ones.
func (p Page) Users() []string {
	users := make([]string, 0, len(p.Places)+len(p.Neighbours))
	for _, of := range [][]Place{p.Places, p.Neighbours} {
		for _, place := range of {
			if !place.Erased() {
				users = append(users, place.User)
			}
		}
	}
	return users
}

// OffBoard returns the standing of a user who is not on the board.
func OffBoard(total, previousRank int64) *Standing {
	return new(NewStanding(0, 0, total, 0, previousRank))
}

// Stand returns the standing of the place at rank, and the around places on each side
// of it with the place itself. near has these and, if there is one, the place above.
func Stand(near []Place, rank, total, previousRank, around int64) (*Standing, []Place) {
	i := slices.IndexFunc(near, func(p Place) bool { return p.Rank == rank })
	if i < 0 {
		return OffBoard(total, previousRank), nil
	}
	var above int64
	if i > 0 {
		above = near[i-1].Packed.Score()
	}
	standing := NewStanding(rank, near[i].Packed, total, above, previousRank)
	near = near[max(0, int64(i)-around):min(int64(len(near)), int64(i)+around+1)]
	return &standing, near
}

// ComparePlaces orders places as a board does.
func ComparePlaces(a, b Place) int {
	return cmp.Or(Compare(a.Entry, b.Entry), cmp.Compare(a.Rank, b.Rank))
}
