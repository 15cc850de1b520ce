package httpapi_test

import (
	"context"
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"laurel/internal/harness"
	"laurel/internal/testserver"
	"laurel/shared/archive"
	"laurel/shared/httpapi"
	"laurel/shared/ledger"
)

// weighed counts the bytes that the journal puts into a table.
type weighed struct {
	archive.Store
	bytes int64
}

// Set puts an item without a condition, as the journal alone does.
func (w *weighed) Set(ctx context.Context, item archive.Item) error {
	w.bytes += int64(len(item.Partition) + len(item.Sort) + len(item.Data))
	return w.Store.Set(ctx, item)
}

// An attack is what one user's token sends, and what that costs.
type attack struct {
	*forum
	table    *weighed
	requests int
	points   int64
	statuses map[string]int
	slowest  time.Duration
	made     int // targets
}

func attackOn(f *forum) *attack {
	a := &attack{forum: f, table: &weighed{Store: f.Table.Store}, statuses: map[string]int{}}
	f.Table.Store = a.table
	return a
}

// send sends activities, each "action target ref", after some time.
func (a *attack) send(later time.Duration, did ...string) {
	a.TB.Helper()
	a.Now = a.Now.Add(later)
	body := make([]string, len(did))
	for i, one := range did {
		words := append(strings.Fields(one), "")
		body[i] = fmt.Sprintf(`{"action":%q,"target":%q,"ref":%q}`, words[0], words[1], words[2])
		body[i] = strings.Replace(body[i], `,"ref":""`, "", 1)
	}
	token, began := a.User("ann"), time.Now()
	answer := a.Post(token, `{"activities":[`+strings.Join(body, ",")+`]}`)
	for _, r := range read[httpapi.Receipts](a.TB, answer).Receipts {
		a.points += r.Points
		a.statuses[r.Status]++
	}
	a.slowest = max(a.slowest, time.Since(began))
	a.requests++
}

// kept returns the bytes that Redis has of the user, and those of the longest page of a month
// and of a day.
func (a *attack) kept() (all int64, month, day int) {
	a.TB.Helper()
	for _, key := range a.Redis.Keys(a.TB.Context(), "*:ann").Val() {
		all += a.Redis.MemoryUsage(a.TB.Context(), key, 0).Val()
	}
	for name, page := range a.Redis.HGetAll(a.TB.Context(), "laurel:{0}:pages:ann").Val() {
		switch {
		case !strings.HasPrefix(name, "20"):
		case len(name) == len("2026-11"):
			month = max(month, len(page))
		default:
			day = max(day, len(page))
		}
	}
	return all, month, day
}

// redisTime returns how long the server has worked on commands.
func (a *attack) redisTime() (used time.Duration) {
	a.TB.Helper()
	for _, m := range regexp.MustCompile(`usec=(\d+)`).FindAllStringSubmatch(
		a.Redis.Info(a.TB.Context(), "commandstats").Val(), -1) {
		n, _ := strconv.ParseInt(m[1], 10, 64)
		used += time.Duration(n) * time.Microsecond
	}
	return used
}

// tell logs a line of the table in docs/rules.md.
func (a *attack) tell(what string, requests int, tableBytes int64, redis time.Duration) {
	a.TB.Helper()
	all, month, day := a.kept()
	n := int64(max(requests, 1))
	a.TB.Logf("%s: %d requests, %d points; Redis keeps %d bytes (month %d, day %d), %s a request; "+
		"table %d bytes, %d a request; slowest %s; %v", what, requests, a.points, all, month, day,
		redis/time.Duration(n), tableBytes, tableBytes/n,
		a.slowest, a.statuses)
}

// phase does requests and tells what they cost.
func (a *attack) phase(what string, do func()) (tableBytes int64) {
	a.TB.Helper()
	requests, bytes, used := a.requests, a.table.bytes, a.redisTime()
	a.slowest, a.statuses = 0, map[string]int{}
	do()
	a.tell(what, a.requests-requests, a.table.bytes-bytes, a.redisTime()-used)
	return a.table.bytes - bytes
}

// hour is an hour around midnight at a month's end: two days and two months. Everything
// has the longest ids, and no two targets are the same.
func (a *attack) hour(requests int) {
	long := func(length int) string { a.made++; return fmt.Sprintf("%0*x", length, a.made*7_919) }
	words := []string{"visit", "like", "bookmark", "comment", "unlike", "unbookmark", "uncomment"}
	for range requests {
		did := make([]string, 100)
		for i := range did {
			if did[i] = words[i%7] + " " + long(128); strings.HasSuffix(words[i%7], "comment") {
				did[i] += " " + long(128)
			}
		}
		a.send(time.Hour/time.Duration(requests), did...)
	}
}

// What one user's token can make Laurel keep is bounded, whatever it sends: pages, the follow
// list, and once pages are full nothing in the table for what is new.
func TestPromise10OneTokenIsBounded(t *testing.T) {
	t.Parallel()
	rounds := testserver.Times(80, 10_000) // in the long form a million distinct targets
	for name, open := range map[string]func() *forum{
		"default": func() *forum { return openFull(t) },
		"strict":  func() *forum { f, _ := strict(t); return f },
	} {
		a := attackOn(open())
		a.Now = time.Date(2026, 10, 31, 23, 30, 0, 0, time.UTC)
		a.Put("/v1/users/ann", a.Service(), `{"name":"Ann","since":"2024-01-01T00:00:00Z"}`)
		for i := range 50 {
			a.published(fmt.Sprint("article-", i), "bob")
		}
		a.phase(name+", distinct targets", func() { a.hour(rounds) })
		if more := a.phase(name+", more of them", func() { a.hour(5) }); more > 0 {
			t.Errorf("%s: targets past the limits put %d bytes into the table", name, more)
		}
		a.phase(name+", the same again and again", func() { a.again(testserver.Times(20, 300)) })
		a.phase(name+", follows", func() { a.follows(testserver.Times(20, 300)) })
		all, month, day := a.kept()
		if month > ledger.MaxMonthPage+ledger.MaxMonthPage/4 || day > ledger.MaxDayPage+ledger.MaxDayPage/4 || all > 6<<20 {
			t.Errorf("%s: Redis keeps %d bytes, of a month %d, of a day %d", name, all, month, day)
		}
	}
}

// again does what earns points to fifty published articles, and takes it back.
func (a *attack) again(requests int) {
	for r := range requests {
		did := make([]string, 100)
		for i := range did {
			word := []string{"like", "bookmark", "visit", "comment"}[r/2%4]
			if r%2 == 1 && word != "visit" {
				word = "un" + word
			}
			did[i] = fmt.Sprint(word, " article-", i/2)
		}
		a.send(time.Second, did...)
	}
}

// follows has the user follow ever others, and replaces the list.
func (a *attack) follows(requests int) {
	for r := range requests {
		did := make([]string, 100)
		for i := range did {
			did[i] = fmt.Sprintf("follow %064x", r*100+i)
		}
		a.send(time.Second, did...)
	}
	for r := range 5 {
		ids := make([]string, 3_500) // as many long ids as a body has room for
		for i := range ids {
			ids[i] = `{"id":` + harness.Quote(fmt.Sprintf("%d-%060x", r, i)) + `}`
		}
		a.Now = a.Now.Add(time.Second)
		a.Says(a.Do(http.MethodPut, "/v1/users/ann/following", a.User("ann"), `{"users":[`+strings.Join(ids, ",")+`]}`),
			http.StatusOK, `{"total":3500}`)
		a.requests++
	}
}
