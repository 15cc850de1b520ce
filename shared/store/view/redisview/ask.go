package redisview

import (
	"slices"
	"strings"

	"laurel/shared/core/board"
	"laurel/shared/store/view"
)

var readBoardScript = newScript("slot.lua", "board_search.lua", "read_board.lua")

const spotsLen = 500 // users that one script is asked about

// A piece is the part of a shard's board that is asked for, without a page of length 0.
type piece struct {
	start, length int64
	named         bool
}

// question asks a shard for a piece and about some users. Places in the period before come as ranks from a
// single shard, and from several as packed scores.
func (s *Store) question(identity string, shard int, v board.View, p piece, spots []*spot, into *answers) *call {
	moved := ""
	switch {
	case v.Movement && s.options.Shards > 1:
		moved = "ZSCORE"
	case v.Movement:
		moved = "ZRANK"
	}
	args := []string{
		identity, s.wanted(v.Board, v.Period), dayArg(v.Period), number(p.start), number(p.length),
		flag(p.named), moved,
	}
	for _, sp := range spots {
		packed, past := packedArg(sp.packed), packedArg(sp.past)
		if sp.home {
			packed, past = "?", "?"
		}
		args = append(args, sp.user, packed, past, number(sp.around))
	}
	keys := []string{
		s.markerKey(view.Slot(shard)), s.boardKey(shard, v.Board, v.Period),
		s.boardKey(shard, v.Board, v.Period.Prev()), // of none before it a key that no board has
		s.namesKey(shard),
	}
	return &call{script: readBoardScript, args: args, keys: keys, take: func(reply []any) error {
		return into.take(reply, p.named, spots)
	}}
}

// askAll asks every shard about users, by the scores that are known.
func (s *Store) askAll(identity string, v board.View, spots []*spot, into *answers) (calls []*call) {
	for shard := range s.options.Shards {
		for some := range slices.Chunk(spots, spotsLen) {
			calls = append(calls, s.question(identity, shard, v, piece{}, some, into))
		}
	}
	return calls
}

// askPieces asks every shard for a piece, and about users: those at home in it, and those who are
// looked for by their scores.
func (s *Store) askPieces(identity string, v board.View, pieces []piece, spots []*spot, into *answers) []*call {
	calls := make([]*call, len(pieces))
	for shard, p := range pieces {
		some := slices.DeleteFunc(slices.Clone(spots), func(sp *spot) bool { return sp.home && s.shardOf(sp.user) != shard })
		calls[shard] = s.question(identity, shard, v, p, some, into)
	}
	return calls
}

// dayArg writes the last day of a rolling period for a script, "" for another period.
func dayArg(p board.Period) string {
	if !p.Window().Rolls() {
		return ""
	}
	return number(int(p.Last()))
}

// answers are the replies of shards beside the spots.
type answers struct {
	total    int64
	places   []board.Place // in the pieces, not ranked
	names    map[string]string
	past     map[string]board.Packed // of the users on the page, in the period before
	previous map[string]int64        // the ranks then, where one shard knows them
}

func newAnswers() answers {
	return answers{names: map[string]string{}, past: map[string]board.Packed{}, previous: map[string]int64{}}
}

// take takes in the answer about a piece, whose users' names came along if it is named, and about some users.
func (a *answers) take(reply []any, pieceNamed bool, spots []*spot) error {
	total, _ := reply[0].(int64)
	found, _ := reply[2].([]any)
	names, _ := reply[3].([]any)
	moved, _ := reply[4].([]any)
	places, err := parsePlaces(reply[1])
	if err != nil {
		return err
	}
	a.total, a.places = a.total+total, append(a.places, places...)
	shown, named := usersOf(places), []string(nil)
	if pieceNamed {
		named = slices.Clone(shown)
	}
	for i, sp := range spots {
		part, _ := found[i].([]any)
		near, err := sp.take(part)
		switch {
		case err != nil:
			return err
		case sp.around == 0 || len(near) == 0:
			named = append(named, sp.user)
		default:
			named, shown = append(named, near...), append(shown, near...)
		}
	}
	for i, value := range names[:min(len(names), len(named))] { // nil for who has none
		if text, isText := value.(string); isText {
			a.names[named[i]] = text
		}
	}
	return a.takePast(shown, moved)
}

// takePast takes in the users' scores in the period before, nil for none.
func (a *answers) takePast(users []string, moved []any) error {
	for i, value := range moved[:min(len(moved), len(users))] {
		switch past := value.(type) {
		case int64:
			a.previous[users[i]] = past + 1
		case string:
			packed, err := parsePacked(past)
			if err != nil {
				return damaged(users[i], err)
			}
			a.past[users[i]] = packed
		}
	}
	return nil
}

// parsePlaces reads user, packed score, user, ..., a line each.
func parsePlaces(reply any) ([]board.Place, error) {
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
		places = append(places, board.Place{Member: board.Member{User: user, Packed: packed}})
	}
	return places, nil
}

// usersOf are those on some places, in order.
func usersOf(places []board.Place) []string {
	users := make([]string, len(places))
	for i, p := range places {
		users[i] = p.User
	}
	return users
}
