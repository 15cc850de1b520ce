package walk_test

import (
	"errors"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"laurel/internal/harness"
	"laurel/internal/stream"
	"laurel/internal/testserver"
	"laurel/shared/app"
	"laurel/shared/archive"
	"laurel/shared/article"
	"laurel/shared/board"
	"laurel/shared/httpapi"
	"laurel/shared/ledger"
	"laurel/shared/live"
	"laurel/shared/redisstore"
	"laurel/shared/state"
)

// A forum is a deployment on a walk, with the model of it.
type forum struct {
	*testing.T
	*harness.Forum
	rng     *rand.Rand
	model   *model
	handler http.Handler
	token   string

	client  *redis.Client // that no replica or crash is a hook of
	replica *replica
	crash   *harness.Crash
	dying   *redis.Client // that crash is a hook of

	users   []string
	targets []string
	night   board.Moment // of the last one
	proved  board.Moment // the last one that was whole, or the start
	behind  bool         // Redis may lack what the table has, until recovery or a night has run
	since   board.Moment // it may
	stale   bool         // Redis may have what was removed, until a night has run
	waits   bool         // voids wait for their pass
	copying bool         // a failover is going on: no time goes by
	calm    bool         // nothing is killed
	wide    bool         // a failover may lose operators' commands
	pending []batch

	unfinished []file         // imports that were interrupted
	reopened   map[place]bool // whose copy in the archive is not replaced yet
}

func newForum(t *testing.T, rng *rand.Rand) *forum {
	t.Helper()
	from, err := stream.NewForum(rng)
	if err != nil {
		t.Fatal(err)
	}
	shards := 1 + rng.IntN(2)
	client := testserver.Redis(t)
	f := &forum{
		T: t, rng: rng, client: redis.NewClient(client.Options()), dying: redis.NewClient(client.Options()),
		replica: &replica{}, crash: &harness.Crash{}, reopened: map[place]bool{},
		users: []string{"ada", "bob", "-1", "eve", "zoë"}, targets: []string{"1", "007", "a-page", "other"},
	}
	t.Cleanup(func() { _, _ = f.client.Close(), f.dying.Close() })
	f.replica.client = f.client
	client.AddHook(f.replica)
	f.dying.AddHook(f.crash)
	f.Forum = harness.NewForum(t, harness.Setup{
		Redis: client, Ledger: ledger.New(from.Rules, from.Calendar), Shards: shards,
		Now: from.Calendar.Start(from.From).Time(),
	})
	f.HotDays, f.HotMonths, f.JournalMonths = 1+rng.IntN(3), rng.IntN(2), 13
	f.KeepIn(f.Table)
	f.crash.Store = f.Table
	f.model = newModel(from.Rules, from.Calendar, shards, f.Store.ShardOf)
	f.proved = f.moment()
	f.fresh(f.App)
	f.handler = harness.Callers(httpapi.New(f.Requests(), httpapi.Record, httpapi.Query))
	f.token = f.Service()
	return f
}

func (f *forum) must(err error) {
	f.Helper()
	if err != nil {
		f.Fatal(err)
	}
}

func (f *forum) fresh(a *app.App) {
	f.Helper()
	f.must(a.Kept.Stamps.Fresh(f.Context()))
}

func (f *forum) moment() board.Moment { return board.MomentOf(f.Now) }

func (f *forum) user() string { return f.users[f.rng.IntN(len(f.users))] }

// process is another process on the same stores, which crash stops.
func (f *forum) process() *app.App {
	a := *f.App
	a.Store = live.New(f.dying, f.Ledger, f.Shards)
	a.Kept = app.Keep(f.crash, a.Store, f.Ledger, f.JournalMonths, slog.New(slog.DiscardHandler), f.Clock)
	f.fresh(&a)
	return &a
}

