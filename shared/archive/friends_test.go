package archive_test

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"laurel/shared/archive"
	"laurel/shared/board"
)

func sha(text string) [sha256.Size]byte { return sha256.Sum256([]byte(text)) }

// modelFriends is where some users stand, worked out from the whole board.
func modelFriends(entries []board.Entry, users []string) []board.Place {
	var places []board.Place
	for i, e := range entries {
		if slices.Contains(users, e.User) {
			places = append(places, board.Place{Rank: int64(i + 1), Entry: e})
		}
	}
	return places
}

// Few or many, on a board of any size, in any order and named twice: friends stand
// where they stand on the board.
func TestFriendsStandWhereTheyDo(t *testing.T) {
	t.Parallel()
	for _, n := range []int{0, 1, 150, archive.PageLen, archive.PageLen + 1, 9*archive.PageLen + 7} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			t.Parallel()
			rng := rand.New(rand.NewPCG(41, uint64(n)))
			store := open(t)
			a := archive.New(store)
			entries := randomBoard(rng, n)
			writeBoard(t, store, "activity", day, entries)
			if n > 2 {
				erase(t, store, entries[2].User, true)
				entries = without(entries, entries[2].User)
			}
			for _, k := range []int{0, 1, 2, 8, 60, 500} {
				users := []string{"nobody", "nobody else"}
				for range k {
					if n > 0 {
						users = append(users, entries[rng.IntN(n)].User)
					}
				}
				users = slices.DeleteFunc(users, func(user string) bool { return user == "" })
				got, total, err := a.Friends(t.Context(), "activity", day, users)
				if err != nil || total != int64(n) {
					t.Fatalf("%d friends: %d users, %v", k, total, err)
				}
				if diff := cmp.Diff(modelFriends(entries, users), got); diff != "" {
					t.Errorf("%d friends of %d (-model +archive):\n%s", k, n, diff)
				}
			}
		})
	}
}

func TestFriendsOfWhatIsNotFinal(t *testing.T) {
	t.Parallel()
	if _, _, err := archive.New(open(t)).Friends(t.Context(), "activity", day, []string{"ada"}); !errors.Is(err, archive.ErrNotFinal) {
		t.Errorf("got %v", err)
	}
}

// What friends cost: at most 19 units each and a page, and at most the board.
func TestFriendsAreBounded(t *testing.T) {
	t.Parallel()
	store := open(t)
	a := archive.New(store)
	const users = 20 * archive.PageLen
	if _, err := a.Write(t.Context(), "activity", day, manyUsers(users), 0); err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(42, 1))
	for _, k := range []int{1, 3, 6, 7, 300, 5_000} {
		var friends []string
		for range k {
			friends = append(friends, userAt(rng.Int64N(users), users))
		}
		before, _ := store.Units()
		places, _, err := a.Friends(t.Context(), "activity", day, friends)
		if err != nil || len(places) == 0 {
			t.Fatal(len(places), err)
		}
		after, _ := store.Units()
		if units, most := after-before, min(float64(k*19+12), 2.5*users/1_000+1); units > most {
			t.Errorf("%d friends: %.1f units, want at most %.1f", k, units, most)
		}
	}
}
