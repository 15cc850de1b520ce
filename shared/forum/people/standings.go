package people

import (
	"context"
	"errors"

	"laurel/shared/core/activity"
	"laurel/shared/core/board"
	"laurel/shared/core/ledger"
	"laurel/shared/store/items"
	"laurel/shared/store/view"
)

// FriendsOf returns the users whom the user of a view follows, as items.Store.CircleOf has them, and the place on its
// board that a hidden user would have; 0 for a user who is not hidden.
func (s *Store) FriendsOf(ctx context.Context, v board.View) (friends []string, own board.Packed, err error) {
	head, err := s.Items.Known(ctx)
	if err != nil {
		return nil, 0, err
	}
	c, err := s.Items.CircleOf(ctx, head.KeyOf(v.User))
	if err != nil || !c.Status.Supplied() {
		return c.Users, 0, err
	}
	places, err := s.places(ctx, v.User)
	return c.Users, places[board.ID{Board: v.Board, Period: v.Period}], err
}

// places returns the user's places by the ledgers, on all boards that are not final, with any status; of windows that
// roll those of yesterday and today.
func (s *Store) places(ctx context.Context, user string) (map[board.ID]board.Packed, error) {
	o, a, err := s.account(ctx, user, s.readMonths)
	if err != nil {
		return nil, err
	}
	return s.placesOf(a, o.Head, s.today()-1)
}

// placesOf returns the places of an account that has the months of readMonths; of windows that roll those of days from
// one to today.
func (s *Store) placesOf(a *ledger.Account, head *items.Head, first board.Date) (map[board.ID]board.Packed, error) {
	places := map[board.ID]board.Packed{}
	today := s.today()
	rolling, err := s.Ledger.Rolling(a, head.Life, first, today)
	if err != nil {
		return nil, err
	}
	for _, m := range head.FollowedMonths(s.Ledger, s.now()) {
		all, err := s.Ledger.Places(a, head.Life, today, m)
		if err != nil {
			return nil, err
		}
		all, rolling = append(all, rolling...), nil
		for _, p := range all {
			if p.Packed != 0 {
				places[board.ID{Board: p.Board, Period: p.Period}] = p.Packed
			}
		}
	}
	return places, nil
}

// An OwnStanding is a standing on a board, in the period that was answered.
type OwnStanding struct {
	board.ID
	board.Standing
}

// OwnStandings returns a user's standings on live boards, as that user sees them: a hidden user has the place that the
// user would take. Boards that are not whole are left out. It takes one read of the table, and without a whole ledger
// tells no sum below zero. Boards of teams take another trip, a deliberate exception.
func (s *Store) OwnStandings(ctx context.Context, user string, views []board.View) ([]OwnStanding, error) {
	o, err := s.read(ctx, user, s.readMonths)
	if err != nil {
		return nil, err
	}
	a, err := o.counting()
	if err != nil && o.account.Person.Err == nil { // a ledger is damaged: the boards have the places
		if a = o.account.Person.Value.Asked(); !a.Status.Supplied() {
			err = nil
		}
	}
	if err != nil {
		return nil, err
	}
	ofPeople, ofTeams := s.byKind(views)
	standings, err := s.ownStandings(ctx, user, ofPeople, a, o.Head)
	if err == nil {
		err = s.addToEnter(a, o.Head.Life, standings)
	}
	if err != nil || len(ofTeams) == 0 {
		return standings, err
	}
	teams, err := s.teamStandings(ctx, new(o.person()), user, ofTeams)
	standings = append(standings, teams...)
	inOrder(standings, views)
	return standings, err
}

// ownStandings returns the standings of OwnStandings on boards of people, by the user's account, without the points
// that bring the user onto a board.
func (s *Store) ownStandings(
	ctx context.Context, user string, views []board.View, a *ledger.Account, head *items.Head,
) ([]OwnStanding, error) {
	if a.Status.Supplied() {
		places, err := s.placesOf(a, head, s.today()-1)
		if err != nil {
			return nil, err
		}
		return s.rank(ctx, views, places)
	}
	own := make([]board.View, len(views))
	for i, v := range views {
		own[i] = board.View{Board: v.Board, Period: v.Period, User: user, Optional: true}
	}
	pages, err := s.View.ReadAll(ctx, own)
	if err != nil {
		return nil, err
	}
	standings := make([]OwnStanding, 0, len(pages))
	for i, page := range pages {
		if !page.Unready {
			standings = append(standings, OwnStanding{board.ID{Board: views[i].Board, Period: page.Period}, *page.Standing})
		}
	}
	return standings, nil
}

