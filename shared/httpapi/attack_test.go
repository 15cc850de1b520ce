package httpapi_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"laurel/internal/harness"
	"laurel/internal/testserver"
	"laurel/shared/httpapi"
	"laurel/shared/records"
	"laurel/shared/table"
)

// weighed counts what is written to a table.
type weighed struct {
	records.Table
	writes, bytes int64
	longest       int // ledger
}

// Write counts writes, and the longest item.
func (w *weighed) Write(ctx context.Context, writes ...table.Write) []table.Outcome {
	w.count(writes)
	return w.Table.Write(ctx, writes...)
}

// Together counts writes, and the longest item.
func (w *weighed) Together(ctx context.Context, writes ...table.Write) error {
	w.count(writes)
	return w.Table.Together(ctx, writes...)
}

func (w *weighed) count(writes []table.Write) {
	w.writes += int64(len(writes))
	for _, one := range writes {
		w.bytes += int64(len(one.Partition) + len(one.Sort) + len(one.Data))
		if strings.HasPrefix(one.Partition, "LEDGER#") {
			w.longest = max(w.longest, len(one.Data))
		}
	}
}

// An attack is what one user's token sends, and what that costs.
type attack struct {
	*forum
	table    *weighed
	requests int
	points   int64
	made     int // targets
}

func attackOn(f *forum) *attack {
	a := &attack{forum: f, table: &weighed{Table: f.Table.Table}}
	f.Table.Table = a.table
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
	for _, r := range read[httpapi.Receipts](a.TB, a.Post(a.User("ann"), list(body...))).Receipts {
		a.points += r.Points
	}
	a.requests++
}

// stored returns the bytes that Redis has of the boards and lists.
func (a *attack) stored() (all int64) {
	a.TB.Helper()
	for _, key := range a.Redis.Keys(a.TB.Context(), "*").Val() {
		all += a.Redis.MemoryUsage(a.TB.Context(), key, 0).Val()
	}
	return all
}

// phase does requests, logs what they took, as docs/rules.md sums up, and returns how much was written.
func (a *attack) phase(what string, do func()) (writes int64) {
	a.TB.Helper()
	requests, writes, bytes := a.requests, a.table.writes, a.table.bytes
	do()
	requests, writes, bytes = max(a.requests-requests, 1), a.table.writes-writes, a.table.bytes-bytes
	a.TB.Logf("%s: %d requests, %d points; Redis holds %d bytes; table %d writes, %d bytes a request, "+
		"the longest ledger %d", what, requests, a.points, a.stored(), writes, bytes/int64(requests), a.table.longest)
	return writes
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

// What one user's token can make Laurel keep is bounded, whatever it sends: ledgers, the follow
// list; and once ledgers are full what is new writes nothing.
func TestPromise10OneTokenIsBounded(t *testing.T) {
	t.Parallel()
	rounds := testserver.Times(80, 10_000) // in the long form a million distinct targets
	for name, open := range map[string]func() *forum{
		"default": func() *forum { return open(t) },
		"strict":  func() *forum { return strict(t) },
	} {
		a := attackOn(open())
		a.Now = time.Date(2026, 10, 31, 23, 30, 0, 0, time.UTC)
		for i := range 50 {
			a.published(fmt.Sprint("article-", i), "bob")
		}
		a.phase(name+", distinct targets", func() { a.hour(rounds) })
		if more := a.phase(name+", more of them", func() { a.hour(5) }); more > 0 {
			t.Errorf("%s: targets past the limits made %d writes", name, more)
		}
		a.phase(name+", the same again and again", func() { a.again(testserver.Times(20, 300)) })
		a.phase(name+", follows", func() { a.follows(testserver.Times(20, 300)) })
		if all := a.stored(); a.table.longest > 32<<10 || all > 1<<20 {
			t.Errorf("%s: Redis holds %d bytes, the longest ledger has %d", name, all, a.table.longest)
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
