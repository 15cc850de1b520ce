package record_test

import (
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"laurel/internal/harness"
	"laurel/internal/testserver"
	"laurel/shared/activity"
	"laurel/shared/article"
	"laurel/shared/board"
	"laurel/shared/ledger"
	"laurel/shared/record"
	"laurel/shared/records"
	"laurel/shared/table/embedded"
)

// A merged is a forum with a table in memory and a Redis behind a proxy, whose clock stands.
type merged struct {
	*walked
	proxy *testserver.Proxy // of the forum's way; redis is not through it
	now   board.Moment
}

func newMerged(t *testing.T, l *ledger.Ledger, shards int) *merged {
	t.Helper()
	clock := time.Date(2027, 6, 1, 12, 0, 0, 0, time.UTC)
	f := &merged{walked: &walked{TB: t, ledger: l, redis: testserver.Redis(t)}, now: board.MomentOf(clock)}
	through := *f.redis.Options()
	f.proxy = testserver.StartProxy(t, through.Addr)
	through.Addr, through.MaxRetries = f.proxy.Addr(), -1
	client := redis.NewClient(&through)
	t.Cleanup(func() { _ = client.Close() })
	f.forum = harness.NewForum(t, harness.Setup{
		Redis: client, Table: embedded.New(time.Now), Ledger: l, Shards: shards, Now: clock,
	})
	f.process = &process{f.forum.Recorder, f.forum.View, f.forum.Records, f.forum.Table}
	return f
}

// must takes what did not fail.
func (f *merged) must(_ any, err error) {
	f.Helper()
	if err != nil {
		f.Fatal(err)
	}
}

// did records what users do now, each "user action target".
func (f *merged) did(texts ...string) {
	f.Helper()
	for _, text := range texts {
		words := strings.Fields(text)
		f.now++
		act := activity.Activity{User: words[0], Action: words[1], Target: words[2], At: f.now}
		results, err := f.Record(f.Context(), []activity.Activity{act}, record.Arrival{Now: f.now})
		if err != nil || results[0].Err != nil {
			f.Fatal(err, results)
		}
	}
}

// put puts an article's item.
func (f *merged) put(page article.Page) {
	f.Helper()
	found, err := f.all.Read(f.Context(), records.Query{Articles: []string{page.ID}})
	f.must(found, err)
	change := records.Change{Was: found.Articles[page.ID].Revision, Article: &records.Article{Page: page}}
	f.must(nil, f.all.Write(f.Context(), change)[0].Err)
}
