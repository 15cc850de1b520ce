package final

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"

	"laurel/shared/core/activity"
	"laurel/shared/core/board"
	"laurel/shared/store/items"
)

// Read answers a view of a final board, with names as a view has them, without ranks in the period before.
// The error wraps ErrNotFinal if the period is not final.
func (s *Store) Read(ctx context.Context, v board.View) (board.Page, error) {
	users := v.Users
	if v.User != "" {
		users = append(slices.Clone(users), v.User)
	}
	f, err := s.find(ctx, v.Board, v.Period, users, query{offset: v.Offset, limit: v.Limit, around: v.Around})
	if err != nil {
		return board.Page{}, err
	}
	if f.Groups != nil {
		return f.teams(), nil
	}
	end, rank := min(v.Offset+v.Limit, f.Total), f.userRanks[v.User]
	from, to := max(rank-1-v.Around, 0), min(rank+v.Around, f.Total) // around the user
	if rank == 0 {
		to = 0
	}
	var shown []items.Key
	for _, span := range [][2]int64{{v.Offset, end}, {from, to}} {
		for i := span[0]; i < span[1]; i++ {
			shown = append(shown, f.entry(i).Key)
		}
	}
	people, err := s.people(ctx, shown)
	if err != nil {
		return board.Page{}, err
	}
	maps.Copy(f.people, people)
	page := board.Page{Final: true, Total: f.Total, Places: f.places(v.Offset, end), Names: f.names}
	for _, user := range v.Users {
		page.Standings = append(page.Standings, f.standing(user))
	}
	if v.User != "" {
		page.Standing = new(f.standing(v.User))
	}
	if rank > 0 {
		page.Neighbours = f.places(from, to)
	}
	return page, nil
}

// A finding holds the parts of a board that were read, the ranks of users on it, and the users of its entries.
type finding struct {
	*loaded
	end       board.Moment     // of the period
	userRanks map[string]int64 // ranks by user; 0 for who is not on the board, or was erased since
	people    map[items.Key]items.Row[*items.Person]
	names     map[string]string // by id, as guests see them
	guests    *activity.Rules
}

// teams returns the page of a board of teams, with the places of the users who were asked for.
func (f *finding) teams() board.Page {
	page := board.Page{
		Final: true, Total: f.On(), Teams: &board.Teams{Places: f.Teams}, Members: map[string]board.Membership{},
	}
	for user, rank := range f.userRanks {
		if rank > 0 {
			place := f.entry(rank - 1).Packed
			page.Members[user] = board.Membership{Group: f.Groups[place.Team()-1], Own: place.Score()}
		}
	}
	return page
}

// Ranks returns the ranks of some users on a final board of people, 0 for who is not on it. The error wraps ErrNotFinal
// if the period is not final.
func (s *Store) Ranks(ctx context.Context, name string, p board.Period, users []string) (map[string]int64, error) {
	f, err := s.find(ctx, name, p, users, query{})
	if err != nil || f.Groups != nil {
		return map[string]int64{}, err
	}
	return f.userRanks, nil
}

// Present returns the given users who can have a rank on a final board of a period: those who were not
// erased since.
func (s *Store) Present(ctx context.Context, p board.Period, users []string) (map[string]bool, error) {
	head, err := s.items.Known(ctx)
	if err != nil {
		return nil, err
	}
	keys := head.KeysOf(users)
	f := &finding{names: map[string]string{}, guests: s.guests}
	_, f.end = s.calendar.Bounds(p)
	if f.people, err = s.people(ctx, keys); err != nil {
		return nil, err
	}
	present := make(map[string]bool, len(users))
	for i, user := range users {
		present[user] = f.user(keys[i]) == user
	}
	return present, nil
}

// Friends returns the places of those of some users who are on a final board of people, in its order, and its total.
// The error wraps ErrNotFinal if the period is not final.
func (s *Store) Friends(
	ctx context.Context, name string, p board.Period, users []string,
) (places []board.Place, total int64, err error) {
	f, err := s.find(ctx, name, p, users, query{})
	if err != nil || f.Groups != nil {
		return nil, 0, err
	}
	for user, rank := range f.userRanks {
		if rank > 0 {
			places = append(places, board.Place{Rank: rank, Member: board.Member{User: user, Packed: f.entry(rank - 1).Packed}})
		}
	}
	slices.SortFunc(places, func(a, b board.Place) int { return cmp.Compare(a.Rank, b.Rank) })
	return places, f.Total, nil
}

