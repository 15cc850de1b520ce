package main

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"laurel/internal/harness"
	"laurel/internal/testserver"
	"laurel/shared/core/activity"
	"laurel/shared/core/board"
	"laurel/shared/core/ledger"
	"laurel/shared/forum/catchup"
	"laurel/shared/forum/recording"
	"laurel/shared/store/items"
)

// boardMonths is how many months of ledgers a new board is filled from.
const boardMonths = 13

// boardMembers returns the members of a forum: 100,000 in a long run.
func boardMembers() int { return testserver.Times(3_000, 100_000) }

// withBoards returns rules of the board activity with day and month, and of n further boards with some windows.
func withBoards(tb testing.TB, n int, windows string) *ledger.Ledger {
	tb.Helper()
	boards := `"activity":{"windows":["day","month"]}`
	for i := range n {
		boards += fmt.Sprintf(`,"b%d":{"counts":{"like":%d,"visit":1},"windows":[%s]}`, i, i+2, windows)
	}
	rules := harness.Must(activity.ParseRules([]byte(`{"boards":{` + boards + `},"versions":[{"actions":{
		"like":{"undo":"unlike","board":"activity","points":2,"entry":"month","cap":50,"by":["service"]},
		"visit":{"board":"activity","points":1,"entry":"day","cap":100,"by":["service"]}}}]}`)))(tb)
	return ledger.New(rules, board.NewCalendar(time.UTC))
}

// yearOf fills a table with 13 months of ledgers of each member, of four likes a month.
func yearOf(tb testing.TB, l *ledger.Ledger, members int) items.Table {
	tb.Helper()
	fill := newFiller(tb, l)
	last := fill.today().Month()
	fill.beginAt(last-boardMonths+1, last-2)
	for i := range members {
		user := fmt.Sprint("member-", i)
		for m := last - boardMonths + 1; m <= last; m++ {
			acts := make([]activity.Activity, 4)
			for n := range acts {
				acts[n] = activity.Activity{
					User: user, Action: "like", Target: fmt.Sprint("p", (i*31+int(m)*7+n)%1_000_003),
					At: l.Calendar().Start(m.First()) + board.Moment(i%1_000)*1_000_000 + board.Moment(n),
				}
			}
			fill.add(user, acts, m)
		}
	}
	fill.write()
	return fill.store.Table()
}

// A forum gets a further board of two windows while its view has the others: seconds until it is whole, while reports
// are answered, and bytes in Redis of a member, board and period, beside those of a sorted set that has nothing else.
func BenchmarkNewBoard(b *testing.B) {
	for _, windows := range []string{`"month","30d"`, `"month","year"`} {
		b.Run(windows, func(b *testing.B) { newBoard(b, windows) })
	}
}

func newBoard(b *testing.B, windows string) {
	b.Helper()
	client, members := testserver.OwnRedis(b).Client(), boardMembers()
	rows := yearOf(b, withBoards(b, 0, ""), members)
	f := harness.NewForum(b, harness.Setup{Redis: client, Table: rows, Ledger: withBoards(b, 0, "")})
	before := bytesOf(b, client)
	for n := 1; b.Loop(); n++ {
		f.Setup.Ledger = withBoards(b, n, windows)
		next := f.Another(client, rows)
		began, reports := time.Now(), 0
		slowest := time.Duration(0)
		done := make(chan struct{})
		var failed error
		go func() {
			defer close(done)
			for left := true; left && failed == nil; {
				var r catchup.Result
				r, failed = next.Catchup.Run(b.Context(), catchup.Request{})
				left = r.Left
			}
		}()
		for filling := true; filling; reports++ {
			select {
			case <-done:
				filling = false
			case <-time.After(20 * time.Millisecond):
			}
			like := activity.Activity{
				User: "reporter", Action: "like", Target: strconv.Itoa(reports), At: board.MomentOf(harness.Noon),
			}
			sent := time.Now()
			r := harness.Must(next.Recorder.Record(b.Context(), []activity.Activity{like}, recording.Arrival{Now: like.At}))(b)
			harness.OK(b, r[0].Err)
			slowest = max(slowest, time.Since(sent))
		}
		harness.OK(b, failed)
		b.ReportMetric(time.Since(began).Seconds(), "s/board")
		b.ReportMetric(float64(slowest.Milliseconds()), "ms-slowest-report")
	}
	// Live months, years, and the last days of a rolling window of which most members have a place.
	periods := 0
	for _, key := range harness.Must(client.Keys(b.Context(), "*b0*").Result())(b) {
		if n, err := client.ZCard(b.Context(), key).Result(); err == nil && n > int64(members)/2 {
			periods++
		}
	}
	b.ReportMetric((bytesOf(b, client)-before)/float64(members*periods), "B/member-period")
	before = bytesOf(b, client)
	for i := range members {
		packed := redis.Z{Score: -float64(i) * 7_919, Member: fmt.Sprint("member-", i)}
		harness.OK(b, client.ZAdd(b.Context(), "plain", packed).Err())
	}
	b.ReportMetric((bytesOf(b, client)-before)/float64(members), "B/member-of-a-plain-set")
}

