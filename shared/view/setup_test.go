package view_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/redis/go-redis/v9"

	"laurel/internal/harness"
	"laurel/internal/testserver"
	"laurel/shared/article"
	"laurel/shared/board"
	"laurel/shared/ledger"
	"laurel/shared/records"
	"laurel/shared/view"
)

var (
	head = &records.Head{Secret: []byte("the secret of a forum in a test."), Zone: "Europe/Berlin"}

	november = board.DateOf(2026, time.November, 1).Month()
	october  = november - 1

	today = board.PeriodOf(board.Day, board.DateOf(2026, time.November, 20))
	month = board.PeriodOf(board.Month, board.DateOf(2026, time.November, 20))
	past  = board.PeriodOf(board.Month, board.DateOf(2026, time.October, 20))
)

// testView is a view on a server, whole.
type testView struct {
	*view.Store
	t      testing.TB
	client redis.UniversalClient
	table  string // the id by the table
	known  string // the known id of it
	asked  int    // how often the table was asked
}

func options(h *testView, shards int) view.Options {
	return view.Options{
		Shards: shards, Zone: "Europe/Berlin",
		Articles: article.Rules{VotesPerDay: 200, VotingDays: 7, OwnVote: true, Interesting: 200},
		Table: func(_ context.Context, again bool) (string, error) {
			if again {
				h.asked++
				h.known = h.table
			}
			return h.known, nil
		},
	}
}

func on(tb testing.TB, client redis.UniversalClient, shards int) *testView {
	tb.Helper()
	h := &testView{t: tb, client: client, table: "table-1", known: "table-1"}
	h.Store = view.New(client, options(h, shards))
	h.fill()
	return h
}

// bounded fails a test whose commands have more arguments than the design lets scripts have.
type bounded struct{ testing.TB }

func (bounded) DialHook(next redis.DialHook) redis.DialHook { return next }

func (b bounded) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		b.check(cmd)
		return next(ctx, cmd)
	}
}

func (b bounded) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return func(ctx context.Context, cmds []redis.Cmder) error {
		b.check(cmds...)
		return next(ctx, cmds)
	}
}

func (b bounded) check(cmds ...redis.Cmder) {
	for _, cmd := range cmds {
		if n := len(cmd.Args()); n >= 3_999 {
			b.Errorf("%s has %d arguments", cmd.Name(), n)
		}
	}
}

func setup(tb testing.TB, shards int) *testView {
	tb.Helper()
	client := testserver.Redis(tb)
	client.AddHook(bounded{tb})
	return on(tb, client, shards)
}

// slots are all slots of the view.
func (h *testView) slots() []view.Slot {
	var all []view.Slot
	for i := range h.Shards() {
		all = append(all, view.Slot(i))
	}
	return append(all, view.Articles)
}

// fill empties the view and says that it is whole.
func (h *testView) fill() {
	h.t.Helper()
	want := view.Marker{Table: h.table, Rules: "rules", Fill: "fill"}
	for _, slot := range h.slots() {
		harness.OK(h.t, h.Clear(h.t.Context(), slot, want))
		if done, err := h.Mark(h.t.Context(), slot, want, "fill"); err != nil || !done {
			h.t.Fatal(done, err)
		}
	}
}

// show applies a unit and checks its outcome.
func (h *testView) show(want view.ShowResult, u view.Unit) {
	h.t.Helper()
	got, err := h.Show(h.t.Context(), 0, u)
	h.equal([]view.ShowResult{want}, got)
	harness.OK(h.t, err)
}

func (h *testView) equal(want, got any) {
	h.t.Helper()
	if diff := cmp.Diff(want, got, cmpopts.EquateComparable(board.Period{})); diff != "" {
		h.t.Fatalf("-want +got\n%s", diff)
	}
}

// board reads the first places of a board.
func (h *testView) board(p board.Period) board.Page {
	h.t.Helper()
	return harness.Must(h.Read(h.t.Context(), board.View{Board: "activity", Period: p, Limit: 100}))(h.t)
}

// users are those on a board, in order.
func (h *testView) users(p board.Period) string {
	h.t.Helper()
	return strings.Join(h.board(p).Users(), " ")
}

// user returns the view's data of a user.
func (h *testView) user(user string) view.User {
	h.t.Helper()
	all := harness.Must(h.Users(h.t.Context(), []string{user}, make([][]ledger.Shown, 1)))(h.t)
	return all[0]
}

// place is one on the board of activity.
func place(p board.Period, score, ticks int64) ledger.Shown {
	s := ledger.Shown{Board: "activity", Period: p}
	if score > 0 {
		s.Packed = board.Pack(score, ticks)
	}
	return s
}

// unit is a unit of a user's November, with a revision and the one before.
func unit(user string, revision, was int64, places ...ledger.Shown) view.Unit {
	return view.Unit{User: user, Key: head.KeyOf(user), Months: []view.MonthUnit{{
		MonthRevision: view.MonthRevision{Month: november, Revision: revision}, Was: was, Places: places,
	}}}
}

// person returns the unit with a revision of the person, and all live months.
func person(u view.Unit, revision int64, name string) view.Unit {
	u.Person, u.Whole, u.Name = revision, true, name
	return u
}

// dump returns everything that is in the database of a view in one shard, as text, in order. Nothing in it has a
// TTL, and every key is in a slot.
func dump(tb testing.TB, client redis.UniversalClient) string {
	tb.Helper()
	keys := harness.Must(client.Keys(tb.Context(), "*").Result())(tb)
	slices.Sort(keys)
	var b strings.Builder
	for _, key := range keys {
		if ttl := client.TTL(tb.Context(), key).Val(); ttl != -1 {
			tb.Error(key, "has a TTL of", ttl)
		}
		if !strings.HasPrefix(key, "laurel:{0}:") && !strings.HasPrefix(key, "laurel:{articles}:") {
			tb.Error(key, "is in no slot")
		}
		b.WriteString(key + " ")
		switch client.Type(tb.Context(), key).Val() {
		case "hash":
			fmt.Fprintln(&b, client.HGetAll(tb.Context(), key).Val())
		case "zset":
			fmt.Fprintln(&b, client.ZRangeWithScores(tb.Context(), key, 0, -1).Val())
		case "set":
			members := client.SMembers(tb.Context(), key).Val()
			slices.Sort(members)
			fmt.Fprintln(&b, members)
		default:
			tb.Fatal("another type:", key)
		}
	}
	return b.String()
}

// counted is setup with the trips counted.
func counted(tb testing.TB, shards int) (*testView, *testserver.RoundTrips) {
	tb.Helper()
	client, trips := testserver.Counted(tb, testserver.RedisOptions(tb))
	return on(tb, client, shards), trips
}
