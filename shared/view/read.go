package view

import (
	"context"
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"laurel/shared/board"
)

//go:embed read_board.lua
var readBoardSource string

var readBoardScript = newScript(readBoardSource)

// Read reads a piece of a board, with names, in one trip.
func (s *Store) Read(ctx context.Context, v board.View) (Page, error) {
	pages, err := s.ReadAll(ctx, []board.View{v})
	if err != nil {
		return Page{}, err
	}
	return pages[0], nil
}

// ReadAll reads pieces of several boards in one trip, all together. Where there are several shards,
// standings and movement take more (sharded.go).
func (s *Store) ReadAll(ctx context.Context, views []board.View) (pages []Page, err error) {
	err = s.identity(ctx, func(is string) error {
		if s.options.Shards > 1 || slices.ContainsFunc(views, isAfter) {
			pages, err = s.readSharded(ctx, is, views)
		} else {
			pages, err = s.readWhole(ctx, is, views)
		}
		return err
	})
	return pages, err
}

// readWhole reads pieces of boards that are in one shard.
func (s *Store) readWhole(ctx context.Context, is string, views []board.View) ([]Page, error) {
	calls := make([]*call, len(views))
	others := make([][]*aroundCall, len(views)) // one each, or none
	all := make([]*call, 0, len(views))
	for i, v := range views {
		calls[i], others[i] = s.boardCall(is, v, true), s.askHome(is, v, spotsOf(v.Users))
		all = append(append(all, calls[i]), scriptsOf(others[i])...)
	}
	s.run(ctx, all)
	pages := make([]Page, len(views))
	for i, v := range views {
		piece, err := parsePiece(calls[i], v.Offset)
		if err != nil {
			return nil, err
		}
		pages[i] = pageOf(piece, v)
		for _, c := range others[i] {
			if err := takeStandings(c, &pages[i]); err != nil {
				return nil, err
			}
		}
	}
	return pages, nil
}

// takeStandings puts the standings of a view's users on the page.
func takeStandings(c *aroundCall, page *Page) error {
	read := around{names: page.Names, past: map[string]board.Packed{}}
	if err := takeAround(c, &read); err != nil {
		return err
	}
	for _, sp := range c.spots {
		page.Standings = append(page.Standings, sp.standing(read.total))
	}
	return nil
}

// boardCall reads a view of a board that is in one shard.
func (s *Store) boardCall(is string, v board.View, named bool) *call {
	moved := ""
	switch {
	case v.Period.Window() == board.All:
		moved = "-" // nothing is before all time
	case v.Movement:
		moved = "ZRANK"
	}
	return s.pieceCall(is, 0, v, v.User, v.Offset, v.Limit, v.Around, named, moved)
}

// pieceCall reads a piece of a shard's part of a board.
func (s *Store) pieceCall(is string, shard int, v board.View, user string, offset, limit, around int64, named bool,
	moved string,
) *call {
	return &call{script: readBoardScript, keys: s.boardKeys(shard, v), args: []string{
		is, user, number(offset), number(limit), number(around), flag(named), moved,
	}}
}

// boardKeys are the keys that scripts read a view of a board by.
func (s *Store) boardKeys(shard int, v board.View) []string {
	return []string{
		s.markerKey(Slot(shard)), s.boardKey(shard, v.Board, v.Period), s.boardKey(shard, v.Board, previous(v.Period)),
		s.namesKey(shard),
	}
}

// previous is the period before; all time has none, and gets a key that no board has.
func previous(p board.Period) board.Period {
	if p.Window() == board.All {
		return board.Period{}
	}
	return p.Prev()
}

// piece is what read_board.lua answers.
type piece struct {
	total       int64
	places      []board.Place
	place       int64 // from 0, -1 for none
	placeBefore int64
	near        []board.Place
	names       []any // in order
	moved       []any // of those on the places, then near: what was asked of the period before
}

func parsePiece(c *call, offset int64) (p piece, err error) {
	reply, err := c.cmd.Slice()
	if err != nil {
		return p, unavailable("read a board", err)
	}
	if len(reply) != 8 {
		return p, unreadable(fmt.Sprintf("a board's answer has %d parts", len(reply)))
	}
	var from int64
	for i, n := range [...]*int64{0: &p.total, 2: &p.place, 3: &p.placeBefore, 4: &from} {
		if n != nil {
			*n, _ = reply[i].(int64)
		}
	}
	if p.places, err = parsePlaces(reply[1], offset); err != nil {
		return p, err
	}
	p.names, _ = reply[6].([]any)
	p.moved, _ = reply[7].([]any)
	p.near, err = parsePlaces(reply[5], from)
	return p, err
}

// parsePlaces reads user, packed score, user, ..., a line each; the first is at place offset.
func parsePlaces(reply any, offset int64) ([]board.Place, error) {
	text, _ := reply.(string)
	places := make([]board.Place, 0, (strings.Count(text, "\n")+1)/2)
	for text != "" {
		var user, score string
		user, text, _ = strings.Cut(text, "\n")
		score, text, _ = strings.Cut(text, "\n")
		packed, err := parsePacked(score)
		if err != nil {
			return nil, damaged(user, err)
		}
		places = append(places, board.Place{
			Rank: offset + int64(len(places)) + 1, Entry: board.Entry{User: user, Packed: packed},
		})
	}
	return places, nil
}

// pageOf turns what one script said into the answer.
func pageOf(p piece, v board.View) Page {
	page := Page{Page: board.Page{Total: p.total, Places: p.places}, Names: make(map[string]string, len(p.names))}
	users := usersOf(p.places)
	if v.User != "" && (v.Around == 0 || p.place < 0) {
		users = append(users, v.User)
	} else {
		users = append(users, usersOf(p.near)...)
	}
	takeNames(page.Names, users, p.names)
	switch {
	case v.User == "":
	case p.place < 0:
		page.Standing = board.OffBoard(p.total, p.placeBefore+1)
	default:
		page.Standing, page.Neighbours = board.Stand(p.near, p.place+1, p.total, p.placeBefore+1, v.Around)
	}
	if v.Movement {
		page.Previous = map[string]int64{}
		shown := slices.Concat(p.places, p.near)
		for i, value := range p.moved[:min(len(p.moved), len(shown))] {
			if before, there := value.(int64); there {
				page.Previous[shown[i].User] = before + 1
			}
		}
	}
	return page
}

// takeNames takes in the names of users, nil for who has none.
func takeNames(names map[string]string, users []string, values []any) {
	for i, value := range values[:min(len(values), len(users))] {
		if text, there := value.(string); there {
			names[users[i]] = text
		}
	}
}

// usersOf are those on some places, in order.
func usersOf(places []board.Place) []string {
	users := make([]string, len(places))
	for i, p := range places {
		users[i] = p.User
	}
	return users
}
