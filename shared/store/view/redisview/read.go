package redisview

import (
	"context"
	"errors"
	"slices"
	"strconv"

	"github.com/redis/go-redis/v9"

	"laurel/shared/core/board"
	"laurel/shared/store/view"
)

// namedLen is how long a piece of a shard may be to have the names come along. Of a longer one those
// on the page are asked for when it is known.
const namedLen = 200

// Read reads a piece of a board in one trip, with names: profile.Public as text, of those in it who have one.
func (s *Store) Read(ctx context.Context, v board.View) (board.Page, error) {
	pages, err := s.ReadAll(ctx, []board.View{v})
	if err != nil {
		return board.Page{}, err
	}
	return pages[0], nil
}

// A reading is a view being put together from the replies of shards.
type reading struct {
	answers
	view   board.View
	own    *spot   // of the view's user, nil for none
	users  []*spot // of those whose standings are asked for
	behind *spot   // of the place that the page comes after, nil for none
	before int64   // how many are before the pieces
	asked  []*call
	shown  []*spot      // of those on the page and the neighbours, for their movement
	teams  *teamReading // of a board of teams, which needs nothing else; nil for one of people
	page   board.Page
}

// ReadAll reads pieces of several boards in one trip, all together. Deliberate exceptions where there are
// several shards: a standing takes a second trip, as the other shards cannot count the users before a score
// that they do not know; movement takes one more, for the same reason; a page that is deep takes those of
// seek. A rolling period that is not whole, as the night is a day late, takes the trips again for the one before.
func (s *Store) ReadAll(ctx context.Context, views []board.View) (pages []board.Page, err error) {
	err = s.identity(ctx, func(identity string) error {
		all := make([]*reading, len(views))
		for i, v := range views {
			if all[i], err = s.begin(ctx, identity, v); err != nil {
				return err
			}
		}
		for _, next := range []func(*reading, *Store, string){(*reading).meet, (*reading).stand, (*reading).move} {
			var calls []*call
			for _, m := range all {
				calls = append(calls, m.asked...)
			}
			s.run(ctx, calls)
			for _, m := range all {
				asked := m.asked
				m.asked = nil
				if err := m.take(asked); err != nil {
					return err
				}
				if !m.page.Unready {
					next(m, s, identity)
				}
			}
		}
		pages = make([]board.Page, len(all))
		for i, m := range all {
			pages[i] = m.page
			pages[i].Period = m.view.Period
		}
		return nil
	})
	if earlier, found := earlierViews(views, err); found {
		return s.ReadAll(ctx, earlier)
	}
	return pages, err
}

// take takes answers in. A board that is not whole is no error where that is optional, unless the period before may be.
func (m *reading) take(asked []*call) error {
	err := takeAll("read a board", asked)
	if _, found := earlierPeriod(&m.view, err); !found && m.view.Optional && errors.Is(err, view.ErrUnready) {
		m.page.Unready = true
		return nil
	}
	return err
}

// begin asks every shard for its part of the page, and about the users who are at home there.
func (s *Store) begin(ctx context.Context, identity string, v board.View) (*reading, error) {
	m := &reading{view: v, answers: newAnswers()}
	if groups := s.options.Teams[v.Board]; len(groups) > 0 {
		m.teams, m.asked = s.askTeams(identity, v, groups)
		return m, nil
	}
	pieces, before, err := s.pieces(ctx, v)
	if err != nil {
		return nil, err
	}
	m.before = before
	for _, user := range v.Users {
		m.users = append(m.users, &spot{user: user, home: true})
	}
	spots := m.users
	if v.User != "" {
		m.own = &spot{user: v.User, home: true, around: max(v.Around, 1)}
		spots = append([]*spot{m.own}, spots...)
	}
	if isAfter(v) {
		m.behind = &spot{user: v.After.User, packed: v.After.Packed, around: v.Limit}
		spots = append([]*spot{m.behind}, spots...)
	}
	m.asked = s.askPieces(identity, v, pieces, spots, &m.answers)
	return m, nil
}

// isAfter reports whether the page of a view comes after a place.
func isAfter(v board.View) bool { return v.After.Rank > 0 && v.Limit > 0 }

