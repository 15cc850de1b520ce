package final

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"sync"

	"laurel/shared/board"
	"laurel/shared/records"
)

// A Reader reads final boards with whom their entries are of. It is safe for concurrent use.
type Reader struct {
	finals   *Store
	records  *records.Store
	calendar *board.Calendar
}

// NewReader returns a reader of the boards of a forum.
func NewReader(finals *Store, people *records.Store, calendar *board.Calendar) *Reader {
	return &Reader{finals: finals, records: people, calendar: calendar}
}

// An Identity is who a key is of.
type Identity struct {
	ID     string
	Public records.Public
	Erased bool // nobody's: of a period before the person's erasure
}

// Resolve reads who keys are of, on a board of a period that ended at a moment; one read for
// each 100. A person whose item cannot be read is nobody.
func Resolve(ctx context.Context, people *records.Store, keys []records.Key, end board.Moment) (
	map[records.Key]Identity, error,
) {
	all := make(map[records.Key]Identity, len(keys))
	if len(keys) == 0 {
		return all, nil
	}
	found, err := people.Read(ctx, records.Query{People: keys})
	if err != nil {
		return nil, err
	}
	for _, key := range keys {
		all[key] = identityOf(found.People[key], end)
	}
	return all, nil
}

// identityOf returns who somebody's entry is of, on a board of a period that ended at a moment.
func identityOf(row records.Row[*records.Person], end board.Moment) Identity {
	if row.Revision == 0 || row.Value.ID == "" || row.Value.Erased >= end {
		return Identity{Erased: true}
	}
	return Identity{ID: row.Value.ID, Public: row.Value.Public()}
}

