package live

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"

	"github.com/redis/go-redis/v9"

	"laurel/shared/ledger"
)

// ErrUnavailable is wrapped by the errors of a Redis that is away, slow or
// answers with an error. What was to be written may or may not be; doing it
// again is safe.
var ErrUnavailable = errors.New("live: store is unavailable")

// ErrBusy is wrapped by the error of an activity whose user lost every race
// against other writers. Nothing of it is written.
var ErrBusy = errors.New("live: too many writers for one user")

// ErrStored is wrapped by the errors about values in the store that nothing of
// Laurel's can have written, or that have been damaged since.
var ErrStored = errors.New("live: unreadable value")

// A Store is the live part of a forum's leaderboards. It is safe for concurrent
// use.
type Store struct {
	client  redis.UniversalClient
	ledger  *ledger.Ledger
	shards  int
	scripts scripts
	turns   *turns
	closed  []atomic.Pointer[closedState] // by shard: what was read last

	articles *Articles
}

// New returns the store on a client. shards is how many parts boards and users
// are spread over, at least 1; every process has to say the same.
func New(client redis.UniversalClient, l *ledger.Ledger, shards int) *Store {
	s := &Store{
		client:  client,
		ledger:  l,
		shards:  shards,
		scripts: newScripts(),
		turns:   newTurns(),
		closed:  make([]atomic.Pointer[closedState], shards),
	}
	s.articles = newArticles(s)
	return s
}

// Ping says whether the store can be reached.
func (s *Store) Ping(ctx context.Context) error {
	if err := s.client.Ping(ctx).Err(); err != nil {
		return unavailable("ping", err)
	}
	return nil
}

// Close closes the client.
func (s *Store) Close() error { return s.client.Close() }

func unavailable(operation string, err error) error {
	return fmt.Errorf("%w: %s: %w", ErrUnavailable, operation, err)
}
