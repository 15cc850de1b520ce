package boards

import (
	"context"
	_ "embed"
	"errors"
	"slices"

	"github.com/redis/go-redis/v9"

	"laurel/shared/board"
	"laurel/shared/redisstore"
)

//go:embed read_friends.lua
var readFriendsSource string

// Friends reads a page of the friends board of a view's user, from one moment and in one
// round trip. Two deliberate exceptions take up to four: a board in several shards, where
// friends are looked for when the list is known and counted before when their scores are;
// and a user who is hidden, whose own place follows from the pages. More than a thousand come without profiles.
func (s *Store) Friends(ctx context.Context, v board.View) (FriendsPage, error) {
	if s.redis.Shards() > 1 {
		return s.gatherFriends(ctx, v)
	}
	c := &redisstore.Call{
		Script: s.scripts.readFriends,
		Keys: []string{
			redisstore.BoardKey(0, v.Board, v.Period), redisstore.FriendsKey(0, v.User),
			redisstore.SuppressedKey(0), redisstore.ProfilesKey(0),
		},
		Args: []any{v.User, v.Offset + v.Limit, mostNamed},
	}
	s.redis.Run(ctx, c)
	reply, err := c.Cmd.Slice()
	if err != nil {
		return FriendsPage{}, redisstore.Unavailable("read a friends board", err)
	}
	switch len(reply) {
	case 0:
		return s.gatherFriends(ctx, v)
	case 5:
		return s.parseFriends(v, reply)
	default:
		return FriendsPage{}, redisstore.Unreadable("a friends board's answer is not of five parts")
	}
}

// parseFriends reads what read_friends.lua answers.
func (s *Store) parseFriends(v board.View, reply []any) (FriendsPage, error) {
	followed, _ := reply[0].(int64)
	page := FriendsPage{Copies: Copies{Profiles: map[string]string{}}}
	page.Total = followed + 1
	on, _ := reply[1].([]any)
	places := make([]board.Place, len(on))
	for i, one := range on {
		triple, _ := one.([]any)
		places[i] = placeOf(triple)
	}
	own := slices.ContainsFunc(places, func(p board.Place) bool { return p.User == v.User })
	var copied []string
	for _, p := range places {
		if p.Rank == 0 {
			return FriendsPage{}, redisstore.Unreadable("a friend's place that cannot be read")
		}
		if p.User != v.User {
			copied = append(copied, p.User)
		}
	}
	others := redisstore.Texts(reply[2])
	copied = append(append(copied, others...), v.User)
	if !own {
		others = append(others, v.User)
	}
	page.Friends = board.Friends(places, others, v.Offset, v.Limit)
	ahead, _ := reply[3].([]any)
	if err := page.stand(places, v.User, ahead); err != nil {
		return FriendsPage{}, err
	}
	copies, _ := reply[4].([]any)
	if len(copies) == 1 { // there are too many friends
		copied = nil
	}
	known := map[string]string{}
	generation, err := s.takeCopies(known, copied, copies)
	if err != nil {
		return FriendsPage{}, err
	}
	page.Generation = generation
	for _, user := range append(page.Users(), v.User) {
		if text, ok := known[user]; ok {
			page.Profiles[user] = text
		}
	}
	return page, nil
}

// stand takes in how many friends are ahead of the user, and the packed score of the last.
func (p *FriendsPage) stand(places []board.Place, user string, ahead []any) error {
	p.Standing, p.BoardRank = board.FriendsStanding(places, user, p.Total)
	if p.BoardRank == 0 || len(ahead) != 2 {
		return nil
	}
	before, _ := ahead[0].(int64)
	var above board.Packed
	if text, ok := ahead[1].(string); ok {
		var err error
		if above, err = redisstore.ParsePacked(text); err != nil {
			return redisstore.Unreadable("the score " + text)
		}
	}
	me := board.Pack(p.Standing.Score, p.Standing.Ticks)
	p.Standing = board.NewStanding(before+1, me, p.Total, above.Score(), 0)
	return nil
}

// placeOf reads id, packed score and place from 0; rank 0 says that it cannot.
func placeOf(triple []any) (p board.Place) {
	if len(triple) < 3 {
		return p
	}
	p.User, _ = triple[0].(string)
	text, _ := triple[1].(string)
	place, ok := triple[2].(int64)
	packed, err := redisstore.ParsePacked(text)
	if p.Packed = packed; ok && err == nil {
		p.Rank = place + 1
	}
	return p
}

// gathered is a friends board being put together.
type gathered struct {
	view   board.View
	own    absence
	places []board.Place
	others []string
	page   FriendsPage
}

