package view

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/redis/go-redis/v9"

	"laurel/shared/board"
)

// maxHead is how far from the top a page of a sharded board may end to be read
// from the head of every shard. Deeper ones are looked for first (seek): an
// exception of at most 54 round trips, as each halves the scores that may be
// there.
const maxHead = 1_000

// namedHead is how far from the top a page may end to have the names come
// along, of everybody in the heads. Of a deeper one those on the page are asked
// for when it is known: an exception of one round trip, which a standing shares.
const namedHead = 200

// isAfter reports whether the page of a view comes after a place.
func isAfter(v board.View) bool { return v.After.Rank > 0 && v.Limit > 0 }

// sharded is a view being put together from its shards.
type sharded struct {
	view   board.View
	heads  []*call       // read_board.lua in every shard
	own    *spot         // of the view's user, nil for none
	users  []*spot       // of those whose standings are asked for
	shown  []*spot       // of those on the page and the neighbours, for their movement
	behind *spot         // of the place that the page comes after, nil for none
	after  []*aroundCall // what is around that place in every shard
	home   []*aroundCall // about users in their own shards
	deep   []*aroundCall // about those on a page that is not in the heads, likewise
	around []*aroundCall // about users in every shard
	moved  []*aroundCall // about those who are shown
	late   []string      // on a page whose names did not come with the heads
	read   around

	page Page
}

// readSharded reads pieces of boards that are in several shards, and pages after a place. A page takes
// one round trip, all shards at once; a standing takes a second one, as the
// other shards can't count who is before a score they don't know; movement takes one
// more, for the same reason.
func (s *Store) readSharded(ctx context.Context, is string, views []board.View) ([]Page, error) {
	all := make([]*sharded, len(views))
	var first, second, third []*call
	for i, v := range views {
		m := &sharded{view: v, users: spotsOf(v.Users)}
		m.read = around{names: map[string]string{}, past: map[string]board.Packed{}}
		all[i] = m
		first = append(first, s.askHeads(is, m)...)
		asked := m.users
		if v.User != "" {
			m.own = &spot{user: v.User}
			asked = append([]*spot{m.own}, m.users...)
		}
		m.home = s.askHome(is, v, asked)
		if isAfter(v) {
			m.behind = &spot{user: v.After.User, packed: v.After.Packed}
			m.after = s.askAround(is, v, v.Limit, m.behind)
		}
		first = append(first, scriptsOf(m.home, m.after)...)
	}
	s.run(ctx, first)
	for _, m := range all {
		if err := s.merge(ctx, is, m); err != nil {
			return nil, err
		}
		second = append(second, scriptsOf(m.around, m.deep)...)
	}
	names, err := s.runNamed(ctx, is, second, all)
	if err != nil {
		return nil, err
	}
	for _, m := range all {
		if err := s.finish(is, m, names); err != nil {
			return nil, err
		}
		third = append(third, scriptsOf(m.moved)...)
	}
	s.run(ctx, third)
	pages := make([]Page, len(all))
	for i, m := range all {
		if err := finishMovement(m); err != nil {
			return nil, err
		}
		pages[i] = m.page
	}
	return pages, nil
}

// runNamed runs calls, and reads the names that did not come with the heads beside them.
func (s *Store) runNamed(ctx context.Context, is string, calls []*call, all []*sharded) (map[string]string, error) {
	var late []string
	for _, m := range all {
		late = append(late, m.late...)
	}
	names := map[string]string{}
	var asked askedFields
	s.run(ctx, calls, func(pipe redis.Pipeliner) { asked = s.askNames(ctx, pipe, late, names) })
	return names, asked.take(is, false)
}

// askHeads asks every shard for the head of its part, if the page is in it, and
// else for its length.
func (s *Store) askHeads(is string, m *sharded) []*call {
	end, moved := m.view.Offset+m.view.Limit, ""
	if m.deepPage() || m.view.Limit == 0 || isAfter(m.view) {
		end = 0
	}
	if m.view.Movement {
		moved = "ZSCORE"
	}
	for shard := range s.options.Shards {
		m.heads = append(m.heads, s.pieceCall(is, shard, m.view, "", 0, end, 0, end <= namedHead, moved))
	}
	return m.heads
}

// deepPage reports whether the page is not in the heads.
func (m *sharded) deepPage() bool {
	end := m.view.Offset + m.view.Limit
	return m.view.Limit > 0 && (end > maxHead || end < 0)
}

// merge takes in the first round of answers and prepares the second.
func (s *Store) merge(ctx context.Context, is string, m *sharded) error {
	var heads []board.Place
	for _, c := range m.heads {
		part, err := parsePiece(c, 0)
		if err != nil {
			return err
		}
		m.page.Total += part.total
		heads = append(heads, part.places...)
		takeNames(m.read.names, usersOf(part.places), part.names)
		if err := takePast(m.read.past, part.places, part.moved); err != nil {
			return err
		}
	}
	v := m.view
	m.page.Places = cut(heads, v.Offset, v.Limit)
	for _, c := range m.after {
		if err := takeAround(c, &m.read); err != nil {
			return err
		}
	}
	if m.behind != nil {
		m.page.Places = m.behind.after(v.Limit)
	}
	if m.deepPage() && v.Offset < m.page.Total {
		var err error
		if m.page.Places, err = s.seek(ctx, v); err != nil {
			return err
		}
		if v.Movement {
			m.deep = s.askHome(is, v, spotsOf(usersOf(m.page.Places)))
		}
	}
	for _, c := range m.home {
		if err := takeAround(c, &m.read); err != nil {
			return err
		}
		for _, sp := range c.spots { // every shard counts, the own one again
			*sp = spot{user: sp.user, packed: sp.packed, past: sp.past}
		}
	}
	if m.own != nil {
		m.around = s.askAround(is, v, max(v.Around, 1), m.own)
	}
	m.around = append(m.around, s.askAround(is, v, 0, m.users...)...)
	if v.Offset+v.Limit > namedHead {
		m.late = usersOf(m.page.Places)
	}
	return nil
}

