package boards

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"sync"

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
	pages map[pageOf]knownPage
}

// A knownPage is who was on a page, and the command that reads their copies.
type knownPage struct {
	users  []string
	copies []any
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
func (k *knownPages) of(v board.View) (knownPage, bool) {
	page, only := keyOf(v)
	if !only {
		return knownPage{}, false
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	known, there := k.pages[page]
	return known, there
}

// put keeps who is on the page that a view asks for.
func (k *knownPages) put(v board.View, places []board.Place) {
	page, only := keyOf(v)
	if !only {
		return
	}
	known := knownPage{users: usersOf(places), copies: []any{"hmget", redisstore.ProfilesKey(0), redisstore.MarkField}}
	for _, user := range known.users {
		known.copies = append(known.copies, user)
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.pages == nil || len(k.pages) >= mostKnown {
		k.pages = map[pageOf]knownPage{}
	}
	k.pages[page] = known
}

// drop forgets who was on the page that a view asks for.
func (k *knownPages) drop(v board.View) {
	page, _ := keyOf(v)
	k.mu.Lock()
	defer k.mu.Unlock()
	delete(k.pages, page)
}

// readKnown reads a page of which is known who was on it, in one round trip. It returns false
// if that is not known, and if it fails: the client does not try a transaction again, and
// the script that reads the page then says why.
func (s *Store) readKnown(ctx context.Context, v board.View) (Page, bool) {
	known, there := s.known.of(v)
	if !there {
		return Page{}, false
	}
	page, err := s.readPage(ctx, v, known)
	if err == nil {
		err = s.addNew(ctx, v, &page, known.users)
	}
	if err != nil {
		s.known.drop(v)
	}
	return page, err == nil
}

// readPage reads a page at one moment, with copies of users who may be on it.
func (s *Store) readPage(ctx context.Context, v board.View, known knownPage) (page Page, err error) {
	key, last := redisstore.BoardKey(0, v.Board, v.Period), v.Offset+v.Limit-1
	tx := s.redis.Client().TxPipeline()
	total := tx.ZCard(ctx, key)
	entries := redisstore.RawCmd(ctx, tx, "zrange", key, v.Offset, last, "withscores")
	copies := redisstore.RawCmd(ctx, tx, known.copies...)
	if _, err := tx.Exec(ctx); err != nil {
		return page, redisstore.Unavailable("read a page", err)
	}
	page.Total = total.Val()
	if page.Places, err = rawPlaces(redisstore.ReadRaw(entries), v.Offset); err != nil {
		return page, err
	}
	r := redisstore.ReadRaw(copies)
	page.Profiles = make(map[string]string, len(known.users))
	if n := r.Len(); n == 1+len(known.users) {
		page.Generation, _ = r.Text()
	}
	for _, user := range known.users {
		if text, there := r.Text(); there {
			page.Profiles[user] = text
		}
	}
	return page, cmp.Or(r.Err(), s.redis.CheckMark(page.Generation))
}

// rawPlaces reads the places from an offset on: user, packed score, user, ..., in pairs of
// servers that speak RESP3.
func rawPlaces(r *redisstore.Raw, offset int64) ([]board.Place, error) {
	n := r.Len()
	if !r.Nested() {
		n /= 2
	}
	places := make([]board.Place, n)
	for i := range places {
		if r.Nested() {
			r.Len()
		}
		user, _ := r.Text()
		score, _ := r.Text()
		packed, err := redisstore.ParsePacked(score)
		if err := cmp.Or(r.Err(), err); err != nil {
			return nil, err
		}
		places[i] = board.Place{Rank: offset + int64(i) + 1, Entry: board.Entry{User: user, Packed: packed}}
	}
	return places, r.Err()
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