// Winners returns the first places of final periods of a board, and the names (profile.Public) of the
// people on them: of periods that Periods has returned, in a read of the table for each 100 people.
func (s *Store) Winners(ctx context.Context, periods []Period, top int) (
	places [][]board.Place, names map[string]string, err error,
) {
	var keys []items.Key
	for _, p := range periods {
		for _, e := range p.Top[:min(len(p.Top), top)] {
			keys = append(keys, e.Key)
		}
	}
	people, err := s.people(ctx, keys)
	if err != nil {
		return nil, nil, err
	}
	names, places = map[string]string{}, make([][]board.Place, len(periods))
	for i, p := range periods {
		f := finding{loaded: &loaded{Manifest: Manifest{Top: p.Top}}, people: people, names: names, guests: s.guests}
		_, f.end = s.calendar.Bounds(p.Period)
		places[i] = f.places(0, int64(min(len(p.Top), top)))
	}
	return places, names, nil
}

// people reads whose keys are: one read for each 100, and one more where some were merged into others, who stand for
// them. A person whose item cannot be read is nobody.
func (s *Store) people(ctx context.Context, keys []items.Key) (map[items.Key]items.Row[*items.Person], error) {
	if len(keys) == 0 {
		return map[items.Key]items.Row[*items.Person]{}, nil
	}
	people, err := s.items.StandIns(ctx, keys)
	if err != nil {
		return nil, fmt.Errorf("final: people on a board: %w", err)
	}
	return people, nil
}

// find reads the entries that a query asks for, with the users; and beside that, whether they were erased since.
func (s *Store) find(ctx context.Context, name string, p board.Period, users []string, q query) (*finding, error) {
	head, err := s.items.Known(ctx)
	if err != nil {
		return nil, err
	}
	f := &finding{userRanks: make(map[string]int64, len(users)), names: map[string]string{}, guests: s.guests}
	_, f.end = s.calendar.Bounds(p)
	q.keys = append(q.keys, head.KeysOf(users)...)
	read := func() error {
		var failed error
		var side sync.WaitGroup
		side.Go(func() { f.people, failed = s.people(ctx, q.keys) })
		f.loaded, err = s.load(ctx, ref{name, p}, q)
		side.Wait()
		return errors.Join(err, failed)
	}
	if err := read(); err != nil {
		return nil, err
	}
	own, merged := f.keysOf(q.keys)
	if merged { // their places under earlier keys are read, too
		for _, keys := range own {
			q.keys = append(q.keys, keys...)
		}
		slices.SortFunc(q.keys, items.CompareKeys)
		q.keys = slices.Compact(q.keys)
		if err := read(); err != nil {
			return nil, err
		}
	}
	ranks := f.ranks(q.keys)
	for i, user := range users {
		gone := func(key items.Key) bool { return f.user(key) != user }
		f.userRanks[user] = best(ranks, slices.DeleteFunc(own[i], gone))
	}
	return f, nil
}

// keysOf returns for each key those of its person, and whether any person has several.
func (f *finding) keysOf(keys []items.Key) (own [][]items.Key, merged bool) {
	for _, key := range keys {
		mine := []items.Key{key}
		if p := f.people[key].Value; p != nil {
			mine = append(mine, p.Merged...)
		}
		own, merged = append(own, mine), merged || len(mine) > 1
	}
	return own, merged
}

// best returns the best rank of some keys, 0 for none.
func best(ranks map[items.Key]int64, keys []items.Key) (rank int64) {
	for _, key := range keys {
		if other := ranks[key]; other > 0 && (rank == 0 || other < rank) {
			rank = other
		}
	}
	return rank
}

// user returns the user of a key, and notes the name; "" for a user who was erased after the period.
func (f *finding) user(key items.Key) string {
	row := f.people[key]
	if row.Revision == 0 || row.Value.ID == "" || row.Value.Erased >= f.end {
		return ""
	}
	f.names[row.Value.ID] = row.Value.Public(f.guests).Text()
	return row.Value.ID
}

// places returns places from one to another, from 0.
func (f *finding) places(from, to int64) []board.Place {
	places := make([]board.Place, 0, max(to-from, 0))
	for i := from; i < to; i++ {
		e := f.entry(i)
		places = append(places, board.Place{Rank: i + 1, Member: board.Member{User: f.user(e.Key), Packed: e.Packed}})
	}
	return places
}

func (f *finding) standing(user string) board.Standing {
	rank := f.userRanks[user]
	if rank == 0 {
		return *board.OffBoard(f.Total, 0)
	}
	var above int64
	if rank > 1 {
		above = f.entry(rank - 2).Packed.Score()
	}
	return board.NewStanding(rank, f.entry(rank-1).Packed, f.Total, above, 0)
}
