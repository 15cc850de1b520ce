package redisview

import (
	"context"
	"strconv"
	"strings"

	"github.com/redis/go-redis/v9"

	"laurel/shared/core/board"
	"laurel/shared/store/view"
)

var (
	readTeamsScript   = newScript("slot.lua", "read_teams.lua")
	checkTotalsScript = newScript("slot.lua", "unit_teams.lua", "check_totals.lua")
)

// A board of teams is a hash in each shard. It has of each team, under its number, the sum of its members in the shard,
// and with an m after the number how many of them others may see; and of each member, with a u before the id, the place
// that is in them: the packed score of board.PackMember, with an h after it if the member is hidden.
const (
	memberPrefix = "u"
	seenSuffix   = "m"
	hiddenSuffix = "h"
)

// memberArg begins the place of a member in a unit, which may be none.
const memberArg = "t"

// parseMember reads a member's place, and whether the member is hidden; 0 of none, or of a text that is no place: the
// next comparison replaces it.
func parseMember(text string) (place board.Packed, hidden bool) {
	text, hidden = strings.CutSuffix(text, hiddenSuffix)
	n, _ := strconv.ParseInt(text, 10, 64)
	return board.Packed(n), hidden
}

// A teamReading is a board of teams being put together from the replies of shards.
type teamReading struct {
	groups    []string
	now, past *board.TeamTally
	members   map[string]board.Membership
}

// askTeams asks every shard for its part of a board of teams, and about the users who are at home there.
func (s *Store) askTeams(identity string, v board.View, groups []string) (t *teamReading, calls []*call) {
	t = &teamReading{
		groups: groups, now: board.NewTeamTally(groups), past: board.NewTeamTally(groups),
		members: map[string]board.Membership{},
	}
	bySlot := s.bySlot(v.Asked())
	for shard := range s.options.Shards {
		home := bySlot[view.Slot(shard)]
		args := []string{identity, s.wanted(v.Board, v.Period), dayArg(v.Period), number(len(groups))}
		keys := []string{
			s.markerKey(view.Slot(shard)), s.boardKey(shard, v.Board, v.Period),
			s.boardKey(shard, v.Board, v.Period.Prev()), // of none before it a key that no board has
		}
		calls = append(calls, &call{
			script: readTeamsScript, keys: keys, args: append(args, home...),
			take: func(reply []any) error { return t.take(reply, home) },
		})
	}
	return t, calls
}

// take takes in the answer of a shard about its members, of whom some are asked for.
func (t *teamReading) take(reply []any, users []string) error {
	for i, tally := range []*board.TeamTally{t.now, t.past} {
		totals, err := parseTotals(texts(reply[i]))
		if err != nil {
			return err
		}
		for n := range len(totals) / 2 {
			tally.Add(n+1, totals[2*n], totals[2*n+1])
		}
	}
	for i, text := range texts(reply[2]) {
		place, hidden := parseMember(text)
		if team := place.Team(); place != 0 && !hidden && 0 < team && team <= len(t.groups) {
			t.members[users[i]] = board.Membership{Group: t.groups[team-1], Own: place.Score()}
		}
	}
	return nil
}

// parseTotals reads totals, "" for 0.
func parseTotals(all []string) (totals []int64, err error) {
	totals = make([]int64, len(all))
	for i, text := range all {
		if text == "" {
			continue
		}
		if totals[i], err = strconv.ParseInt(text, 10, 64); err != nil {
			return nil, unreadable("the total " + strconv.Quote(text))
		}
	}
	return totals, nil
}

// page is the answer to a view of the board.
func (t *teamReading) page() board.Page {
	places := t.now.Ranked()
	return board.Page{
		Total: int64(len(places)), Members: t.members,
		Teams: &board.Teams{Places: places, Previous: board.TeamRanks(t.past.Ranked())},
	}
}

// CheckTotals compares the totals of a live board of teams with the places of its members, in each shard at one time,
// and with correct corrects them; of slots that are being filled, too. It returns how many differed. With 100,000
// members in a shard the script takes about a tenth of a second, a deliberate exception for comparisons of scores.
func (s *Store) CheckTotals(ctx context.Context, name string, p board.Period, correct bool) (differ int64, err error) {
	groups := s.options.Teams[name]
	err = s.identity(ctx, func(identity string) error {
		differ = 0
		for shard := range s.options.Shards {
			n, err := s.number(ctx, "check totals", &call{
				script: checkTotalsScript, keys: []string{s.markerKey(view.Slot(shard)), s.boardKey(shard, name, p)},
				args: []string{identity, number(len(groups)), flag(correct)},
			})
			if err != nil {
				return err
			}
			differ += n
		}
		return nil
	})
	return differ, err
}

// A placeRead is the reading of a user's place on a board.
type placeRead struct {
	ofPerson *redis.FloatCmd
	ofMember *redis.StringCmd
}

// readPlace asks for the place of a user on a board in a shard.
func (s *Store) readPlace(ctx context.Context, pipe redis.Pipeliner, shard int, id board.ID, user string) placeRead {
	key := s.boardKey(shard, id.Board, id.Period)
	if s.ofTeams(id.Board) {
		return placeRead{ofMember: pipe.HGet(ctx, key, memberPrefix+user)}
	}
	return placeRead{ofPerson: pipe.ZScore(ctx, key, user)}
}

// packed returns the place, 0 for none.
func (r placeRead) packed() board.Packed {
	if r.ofMember != nil {
		place, _ := parseMember(r.ofMember.Val())
		return place
	}
	return board.Packed(r.ofPerson.Val())
}

// A countRead is the reading of how many are on a board in a shard.
type countRead struct {
	people *redis.IntCmd
	sums   *redis.SliceCmd
}

// readCount asks how many are on a board in a shard: of a board of teams for the sums.
func (s *Store) readCount(ctx context.Context, pipe redis.Pipeliner, shard int, id board.ID) countRead {
	key, groups := s.boardKey(shard, id.Board, id.Period), s.options.Teams[id.Board]
	if len(groups) == 0 {
		return countRead{people: pipe.ZCard(ctx, key)}
	}
	fields := make([]string, len(groups))
	for i := range fields {
		fields[i] = number(i + 1)
	}
	return countRead{sums: pipe.HMGet(ctx, key, fields...)}
}

// total returns how many are on a board, by the replies of all shards.
func total(shards []countRead) (n int64) {
	teams := map[int]bool{}
	for _, c := range shards {
		if c.people != nil {
			n += c.people.Val()
			continue
		}
		for team, sum := range c.sums.Val() {
			if sum != nil {
				teams[team] = true
			}
		}
	}
	return n + int64(len(teams))
}

// membersOfTeams reads the members of a board of teams in a shard, some at a time, in no order.
func (s *Store) membersOfTeams(ctx context.Context, shard int, id board.ID, yield func(board.Member) bool) (
	more bool, err error,
) {
	for cursor, first := uint64(0), true; first || cursor > 0; first = false {
		var scan *redis.ScanCmd
		err := s.plain(ctx, "read a whole board", []view.Slot{view.Slot(shard)}, true, func(pipe redis.Pipeliner) {
			scan = pipe.HScan(ctx, s.boardKey(shard, id.Board, id.Period), cursor, memberPrefix+"*", chunkLen)
		})
		if err != nil {
			return false, err
		}
		var fields []string
		fields, cursor = scan.Val()
		for i := 0; i+1 < len(fields); i += 2 {
			place, _ := parseMember(fields[i+1])
			if !yield(board.Member{User: strings.TrimPrefix(fields[i], memberPrefix), Packed: place}) {
				return false, nil
			}
		}
	}
	return true, nil
}
