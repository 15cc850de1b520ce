package board_test

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"laurel/shared/core/board"
)

// texts writes teams as "1 red 5/2".
func texts(teams []board.Team) (all []string) {
	for _, t := range teams {
		all = append(all, fmt.Sprintf("%d %s %d/%d", t.Rank, t.Group, t.Sum, t.Members))
	}
	return all
}

func TestMembersPlaceHasItsTeam(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		score int64
		team  int
		want  [2]int64
	}{
		{5, 3, [2]int64{5, 3}},
		{1, 1, [2]int64{1, 1}},
		{board.MaxScore + 9, 200, [2]int64{board.MaxScore, 200}},
		{0, 3, [2]int64{}},
		{-5, 3, [2]int64{}},
		{5, 0, [2]int64{}},
	} {
		p := board.PackMember(row.score, row.team)
		if got := [2]int64{p.Score(), int64(p.Team())}; got != row.want {
			t.Errorf("%d for team %d: %v, want %v", row.score, row.team, got, row.want)
		}
	}
}

// The higher sum comes first, then the group by its bytes; a team without points is not on the board, and a sum ends at
// 2^53 - 1.
func TestOrderOfTeams(t *testing.T) {
	t.Parallel()
	got := texts(board.RankTeams([]board.Team{
		{Group: "b", Sum: 5},
		{Group: "é", Sum: 5, Members: 2},
		{Group: "B", Sum: 5},
		{Group: "z", Sum: 1 << 60, Members: 1},
		{Group: "none"},
		{Group: "below", Sum: -1},
		{Group: "a", Sum: 4},
	}))
	want := []string{"1 z 9007199254740991/1", "2 B 5/0", "3 b 5/0", "4 é 5/2", "5 a 4/0"}
	if !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// A tally of members in any order and any parts is the sum of their places; a hidden member is not seen.
func TestTallyOfMembers(t *testing.T) {
	t.Parallel()
	groups := []string{"red", "blue", "green"}
	rapid.Check(t, func(r *rapid.T) {
		type member struct {
			Place  board.Packed
			Hidden bool
		}
		members := rapid.SliceOfN(rapid.Custom(func(r *rapid.T) member {
			score := rapid.SampledFrom([]int64{-1, 0, 1, 2, 7, board.MaxScore}).Draw(r, "score")
			return member{board.PackMember(score, rapid.IntRange(0, 4).Draw(r, "team")), rapid.Bool().Draw(r, "hidden")}
		}), 0, 12).Draw(r, "members")
		sums, seen := map[string]int64{}, map[string]int64{}
		shards := []*board.TeamTally{board.NewTeamTally(groups), board.NewTeamTally(groups)}
		for i, m := range members {
			shards[i%2].AddMember(m.Place, m.Hidden)
			if team := m.Place.Team(); m.Place != 0 && team <= len(groups) {
				sums[groups[team-1]] += m.Place.Score()
				if !m.Hidden {
					seen[groups[team-1]]++
				}
			}
		}
		for _, team := range shards[1].Ranked() {
			shards[0].Add(1+slices.Index(groups, team.Group), team.Sum, team.Members)
		}
		for _, team := range shards[0].Ranked() {
			if team.Sum != sums[team.Group] || team.Members != seen[team.Group] {
				r.Fatalf("%+v, want %d of %d", team, sums[team.Group], seen[team.Group])
			}
			delete(sums, team.Group)
		}
		if len(sums) > 0 {
			r.Fatalf("not on the board: %v", sums)
		}
	})
}

// A standing is the team's: the next place takes a point more than the difference where the group above comes first by
// its name. Without a team there is no next place.
func TestStandingOfATeam(t *testing.T) {
	t.Parallel()
	teams := &board.Teams{
		Places:   board.RankTeams([]board.Team{{Group: "m", Sum: 9, Members: 4}, {Group: "a", Sum: 7}, {Group: "z", Sum: 7}}),
		Previous: map[string]int64{"a": 2, "off": 3},
	}
	number := func(n *int64) string {
		if n == nil {
			return "-"
		}
		return fmt.Sprint(*n)
	}
	for _, row := range []struct {
		group string
		own   int64
		want  string
	}{
		{"m", 3, "1 9 of 3, 100, next -, was -, m/4 3"},
		{"a", 0, "2 7 of 3, 50, next 2, was 2, a/0 0"}, // a comes before m
		{"z", 1, "3 7 of 3, 0, next 1, was -, z/0 1"},  // a comes before z
		{"off", 0, "0 0 of 3, -, next 1, was 3, off/0 0"},
		{"", 0, "0 0 of 3, -, next -, was -, /0 0"},
	} {
		s := teams.Standing(row.group, row.own)
		percentile := "-"
		if s.Percentile != nil {
			percentile = fmt.Sprint(*s.Percentile)
		}
		got := fmt.Sprintf("%d %d of %d, %s, next %s, was %s, %s/%d %d", s.Rank, s.Score, s.Total, percentile,
			number(s.ToNext), number(s.PreviousRank), s.Of.Group, s.Of.Members, s.Of.Own)
		if got != row.want {
			t.Errorf("%q: %s, want %s", row.group, got, row.want)
		}
	}
}

// The page after a team continues behind its place, wherever that is by now.
func TestPagesOfTeams(t *testing.T) {
	t.Parallel()
	teams := &board.Teams{Places: board.RankTeams([]board.Team{
		{Group: "a", Sum: 9}, {Group: "b", Sum: 7}, {Group: "c", Sum: 7}, {Group: "d", Sum: 1 << 40},
	})}
	names := func(teams []board.Team) (all string) {
		for _, t := range teams {
			all += t.Group
		}
		return all
	}
	for _, row := range []struct {
		offset, limit int64
		after         string
		want          string
	}{
		{0, 2, "", "da"},
		{1, 9, "", "abc"},
		{9, 2, "", ""},
		{0, 0, "", ""},
		{0, 2, teams.Places[0].Text(), "ab"},
		{0, 9, "2.9.0.a", "bc"},
		{0, 9, "3.7.0.b", "c"},
		{0, 9, "3.8.0.x", "bc"},
		{0, 9, "3.7.0.c", ""},
		{0, 1, "1.99999999999999999999.0.x", "d"},
		{0, 9, "what", "dabc"},
	} {
		if got := names(teams.Page(row.offset, row.limit, board.ParseTeam(row.after))); got != row.want {
			t.Errorf("%+v: %s", row, got)
		}
	}
	if got := names(teams.Around("a", 1)) + names(teams.Around("x", 1)) + names(teams.Around("c", 0)); got != "dabc" {
		t.Error(got)
	}
	with := teams.With([]string{"a", "b", "c", "d", "e"}, board.PackMember(3, 3))
	if got := names(with.Places); got != "dcab" {
		t.Error(texts(with.Places))
	}
}
