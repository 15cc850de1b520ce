package pages

import (
	"slices"

	"laurel/shared/articles"
	"laurel/shared/board"
	"laurel/shared/ledger"
	"laurel/shared/redisstore"
)

// A Store is the pages of a forum's users. It is safe for concurrent use.
type Store struct {
	redis    *redisstore.Store
	ledger   *ledger.Ledger
	articles *articles.Store
	journal  Journal // nil: nothing is kept
	locks    *userLocks
	scripts  scripts
	statuses Statuses  // nil: statuses are in Redis alone
	kept     KeptVoids // nil: no target can be void
	facts    Facts     // nil: Redis has all that rules ask
	listing  string    // the board whose months list their users, so that the indexes of months need not; "" for none
}

type scripts struct{ erase, removePages *redisstore.Script }

// New returns the pages in a store. Votes for articles go to those given.
func New(store *redisstore.Store, l *ledger.Ledger, a *articles.Store) *Store {
	s := &Store{redis: store, ledger: l, articles: a, locks: newUserLocks(), scripts: scripts{
		erase:       redisstore.NewScript(eraseSource),
		removePages: redisstore.NewScript(removePagesSource),
	}}
	listing := func(name string) bool { return slices.Contains(l.Rules().Windows(name), board.Month) }
	if i := slices.IndexFunc(l.Rules().Boards(), listing); i >= 0 {
		s.listing = l.Rules().Boards()[i]
	}
	return s
}
