package redisstore

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"strings"
	"sync/atomic"

	"github.com/redis/go-redis/v9"

	"laurel/shared/codec"
)

// ErrUnavailable is wrapped by the errors of a Redis that cannot be reached, is slow
// or answers with an error. What was to be written may or may not be; doing it
// again is safe.
var ErrUnavailable = errors.New("redisstore: store is unavailable")

// ErrBusy is wrapped by the error of a write that lost every race against other
// writers. Nothing of it is written.
var ErrBusy = errors.New("redisstore: too many writers at once")

// ErrStored is wrapped by the errors about values in the store that nothing of
// Laurel's can have written, or that have been damaged since.
var ErrStored = errors.New("redisstore: unreadable value")

// ErrDamaged is wrapped, with ErrStored, by the errors about a value of one user or of one
// article: everything else can be read and written.
var ErrDamaged = errors.New("redisstore: damaged value")

// Damaged wraps the error of a user's value. It names the user by a hash, as logs have no
// ids.
func Damaged(user string, err error) error {
	return fmt.Errorf("%w: %w: of the user with the hash %016x: %w", ErrStored, ErrDamaged, codec.Hash(user), err)
}

// UserError wraps the error of an operation on values of a user: one of another type is damaged,
// and anything else is of Redis.
func UserError(operation, user string, err error) error {
	if isOfValue(err) {
		return Damaged(user, err)
	}
	if errors.Is(err, ErrUnavailable) || errors.Is(err, ErrStored) {
		return err
	}
	return Unavailable(operation, err)
}

// isOfValue says whether an error is of a value that has another type.
func isOfValue(err error) bool { return err != nil && strings.Contains(err.Error(), "WRONGTYPE") }

// A Store is a forum's Redis. It is safe for concurrent use.
type Store struct {
	client redis.UniversalClient
	shards int
	closed []atomic.Pointer[ClosedSet] // by shard: what was read last
	kept   ClosedPeriods               // nil: the closed-period set is in Redis alone

	expected atomic.Pointer[expected] // nil: none

	guardedWrite *Script
	unflagged    atomic.Bool // the server knows no flags of scripts
}

// New returns the store on a client. shards is how many parts boards and users
// are spread over, at least 1; every process has to say the same.
func New(client redis.UniversalClient, shards int) *Store {
	return &Store{
		client: client,
		shards: shards,
		closed: make([]atomic.Pointer[ClosedSet], shards),

		guardedWrite: NewScript(guardedWriteSource),
	}
}

// Client returns the client, for commands that need no script.
func (s *Store) Client() redis.UniversalClient { return s.client }

// Shards returns how many shards there are.
func (s *Store) Shards() int { return s.shards }

// ShardOf returns the shard that everything of a user lives in.
func (s *Store) ShardOf(user string) int {
	if s.shards == 1 {
		return 0
	}
	h := fnv.New64a()
	_, _ = h.Write([]byte(user))
	return int(h.Sum64() % uint64(s.shards))
}

// Ping says whether the store can be reached.
func (s *Store) Ping(ctx context.Context) error {
	if err := s.client.Ping(ctx).Err(); err != nil {
		return Unavailable("ping", err)
	}
	return nil
}

// Close closes the client.
func (s *Store) Close() error { return s.client.Close() }

// Unavailable wraps the error of an operation on Redis.
func Unavailable(operation string, err error) error {
	if redis.IsOOMError(err) {
		return fmt.Errorf("%w: %w: %s: %w", ErrUnavailable, ErrFull, operation, err)
	}
	return fmt.Errorf("%w: %s: %w", ErrUnavailable, operation, err)
}
