package boards

import (
	"laurel/shared/ledger"
	"laurel/shared/redisstore"
)

// A Store is the boards of a forum. It is safe for concurrent use.
type Store struct {
	redis   *redisstore.Store
	ledger  *ledger.Ledger
	scripts scripts
	known   knownPages
}

type scripts struct {
	readBoard, readAround, readFriends *redisstore.Script
	readFollowing, readSuppressed      *redisstore.Script
	setProfiles                        *redisstore.Script
}

// New returns the boards in a store. The ledger reads the pages of users who are
// hidden, who are told places that the boards do not have.
func New(store *redisstore.Store, l *ledger.Ledger) *Store {
	return &Store{redis: store, ledger: l, scripts: scripts{
		readBoard:      redisstore.NewScript(readBoardSource),
		readAround:     redisstore.NewScript(readAroundSource),
		readFriends:    redisstore.NewScript(readFriendsSource),
		readFollowing:  redisstore.NewScript(readFollowingSource),
		readSuppressed: redisstore.NewScript(readSuppressedSource),
		setProfiles:    redisstore.NewScript(setProfilesSource),
	}}
}