// Read answers a view of a final board, with names as view.Store has them, without ranks in the period before.
// The error wraps ErrNotFinal if the period is not final.
func (r *Reader) Read(ctx context.Context, v board.View) (board.Page, error) {
	users := v.Users
	if v.User != "" {
		users = append(slices.Clone(users), v.User)
	}
	f, err := r.find(ctx, v.Board, v.Period, users, query{offset: v.Offset, limit: v.Limit, around: v.Around})
	if err != nil {
		return board.Page{}, err
	}
	end, rank := min(v.Offset+v.Limit, f.Total), f.of[v.User]
	from, to := max(rank-1-v.Around, 0), min(rank+v.Around, f.Total) // around the user
	shown := f.keys(v.Offset, end)
	if rank > 0 {
		shown = append(shown, f.keys(from, to)...)
	}
	_, ended := r.calendar.Bounds(v.Period)
	who, err := Resolve(ctx, r.records, shown, ended)
	if err != nil {
		return board.Page{}, err
	}
	maps.Copy(f.who, who)
	page := board.Page{Final: true, Total: f.Total, Places: f.places(v.Offset, end), Names: f.names()}
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

// Ranks returns the ranks of some users on a final board, 0 for who is not on it. The error wraps ErrNotFinal
// if the period is not final.
func (r *Reader) Ranks(ctx context.Context, name string, p board.Period, users []string) (map[string]int64, error) {
	f, err := r.find(ctx, name, p, users, query{})
	if err != nil {
		return nil, err
	}
	return f.of, nil
}

// Friends returns the places of some users on a final board, in its order, and the board's
// total; users who are not on it are left out. The error wraps ErrNotFinal if the period is
// not final.
func (r *Reader) Friends(
	ctx context.Context, name string, p board.Period, users []string,
) (places []board.Place, total int64, err error) {
	f, err := r.find(ctx, name, p, users, query{})
	if err != nil {
		return nil, 0, err
	}
	for user, rank := range f.of {
		if rank > 0 {
			places = append(places, board.Place{Rank: rank, Entry: board.Entry{User: user, Packed: f.at(rank - 1).Packed}})
		}
	}
	slices.SortFunc(places, func(a, b board.Place) int { return cmp.Compare(a.Rank, b.Rank) })
	return places, f.Total, nil
}

// Periods returns what Store.Periods returns.
func (r *Reader) Periods(
	ctx context.Context, name string, w board.Window, below board.Period, limit int,
) ([]Period, error) {
	return r.finals.Periods(ctx, name, w, below, limit)
}

// A finding is what was read of a board, the ranks of users on it, and who its entries are of.
type finding struct {
	*loaded
	of  map[string]int64 // ranks by user; 0 for who is not on the board, or was erased since
	who map[records.Key]Identity
}

// find reads what a query asks for, with the users; and beside that, whether they were erased
// since.
func (r *Reader) find(ctx context.Context, name string, p board.Period, users []string, q query) (*finding, error) {
	head, err := r.records.Known(ctx)
	if err != nil {
		return nil, err
	}
	f := &finding{of: make(map[string]int64, len(users))}
	for _, user := range users {
		q.keys = append(q.keys, head.KeyOf(user))
	}
	var whoErr error
	var side sync.WaitGroup
	side.Go(func() {
		_, end := r.calendar.Bounds(p)
		f.who, whoErr = Resolve(ctx, r.records, q.keys, end)
	})
	f.loaded, err = r.finals.load(ctx, ref{name, p}, q)
	side.Wait()
	if err := errors.Join(err, whoErr); err != nil {
		return nil, err
	}
	ranks := f.ranks(q.keys)
	for i, user := range users {
		if f.of[user] = ranks[q.keys[i]]; f.who[q.keys[i]].Erased {
			f.of[user] = 0
		}
	}
	return f, nil
}

// keys returns the keys of places from one to another, from 0.
func (f *finding) keys(from, to int64) (keys []records.Key) {
	for i := from; i < to; i++ {
		keys = append(keys, f.at(i).Key)
	}
	return keys
}

// places returns places from one to another, from 0.
func (f *finding) places(from, to int64) []board.Place {
	places := make([]board.Place, 0, max(to-from, 0))
	for i := from; i < to; i++ {
		e := f.at(i)
		places = append(places, board.Place{Rank: i + 1, Entry: board.Entry{User: f.who[e.Key].ID, Packed: e.Packed}})
	}
	return places
}

func (f *finding) standing(user string) board.Standing {
	rank := f.of[user]
	if rank == 0 {
		return *board.OffBoard(f.Total, 0)
	}
	var above int64
	if rank > 1 {
		above = f.at(rank - 2).Packed.Score()
	}
	return board.NewStanding(rank, f.at(rank-1).Packed, f.Total, above, 0)
}

// names returns the names of who is known, by id.
func (f *finding) names() map[string]string {
	names := make(map[string]string, len(f.who))
	for _, who := range f.who {
		if !who.Erased {
			names[who.ID] = who.Public.Text()
		}
	}
	return names
}

// Winners returns the first places of final periods of a board, and the names (records.Public) of who
// is on them: of periods that Periods has returned, in a read of the table for each 100 people.
func (r *Reader) Winners(ctx context.Context, periods []Period, top int) (
	places [][]board.Place, names map[string]string, err error,
) {
	var keys []records.Key
	for _, p := range periods {
		for _, e := range p.Top[:min(len(p.Top), top)] {
			keys = append(keys, e.Key)
		}
	}
	names, places = map[string]string{}, make([][]board.Place, len(periods))
	if len(keys) == 0 {
		return places, names, nil
	}
	found, err := r.records.Read(ctx, records.Query{People: keys})
	if err != nil {
		return nil, nil, err
	}
	for i, p := range periods {
		_, end := r.calendar.Bounds(p.Period)
		for rank, e := range p.Top[:min(len(p.Top), top)] {
			who := identityOf(found.People[e.Key], end)
			places[i] = append(places[i], board.Place{
				Rank: int64(rank) + 1, Entry: board.Entry{User: who.ID, Packed: e.Packed},
			})
			if !who.Erased {
				names[who.ID] = who.Public.Text()
			}
		}
	}
	return places, names, nil
}