// finish takes in the second round of answers, keeps the copies of those who are in the
// answer, and prepares the third, for movement.
func (s *Store) finish(is string, m *sharded, names map[string]string) error {
	for _, c := range append(m.around, m.deep...) {
		if err := takeAround(c, &m.read); err != nil {
			return err
		}
	}
	for _, c := range m.deep {
		for _, sp := range c.spots {
			m.read.past[sp.user] = sp.past
		}
	}
	m.stand()
	for _, sp := range m.users {
		m.page.Standings = append(m.page.Standings, sp.standing(m.page.Total))
	}
	maps.Copy(m.read.names, names)
	shown := append(usersOf(m.page.Places), usersOf(m.page.Neighbours)...)
	m.page.Names = map[string]string{}
	for _, user := range slices.Concat(shown, m.view.Users, []string{m.view.User}) {
		if text, ok := m.read.names[user]; ok {
			m.page.Names[user] = text
		}
	}
	if m.view.Movement {
		for _, user := range shown {
			m.shown = append(m.shown, &spot{user: user, past: m.read.past[user]})
		}
		m.moved = s.askAround(is, m.view, 0, m.shown...)
	}
	return nil
}

// finishMovement takes in the third round of answers.
func finishMovement(m *sharded) error {
	if !m.view.Movement {
		return nil
	}
	for _, c := range m.moved {
		if err := takeAround(c, &m.read); err != nil {
			return err
		}
	}
	m.page.Previous = map[string]int64{}
	for _, sp := range m.shown {
		if rank := sp.previousRank(); rank > 0 {
			m.page.Previous[sp.user] = rank
		}
	}
	return nil
}

// stand works out the standing of the view's user.
func (m *sharded) stand() {
	if m.own == nil {
		return
	}
	near := m.own.near
	slices.SortFunc(near, board.ComparePlaces)
	i := slices.IndexFunc(near, func(p board.Place) bool { return p.User == m.own.user })
	if m.own.packed == 0 || i < 0 {
		m.page.Standing = board.OffBoard(m.page.Total, m.own.previousRank())
		return
	}
	rank := m.own.before + 1
	for j := range near {
		near[j].Rank = rank + int64(j-i)
	}
	m.page.Standing, m.page.Neighbours = board.Stand(near, rank, m.page.Total, m.own.previousRank(), m.view.Around)
}

// seek reads a page that is deep in a sharded board: it looks for the packed
// score that the page starts at, and reads from there in every shard.
func (s *Store) seek(ctx context.Context, v board.View) ([]board.Place, error) {
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
	low, high := int64(board.Pack(board.MaxScore, 0)), int64(0)
	for low < high { // the least packed score with more than Offset places up to it
		middle := low + (high-low)/2
		_, sum, err := count(strconv.FormatInt(middle, 10))
		if err != nil {
			return nil, err
		}
		if sum > v.Offset {
			high = middle
		} else {
			low = middle + 1
		}
	}
	counts, sum, err := count("(" + strconv.FormatInt(low, 10))
	if err != nil {
		return nil, err
	}
	pipe := s.client.Pipeline()
	heads := make([]*redis.ZSliceCmd, s.options.Shards)
	for shard, from := range counts {
		heads[shard] = pipe.ZRangeWithScores(ctx, s.boardKey(shard, v.Board, v.Period), from, from+v.Offset-sum+
			v.Limit-1)
	}
	_, _ = pipe.Exec(ctx)
	all, err := places(heads)
	if err != nil {
		return nil, err
	}
	all = cut(all, v.Offset-sum, v.Limit)
	for i := range all {
		all[i].Rank += sum
	}
	return all, nil
}

// places gathers what shards answered, not ranked yet.
func places(answers []*redis.ZSliceCmd) ([]board.Place, error) {
	var all []board.Place
	for _, c := range answers {
		if c.Err() != nil {
			return nil, unavailable("read a board", c.Err())
		}
		for _, z := range c.Val() {
			user, _ := z.Member.(string)
			packed := board.Packed(z.Score)
			if float64(packed) != z.Score {
				return nil, damaged(user, fmt.Errorf("score %v", z.Score))
			}
			all = append(all, board.Place{Entry: board.Entry{User: user, Packed: packed}})
		}
	}
	return all, nil
}

// cut sorts the places of all shards and keeps the page, ranked.
func cut(places []board.Place, offset, limit int64) []board.Place {
	slices.SortFunc(places, board.ComparePlaces)
	n := int64(len(places))
	places = places[min(offset, n):min(offset+limit, n)]
	for i := range places {
		places[i].Rank = offset + int64(i) + 1
	}
	return places
}
