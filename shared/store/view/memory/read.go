package memory

import (
	"context"
	"errors"
	"slices"

	"laurel/shared/core/board"
	"laurel/shared/store/view"
)

// Read reads a piece of a board, with names.
func (v *View) Read(ctx context.Context, asked board.View) (board.Page, error) {
	pages, err := v.ReadAll(ctx, []board.View{asked})
	if err != nil {
		return board.Page{}, err
	}
	return pages[0], nil
}

// ReadAll reads pieces of several boards, all of one moment.
func (v *View) ReadAll(ctx context.Context, views []board.View) (pages []board.Page, err error) {
	var unready error
	err = v.read(ctx, &v.boards.slot, false, func() {
		pages, unready = make([]board.Page, len(views)), nil
		for i, asked := range views {
			var whole bool
			switch asked.Period, whole = v.boards.rolling.Answer(&views[i]); {
			case whole:
				if groups := v.options.Teams[asked.Board]; len(groups) > 0 {
					pages[i] = v.boards.teamPage(&asked, groups)
				} else {
					pages[i] = v.boards.page(&asked)
				}
				pages[i].Period = asked.Period
			case asked.Optional:
				pages[i] = board.Page{Unready: true}
			default:
				unready = unfilled{view.ErrUnready}
			}
		}
	})
	return pages, errors.Join(err, unready)
}

// page is the answer to a view.
func (b *boards) page(v *board.View) board.Page {
	on, before := b.on(v.Board, v.Period), b.previous(v)
	page := board.Page{Total: int64(on.Len()), Names: map[string]string{}}
	if v.After.Rank > 0 {
		first, found := on.place(v.After.Member)
		if found {
			first++
		}
		page.Places = on.places(first, v.Limit)
	} else {
		page.Places = on.places(v.Offset, v.Limit)
	}
	if v.User != "" {
		page.Standing, page.Neighbours = b.stand(on, before, v.User, v.Around)
	}
	for _, id := range v.Users {
		standing, _ := b.stand(on, before, id, 0)
		page.Standings = append(page.Standings, *standing)
	}
	shown := page.Users()
	for _, users := range [][]string{shown, v.Asked()} {
		b.names(page.Names, users)
	}
	if v.Movement {
		page.Previous = map[string]int64{}
		for _, id := range shown {
			if rank := before.rank(b.users[id]); rank > 0 {
				page.Previous[id] = rank
			}
		}
	}
	return page
}

// previous is the board of the period before, on which nobody is if there is none.
func (b *boards) previous(v *board.View) *ranked { return b.on(v.Board, v.Period.Prev()) }

// names adds the names of users who have one.
func (b *boards) names(names map[string]string, users []string) {
	for _, id := range users {
		if u := b.users[id]; u != nil && u.name != "" {
			names[id] = u.name
		}
	}
}

// stand returns a user's standing on a board, and the places around.
func (b *boards) stand(on, before *ranked, id string, around int64) (*board.Standing, []board.Place) {
	u := b.users[id]
	total, rank := int64(on.Len()), on.rank(u)
	if rank == 0 {
		return board.OffBoard(total, before.rank(u)), nil
	}
	first := max(rank-1-max(around, 1), 0)
	near := on.places(first, rank+around-first)
	return board.Stand(near, rank, total, before.rank(u), around)
}

// RankOf says where the views' users, who are not on the boards as they are hidden, would stand.
func (v *View) RankOf(ctx context.Context, views []board.View, packed, before []board.Packed,
) (standings []board.Standing, err error) {
	var unready error
	err = v.read(ctx, &v.boards.slot, false, func() {
		standings, unready = make([]board.Standing, len(views)), nil
		for i, asked := range views {
			asked.Exact = true
			if _, whole := v.boards.rolling.Answer(&asked); !whole {
				unready = unfilled{view.ErrUnready}
				return
			}
			standings[i] = v.boards.wouldStand(&asked, packed[i], before[i])
		}
	})
	return standings, errors.Join(err, unready)
}

// wouldStand returns the standing of a user who is on no board, with packed scores for this period and the one before.
func (b *boards) wouldStand(v *board.View, packed, past board.Packed) board.Standing {
	on, previous := b.on(v.Board, v.Period), int64(0)
	if past != 0 {
		n, _ := b.previous(v).place(board.Member{User: v.User, Packed: past})
		previous = n + 1
	}
	total := int64(on.Len())
	if packed == 0 {
		return *board.OffBoard(total, previous)
	}
	own := board.Member{User: v.User, Packed: packed}
	n, _ := on.place(own)
	near := slices.Concat(on.places(n-1, min(n, 1)), []board.Place{{Rank: n + 1, Member: own}})
	standing, _ := board.Stand(near, n+1, total+1, previous, 0)
	return *standing
}

// Friends reads a page of the friends board of a view's user.
func (v *View) Friends(ctx context.Context, asked board.View, friends []string, own board.Packed,
) (page board.FriendsPage, err error) {
	var unready error
	err = v.read(ctx, &v.boards.slot, false, func() {
		period, whole := v.boards.rolling.Answer(&asked)
		if unready = nil; !whole {
			unready = unfilled{view.ErrUnready}
			return
		}
		asked := asked
		asked.Period = period
		page = v.boards.friends(&asked, friends, own)
		page.Period = period
	})
	return page, errors.Join(err, unready)
}

func (b *boards) friends(v *board.View, friends []string, own board.Packed) board.FriendsPage {
	on, places, others := b.on(v.Board, v.Period), []board.Place(nil), []string(nil)
	friends = slices.DeleteFunc(slices.Clone(friends), func(f string) bool { return f == v.User })
	for _, id := range append(friends, v.User) {
		u := b.users[id]
		switch rank := on.rank(u); {
		case rank > 0:
			places = append(places, board.Place{Rank: rank, Member: board.Member{User: id, Packed: u.packed(on)}})
		case id == v.User && own != 0:
			places = b.supply(on, places, board.Member{User: id, Packed: own})
		case id == v.User, u == nil || !u.suppressed:
			others = append(others, id)
		}
	}
	page := board.NewFriendsPage(v.User, places, others, v.Offset, v.Limit)
	page.Names = map[string]string{}
	b.names(page.Names, append(page.Users(), v.User))
	return page
}

// supply adds the place of a user who is not on the board: the places behind it move down.
func (b *boards) supply(on *ranked, places []board.Place, own board.Member) []board.Place {
	for i := range places {
		if board.Compare(own, places[i].Member) < 0 {
			places[i].Rank++
		}
	}
	before, _ := on.place(own)
	return append(places, board.Place{Rank: before + 1, Member: own})
}

// Boards lists the boards of the view, by name, window and time.
func (v *View) Boards(ctx context.Context) (all []view.BoardPeriod, err error) {
	err = v.read(ctx, &v.boards.slot, false, func() {
		all = v.boards.list(func(board.ID) bool { return true })
	})
	return all, err
}

// PeriodsOf lists those of one board's window that have anyone on them, the newest first.
func (v *View) PeriodsOf(ctx context.Context, name string, w board.Window) (all []view.BoardPeriod, err error) {
	err = v.read(ctx, &v.boards.slot, false, func() {
		all = v.boards.list(func(key board.ID) bool {
			return key.Board == name && key.Period.Window() == w && v.boards.live[key].on() > 0
		})
	})
	slices.Reverse(all)
	return all, err
}
