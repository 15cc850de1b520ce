package boards

import (
	"context"
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"laurel/shared/board"
	"laurel/shared/redisstore"
)

//go:embed read_board.lua
var readBoardSource string

// Read reads a piece of a board in one round trip.
func (s *Store) Read(ctx context.Context, v board.View) (Page, error) {
	pages, err := s.ReadAll(ctx, []board.View{v})
	if err != nil {
		return Page{}, err
	}
	return pages[0], nil
}

// ReadAll reads pieces of several boards in one round trip, all together.
func (s *Store) ReadAll(ctx context.Context, views []board.View) ([]Page, error) {
	if s.redis.Shards() > 1 {
		return s.readSharded(ctx, views)
	}
	if len(views) == 1 {
		if page, known := s.readKnown(ctx, views[0]); known {
			return []Page{page}, nil
		}
	}
	calls := make([]*redisstore.Call, len(views))
	others := make([][]*aroundCall, len(views)) // one each, or none
	for i, v := range views {
		calls[i], others[i] = s.boardCall(v, named), s.askHome(v, spotsOf(v.Users))
	}
	s.redis.Run(ctx, append(slices.Clone(calls), scriptsOf(others...)...)...)
	pages, err := s.parsePages(views, calls)
	if err != nil {
		return nil, err
	}
	for i := range pages {
		for _, c := range others[i] {
			if err := s.takeStandings(c, &pages[i]); err != nil {
				return nil, err
			}
		}
	}
	for i, v := range views {
		s.known.put(v, pages[i].Places)
	}
	return pages, nil
}

// takeStandings puts the standings of a view's users on the page.
func (s *Store) takeStandings(c *aroundCall, page *Page) error {
	read := around{copies: page.Profiles, past: map[string]board.Packed{}}
	if err := s.takeAround(c, &read); err != nil {
		return err
	}
	for _, sp := range c.spots {
		page.Standings = append(page.Standings, sp.standing(read.total))
	}
	return nil
}

// boardCall reads a view of a board that is in one shard.
func (s *Store) boardCall(v board.View, copies int) *redisstore.Call {
	moved := ""
	switch {
	case v.Period.Window() == board.All:
		moved = "-" // nothing is before all time
	case v.Movement:
		moved = "ZRANK"
	}
	return s.readCall(s.scripts.readBoard, 0, v, v.Offset, v.Limit, v.User, v.Around, copies, moved)
}

// parsePages reads the answers to boardCalls.
func (s *Store) parsePages(views []board.View, calls []*redisstore.Call) ([]Page, error) {
	pages := make([]Page, len(views))
	for i, v := range views {
		piece, err := parsePiece(calls[i], v.Offset)
		if err != nil {
			return nil, err
		}
		if pages[i], err = s.page(piece, v); err != nil {
			return nil, err
		}
	}
	return pages, nil
}

// What read_board.lua takes as its last argument.
const (
	unnamed = 0
	named   = 1
)

// readCall is a script on the board of a view, in one shard.
func (*Store) readCall(script *redisstore.Script, shard int, v board.View, args ...any) *redisstore.Call {
	return &redisstore.Call{
		Script: script,
		Keys: []string{
			redisstore.BoardKey(shard, v.Board, v.Period),
			redisstore.BoardKey(shard, v.Board, previous(v.Period)), redisstore.ProfilesKey(shard),
		},
		Args: args,
	}
}

// previous is the period before; all time has none, and gets a key that no board
// has.
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
	copies      []any // of profiles, behind their generation
	moved       []any // of those on the places, then near: what was asked of the period before
}

func parsePiece(c *redisstore.Call, offset int64) (piece, error) {
	reply, err := c.Cmd.Slice()
	if err != nil {
		return piece{}, redisstore.Unavailable("read a board", err)
	}
	if len(reply) != 8 {
		return piece{}, fmt.Errorf("%w: a board's answer has %d parts", redisstore.ErrStored, len(reply))
	}
	var p piece
	var from int64
	for i, n := range [...]*int64{0: &p.total, 2: &p.place, 3: &p.placeBefore, 4: &from} {
		if n != nil {
			*n, _ = reply[i].(int64)
		}
	}
	if p.places, err = parsePlaces(reply[1], offset); err != nil {
		return piece{}, err
	}
	p.copies, _ = reply[6].([]any)
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
		packed, err := redisstore.ParsePacked(score)
		if err != nil {
			return nil, redisstore.Damaged(user, fmt.Errorf("score %q", score))
		}
		places = append(places, board.Place{
			Rank: offset + int64(len(places)) + 1, Entry: board.Entry{User: user, Packed: packed},
		})
	}
	return places, nil
}

// page turns what one script said into the answer.
func (s *Store) page(p piece, v board.View) (Page, error) {
	page := Page{
		Page:   board.Page{Total: p.total, Places: p.places},
		Copies: Copies{Profiles: make(map[string]string, len(p.copies))},
	}
	users := usersOf(p.places)
	if v.User != "" && (v.Around == 0 || p.place < 0) {
		users = append(users, v.User)
	} else {
		users = append(users, usersOf(p.near)...)
	}
	switch {
	case v.User == "":
	case p.place < 0:
		page.Standing = board.OffBoard(p.total, p.placeBefore+1)
	default:
		page.Standing, page.Neighbours = board.Stand(p.near, p.place+1, p.total, p.placeBefore+1, v.Around)
	}
	if len(p.copies) == 1 {
		users = nil // unnamed
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
	var err error
	page.Generation, err = s.takeCopies(page.Profiles, users, p.copies)
	return page, err
}

// usersOf are those on some places, in order.
func usersOf(places []board.Place) []string {
	users := make([]string, len(places))
	for i, p := range places {
		users[i] = p.User
	}
	return users
}
