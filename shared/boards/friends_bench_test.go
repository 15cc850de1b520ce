package boards_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/redis/go-redis/v9"

	"laurel/internal/harness"
	"laurel/internal/testserver"
	"laurel/shared/board"
	"laurel/shared/live"
)

// Other ways to the first of a friends board, to be measured against.
const (
	loopingScript = `
local scores = {}
for _, id in ipairs(redis.call('ZRANGE', KEYS[2], 0, -1)) do
  local score = redis.call('ZSCORE', KEYS[1], id)
  if score then
    scores[#scores + 1] = {tonumber(score), id}
  end -- of the if
end -- of the loop
table.sort(scores, function(a, b) return a[1] < b[1] or (a[1] == b[1] and a[2] < b[2]) end)
local first = {}
for i = 1, math.min(#scores, 30) do
  first[i] = {scores[i][2], redis.call('ZRANK', KEYS[1], scores[i][2])}
end
return first`
	storingScript = `
redis.call('ZINTERSTORE', KEYS[3], 2, KEYS[2], KEYS[1])
local first = redis.call('ZRANGE', KEYS[3], 0, 29)
for i, id in ipairs(first) do
  first[i] = {id, redis.call('ZRANK', KEYS[1], id)}
end
redis.call('DEL', KEYS[3])
return first`
)

// BenchmarkFriends reads the first 30 of a friends board of 5,000, on a board of a
// million; redis-us is what Redis itself is busy for one.
func BenchmarkFriends(b *testing.B) {
	client := testserver.OwnRedis(b).Client()
	store := live.New(client, harness.UTC(), 1)
	ctx, day, noon := b.Context(), harness.Period(b, "2026-11-20"), harness.At(b, "2026-11-20T12:00")
	boardKey, friendsKey := "laurel:{0}:board:activity:day:2026-11-20", "laurel:{0}:friends:user-7"
	for from := 0; from < 1_000_000; from += 10_000 {
		chunk := make([]redis.Z, 10_000)
		for i := range chunk {
			chunk[i] = harness.ZOf(fmt.Sprint("user-", from+i),
				float64(board.Pack(int64(1+(from+i)*7_919%500), int64((from+i)*104_729%86_400_000))))
		}
		if err := client.ZAdd(ctx, boardKey, chunk...).Err(); err != nil {
			b.Fatal(err)
		}
	}
	var targets []string
	for i := range 5_000 {
		targets = append(targets, fmt.Sprint("user-", 8+i*211)) // some of them not on the board
	}
	harness.ReplaceFollowing(b, store, "user-7", targets, noon)
	harness.Hide(b, store, targets[17], true)
	for _, c := range []struct {
		name string
		read func() error
	}{
		{"ZINTER", func() error {
			_, err := store.Friends(ctx, board.View{Board: "activity", Period: day, User: "user-7", Limit: 30})
			return err
		}},
		{"ZINTER of 100", func() error {
			_, err := store.Friends(ctx, board.View{Board: "activity", Period: day, User: "user-7", Limit: 100})
			return err
		}},
		{"looping ZSCORE", func() error { return client.Eval(ctx, loopingScript, []string{boardKey, friendsKey}).Err() }},
		{"ZINTERSTORE", func() error {
			return client.Eval(ctx, storingScript, []string{boardKey, friendsKey, "laurel:{0}:scratch"}).Err()
		}},
	} {
		b.Run(c.name, func(b *testing.B) {
			if err := c.read(); err != nil { // the server knows the script
				b.Fatal(err)
			}
			before := processorSeconds(b, client)
			for b.Loop() {
				if err := c.read(); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric((processorSeconds(b, client)-before)*1e6/float64(b.N), "redis-us")
		})
	}
}

// processorSeconds is how long the server has been busy, on one core or another:
// what else the machine does hardly matters to that.
func processorSeconds(b *testing.B, client *redis.Client) (sum float64) {
	b.Helper()
	for line := range strings.Lines(client.Info(b.Context(), "cpu").Val()) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), ":")
		if name == "used_cpu_sys" || name == "used_cpu_user" {
			seconds, err := strconv.ParseFloat(value, 64)
			if err != nil {
				b.Fatal(err)
			}
			sum += seconds
		}
	}
	return sum
}
