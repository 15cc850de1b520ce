package redisview

import (
	"context"
	"slices"

	"laurel/shared/core/board"
)

var readFriendsScript = newScript("slot.lua", "read_friends.lua")

// mostNamed is how many friends a list may have for the names of those who are not on the board to come along.
const mostNamed = 1_000

// Friends reads a page of the friends board of a view's user. own is the place of a hidden user, who has none on the
// board; 0: as on the board. The view may lack the name of a user who is not on the board. It takes one trip. A
// deliberate exception takes a second one: a board in several shards, and a place that is not on it, whose rank has
// to be counted.
func (s *Store) Friends(ctx context.Context, v board.View, friends []string, own board.Packed,
) (page board.FriendsPage, err error) {
	err = s.identity(ctx, func(identity string) error {
		g, err := s.gather(ctx, identity, v, friends, own)
		if period, earlier := earlierPeriod(&v, err); earlier {
			v.Period, v.Exact = period, true
			g, err = s.gather(ctx, identity, v, friends, own)
		}
		if err != nil {
			return err
		}
		page = g.page()
		page.Period = v.Period
		if s.options.Shards > 1 || g.supplied {
			err = s.countRanks(ctx, identity, g, &page)
		}
		return err
	})
	return page, err
}

// gathered holds the replies of shards about friends.
type gathered struct {
	view     board.View
	places   []board.Place // with ranks on the board, or in their shard
	others   []string
	names    map[string]string
	supplied bool // the user's place is not on the board
}

// gather looks for friends and the user on a board, each in its shard.
func (s *Store) gather(ctx context.Context, identity string, v board.View, friends []string, own board.Packed,
) (*gathered, error) {
	g := &gathered{view: v, names: map[string]string{}}
	users := append(slices.DeleteFunc(slices.Clone(friends), func(f string) bool { return f == v.User }), v.User)
	var calls []*call
	for slot, some := range s.bySlot(users) {
		shard := int(slot)
		for some := range slices.Chunk(some, maxArguments-9) {
			args := []string{
				identity, s.wanted(v.Board, v.Period), dayArg(v.Period), number(v.Offset + v.Limit),
				flag(len(users) <= mostNamed),
			}
			keys := []string{s.markerKey(slot), s.boardKey(shard, v.Board, v.Period), s.suppressedKey(shard), s.namesKey(shard)}
			take := func(reply []any) error { return g.take(some, reply, own) }
			calls = append(calls, &call{script: readFriendsScript, keys: keys, args: append(args, some...), take: take})
		}
	}
	return g, s.ask(ctx, "read a friends board", calls...)
}

// take takes a shard's answer in.
func (g *gathered) take(users []string, reply []any, own board.Packed) error {
	scores, names := texts(reply[0]), texts(reply[2])
	places, _ := reply[1].([]any)
	for i := 0; i+1 < len(names); i += 2 {
		g.names[names[i]] = names[i+1]
	}
	for i, user := range users {
		place, _ := places[i].(int64)
		p := board.Place{Rank: place + 1, Member: board.Member{User: user}}
		if place >= 0 {
			var err error
			if p.Packed, err = parsePacked(scores[i]); err != nil {
				return damaged(user, err)
			}
		}
		if user == g.view.User && place < 0 && own != 0 {
			p.Packed, g.supplied = own, true
		}
		switch {
		case p.Packed != 0:
			g.places = append(g.places, p)
		case place == -1, user == g.view.User:
			g.others = append(g.others, user)
		}
	}
	return nil
}

// page is the page that was asked for, with the names of those in it.
func (g *gathered) page() board.FriendsPage {
	page := board.NewFriendsPage(g.view.User, g.places, g.others, g.view.Offset, g.view.Limit)
	page.Names = map[string]string{}
	for _, user := range append(page.Users(), g.view.User) {
		if name, ok := g.names[user]; ok {
			page.Names[user] = name
		}
	}
	return page
}

// countRanks counts the ranks on the board of those on a page, and the user's own.
func (s *Store) countRanks(ctx context.Context, identity string, g *gathered, page *board.FriendsPage) error {
	own := board.Friend{Rank: page.Standing.Rank}
	var ranked []*board.Friend
	for i := range page.Friends {
		if page.Friends[i].Rank > 0 {
			ranked = append(ranked, &page.Friends[i])
		}
	}
	if own.Rank > 0 {
		own.Member = board.Member{User: g.view.User, Packed: board.Pack(page.Standing.Score, page.Standing.Ticks)}
		ranked = append(ranked, &own)
	}
	spots := make([]*spot, len(ranked))
	for i, f := range ranked {
		spots[i] = &spot{user: f.User, packed: f.Packed}
	}
	read := newAnswers()
	calls := s.askAll(identity, board.View{Board: g.view.Board, Period: g.view.Period}, spots, &read)
	if err := s.ask(ctx, "count ranks", calls...); err != nil {
		return err
	}
	for i, f := range ranked {
		f.BoardRank = 1 + spots[i].before
		if f.Rank > own.Rank && own.Rank > 0 && g.supplied {
			f.BoardRank++ // the place of a hidden user is not on the board
		}
	}
	page.BoardRank = own.BoardRank
	return nil
}
