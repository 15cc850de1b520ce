package board

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// An ID names a period of a board.
type ID struct {
	Board  string
	Period Period
}

// A View asks for a page of a board, for standings on it, or for both.
type View struct {
	Board  string
	Period Period
	Offset int64  // of the page, from 0
	Limit  int64  // of the page's places; 0 for no page
	User   string // of the standing; "" for none
	Around int64  // neighbours on each side of the user

	After     Place // that the page comes after, wherever it is now, without an Offset; none if it has no rank
	AfterTeam Team  // likewise, on a board of teams, of which all are read in any case

	Users    []string // of further standings
	Movement bool     // whether to read previous ranks, of those on the page and of the neighbours

	// Of a window that rolls the newest period up to Period that is whole answers, the one of the day before at the
	// earliest; with Exact no other than Period.
	Exact    bool
	Optional bool // a board that is not whole is no error: its page says so
}

// Asked returns the users whose standings the view asks for.
func (v *View) Asked() []string {
	if v.User == "" {
		return v.Users
	}
	return append(slices.Clip(v.Users), v.User)
}

// A Place is a user on a board.
type Place struct {
	Rank int64 // from 1
	Member
}

// A Page is the answer to a View, read at one moment unless the board is in several shards.
type Page struct {
	Period     Period // that is answered
	Unready    bool   // the board is not whole, and nothing is known of it
	Final      bool   // the period is final
	Total      int64
	Places     []Place   // the page, in order
	Standing   *Standing // of the View's user
	Neighbours []Place   // with the user, in order; nil if the user is not on the board

	// Of a board of teams, Teams has all teams, and Members by user the parts of User and Users, except hidden ones and
	// those without a place. Total is the number of teams. There are no places of people, and no standings.
	Teams   *Teams
	Members map[string]Membership

	Standings []Standing        // of the View's Users, in their order
	Previous  map[string]int64  // ranks in the period before by user, of Movement; nobody who had none
	Names     map[string]string // by user, as who reads the board has them
}

// Users returns the users on the page and the neighbours, without erased ones.
func (p Page) Users() []string {
	users := make([]string, 0, len(p.Places)+len(p.Neighbours))
	for _, places := range [][]Place{p.Places, p.Neighbours} {
		for _, place := range places {
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

// Stand returns the standing of the place at rank, and the places around it with the place itself. near has
// these and, if there is one, the place above.
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
	return cmp.Or(Compare(a.Member, b.Member), cmp.Compare(a.Rank, b.Rank))
}

// A Standing is a user's place on a board. With rank 0 the user is not on it, and
// Percentile and PreviousRank may be nil.
type Standing struct {
	Rank         int64    // 1..Total, or 0
	Score        int64    // 0 when not on the board
	Ticks        int64    // when the score was reached; 0 when not on the board
	Total        int64    // users on the board
	Percentile   *float64 // 100 x (Total - Rank) / (Total - 1) to one decimal; 100 when alone
	ToNext       *int64   // points that bring the next place; nil at the top
	PreviousRank *int64   // the rank in the period before

	Of *Membership // of a standing on a board of teams; Rank, Score and Total are the team's then
}

// NewStanding returns a standing. above is the score of the place above, if rank is over 1: the next place takes
// a point more, as the first to reach a score keeps the place. A user who is not on the board would enter it
// with one point.
func NewStanding(rank int64, packed Packed, total, above, previousRank int64) Standing {
	s := Standing{Rank: rank, Score: packed.Score(), Ticks: packed.Ticks(), Total: total}
	switch {
	case rank == 0:
		s.ToNext = new(int64(1))
	case rank > 1:
		s.ToNext = new(above - s.Score + 1)
	}
	if rank > 0 {
		s.Percentile = new(Percentile(rank, total))
	}
	if previousRank > 0 {
		s.PreviousRank = new(previousRank)
	}
	return s
}

// Percentile returns the share of the other users that a rank is ahead of, in percent to one decimal.
func Percentile(rank, total int64) float64 {
	if total <= 1 {
		return 100
	}
	return math.Round(1000*float64(total-rank)/float64(total-1)) / 10
}

// A Friend is a user on a friends board.
type Friend struct {
	Member
	Rank      int64 // among the friends, from 1; 0 without points
	BoardRank int64 // on the whole board, from 1; 0 without points
}

// A FriendsPage is a page of a friends board: the user and the users they follow, in the board's order, then
// those without points by id.
type FriendsPage struct {
	Period  Period // that is answered
	Final   bool   // the period is final
	Total   int64  // the friends and the user
	Friends []Friend

	Standing  Standing // the user's own among the friends, without a previous rank
	BoardRank int64    // the user's own; 0 without points

	Names map[string]string // as a Page has them
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
			page.Friends = append(page.Friends, Friend{Member: places[i].Member, Rank: i + 1, BoardRank: places[i].Rank})
		} else {
			page.Friends = append(page.Friends, Friend{Member: Member{User: others[i-int64(len(places))]}})
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

// Text returns a place as one text: its rank, score and ticks, and the user.
func (p Place) Text() string {
	return fmt.Sprintf("%d.%d.%d.%s", p.Rank, p.Packed.Score(), p.Packed.Ticks(), p.User)
}

// ParsePlace reads the text that Text wrote, and greater numbers as the nearest that a place can have. A text of
// another form is no place.
func ParsePlace(text string) Place {
	numbers, user, ok := splitPlace(text)
	if !ok {
		return Place{}
	}
	return Place{Rank: numbers[0], Member: Member{User: user, Packed: Pack(numbers[1], min(numbers[2], tickMask))}}
}

// splitPlace returns the rank, the score and the ticks in the text of a place, and the user or the group.
func splitPlace(text string) (numbers [3]int64, name string, ok bool) {
	parts := strings.SplitN(text, ".", 4)
	if len(parts) != 4 || parts[3] == "" {
		return numbers, "", false
	}
	for i := range numbers {
		number, err := strconv.ParseUint(parts[i], 10, 63)
		if err != nil {
			return numbers, "", false
		}
		numbers[i] = int64(number)
	}
	return numbers, parts[3], true
}