// rank returns the standings that a user who is on no board would have with some places. Where boards are not whole, as
// a deliberate exception each board is asked by itself, and of a window that rolls the day before.
func (s *Store) rank(
	ctx context.Context, views []board.View, places map[board.ID]board.Packed,
) ([]OwnStanding, error) {
	if len(views) == 0 {
		return nil, nil
	}
	now, before := make([]board.Packed, len(views)), make([]board.Packed, len(views))
	for i, v := range views {
		now[i] = places[board.ID{Board: v.Board, Period: v.Period}]
		before[i] = places[board.ID{Board: v.Board, Period: v.Period.Prev()}] // of none before it there is none
	}
	ranked, err := s.View.RankOf(ctx, views, now, before)
	if errors.Is(err, view.ErrUnready) {
		return s.rankWhole(ctx, views, places)
	}
	if err != nil {
		return nil, err
	}
	standings := make([]OwnStanding, len(views))
	for i, v := range views {
		standings[i] = OwnStanding{board.ID{Board: v.Board, Period: v.Period}, ranked[i]}
	}
	return standings, nil
}

// rankWhole is rank of the boards that are whole; of a window that rolls the day before may be.
func (s *Store) rankWhole(
	ctx context.Context, views []board.View, places map[board.ID]board.Packed,
) (standings []OwnStanding, err error) {
	if v := views[0]; len(views) == 1 {
		if !v.Period.Window().Rolls() || v.Period.Last() != s.today() {
			return nil, nil
		}
		v.Period = board.PeriodOf(v.Period.Window(), v.Period.Last()-1)
		return s.rank(ctx, []board.View{v}, places)
	}
	for _, v := range views {
		alone, err := s.rank(ctx, []board.View{v}, places)
		if err != nil {
			return nil, err
		}
		standings = append(standings, alone...)
	}
	return standings, nil
}

// Days returns a user's activity from a day to a later one, both included, by the ledgers that are kept, with the
// user's status.
func (s *Store) Days(ctx context.Context, user string, from, to board.Date) (
	[]ledger.DayActivity, ledger.UserStatus, error,
) {
	_, a, err := s.account(ctx, user, func(*items.Head) []board.MonthOf {
		return (*board.Life)(nil).LiveMonths(from.Month(), to.Month())
	})
	if err != nil {
		return nil, ledger.UserStatus{}, err
	}
	days, err := s.Ledger.DaysOf(a, from, to)
	return days, a.Status, err
}

// Entries returns the entries of a user's live months that a board counts, the newest first; for "" all.
func (s *Store) Entries(ctx context.Context, user, name string) ([]ledger.ListedEntry, error) {
	_, a, err := s.account(ctx, user, s.liveMonths)
	if err != nil {
		return nil, err
	}
	return s.Ledger.ListedOn(a, name)
}

// mostWreaths is how many wreaths Wreaths returns.
const mostWreaths = 100

// Wreaths returns the wreaths that a user won on the stored boards of some rules, the newest first, at most
// mostWreaths; none for a hidden or excluded user. A reopened period keeps its wreaths, as its board, until it is final
// again. It is one read of the table.
func (s *Store) Wreaths(ctx context.Context, user string, rules *activity.Rules) ([]Wreath, error) {
	p, err := s.readPerson(ctx, user)
	if err != nil {
		return nil, err
	}
	wreaths := []Wreath{}
	for _, w := range p.Wreaths {
		if !p.Status.Suppressed() && rules.Board(w.Board) != nil {
			wreaths = append(wreaths, wreathOf(w))
		}
	}
	return wreaths[:min(len(wreaths), mostWreaths)], nil
}

func wreathOf(w items.Wreath) Wreath {
	return Wreath{w.Board, w.Period.Window().String(), w.Period.String(), w.Rank}
}
