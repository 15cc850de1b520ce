// Package live puts the pages, boards and articles of a forum, which can still
// change, together on one Redis. It does nothing itself.
package live

import (
	"github.com/redis/go-redis/v9"

	"laurel/shared/article"
	"laurel/shared/articles"
	"laurel/shared/boards"
	"laurel/shared/ledger"
	"laurel/shared/pages"
	"laurel/shared/redisstore"
)

type (
	redisStore = redisstore.Store
	pageStore  = pages.Store
	boardStore = boards.Store
)

// A Store is the pages, the boards and the articles of a forum. It is safe for
// concurrent use.
type Store struct {
	*redisStore
	*pageStore
	*boardStore
	articles *articles.Store
}

// New returns the store on a client. shards is how many parts boards and users are
// spread over, at least 1; every process has to say the same.
func New(client redis.UniversalClient, l *ledger.Ledger, shards int) *Store {
	store := redisstore.New(client, shards)
	a := articles.New(store, article.Rules(l.Rules().Articles()))
	return &Store{store, pages.New(store, l, a), boards.New(store, l), a}
}

// Kept is what keeps statuses, void targets, the closed-period set and articles outside
// Redis.
type Kept interface {
	redisstore.ClosedPeriods
	pages.Statuses
	pages.KeptVoids
	articles.Kept
}

// KeepIn has everything that Kept keeps written there first. It is called before the store
// is used.
func (s *Store) KeepIn(kept Kept) {
	s.KeepClosed(kept)
	s.KeepStatuses(kept)
	s.KeepVoids(kept)
	s.articles.KeepArticles(kept)
}

// Articles returns the articles.
func (s *Store) Articles() *articles.Store { return s.articles }

// Redis returns the store that all of them are in.
func (s *Store) Redis() *redisstore.Store { return s.redisStore }
