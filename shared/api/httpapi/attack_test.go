package httpapi_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"laurel/internal/harness"
	"laurel/internal/testserver"
	"laurel/shared/api/httpapi"
)

// An attack has the requests of one user's token.
type attack struct {
	*forum
	made int // targets
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
	read[httpapi.Receipts](a.TB, a.Post(a.User("ann"), list(body...)))
}

// size returns the number of bytes in Redis, and in the longest ledger.
func (a *attack) size() (stored int64, longest int) {
	a.TB.Helper()
	for _, key := range a.Redis.Keys(a.TB.Context(), "*").Val() {
		stored += a.Redis.MemoryUsage(a.TB.Context(), key, 0).Val()
	}
	for _, item := range harness.Must(a.Table.Items(a.TB.Context()))(a.TB) {
		if strings.HasPrefix(item.Partition, "LEDGER#") {
			longest = max(longest, len(item.Data))
		}
	}
	return stored, longest
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

// The bytes that one user's token can make Laurel keep are bounded: in ledgers and in the follow
// list; and once ledgers are full a new activity writes nothing.
func TestPromise10OneTokenIsBounded(t *testing.T) {
	t.Parallel()
	rounds := testserver.Times(80, 10_000) // in the long form a million distinct targets
	for name, open := range map[string]func() *forum{
		"default": func() *forum { return open(t) },
		"strict":  func() *forum { return strict(t) },
	} {
		a := &attack{forum: open()}
		a.Now = time.Date(2026, 10, 31, 23, 30, 0, 0, time.UTC)
		for i := range 50 {
			a.published(fmt.Sprint("article-", i), "bob")
		}
		a.hour(rounds)
		before := a.Table.Writes.Load()
		if a.hour(5); a.Table.Writes.Load() > before {
			t.Errorf("%s: targets past the limits are written", name)
		}
		a.again(testserver.Times(20, 300))
		a.follows(testserver.Times(20, 300))
		if stored, longest := a.size(); longest > 32<<10 || stored > 1<<20 {
			t.Errorf("%s: Redis holds %d bytes, the longest ledger has %d", name, stored, longest)
		}
	}
}

// again earns points for fifty published articles, and takes the acts back.
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
		body := `{"users":[` + strings.Join(ids, ",") + `]}`
		if got := a.Do(http.MethodPut, "/v1/users/ann/following", a.User("ann"), body); got.Body != "{\"total\":3500}\n" {
			a.TB.Error(got)
		}
	}
}
