package boards_test

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/redis/go-redis/v9"

	"laurel/internal/harness"
	"laurel/internal/testserver"
	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/boards"
	"laurel/shared/live"
)

// named wants a page to have the copies of just those who are in it, and who is
// above the user may be among them.
func wantNames(t *testing.T, what string, v board.View, page boards.Page, texts map[string]string) {
	t.Helper()
	want := map[string]string{}
	see := func(user string) {
		if text, ok := texts[user]; ok {
			want[user] = text
		}
	}
	for _, p := range append(append([]board.Place{}, page.Places...), page.Neighbours...) {
		see(p.User)
	}
	see(v.User)
	got := map[string]string{}
	for user, text := range page.Profiles {
		if _, shown := want[user]; shown || text != texts[user] {
			got[user] = text
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s, %+v: names (-want +got):\n%s", what, v, diff)
	}
	if extra := len(page.Profiles) - len(want); extra > 1 {
		t.Errorf("%s, %+v: %d names of others", what, v, extra)
	}
}

// Any view of a board, of any number of shards and however deep, comes with the
// copies of profiles that are there of everybody in it, and what it takes to set the
// others.
func TestBoardsComeWithNames(t *testing.T) {
	t.Parallel()
	day, rng := harness.Period(t, "2026-11-20"), rand.New(rand.NewPCG(1, 1))
	const users = 1_400
	var acts []activity.Activity
	texts := map[string]string{"nobody": "3 {nobody}"}
	for i := range users {
		user := fmt.Sprintf("%s.%d", awkward[i%len(awkward)], i)
		acts = append(acts, activity.Activity{
			User: user, Action: "steps", Value: new(int64(1 + i%50)),
			At: harness.At(t, "2026-11-20T12:00"),
		})
		if i%3 > 0 {
			texts[user] = fmt.Sprintf("%d {%q}", i, user)
		}
	}
	for _, shards := range []int{1, 3} {
		store := live.New(testserver.Redis(t), harness.UTC(), shards)
		harness.Record(t, store, acts...)
		_, generation := copies(t, store)
		set(t, store, generation, texts)
		for range 150 {
			v := board.View{Board: "steps", Period: day, Limit: rng.Int64N(101), Around: rng.Int64N(26)}
			v.Offset = []int64{0, rng.Int64N(250), rng.Int64N(1_100), rng.Int64N(1_500)}[rng.IntN(4)]
			v.User = []string{"", "nobody", "nobody else", acts[rng.IntN(users)].User}[rng.IntN(4)]
			page := harness.Read(t, store, v)
			wantNames(t, fmt.Sprint(shards, " shards"), v, page, texts)
			if page.Generation != generation {
				t.Errorf("%d shards: generation %q, want %q", shards, page.Generation, generation)
			}
		}
	}
}

// The last page that comes with names in one round trip ends at 200; a deeper one
// takes another, which a standing shares.
func TestRoundTripsOfNamesInShards(t *testing.T) {
	t.Parallel()
	client, w := testserver.CountedRedis(t)
	store := live.New(client, harness.UTC(), 3)
	day := harness.Period(t, "2026-11-20")
	var acts []activity.Activity
	for i := range 1_300 {
		acts = append(acts, harness.Did(t, fmt.Sprintf("user-%d publish 1", i), harness.At(t, "2026-11-20T12:00")+
			board.Moment(i)))
	}
	harness.Record(t, store, acts...)
	harness.TeachScripts(t, store)
	for _, c := range []struct {
		offset int64
		user   string
		want   int64
	}{{0, "", 1}, {100, "", 1}, {101, "", 2}, {900, "", 2}, {0, "user-7", 2}, {101, "user-7", 2}, {900, "user-7", 2}} {
		v := board.View{Board: "activity", Period: day, Offset: c.offset, Limit: 100, User: c.user}
		w.Expect(t, fmt.Sprintf("%+v", v), c.want, func() { harness.Read(t, store, v) })
	}
}

// BenchmarkNames reads a page of 30 of a board of ten thousand, with everybody's
// copy there and with nobody's, and tells what of it is Redis's own time.
func BenchmarkNames(b *testing.B) {
	day := harness.Period(b, "2026-11-20")
	for _, shards := range []int{1, 8} {
		for _, names := range []bool{false, true} {
			b.Run(fmt.Sprintf("%d shards, names %t", shards, names), func(b *testing.B) {
				client := testserver.Redis(b)
				store := live.New(client, harness.UTC(), shards)
				texts := map[string]string{}
				acts := make([]activity.Activity, 0, 500)
				for i := range 10_000 {
					user := fmt.Sprint("user-", i)
					texts[user] = fmt.Sprintf(`1 {"name":"User %d of the forum","avatar":"https://cdn.example/avatars/%d/80.png"}`, i,
						i)
					if acts = append(acts, harness.Did(b, user+" publish 1", harness.At(b, "2026-11-20T12:00")+
						board.Moment(i%1_000))); len(acts) == cap(acts) {
						harness.Record(b, store, acts...)
						acts = acts[:0]
					}
				}
				if names {
					_, generation, err := store.Profiles(b.Context(), nil)
					if err != nil {
						b.Fatal(err)
					}
					if _, err := store.SetProfiles(b.Context(), generation, texts); err != nil {
						b.Fatal(err)
					}
				}
				client.ConfigResetStat(b.Context())
				for b.Loop() {
					page := harness.Read(b, store, board.View{Board: "activity", Period: day, Limit: 30})
					if len(page.Profiles) != map[bool]int{true: 30}[names] {
						b.Fatal(len(page.Profiles))
					}
				}
				reportScripts(b, client)
			})
		}
	}
}

// reportScripts tells how long Redis was in scripts, an operation.
func reportScripts(b *testing.B, client *redis.Client) {
	b.Helper()
	stats := client.Info(b.Context(), "commandstats").Val()
	found := regexp.MustCompile(`cmdstat_evalsha:calls=\d+,usec=(\d+)`).FindStringSubmatch(stats)
	if found == nil {
		b.Fatal("no scripts were run")
	}
	usec, err := strconv.ParseFloat(found[1], 64)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(usec/float64(b.N), "redis-us/op")
}