// run has a process do something, and says whether it was killed.
func (f *forum) run(what string, do func(a *app.App) error) (killed bool) {
	f.Helper()
	f.Now = f.Now.Add(time.Millisecond)
	a := f.App
	if !f.copying && !f.calm && f.rng.IntN(5) == 0 {
		f.crash.Arm(0, "")
		a = f.process()
		at := 1 + int(float64(60)*f.rng.ExpFloat64())
		f.crash.Arm(at, []string{harness.Before, harness.Half, harness.After}[f.rng.IntN(3)])
		err := do(a)
		killed = f.crash.Calls() >= at
		f.crash.Arm(0, "")
		f.Logf("%s %s, killed at call %d: %t", f.moment(), what, at, killed)
		if killed {
			f.fallBehind()
		} else if err != nil {
			f.Fatalf("%s: %v", what, err)
		}
	} else {
		f.Logf("%s %s", f.moment(), what)
		f.fresh(a)
		if err := do(a); err != nil {
			f.Fatalf("%s: %v", what, err)
		}
	}
	f.observe()
	return killed
}

// fallBehind says that Redis may lack what the table has.
func (f *forum) fallBehind() {
	if !f.behind {
		f.behind, f.since = true, f.moment()
	}
}

// keptClosed returns the closed periods that the table has.
func (f *forum) keptClosed() *board.Closed {
	f.Helper()
	text, _, err := f.Kept.State.Closed(f.Context())
	f.must(err)
	closed, err := board.ParseClosed(text)
	f.must(err)
	return closed
}

// observe takes in the closed periods of Redis, what is final, and which votes.
func (f *forum) observe() {
	f.Helper()
	for _, name := range f.Rules.Boards() {
		for _, w := range f.Rules.Windows(name) {
			for _, p := range f.model.Periods(name, w) {
				f.observeFinal(place{name, p})
			}
		}
	}
	for at := range f.model.frozen {
		f.observeFinal(at)
	}
	for at := range f.reopened {
		f.observeFinal(at)
	}
	kept := f.keptClosed()
	for shard := range f.Shards {
		value, err := f.client.Get(f.Context(), redisstore.ClosedKey(shard)).Result()
		if errors.Is(err, redis.Nil) {
			continue // emptied
		}
		f.must(err)
		_, text, _ := strings.Cut(value[redisstore.VersionLen:], "\n")
		closed, err := board.ParseClosed(text)
		f.must(err)
		f.stale = f.model.close(shard, closed, kept) || f.stale
	}
	for page, err := range f.Kept.State.Articles(f.Context()) {
		f.must(err)
		if v := f.model.articles[page.ID]; v != nil && page.State != article.Voting {
			v.final = true
		}
	}
}

func (f *forum) observeFinal(at place) {
	f.Helper()
	if _, final := f.model.final[at]; final {
		if f.reopened[at] {
			f.observeReplaced(at)
		}
		return
	}
	_, err := f.Kept.Archive.Manifest(f.Context(), at.board, at.period)
	if errors.Is(err, archive.ErrNotFinal) {
		return
	}
	f.must(err)
	f.model.final[at] = slices.Clone(f.model.whole(at))
	marks, err := f.Kept.State.Imports(f.Context())
	f.must(err)
	if !f.due(at.period) || slices.ContainsFunc(marks, func(i state.Import) bool { return i.Holds(at.period) }) {
		f.Errorf("%s is final; imports in progress: %v", at, marks)
	}
}

// observeReplaced takes in that a period that was reopened is final again, as it is when it
// is removed.
func (f *forum) observeReplaced(at place) {
	f.Helper()
	if redisstore.WasReopened(f.keptClosed(), at.board, at.period) {
		return
	}
	delete(f.reopened, at)
	delete(f.model.final, at)
	f.model.final[at] = slices.Clone(f.model.whole(at))
}

// due says whether the last night could close a period.
func (f *forum) due(p board.Period) bool {
	today := f.Calendar.Date(f.night)
	return board.Due(p, today, f.HotDays, f.HotMonths)
}
