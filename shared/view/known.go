package view

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"sync"

	"laurel/shared/board"
)

// mostKnown is of how many pages a store knows who was on them. All of them go at once when
// there are more.
const mostKnown = 1_000

// knownPages are who was on pages when they were read last: mostly who is on them now. With that a
// page can be read by plain commands, which cost Redis half of the script.
type knownPages struct {
	mu    sync.Mutex
	pages map[knownKey]knownPage
}

// A knownPage is who was on a page, and the command that reads their names.
type knownPage struct {
	users []string
	names []any
}

type knownKey struct {
	board         string
	period        board.Period
	offset, limit int64
}

// keyOf returns which page a view asks for; false if it asks for anything else.
func keyOf(v board.View) (knownKey, bool) {
	only := v.Limit > 0 && v.User == "" && len(v.Users) == 0 && !v.Movement
	return knownKey{v.Board, v.Period, v.Offset, v.Limit}, only
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
func (k *knownPages) put(namesKey string, v board.View, places []board.Place) {
	page, only := keyOf(v)
	if !only || len(places) == 0 {
		return
	}
	known := knownPage{users: usersOf(places), names: []any{"hmget", namesKey}}
	for _, user := range known.users {
		known.names = append(known.names, user)
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.pages == nil || len(k.pages) >= mostKnown {
		k.pages = map[knownKey]knownPage{}
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

// readKnown reads a page of which is known who was on it, in one trip. It returns false if that is
// not known, and if it fails: the client does not try a transaction again, and the script that
// reads the page then says why.
func (s *Store) readKnown(ctx context.Context, is string, v board.View) (Page, bool) {
	known, there := s.known.of(v)
	if !there {
		return Page{}, false
	}
	page, err := s.readPage(ctx, is, v, known)
	if err == nil {
		err = s.addNew(ctx, is, v, &page, known.users)
	}
	if err != nil {
		s.known.drop(v)
	}
	return page, err == nil
}

// readPage reads a page at one moment, with names of users who may be on it.
func (s *Store) readPage(ctx context.Context, is string, v board.View, known knownPage) (page Page, err error) {
	key, last := s.boardKey(0, v.Board, v.Period), v.Offset+v.Limit-1
	tx := s.client.TxPipeline()
	marker := s.checkIn(ctx, tx, 0)
	total := tx.ZCard(ctx, key)
	entries := rawCmd(ctx, tx, "zrange", key, v.Offset, last, "withscores")
	names := rawCmd(ctx, tx, known.names...)
	if _, err := tx.Exec(ctx); err != nil {
		return page, unavailable("read a page", err)
	}
	if err := marker.err(is, false); err != nil {
		return page, err
	}
	page.Total = total.Val()
	if page.Places, err = rawPlaces(readRaw(entries), v.Offset); err != nil {
		return page, err
	}
	r := readRaw(names)
	page.Names = make(map[string]string, len(known.users))
	r.Len()
	for _, user := range known.users {
		if text, there := r.Text(); there {
			page.Names[user] = text
		}
	}
	return page, r.Err()
}

// rawPlaces reads the places from an offset on: user, packed score, user, ..., in pairs of servers
// that speak RESP3.
func rawPlaces(r *raw, offset int64) ([]board.Place, error) {
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
		packed, err := parsePacked(score)
		if err := cmp.Or(r.Err(), err); err != nil {
			return nil, err
		}
		places[i] = board.Place{Rank: offset + int64(i) + 1, Entry: board.Entry{User: user, Packed: packed}}
	}
	return places, r.Err()
}

// addNew adds the names of those on a page who were not on it before: a deliberate exception of
// one trip. The names of those who left it go.
func (s *Store) addNew(ctx context.Context, is string, v board.View, page *Page, before []string) error {
	users := usersOf(page.Places)
	if slices.Equal(users, before) {
		return nil
	}
	maps.DeleteFunc(page.Names, func(user, _ string) bool { return !slices.Contains(users, user) })
	added := slices.DeleteFunc(users, func(user string) bool { return slices.Contains(before, user) })
	if len(added) == 0 {
		return nil
	}
	s.known.put(s.namesKey(0), v, page.Places)
	pipe := s.client.Pipeline()
	asked := s.askNames(ctx, pipe, added, page.Names)
	if _, err := pipe.Exec(ctx); err != nil {
		return unavailable("read names", err)
	}
	return asked.take(is, false)
}
