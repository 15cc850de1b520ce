package audit_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/redis/go-redis/v9"

	"laurel/internal/harness"
	"laurel/internal/testserver"
	"laurel/shared/activity"
	"laurel/shared/audit"
	"laurel/shared/board"
	"laurel/shared/ledger"
	"laurel/shared/live"
	"laurel/shared/redisstore"
)

// scanned is everything that a scan meets, in order.
func scanned(t *testing.T, in *audit.Inspector) ([]audit.Owner, audit.Found) {
	t.Helper()
	var owners, followers []audit.Owner
	var at audit.Scanned
	err := in.Scan(t.Context(), &at, nil, func(some []audit.Owner) error {
		owners = append(owners, some...)
		return nil
	}, func(some []audit.Owner) error {
		followers = append(followers, some...)
		return nil
	})
	slices.SortFunc(followers, cmpOwners)
	for _, o := range slices.Compact(followers) {
		if !slices.Contains(owners, o) {
			t.Errorf("%v follows somebody, and has no pages", o)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	slices.SortFunc(owners, cmpOwners)
	return slices.Compact(owners), at.Found
}

func cmpOwners(a, b audit.Owner) int {
	if a.Shard != b.Shard {
		return a.Shard - b.Shard
	}
	if a.User < b.User {
		return -1
	}
	return 1
}

// A scan meets every user, board and index, whatever they are called, in a single
// Redis and in a cluster.
func TestScanMeetsEverything(t *testing.T) {
	t.Parallel()
	cluster := redis.NewClusterClient(&redis.ClusterOptions{Addrs: testserver.RedisCluster(t, 3)})
	t.Cleanup(func() { _ = cluster.Close() })
	for name, client := range map[string]redis.UniversalClient{"single": testserver.Redis(t), "cluster": cluster} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			const shards, users = 5, 1500
			november := harness.Period(t, "2026-11").First().Month()
			store := live.New(client, harness.UTC(), shards)
			var acts []activity.Activity
			for i := range users {
				acts = append(acts, activity.Activity{
					User: fmt.Sprintf("user:%d}:x", i), Action: "visit", Target: "1",
					At: harness.At(t, "2026-11-20T12:00"),
				})
			}
			for _, r := range store.Record(t.Context(), acts, ledger.Arrival{Now: harness.At(t, "2026-11-20T12:00")}) {
				if r.Err != nil {
					t.Fatal(r.Err)
				}
			}
			if err := store.ClosePeriod(t.Context(), "steps", harness.Period(t, "2026-11-01")); err != nil {
				t.Fatal(err)
			}
			for _, other := range []string{"laurel:{0}:board:x", "laurel:{x}:pages:y", "laurel:{0}:month:x", "laurel:{0}:more"} {
				if err := client.Set(t.Context(), other, "x", 0).Err(); err != nil {
					t.Fatal(err)
				}
			}
			for shard := range shards {
				if err := client.SAdd(t.Context(), redisstore.MonthKey(shard, november), "on no board").Err(); err != nil {
					t.Fatal(err)
				}
			}
			in := audit.NewInspector(store.Redis())
			owners, found := scanned(t, in)
			if len(owners) != users || len(found.Boards) != 2*shards || len(found.Months) != shards || len(found.Others) != 4 {
				t.Errorf("%d users, %+v", len(owners), found)
			}
			for _, o := range owners {
				if in.Home(o.User) != o.Shard {
					t.Errorf("%+v is at home in %d", o, in.Home(o.User))
				}
			}
			on := map[string]bool{}
			for _, at := range found.Boards {
				err := in.ScanBoard(t.Context(), at, func(some []string) error {
					for _, user := range some {
						on[user] = true
					}
					return nil
				})
				if err != nil {
					t.Fatal(err)
				}
			}
			if len(on) != users {
				t.Errorf("%d users on the boards", len(on))
			}
			if n, err := in.Size(t.Context()); err != nil || n < users {
				t.Errorf("%d keys, %v", n, err)
			}
		})
	}
}

// holding reads one user.
func holding(t *testing.T, in *audit.Inspector, user string) audit.Holding {
	t.Helper()
	holdings, err := in.Holdings(t.Context(), []audit.Owner{{Shard: in.Home(user), User: user}})
	if err != nil {
		t.Fatal(err)
	}
	return holdings[0]
}

