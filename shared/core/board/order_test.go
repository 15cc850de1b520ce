package board_test

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"laurel/shared/core/board"
)

// A packed score is kept in its range, where a float, as sorted sets have it, is exact.
func TestScoreIsKeptInRange(t *testing.T) {
	t.Parallel()
	for score, want := range map[int64]int64{board.MaxScore + 5: board.MaxScore, -5: 0} {
		p := board.Pack(score, 1<<27-1)
		if p.Score() != want || p.Ticks() != 1<<27-1 || board.Packed(float64(p)) != p {
			t.Errorf("score %d, ticks %d, want %d", p.Score(), p.Ticks(), want)
		}
	}
}

// Promise 4: higher score first; on equal scores the user who reached it first; then the user
// id, byte by byte.
func TestPromise4TieGoesToEarlierThenToTheID(t *testing.T) {
	t.Parallel()
	type row struct {
		score, ticks int64
		user         string
	}
	rapid.Check(t, func(t *rapid.T) {
		rows := rapid.SliceOf(rapid.Custom(func(t *rapid.T) row {
			return row{
				rapid.Int64Range(1, 3).Draw(t, "score"), rapid.Int64Range(0, 2).Draw(t, "ticks"),
				rapid.SampledFrom([]string{"a", "B", "Z", "b", "aa", "é", "10", "9", "-1"}).Draw(t, "user"),
			}
		})).Draw(t, "rows")
		var entries []board.Member
		for _, r := range rows {
			entries = append(entries, board.Member{User: r.user, Packed: board.Pack(r.score, r.ticks)})
		}
		slices.SortFunc(entries, board.Compare)
		slices.SortFunc(rows, func(a, b row) int {
			return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.ticks, b.ticks), strings.Compare(a.user, b.user))
		})
		for i, r := range rows {
			if e := entries[i]; e.User != r.user || e.Packed.Score() != r.score || e.Packed.Ticks() != r.ticks {
				t.Fatalf("place %d is %v, want %v", i+1, e, r)
			}
		}
	})
}

func TestPercentile(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		rank, total int64
		want        float64
	}{{1, 1, 100}, {1, 2, 100}, {2, 2, 0}, {2, 3, 50}, {2, 4, 66.7}, {3, 4, 33.3}, {4, 8, 57.1}, {999_999, 1_000_000, 0}} {
		if got := board.Percentile(tt.rank, tt.total); got != tt.want {
			t.Errorf("rank %d of %d: %v, want %v", tt.rank, tt.total, got, tt.want)
		}
	}
}

func TestFriendsWithoutPointsComeLast(t *testing.T) {
	t.Parallel()
	place := func(rank int64, user string, score, ticks int64) board.Place {
		return board.Place{Rank: rank, Member: board.Member{User: user, Packed: board.Pack(score, ticks)}}
	}
	ada, bob, zoe := place(4, "ada", 10, 5), place(9, "bob", 7, 1), place(8, "zoe", 7, 0)
	friend := func(p board.Place, rank int64) board.Friend {
		return board.Friend{Member: p.Member, Rank: rank, BoardRank: p.Rank}
	}
	nobody := func(user string) board.Friend { return board.Friend{Member: board.Member{User: user}} }
	whole := []board.Friend{friend(ada, 1), friend(zoe, 2), friend(bob, 3), nobody("Q"), nobody("a"), nobody("é")}
	pageOf := func(user string, limit int64) board.FriendsPage {
		return board.NewFriendsPage(user, []board.Place{bob, zoe, ada}, []string{"é", "a", "Q"}, 0, limit)
	}
	for limit := range int64(8) {
		if diff := gocmp.Diff(whole[:min(limit, 6)], pageOf("ada", limit).Friends); diff != "" {
			t.Errorf("the first %d (-want +got):\n%s", limit, diff)
		}
	}
	if got := board.NewFriendsPage("ada", nil, nil, 0, 10); got.Total != 0 || len(got.Friends) != 0 {
		t.Errorf("without friends: %+v", got)
	}
	for user, want := range map[string]struct {
		board.Standing
		onBoard int64
	}{
		"ada": {board.NewStanding(1, ada.Packed, 6, 0, 0), 4}, "zoe": {board.NewStanding(2, zoe.Packed, 6, 10, 0), 8},
		"bob": {board.NewStanding(3, bob.Packed, 6, 7, 0), 9}, "a": {*board.OffBoard(6, 0), 0},
	} {
		got := pageOf(user, 1)
		if diff := gocmp.Diff(want.Standing, got.Standing); diff != "" || got.BoardRank != want.onBoard || got.Total != 6 {
			t.Errorf("%s is %d on the board (-want +got):\n%s", user, got.BoardRank, diff)
		}
	}
}

func TestStandings(t *testing.T) {
	t.Parallel()
	var near []board.Place
	for rank := range int64(5) {
		near = append(near, board.Place{Rank: rank + 1, Member: board.Member{Packed: board.Pack(100-rank*rank, 7)}})
	}
	for _, tt := range []struct {
		rank, previous, around, from, to int64
		want                             board.Standing
	}{
		{1, 2, 1, 0, 2, board.Standing{Rank: 1, Score: 100, Ticks: 7, Percentile: new(100.0), PreviousRank: new(int64(2))}},
		{2, 0, 0, 1, 2, board.Standing{Rank: 2, Score: 99, Ticks: 7, Percentile: new(75.0), ToNext: new(int64(2))}},
		{4, 0, 2, 1, 5, board.Standing{Rank: 4, Score: 91, Ticks: 7, Percentile: new(25.0), ToNext: new(int64(6))}},
		{0, 3, 2, 0, 0, board.Standing{ToNext: new(int64(1)), PreviousRank: new(int64(3))}},
	} {
		tt.want.Total = 5
		got, around := board.Stand(near, tt.rank, 5, tt.previous, tt.around)
		if diff := gocmp.Diff(tt.want, *got); diff != "" || !slices.Equal(around, near[tt.from:tt.to]) {
			t.Errorf("rank %d between %v (-want +got):\n%s", tt.rank, around, diff)
		}
	}
}

func ExamplePack() {
	early, late := board.Pack(12, 500), board.Pack(12, 900)
	fmt.Println(early < late, board.Pack(13, 900) < early)
	// Output: true true
}

func TestAPlaceIsItsText(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		p := board.Place{Rank: rapid.Int64Range(1, 1<<31-1).Draw(r, "rank"), Member: board.Member{
			User: rapid.StringN(1, 20, 64).Draw(r, "user"),
			Packed: board.Pack(rapid.Int64Range(1, board.MaxScore).Draw(r, "score"),
				rapid.Int64Range(0, 1<<27-1).Draw(r, "ticks")),
		}}
		if got := board.ParsePlace(p.Text()); got != p {
			r.Errorf("%q is %v", p.Text(), got)
		}
	})
	for _, text := range []string{
		"", "30", "30.34.5", "30.34.5.", "+3.34.5.ann", "30.-34.5.ann", "30.34.x.ann", "99999999999999999999.34.5.ann",
	} {
		if got := board.ParsePlace(text); got != (board.Place{}) {
			t.Errorf("%q is %v", text, got)
		}
	}
}
