package boards

import (
	"context"
	"maps"
	"slices"
	"sync"

	"github.com/redis/go-redis/v9"

	"laurel/shared/board"
	"laurel/shared/redisstore"
)

// mostKnown is of how many pages a store knows who was on them. All of them go at once when
// there are more.
const mostKnown = 1_000

// knownPages are who was on pages when they were read last: mostly who is on them now. With
// that a page can be read by plain commands, which cost Redis half of the script.
type knownPages struct {
	mu    sync.Mutex
	users map[pageOf][]string
}

type pageOf struct {
	board         string
	period        board.Period
	offset, limit int64
}

// keyOf returns which page a view asks for; false if it asks for anything else.
func keyOf(v board.View) (pageOf, bool) {
	only := v.Limit > 0 && v.User == "" && len(v.Users) == 0 && !v.Movement
	return pageOf{v.Board, v.Period, v.Offset, v.Limit}, only
}

// of returns who was on the page that a view asks for, and false if it is not known.
func (k *knownPages) of(v board.View) ([]string, bool) {
	page, only := keyOf(v)
	if !only {
		return nil, false
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	users, known := k.users[page]
	return users, known
}

// put keeps who is on the page that a view asks for.
func (k *knownPages) put(v board.View, places []board.Place) {
	page, only := keyOf(v)
	if !only {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.users == nil || len(k.users) >= mostKnown {
		k.users = map[pageOf][]string{}
	}
	k.users[page] = usersOf(places)
}

// drop forgets who was on the page that a view asks for.
func (k *knownPages) drop(v board.View) {
	page, _ := keyOf(v)
	k.mu.Lock()
	defer k.mu.Unlock()
	delete(k.users, page)
}

// readKnown reads a page of which is known who was on it, in one round trip. It returns false
// if that is not known, and if it fails: the client does not try a transaction again, and
// the script that reads the page then says why.
func (s *Store) readKnown(ctx context.Context, v board.View) (Page, bool) {
	users, known := s.known.of(v)
	if !known {
		return Page{}, false
	}
	page, err := s.readPage(ctx, v, users)
	if err == nil {
		err = s.addNew(ctx, v, &page, users)
	}
	if err != nil {
		s.known.drop(v)
	}
	return page, err == nil
}

// readPage reads a page at one moment, with copies of users who may be on it.
func (s *Store) readPage(ctx context.Context, v board.View, users []string) (page Page, err error) {
	key, last := redisstore.BoardKey(0, v.Board, v.Period), v.Offset+v.Limit-1
	pipe := s.redis.Client().TxPipeline()
	total, zrange := pipe.ZCard(ctx, key), pipe.ZRangeWithScores(ctx, key, v.Offset, last)
	copies := s.askProfiles(ctx, pipe, users, true)
	if _, err := pipe.Exec(ctx); err != nil {
		return page, redisstore.Unavailable("read a page", err)
	}
	page.Total = total.Val()
	if page.Places, err = places([]*redis.ZSliceCmd{zrange}); err != nil {
		return page, err
	}
	for i := range page.Places {
		page.Places[i].Rank = v.Offset + int64(i) + 1
	}
	page.Profiles, page.Generation, err = s.takeProfiles(copies)
	return page, err
}

// addNew adds the copies of those on a page who were not on it before: a deliberate exception
// of one round trip.
func (s *Store) addNew(ctx context.Context, v board.View, page *Page, before []string) error {
	var added []string
	for i, p := range page.Places {
		if (i >= len(before) || before[i] != p.User) && !slices.Contains(before, p.User) {
			added = append(added, p.User)
		}
	}
	if len(added) == 0 {
		return nil
	}
	s.known.put(v, page.Places)
	copies, _, err := s.Profiles(ctx, added)
	maps.Copy(page.Profiles, copies)
	return err
}