// meet makes the page of the shards' pieces. In several shards every one is asked about the users
// then, by their scores, and for the names that did not come along.
func (m *reading) meet(s *Store, identity string) {
	if m.teams != nil {
		m.page = m.teams.page()
		return
	}
	m.page.Total = m.total
	if m.behind != nil {
		m.page.Places = m.behind.after(m.view.Limit)
	} else {
		m.page.Places = cut(m.places, m.before, m.view.Offset, m.view.Limit)
	}
	if s.options.Shards == 1 {
		return
	}
	known := slices.Clone(m.users)
	if m.own != nil {
		known = append(known, m.own)
	}
	for _, sp := range known { // the own shard counts again
		*sp = spot{user: sp.user, around: sp.around, packed: sp.packed, past: sp.past}
	}
	known = slices.DeleteFunc(known, func(sp *spot) bool { return sp.packed == 0 && sp.past == 0 })
	m.asked = s.askAll(identity, m.view, known, &m.answers)
	var late []*spot
	for _, p := range m.page.Places {
		if _, named := m.names[p.User]; !named && m.behind == nil && m.view.Offset-m.before+m.view.Limit > namedLen {
			late = append(late, &spot{user: p.User, home: true})
		}
	}
	if len(late) > 0 {
		m.asked = append(m.asked, s.askPieces(identity, m.view, make([]piece, s.options.Shards), late, &m.answers)...)
	}
}

// stand makes the standings, and keeps the names of those who are in the answer. In several shards every
// one is asked then where those who are shown were before.
func (m *reading) stand(s *Store, identity string) {
	if m.teams != nil {
		return
	}
	if m.own != nil {
		m.page.Standing, m.page.Neighbours = m.own.stand(m.page.Total, m.view.Around)
	}
	for _, sp := range m.users {
		standing, _ := sp.stand(m.page.Total, 0)
		m.page.Standings = append(m.page.Standings, *standing)
	}
	shown := append(usersOf(m.page.Places), usersOf(m.page.Neighbours)...)
	m.page.Names = map[string]string{}
	for _, user := range slices.Concat(shown, m.view.Asked()) {
		if text, ok := m.names[user]; ok {
			m.page.Names[user] = text
		}
	}
	if !m.view.Movement {
		return
	}
	m.page.Previous = m.previous
	for _, user := range shown {
		if past := m.past[user]; past != 0 {
			m.shown = append(m.shown, &spot{user: user, past: past})
		}
	}
	m.asked = s.askAll(identity, m.view, m.shown, &m.answers)
}

// move makes the movement of those whose ranks several shards have counted.
func (m *reading) move(*Store, string) {
	for _, sp := range m.shown {
		m.page.Previous[sp.user] = sp.previousRank()
	}
}

// cut sorts places of all shards, of which so many are before, and keeps the page, ranked.
func cut(places []board.Place, before, offset, limit int64) []board.Place {
	slices.SortFunc(places, board.ComparePlaces)
	n := int64(len(places))
	places = places[min(offset-before, n):min(offset-before+limit, n)]
	for i := range places {
		places[i].Rank = offset + int64(i) + 1
	}
	return places
}

// maxHead is how far from the top a page in several shards may end to be read from the head of every shard.
const maxHead = 1_000

// pieces returns the piece of each shard that has the page of a view, and the number of users before these.
func (s *Store) pieces(ctx context.Context, v board.View) (pieces []piece, before int64, err error) {
	pieces = make([]piece, s.options.Shards)
	end, starts := v.Offset+v.Limit, make([]int64, len(pieces))
	switch {
	case v.Limit == 0 || isAfter(v):
		return pieces, 0, nil
	case len(pieces) == 1:
		before, starts[0] = v.Offset, v.Offset
	case end > maxHead:
		starts, before, err = s.seek(ctx, v)
	}
	length := end - before
	for shard := range pieces {
		pieces[shard] = piece{starts[shard], length, len(pieces) == 1 || length <= namedLen}
	}
	return pieces, before, err
}

// seek returns where a page deep in several shards begins: how many places of each shard have less than the packed
// score that it begins at, and all together. It takes at most 55 trips, as each halves the scores that may be there.
func (s *Store) seek(ctx context.Context, v board.View) (counts []int64, sum int64, err error) {
	count := func(below string) (counts []int64, sum int64, err error) {
		pipe := s.client.Pipeline()
		cmds := make([]*redis.IntCmd, s.options.Shards)
		for shard := range s.options.Shards {
			cmds[shard] = pipe.ZCount(ctx, s.boardKey(shard, v.Board, v.Period), "-inf", below)
		}
		if _, err := pipe.Exec(ctx); err != nil {
			return nil, 0, unavailable("seek a place", err)
		}
		for _, c := range cmds {
			counts, sum = append(counts, c.Val()), sum+c.Val()
		}
		return counts, sum, nil
	}
	if counts, sum, err = count("+inf"); err != nil || sum <= v.Offset {
		return counts, sum, err
	}
	low, high := int64(board.Pack(board.MaxScore, 0)), int64(0)
	for low < high { // the least packed score with more than Offset places up to it
		middle := low + (high-low)/2
		_, sum, err := count(strconv.FormatInt(middle, 10))
		if err != nil {
			return nil, 0, err
		}
		if sum > v.Offset {
			high = middle
		} else {
			low = middle + 1
		}
	}
	return count("(" + strconv.FormatInt(low, 10))
}
