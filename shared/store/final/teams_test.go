package final_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"laurel/internal/harness"
	"laurel/shared/core/board"
	"laurel/shared/core/codec"
	"laurel/shared/store/final"
	"laurel/shared/store/items"
	"laurel/shared/store/table/embedded"
)

var groups = []string{"red", "blue", "green"}

// teamBoard returns the members of a board of teams, in order, and its teams, of which red has a hidden member, too.
func (f *forum) teamBoard(n int) (entries []items.Member, teams []board.Team) {
	tally := board.NewTeamTally(groups)
	for i := range n {
		place := board.PackMember(int64(1+i%30), 1+i%3)
		tally.AddMember(place, false)
		entries = append(entries, items.Member{Key: f.head.KeyOf(fmt.Sprint("user-", i)), Packed: place})
	}
	slices.SortFunc(entries, func(a, b items.Member) int { return int(a.Packed - b.Packed) })
	tally.AddMember(board.PackMember(board.MaxScore, 1), true)
	return entries, tally.Ranked()
}

func teamMaking(closing int64, teams []board.Team) final.Making {
	m := making("r", closing)
	m.Board, m.Groups, m.Teams = "houses", groups, teams
	return m
}

// A board of teams is its teams, and the team and the points of each member who was on it, of any number of members.
func TestBoardsOfTeams(t *testing.T) {
	t.Parallel()
	f, ctx := newForum(t, embedded.New(time.Now)), t.Context()
	for closing, n := range []int{0, 1, 150, 9_000} {
		var known []string
		for i := range min(n, 500) {
			known = append(known, fmt.Sprint("user-", i))
		}
		if closing == 2 {
			f.know(t, known...)
		}
		entries, teams := f.teamBoard(n)
		made := harness.Must(f.process().Make(ctx, teamMaking(int64(closing), teams), entries))(t)
		if made.On() != int64(len(teams)) || made.Total != int64(n) {
			t.Error(made.On(), made.Total)
		}
		m, got, err := f.process().Whole(ctx, "houses", day)
		if diff := cmp.Diff(teams, m.Teams); diff != "" || err != nil || !slices.Equal(got, entries) {
			t.Error(n, err, diff)
		}
		asked := board.View{Board: "houses", Period: day, User: "user-4", Users: []string{"user-0", "zed"}}
		page := harness.Must(f.process().Read(ctx, asked))(t)
		want := map[string]board.Membership{}
		if n > 100 {
			want = map[string]board.Membership{"user-4": {Group: "blue", Own: 5}, "user-0": {Group: "red", Own: 1}}
		}
		if diff := cmp.Diff(want, page.Members); diff != "" || !page.Final || page.Total != int64(len(teams)) {
			t.Error(n, diff)
		}
		periods := harness.Must(f.process().Periods(ctx, "houses", board.Day, board.Period{}, 5))(t)
		if len(periods) != 1 || periods[0].Total != page.Total || !slices.Equal(periods[0].Teams, teams) {
			t.Errorf("%d: %+v", n, periods)
		}
	}
	ranks := harness.Must(f.process().Ranks(ctx, "houses", day, []string{"user-4"}))(t)
	places, _, err := f.process().Friends(ctx, "houses", day, []string{"user-4"})
	if len(ranks) > 0 || len(places) > 0 || err != nil {
		t.Error("people have ranks among teams:", ranks, places, err)
	}
	if teams := harness.Must(f.process().Teams(ctx, "houses", day))(t); len(teams) != 3 {
		t.Error(teams)
	}
}

// Teams that are not in their order, or have other members than the entries, are damage.
func TestDamagedBoardsOfTeams(t *testing.T) {
	t.Parallel()
	f, ctx := newForum(t, embedded.New(time.Now)), t.Context()
	entries, teams := f.teamBoard(10)
	closing := int64(0)
	for name, damage := range map[string]func(all []board.Team){
		"in another order":        func(all []board.Team) { slices.Reverse(all) },
		"with more members":       func(all []board.Team) { all[1].Members++ },
		"with less than they had": func(all []board.Team) { all[2].Sum = 1 },
		"below zero":              func(all []board.Team) { all[2].Sum = -5 },
		"of an unknown group":     func(all []board.Team) { all[2].Group = "none" },
	} {
		closing++
		wrong := slices.Clone(teams)
		damage(wrong)
		_, _ = f.process().Make(ctx, teamMaking(closing, wrong), entries) // it is read back later
		if _, _, err := f.process().Whole(ctx, "houses", day); !errors.Is(err, codec.ErrDamaged) {
			t.Errorf("teams %s: %v", name, err)
		}
	}
}