// Reports of a forum with 13 months of ledgers and none to three further boards of two windows, by turns: processor
// time of the process and of Redis, and the median of its ratios to that of none in the same round.
func BenchmarkReportsOfBoards(b *testing.B) {
	for _, windows := range []string{`"day","month"`, `"month","30d"`} {
		b.Run(windows, func(b *testing.B) { reportsOfBoards(b, windows) })
	}
}

// reporters are the members who report in BenchmarkReportsOfBoards.
const reporters = 2_000

func reportsOfBoards(b *testing.B, windows string) {
	b.Helper()
	type side struct {
		*harness.Forum
		client *redis.Client
		n      int
		spent  []time.Duration // by round
	}
	var sides []*side
	for n := range 4 {
		client, l := testserver.OwnRedis(b).Client(), withBoards(b, n, windows)
		forum := harness.NewForum(b, harness.Setup{Redis: client, Ledger: l, Table: yearOf(b, l, reporters)})
		forum.Items.KeepHead(time.Now)
		sides = append(sides, &side{Forum: forum, client: client})
	}
	for round := 0; b.Loop(); round++ {
		for i := range sides {
			s := sides[(i+round)%len(sides)]
			began := cpu(b, s.client)
			for range 200 {
				s.n++
				like := activity.Activity{
					User: fmt.Sprint("member-", s.n%reporters), Action: "like", Target: strconv.Itoa(s.n),
					At: board.MomentOf(harness.Noon),
				}
				harness.Must(s.Recorder.Record(b.Context(), []activity.Activity{like}, recording.Arrival{Now: like.At}))(b)
			}
			s.spent = append(s.spent, cpu(b, s.client)-began)
		}
	}
	for n, s := range sides {
		b.ReportMetric(float64(median(s.spent).Microseconds())/200, fmt.Sprintf("us-%d-boards", n))
		b.ReportMetric(medianRatio(s.spent, sides[0].spent), fmt.Sprintf("ratio-%d", n))
	}
}

// median returns the middle one of values, which stay in their order.
func median[T cmp.Ordered](values []T) T { return slices.Sorted(slices.Values(values))[len(values)/2] }

// medianRatio returns the middle one of the ratios of times to others of the same rounds.
func medianRatio(times, others []time.Duration) float64 {
	ratios := make([]float64, len(times))
	for i := range times {
		ratios[i] = float64(times[i]) / float64(others[i])
	}
	return median(ratios)
}

// cpu is the processor time that the process and a Redis have taken.
func cpu(b *testing.B, client *redis.Client) time.Duration {
	b.Helper()
	info, sum := client.InfoMap(b.Context(), "cpu"), processorTime(b)
	for _, name := range []string{"used_cpu_user", "used_cpu_sys"} {
		seconds := harness.Must(strconv.ParseFloat(info.Item("CPU", name), 64))(b)
		sum += time.Duration(seconds * float64(time.Second))
	}
	return sum
}

// bytesOf returns the bytes of a server's data.
func bytesOf(b *testing.B, client *redis.Client) float64 {
	b.Helper()
	text := client.InfoMap(b.Context(), "memory").Item("Memory", "used_memory_dataset")
	return harness.Must(strconv.ParseFloat(text, 64))(b)
}
