package harness

import (
	"fmt"
	"slices"
	"testing"

	"github.com/redis/go-redis/v9"

	"laurel/shared/board"
	"laurel/shared/boards"
	"laurel/shared/live"
	"laurel/shared/redisstore"
)

// ReplaceFollowing replaces a user's follow list.
func ReplaceFollowing(tb testing.TB, store *live.Store, user string, targets []string, at board.Moment) {
	tb.Helper()
	if err := store.ReplaceFollowing(tb.Context(), user, targets, at); err != nil {
		tb.Fatal(err)
	}
}

// Following reads a page of whom a user follows.
func Following(tb testing.TB, store *live.Store, user string, offset, limit int64) boards.Following {
	tb.Helper()
	page, err := store.Following(tb.Context(), user, offset, limit)
	if err != nil {
		tb.Fatal(err)
	}
	return page
}

// FriendsOf reads a friends board.
func FriendsOf(tb testing.TB, store *live.Store, v board.View) boards.FriendsPage {
	tb.Helper()
	page, err := store.Friends(tb.Context(), v)
	if err != nil {
		tb.Fatal(err)
	}
	return page
}

// Numbered are ids with numbers in a range, sorted.
func Numbered(from, to int) (ids []string) {
	for i := from; i < to; i++ {
		ids = append(ids, fmt.Sprintf("user-%d", i))
	}
	slices.Sort(ids)
	return ids
}

// Hide hides a user, or shows the user again.
func Hide(tb testing.TB, store *live.Store, user string, hidden bool) {
	tb.Helper()
	if err := store.SetHidden(tb.Context(), user, hidden); err != nil {
		tb.Fatal(err)
	}
}

// Exclude excludes a user, or takes that back.
func Exclude(tb testing.TB, store *live.Store, user string, excluded bool) {
	tb.Helper()
	if err := store.SetExclusion(tb.Context(), user, excluded); err != nil {
		tb.Fatal(err)
	}
}

// ClosePeriod closes a period of a board to writes.
func ClosePeriod(tb testing.TB, store *live.Store, name string, p board.Period) {
	tb.Helper()
	if err := store.ClosePeriod(tb.Context(), name, p); err != nil {
		tb.Fatal(err)
	}
}

// TeachScripts has the server know every script; that it may have to be told is
// an exception of its own.
func TeachScripts(t *testing.T, store *live.Store) {
	t.Helper()
	Record(t, store, Did(t, "first publish 1", At(t, "2026-11-20T12:00")))
	day := Period(t, "2026-11-20")
	Read(t, store, board.View{Board: "activity", Period: day, Limit: 1, User: "first", Users: []string{"first"}})
	if err := store.SetHidden(t.Context(), "first", true); err != nil {
		t.Fatal(err)
	}
	for range 2 { // hidden, and not
		FriendsOf(t, store, board.View{Board: "activity", Period: day, Limit: 1, User: "first"})
		if _, err := store.OwnStandings(t.Context(), "first", []board.View{{Board: "activity", Period: day}}); err != nil {
			t.Fatal(err)
		}
		Following(t, store, "first", 0, 1)
		if err := store.SetHidden(t.Context(), "first", false); err != nil {
			t.Fatal(err)
		}
	}
}

// Put puts entries onto a live board, past everything that decides about them.
func Put(tb testing.TB, store *live.Store, name string, p board.Period, entries ...board.Entry) {
	tb.Helper()
	pipe := store.Redis().Client().Pipeline()
	for _, e := range entries {
		shard := store.Redis().ShardOf(e.User)
		pipe.ZAdd(tb.Context(), redisstore.BoardKey(shard, name, p), redis.Z{Score: float64(e.Packed), Member: e.User})
		pipe.SAdd(tb.Context(), redisstore.PeriodsKey(shard), redisstore.PeriodName(name, p))
	}
	if _, err := pipe.Exec(tb.Context()); err != nil {
		tb.Fatal(err)
	}
}