// gatherFriends puts a friends board together from its shards, and the user's own
// place on it from the pages while the user is hidden: the list first, then the
// scores of all on it, then who is before those who are shown, and the profiles.
func (s *Store) gatherFriends(ctx context.Context, v board.View) (FriendsPage, error) {
	g := &gathered{view: v}
	var ids *redis.StringSliceCmd
	own, err := s.readAbsence(ctx, v.User, []board.View{v}, nil, func(pipe redis.Pipeliner) {
		ids = pipe.ZRange(ctx, redisstore.FriendsKey(s.redis.ShardOf(v.User), v.User), 0, -1)
	})
	if err != nil {
		return g.page, err
	}
	if ids.Err() != nil {
		return g.page, redisstore.Unavailable("read a follow list", ids.Err())
	}
	g.own = own
	if err := s.readScores(ctx, g, append(ids.Val(), v.User)); err != nil {
		return g.page, err
	}
	g.page.Total = int64(len(g.places) + len(g.others))
	g.page.Friends = board.Friends(g.places, g.others, v.Offset, v.Limit)
	g.page.Standing, _ = board.FriendsStanding(g.places, v.User, g.page.Total)
	return g.page, s.readRanks(ctx, g)
}

// readScores looks for users on the board, each in the user's shard. Who is hidden
// or excluded is not on it, and left out.
func (s *Store) readScores(ctx context.Context, g *gathered, users []string) error {
	byShard := make([][]string, s.redis.Shards())
	for _, user := range users {
		byShard[s.redis.ShardOf(user)] = append(byShard[s.redis.ShardOf(user)], user)
	}
	type asked struct {
		users      []string
		scores     *redis.Cmd
		suppressed *redis.BoolSliceCmd
	}
	var all []asked
	pipe := s.redis.Client().Pipeline()
	for shard, users := range byShard {
		for chunk := range slices.Chunk(users, chunkLen) {
			args, members := []any{"ZMSCORE", redisstore.BoardKey(shard, g.view.Board, g.view.Period)}, []any{}
			for _, user := range chunk {
				args, members = append(args, user), append(members, user)
			}
			// In this order: who is shown again in between has no points for once.
			all = append(all, asked{
				chunk, pipe.Do(ctx, args...),
				pipe.SMIsMember(ctx, redisstore.SuppressedKey(shard), members...),
			})
		}
	}
	_, _ = pipe.Exec(ctx)
	for _, a := range all {
		scores, err := a.scores.Slice()
		if err := errors.Join(err, a.suppressed.Err()); err != nil {
			return redisstore.Unavailable("read the scores of friends", err)
		}
		for i, user := range a.users {
			if err := g.enter(user, scores[i], a.suppressed.Val()[i]); err != nil {
				return err
			}
		}
	}
	return nil
}

// enter takes in what a board has of a user.
func (g *gathered) enter(user string, score any, suppressed bool) error {
	var packed board.Packed
	switch text := score.(type) {
	case string:
		var err error
		if packed, err = redisstore.ParsePacked(text); err != nil {
			return redisstore.Unreadable("the score " + text)
		}
	case float64: // of servers that speak RESP3
		packed = board.Packed(text)
	}
	self := user == g.view.User
	if self && packed == 0 {
		packed = g.own.packed(g.view.Board, g.view.Period)
	}
	switch {
	case packed != 0:
		g.places = append(g.places, board.Place{Entry: board.Entry{User: user, Packed: packed}})
	case self || !suppressed:
		g.others = append(g.others, user)
	}
	return nil
}

// readRanks fills the ranks on the board in, also the user's own, and the profiles.
func (s *Store) readRanks(ctx context.Context, g *gathered) error {
	ranked := []*board.Friend{}
	users := []string{g.view.User}
	for i := range g.page.Friends {
		f := &g.page.Friends[i]
		users = append(users, f.User)
		if f.Rank > 0 {
			ranked = append(ranked, f)
		}
	}
	own := board.Friend{Rank: g.page.Standing.Rank}
	if own.Rank > 0 {
		own.Entry = board.Entry{User: g.view.User, Packed: board.Pack(g.page.Standing.Score, g.page.Standing.Ticks)}
		ranked = append(ranked, &own)
	}
	spots := make([]*spot, len(ranked))
	for i, f := range ranked {
		spots[i] = &spot{user: f.User, packed: f.Packed}
	}
	calls := s.askAround(g.view, 0, spots...)
	var asked []*profilesOf
	s.redis.RunBeside(ctx, scriptsOf(calls), func(pipe redis.Pipeliner) { asked = s.askProfiles(ctx, pipe, users, true) })
	read := around{copies: map[string]string{}}
	for _, c := range calls {
		if err := s.takeAround(c, &read); err != nil {
			return err
		}
	}
	for i, f := range ranked {
		f.BoardRank = 1 + spots[i].before
		if f.Rank > own.Rank && own.Rank > 0 && g.own.supplies(g.view.Board, g.view.Period) {
			f.BoardRank++ // the place of a hidden user is not on the board
		}
	}
	g.page.BoardRank = own.BoardRank
	var err error
	g.page.Profiles, g.page.Generation, err = s.takeProfiles(asked)
	return err
}
