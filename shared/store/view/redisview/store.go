package redisview

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"strings"
	"sync/atomic"

	"github.com/redis/go-redis/v9"

	"laurel/shared/core/board"
	"laurel/shared/core/codec"
	"laurel/shared/store/view"
)

// ErrStored is wrapped by the errors about values that are damaged. They are shown again when the slot is filled.
var ErrStored = errors.New("view: unreadable value")

var _ view.View = (*Store)(nil)

// A Store is a View in Redis. It is safe for concurrent use.
type Store struct {
	client    redis.UniversalClient
	options   view.Options
	boardKeys boardKeys
	unflagged atomic.Bool // the server knows no flags of scripts
}

// On returns a function that makes a view on a client.
func On(client redis.UniversalClient) func(view.Options) view.View {
	return func(o view.Options) view.View { return New(client, o) }
}

// New returns the view on a client.
func New(client redis.UniversalClient, o view.Options) *Store {
	if o.Prefix == "" {
		o.Prefix = view.KeyPrefix
	}
	return &Store{client: client, options: o}
}

// Kind returns Redis.
func (*Store) Kind() view.Kind { return view.Redis }

// Shards returns how many shards there are.
func (s *Store) Shards() int { return s.options.Shards }

// shardOf returns the shard that everything of a user is in.
func (s *Store) shardOf(user string) int {
	if s.options.Shards == 1 {
		return 0
	}
	h := fnv.New64a()
	_, _ = h.Write([]byte(user))
	return int(h.Sum64() % uint64(s.options.Shards))
}

// bySlot puts users into their shards.
func (s *Store) bySlot(users []string) map[view.Slot][]string {
	shards := map[view.Slot][]string{}
	for _, user := range users {
		slot := view.Slot(s.shardOf(user))
		shards[slot] = append(shards[slot], user)
	}
	return shards
}

// part is a board's window in keys and in the list of whole boards.
func (s *Store) part(name string, w board.Window) string {
	return cmp.Or(s.options.Boards[name], name) + ":" + w.String()
}

// wanted is the part that has to be in the list of whole boards for a period to be read; "" for none.
func (s *Store) wanted(name string, p board.Period) string {
	if s.options.Kept == "" {
		return ""
	}
	return s.part(name, p.Window())
}

// ofTeams says whether a board is of teams.
func (s *Store) ofTeams(name string) bool { return len(s.options.Teams[name]) > 0 }

// nameOf returns the board of a part, "" for one that is not of the options.
func (s *Store) nameOf(part string) string {
	own, _, _ := strings.Cut(part, ":")
	if s.options.Kept == "" {
		return own
	}
	for name, other := range s.options.Boards {
		if other == own {
			return name
		}
	}
	return ""
}

// identity runs a function that declares the identity of slots, as Options.Identify does.
func (s *Store) identity(ctx context.Context, do func(declared string) error) error {
	return s.options.Identify(ctx, func(table string) error { return do(s.identityOf(table)) })
}

// identityOf returns the identity in the marker of every slot: format, zone, number of shards, table.
func (s *Store) identityOf(table string) string {
	return number(view.Format) + " " + s.options.Zone + " " + number(s.options.Shards) + " " + table
}

// slots are all slots: the shards, then the articles'.
func (s *Store) slots() []view.Slot {
	all := make([]view.Slot, s.options.Shards+1)
	for shard := range s.options.Shards {
		all[shard] = view.Slot(shard)
	}
	all[s.options.Shards] = view.Articles
	return all
}

// Ping says whether Redis can be reached.
func (s *Store) Ping(ctx context.Context) error {
	if err := s.client.Ping(ctx).Err(); err != nil {
		return unavailable("ping", err)
	}
	return nil
}

// unreadable makes the error about an answer that cannot be read.
func unreadable(subject string) error { return fmt.Errorf("%w: %s", ErrStored, subject) }

// damaged wraps the error of a user's value. It names the user by a hash, as logs have no ids.
func damaged(user string, err error) error {
	return fmt.Errorf("%w: of the user with the hash %016x: %w", ErrStored, codec.Hash(user), err)
}

// AddRecent puts an entry before the others of a list, and drops the oldest, in a trip. No fill brings it back.
func (s *Store) AddRecent(ctx context.Context, name string, entry []byte) error {
	key := s.recentKey(name)
	_, err := s.client.Pipelined(ctx, func(p redis.Pipeliner) error {
		p.LPush(ctx, key, entry)
		p.LTrim(ctx, key, 0, view.KeepRecent-1)
		return nil
	})
	if err != nil {
		return unavailable("add to "+key, err)
	}
	return nil
}

// Recent returns the entries of lists, those of a list the newest first, in a trip.
func (s *Store) Recent(ctx context.Context, names ...string) (entries []string, err error) {
	lists := make([]*redis.StringSliceCmd, len(names))
	_, err = s.client.Pipelined(ctx, func(p redis.Pipeliner) error {
		for i, name := range names {
			lists[i] = p.LRange(ctx, s.recentKey(name), 0, view.KeepRecent-1)
		}
		return nil
	})
	if err != nil {
		return nil, unavailable("read recent articles", err)
	}
	for _, list := range lists {
		entries = append(entries, list.Val()...)
	}
	return entries, nil
}