// A question has the answers of the moment of its holding, or says that they are
// of another one.
func TestAnswersBelongToTheirHolding(t *testing.T) {
	t.Parallel()
	client := testserver.Redis(t)
	store := live.New(client, harness.UTC(), 1)
	in, noon := audit.NewInspector(store.Redis()), harness.At(t, "2026-11-20T12:00")
	ask := func(h audit.Holding, boards ...audit.BoardAt) audit.Answer {
		t.Helper()
		answers, err := in.Ask(t.Context(),
			[]audit.Question{{Holding: h, Months: []board.MonthOf{board.DateOf(2026, 11, 1).Month(), 0}, Boards: boards}})
		if err != nil {
			t.Fatal(err)
		}
		return answers[0]
	}
	day := audit.BoardAt{Board: "activity", Period: harness.Period(t, "2026-11-20")}
	nobody := holding(t, in, "ada")
	if diff := cmp.Diff(audit.Answer{Indexed: []bool{false, false}, Scores: []string{""}, Friends: []string{}},
		ask(nobody, day)); diff != "" {
		t.Errorf("of nobody: %s", diff)
	}
	harness.Record(t, store, harness.Did(t, "ada like 1", noon))
	client.SAdd(t.Context(), "laurel:{0}:month:2026-11", "ada")
	if !ask(nobody, day).Changed {
		t.Error("the answer is of a user that was nobody before")
	}
	h := holding(t, in, "ada")
	many := slices.Repeat([]audit.BoardAt{{Board: "steps", Period: day.Period}}, 2500)
	got := ask(h, append(many, day)...) // more than one run of the script
	if got.Changed || !got.Indexed[0] || got.Indexed[1] || len(got.Scores) != 2501 || got.Scores[0] != "" {
		t.Errorf("%v %v, %d scores", got.Changed, got.Indexed, len(got.Scores))
	}
	if packed, err := redisstore.ParsePacked(got.Scores[2500]); err != nil || packed.Score() != 2 {
		t.Errorf("%q is %d, %v", got.Scores[2500], packed.Score(), err)
	}
	if err := store.ClosePeriod(t.Context(), "steps", day.Period); err != nil {
		t.Fatal(err)
	}
	if !ask(h, day).Changed {
		t.Error("the answer is of before something was closed")
	}
}

// A repair writes all of it, once and again, unless something has changed.
func TestRepairIsLikeACommit(t *testing.T) {
	t.Parallel()
	client, tape := testserver.Redis(t), &harness.Tape{}
	store := live.New(client, harness.UTC(), 1)
	in, noon := audit.NewInspector(store.Redis()), harness.At(t, "2026-11-20T12:00")
	harness.Record(t, store, harness.Did(t, "ada like 1", noon), harness.Did(t, "ada visit 1", noon))
	good := harness.Everything(t, client)
	good["laurel:{0}:month:2026-11"] = map[string]struct{}{"ada": {}}
	h := holding(t, in, "ada")
	november := board.DateOf(2026, 11, 1).Month()
	for _, command := range [][]any{
		{"HDEL", "laurel:{0}:pages:ada", "2026-11"},
		{"DEL", "laurel:{0}:month:2026-11"},
		{"SREM", "laurel:{0}:periods", "activity:day:2026-11-20"},
		{"SADD", "laurel:{0}:month:2025-01", "ada"},
		{"ZADD", "laurel:{0}:board:activity:day:2026-11-20", 1, "ada"},
		{"ZADD", "laurel:{0}:board:steps:day:2026-11-20", -1, "ada"},
	} {
		if err := client.Do(t.Context(), command...).Err(); err != nil {
			t.Fatal(err)
		}
	}
	rebuilt, err := harness.UTC().Rebuild(h.Pages, nil)
	if err != nil {
		t.Fatal(err)
	}
	key := ledger.MonthPage(november)
	repair := audit.Repair{
		Holding: h, Pages: []ledger.Page{{Key: key, Data: h.Pages[key]}},
		Enter: []board.MonthOf{november}, Strike: []board.MonthOf{board.DateOf(2025, 1, 1).Month()},
		Scores: append(rebuilt.Scores, ledger.Move{Board: "steps", Period: harness.Period(t, "2026-11-20")}),
	}
	client.AddHook(tape)
	if done, err := in.Repair(t.Context(), repair); err != nil || !done {
		t.Fatal(done, err)
	}
	calls := tape.Take()
	mended := harness.Everything(t, client)
	if diff := cmp.Diff(without(good, "v"), without(mended, "v")); diff != "" {
		t.Errorf("mended (-as it was +now): %s", diff)
	}
	for range 2 {
		for _, args := range calls {
			if reply, err := client.Do(t.Context(), args...).Result(); err != nil || reply != redisstore.Done {
				t.Errorf("the repair again: %v, %v", reply, err)
			}
		}
	}
	if done, err := in.Repair(t.Context(), repair); err != nil || done {
		t.Errorf("a repair of what has changed: %v, %v", done, err)
	}
	if diff := cmp.Diff(mended, harness.Everything(t, client)); diff != "" {
		t.Errorf("a repair again has changed something: %s", diff)
	}
}

// without leaves a field out of the pages.
func without(state map[string]any, field string) map[string]any {
	kept := map[string]any{}
	for key, value := range state {
		if fields, ok := value.(map[string]string); ok {
			some := map[string]string{}
			for name, text := range fields {
				if name != field {
					some[name] = text
				}
			}
			value = some
		}
		kept[key] = value
	}
	return kept
}

func TestInspectorOfAnUnavailableStore(t *testing.T) {
	t.Parallel()
	client := redis.NewClient(&redis.Options{Addr: "127.0.0.1:1", MaxRetries: -1})
	defer client.Close()
	in := audit.NewInspector(live.New(client, harness.UTC(), 1).Redis())
	ctx := context.WithoutCancel(t.Context())
	_, size := in.Size(ctx)
	scan := in.Scan(ctx, &audit.Scanned{}, nil, nil, nil)
	_, _, periods := in.Periods(ctx, 0)
	_, holdings := in.Holdings(ctx, []audit.Owner{{User: "ada"}})
	_, ask := in.Ask(ctx, []audit.Question{{}})
	_, repair := in.Repair(ctx, audit.Repair{})
	for i, err := range []error{size, scan, periods, holdings, ask, repair} {
		if !errors.Is(err, redisstore.ErrUnavailable) {
			t.Errorf("%d: %v", i, err)
		}
	}
}
