package view

import (
	_ "embed"
	"slices"

	"laurel/shared/board"
)

//go:embed read_around.lua
var readAroundSource string

var readAroundScript = newScript(readAroundSource)

// spotsLen is how many users one script is asked about.
const spotsLen = 500

// A spot is where a user is on a board and on that of the period before, as far as the
// shards that were asked know.
type spot struct {
	user       string
	packed     board.Packed  // 0 when not on the board
	past       board.Packed  // in the period before, likewise
	before     int64         // how many are before the user
	beforeThen int64         // how many were in the period before
	near       []board.Place // around the user, or the one before alone, of each shard; not ranked
}

// spotsOf returns spots of users of whom nothing is known yet.
func spotsOf(users []string) []*spot {
	spots := make([]*spot, len(users))
	for i, user := range users {
		spots[i] = &spot{user: user}
	}
	return spots
}

// previousRank is the user's rank in the period before, 0 for none.
func (sp *spot) previousRank() int64 {
	if sp.past == 0 {
		return 0
	}
	return sp.beforeThen + 1
}

// standing is the user's standing when all shards were asked.
func (sp *spot) standing(total int64) board.Standing {
	if sp.packed == 0 {
		return *board.OffBoard(total, sp.previousRank())
	}
	var above board.Place
	for _, p := range sp.near {
		before := board.Compare(p.Entry, board.Entry{User: sp.user, Packed: sp.packed}) < 0
		if before && (above.Packed == 0 || board.ComparePlaces(above, p) < 0) {
			above = p
		}
	}
	return board.NewStanding(sp.before+1, sp.packed, total, above.Packed.Score(), sp.previousRank())
}

// after returns the first places after where the user was, when all shards were asked.
func (sp *spot) after(limit int64) []board.Place {
	at := board.Entry{User: sp.user, Packed: sp.packed}
	slices.SortFunc(sp.near, board.ComparePlaces)
	rank, places := sp.before, []board.Place{}
	for _, p := range sp.near {
		switch order := board.Compare(p.Entry, at); {
		case order == 0: // who has stood still
			rank++
		case order > 0 && int64(len(places)) < limit:
			places = append(places, board.Place{Rank: rank + int64(len(places)) + 1, Entry: p.Entry})
		}
	}
	return places
}

// An aroundCall asks a shard what is around some users.
type aroundCall struct {
	*call
	around int64
	spots  []*spot
}

// scriptsOf returns the scripts of calls.
func scriptsOf(calls ...[]*aroundCall) []*call {
	var all []*call
	for _, c := range slices.Concat(calls...) {
		all = append(all, c.call)
	}
	return all
}

// askHome asks about users in their own shards, where they have their scores from.
func (s *Store) askHome(is string, v board.View, spots []*spot) []*aroundCall {
	byShard := make([][]*spot, s.options.Shards)
	for _, sp := range spots {
		shard := s.shardOf(sp.user)
		byShard[shard] = append(byShard[shard], sp)
	}
	var calls []*aroundCall
	for shard, spots := range byShard {
		for chunk := range slices.Chunk(spots, spotsLen) {
			calls = append(calls, s.aroundCall(is, shard, v, 0, chunk, func(board.Packed) string { return "?" }))
		}
	}
	return calls
}

// askAround asks every shard about the users who are on one of the boards, by their scores.
func (s *Store) askAround(is string, v board.View, around int64, spots ...*spot) []*aroundCall {
	spots = slices.DeleteFunc(slices.Clone(spots), func(sp *spot) bool { return sp.packed == 0 && sp.past == 0 })
	var calls []*aroundCall
	for shard := range s.options.Shards {
		for chunk := range slices.Chunk(spots, spotsLen) {
			calls = append(calls, s.aroundCall(is, shard, v, around, chunk, packedArg))
		}
	}
	return calls
}

func (s *Store) aroundCall(
	is string, shard int, v board.View, around int64, spots []*spot, arg func(board.Packed) string,
) *aroundCall {
	args := []string{is, number(around), flag(v.Movement)}
	for _, sp := range spots {
		args = append(args, sp.user, arg(sp.packed), arg(sp.past))
	}
	return &aroundCall{&call{script: readAroundScript, keys: s.boardKeys(shard, v), args: args}, around, spots}
}

// around is what read_around.lua answers beside the spots.
type around struct {
	total int64
	names map[string]string
	past  map[string]board.Packed // of neighbours in the period before
}

// takeAround takes a shard's answer in.
func takeAround(c *aroundCall, into *around) error {
	reply, err := c.cmd.Slice()
	if err != nil {
		return unavailable("read around a place", err)
	}
	var found, names []any
	if len(reply) == 3 {
		total, _ := reply[0].(int64)
		into.total += total
		found, _ = reply[1].([]any)
		names, _ = reply[2].([]any)
	}
	if len(found) != len(c.spots) {
		return unreadable("an answer about other users than asked for")
	}
	var named []string
	for i, sp := range c.spots {
		part, _ := found[i].([]any)
		near, err := sp.take(part, into.past)
		if err != nil {
			return err
		}
		if c.around == 0 {
			near = []string{sp.user}
		}
		named = append(named, near...)
	}
	takeNames(into.names, named, names)
	return nil
}

// take takes in what a shard says of the user, and returns who is near.
func (sp *spot) take(part []any, past map[string]board.Packed) ([]string, error) {
	if len(part) != 6 {
		return nil, unreadable("an answer about a user that is not of six parts")
	}
	for i, packed := range []*board.Packed{&sp.packed, &sp.past} {
		if text, _ := part[i].(string); text != "" {
			var err error
			if *packed, err = parsePacked(text); err != nil {
				return nil, damaged(sp.user, err)
			}
		}
	}
	before, _ := part[2].(int64)
	then, _ := part[3].(int64)
	sp.before, sp.beforeThen = sp.before+before, sp.beforeThen+then
	here, err := parsePlaces(part[4], 0)
	if err != nil {
		return nil, err
	}
	sp.near = append(sp.near, here...)
	moved, _ := part[5].([]any)
	return usersOf(here), takePast(past, here, moved)
}

// takePast takes in packed scores in the period before, nil for none, of those on places.
func takePast(past map[string]board.Packed, places []board.Place, moved []any) error {
	for i, value := range moved {
		text, there := value.(string)
		if !there || i >= len(places) {
			continue
		}
		packed, err := parsePacked(text)
		if err != nil {
			return damaged(places[i].User, err)
		}
		past[places[i].User] = packed
	}
	return nil
}
