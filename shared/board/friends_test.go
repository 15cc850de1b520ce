package board_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"laurel/shared/board"
)

func TestFriendsWithoutPointsComeLast(t *testing.T) {
	t.Parallel()
	place := func(rank int64, user string, score, ticks int64) board.Place {
		return board.Place{Rank: rank, Entry: board.Entry{User: user, Packed: board.Pack(score, ticks)}}
	}
	ada, bob, zoe := place(4, "ada", 10, 5), place(9, "bob", 7, 1), place(8, "zoe", 7, 0)
	friend := func(p board.Place, rank int64) board.Friend {
		return board.Friend{Entry: p.Entry, Rank: rank, BoardRank: p.Rank}
	}
	nobody := func(user string) board.Friend { return board.Friend{Entry: board.Entry{User: user}} }
	whole := []board.Friend{friend(ada, 1), friend(zoe, 2), friend(bob, 3), nobody("Q"), nobody("a"), nobody("é")}
	for limit := range int64(8) {
		got := board.Friends([]board.Place{bob, zoe, ada}, []string{"é", "a", "Q"}, limit)
		if diff := cmp.Diff(whole[:min(limit, 6)], got); diff != "" {
			t.Errorf("the first %d (-want +got):\n%s", limit, diff)
		}
	}
	if got := board.Friends(nil, nil, 10); len(got) != 0 {
		t.Errorf("without friends: %v", got)
	}
}
