package redisview

import (
	"cmp"
	"context"
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/redis/go-redis/v9"

	"laurel/shared/core/board"
	"laurel/shared/core/ledger"
	"laurel/shared/store/view"
)

const chunkLen = 2_000 // entries of a shard that are read at once when a whole board is

// Users reads the view's data of users, with their scores on the boards of some places, in one trip; of slots
// that are being filled, too.
func (s *Store) Users(ctx context.Context, users []string, places [][]ledger.Shown) ([]view.User, error) {
	type commands struct {
		packed     []placeRead
		name       *redis.StringCmd
		suppressed *redis.BoolCmd
	}
	asked := make([]commands, len(users))
	slots := slices.Collect(maps.Keys(s.bySlot(users)))
	err := s.plain(ctx, "read users", slots, true, func(pipe redis.Pipeliner) {
		for i, user := range users {
			shard, a := s.shardOf(user), commands{}
			for _, p := range places[i] {
				a.packed = append(a.packed, s.readPlace(ctx, pipe, shard, board.ID{Board: p.Board, Period: p.Period}, user))
			}
			a.name = pipe.HGet(ctx, s.namesKey(shard), user)
			a.suppressed = pipe.SIsMember(ctx, s.suppressedKey(shard), user)
			asked[i] = a
		}
	})
	if err != nil {
		return nil, err
	}
	all := make([]view.User, len(users))
	for i, a := range asked {
		all[i].Name, all[i].Suppressed = a.name.Val(), a.suppressed.Val()
		for _, c := range a.packed {
			all[i].Packed = append(all[i].Packed, c.packed())
		}
	}
	return all, nil
}

// Members goes over a whole live board, one shard after the other, each in its order, a chunk a trip; of slots that
// are being filled, too; those of a board of teams are in no order. A user who moves meanwhile may be met twice, or
// not. It ends with the first error.
func (s *Store) Members(ctx context.Context, name string, p board.Period) iter.Seq2[board.Member, error] {
	return func(yield func(board.Member, error) bool) {
		for shard := range s.options.Shards {
			if s.ofTeams(name) {
				id := board.ID{Board: name, Period: p}
				more, err := s.membersOfTeams(ctx, shard, id, func(m board.Member) bool { return yield(m, nil) })
				if err != nil {
					yield(board.Member{}, err)
				}
				if !more {
					return
				}
				continue
			}
			for start, more := int64(0), true; more; start += chunkLen {
				var chunk *redis.ZSliceCmd
				err := s.plain(ctx, "read a whole board", []view.Slot{view.Slot(shard)}, true, func(pipe redis.Pipeliner) {
					chunk = pipe.ZRangeWithScores(ctx, s.boardKey(shard, name, p), start, start+chunkLen-1)
				})
				if err != nil {
					yield(board.Member{}, err)
					return
				}
				for _, z := range chunk.Val() {
					user, _ := z.Member.(string)
					if !yield(board.Member{User: user, Packed: board.Packed(z.Score)}, nil) {
						return
					}
				}
				more = len(chunk.Val()) == chunkLen
			}
		}
	}
}

// Boards lists the boards in the view, by name, window and time. It takes two trips, a deliberate exception: the
// users of a board can be counted when the index has named it.
func (s *Store) Boards(ctx context.Context) ([]view.BoardPeriod, error) {
	return s.boards(ctx, "", func(string, board.Period) bool { return true })
}

// PeriodsOf lists those of one board's window that have anyone on them, the newest first, in two trips like Boards.
func (s *Store) PeriodsOf(ctx context.Context, name string, w board.Window) ([]view.BoardPeriod, error) {
	wanted := func(b string, p board.Period) bool { return b == name && p.Window() == w }
	boards, err := s.boards(ctx, s.part(name, w), wanted)
	slices.Reverse(boards)
	return slices.DeleteFunc(boards, func(b view.BoardPeriod) bool { return b.Total == 0 }), err
}

// boards lists the boards that are wanted, each with the number of users, or teams, in all shards. The part, if it is
// given, has to be whole.
func (s *Store) boards(
	ctx context.Context, part string, wanted func(string, board.Period) bool,
) (boards []view.BoardPeriod, err error) {
	indexes, err := s.indexes(ctx, s.slots()[:s.options.Shards])
	if err != nil {
		return nil, err
	}
	for _, field := range slices.Concat(indexes...) {
		if id, ok := s.parseOwn(field); ok && id.Board != "" && wanted(id.Board, id.Period) {
			boards = append(boards, view.BoardPeriod{ID: id})
		}
	}
	slices.SortFunc(boards, func(a, b view.BoardPeriod) int {
		return cmp.Or(strings.Compare(a.Board, b.Board), a.Period.Compare(b.Period))
	})
	boards = slices.Compact(boards)
	kept, counts := make([]*redis.StringCmd, s.options.Shards), make([][]countRead, len(boards)) // the latter by board
	err = s.plain(ctx, "count boards", s.slots()[:s.options.Shards], false, func(pipe redis.Pipeliner) {
		clear(counts)
		for shard := range kept {
			kept[shard] = pipe.HGet(ctx, s.markerKey(view.Slot(shard)), "keeps")
			for i, b := range boards {
				counts[i] = append(counts[i], s.readCount(ctx, pipe, shard, b.ID))
			}
		}
	})
	for _, list := range kept {
		if err == nil && s.options.Kept != "" && part != "" && !slices.Contains(strings.Fields(list.Val()), part) {
			err = unready{}
		}
	}
	for i := range boards {
		if err == nil {
			boards[i].Total = total(counts[i])
		}
	}
	return boards, err
}
