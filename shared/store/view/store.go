package view

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"strings"
	"sync/atomic"

	"github.com/redis/go-redis/v9"

	"laurel/shared/core/article"
	"laurel/shared/core/board"
	"laurel/shared/core/codec"
)

// ErrStored is wrapped by the errors about values that are damaged. They are shown again when the slot is filled.
var ErrStored = errors.New("view: unreadable value")

// Options describe a view. Shards, Zone and the table are its identity: a slot of any other is not read.
type Options struct {
	Shards   int           // how many parts boards and users are in, at least 1
	Zone     string        // IANA name of the forum's time zone
	Articles article.Rules // the rules of their ranks
	Prefix   string        // of all keys; "" is KeyPrefix

	// Boards has for each board its name in keys, with the digest of its question (activity.Rules.Digests), and Kept
	// the list of all with their windows (activity.Rules.Kept). Without them every board counts as whole.
	Boards map[string]string
	Kept   string

	Teams map[string][]string // the groups of the teams of each board of teams (activity.Rules.Teams)

	Contests []board.Period // of the rules: those that are not final keep the revisions seen of their months

	// Table returns the table's id, as the head has it. again says that the known id may be out of date.
	Table func(ctx context.Context, again bool) (id string, err error)
}

// part is a board's window in keys and in the list of whole boards.
func (o Options) part(name string, w board.Window) string {
	return cmp.Or(o.Boards[name], name) + ":" + w.String()
}

// wanted is the part that has to be in the list of whole boards for a period to be read; "" for none.
func (o Options) wanted(name string, p board.Period) string {
	if o.Kept == "" {
		return ""
	}
	return o.part(name, p.Window())
}

// ofTeams says whether a board is of teams.
func (o Options) ofTeams(name string) bool { return len(o.Teams[name]) > 0 }

// nameOf returns the board of a part, "" for one that is not of these options.
func (o Options) nameOf(part string) string {
	own, _, _ := strings.Cut(part, ":")
	if o.Kept == "" {
		return own
	}
	for name, other := range o.Boards {
		if other == own {
			return name
		}
	}
	return ""
}

// Lacks says whether the slot that has the marker is not whole by the boards of these options.
func (o Options) Lacks(m Marker) bool { return m.Boards != o.Kept }

// Identify calls do with the table's id, and once more with the id that the table says now if the error wraps
// ErrStrange.
func (o Options) Identify(ctx context.Context, do func(table string) error) error {
	id, err := o.Table(ctx, false)
	if err != nil {
		return fmt.Errorf("view: the table's id: %w", err)
	}
	err = do(id)
	if !errors.Is(err, ErrStrange) {
		return err
	}
	now, again := o.Table(ctx, true)
	if again != nil || now == id {
		return err
	}
	return do(now)
}

// KeyPrefix begins every key, unless Options say otherwise. A shard's number or a name in braces follows.
const KeyPrefix = "laurel"

// MaxShards is the largest number of shards.
const MaxShards = 64

var _ View = (*Store)(nil)

// A Store is a View in Redis. It is safe for concurrent use.
type Store struct {
	client    redis.UniversalClient
	options   Options
	boardKeys boardKeys
	unflagged atomic.Bool // the server knows no flags of scripts
}

// On returns a function that makes a view on a client.
func On(client redis.UniversalClient) func(Options) View {
	return func(o Options) View { return New(client, o) }
}

// New returns the view on a client.
func New(client redis.UniversalClient, o Options) *Store {
	if o.Prefix == "" {
		o.Prefix = KeyPrefix
	}
	return &Store{client: client, options: o}
}

// Kind returns Redis.
func (*Store) Kind() Kind { return Redis }

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
func (s *Store) bySlot(users []string) map[Slot][]string {
	shards := map[Slot][]string{}
	for _, user := range users {
		slot := Slot(s.shardOf(user))
		shards[slot] = append(shards[slot], user)
	}
	return shards
}

// identity runs a function that declares the identity of slots, as Options.Identify does.
func (s *Store) identity(ctx context.Context, do func(declared string) error) error {
	return s.options.Identify(ctx, func(table string) error { return do(s.identityOf(table)) })
}

// identityOf returns the identity in the marker of every slot: format, zone, number of shards, table.
func (s *Store) identityOf(table string) string {
	return number(Format) + " " + s.options.Zone + " " + number(s.options.Shards) + " " + table
}

// slots are all slots: the shards, then the articles'.
func (s *Store) slots() []Slot {
	all := make([]Slot, s.options.Shards+1)
	for shard := range s.options.Shards {
		all[shard] = Slot(shard)
	}
	all[s.options.Shards] = Articles
	return all
}

// Ping says whether Redis can be reached.
func (s *Store) Ping(ctx context.Context) error {
	if err := s.client.Ping(ctx).Err(); err != nil {
		return unavailable("ping", err)
	}
	return nil
}

// Close closes the client.
func (s *Store) Close() error { return s.client.Close() }

// unreadable makes the error about an answer that cannot be read.
func unreadable(subject string) error { return fmt.Errorf("%w: %s", ErrStored, subject) }

// damaged wraps the error of a user's value. It names the user by a hash, as logs have no ids.
func damaged(user string, err error) error {
	return fmt.Errorf("%w: of the user with the hash %016x: %w", ErrStored, codec.Hash(user), err)
}

// KeepRecent is the number of entries that a list of recent ones keeps.
const KeepRecent = 50

// AddRecent puts an entry before the others of a list, and drops the oldest, in a trip. No fill brings it back.
func (s *Store) AddRecent(ctx context.Context, name string, entry []byte) error {
	key := s.recentKey(name)
	_, err := s.client.Pipelined(ctx, func(p redis.Pipeliner) error {
		p.LPush(ctx, key, entry)
		p.LTrim(ctx, key, 0, KeepRecent-1)
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
			lists[i] = p.LRange(ctx, s.recentKey(name), 0, KeepRecent-1)
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
