package recording_test

import (
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/redis/go-redis/v9"

	"laurel/internal/harness"
	"laurel/internal/testserver"
	"laurel/shared/core/activity"
	"laurel/shared/core/article"
	"laurel/shared/core/board"
	"laurel/shared/core/ledger"
	"laurel/shared/forum/catchup"
	"laurel/shared/forum/recording"
	"laurel/shared/run/app"
	"laurel/shared/store/items"
	"laurel/shared/store/table/embedded"
	"laurel/shared/store/view"
)

// A walked is a forum whose processes share a table and a Redis.
type walked struct {
	testing.TB
	forum    *harness.Forum
	ledger   *ledger.Ledger
	redis    *redis.Client
	now      board.Moment // it advances with each act
	down     atomic.Bool  // processes have no Redis
	*process              // one that is never killed
}

func newWalked(tb testing.TB, l *ledger.Ledger, now board.Moment, shards int) *walked {
	tb.Helper()
	w := &walked{TB: tb, ledger: l, redis: testserver.Redis(tb), now: now}
	w.forum = harness.NewForum(tb, harness.Setup{
		Redis: w.redis, Table: embedded.New(time.Now), Ledger: l, Shards: shards, Now: now.Time(),
	})
	w.process = w.start()
	return w
}

// A process has its own App and its own way to the stores.
type process struct {
	*app.App
	view  view.View
	all   *items.Store
	calls *harness.Table
}

func (w *walked) start() *process {
	p := &process{calls: &harness.Table{Table: w.forum.Table.Table}}
	client := redis.NewClient(w.redis.Options())
	w.Cleanup(func() { _ = client.Close() })
	client.AddHook(p.calls.Hook(w.down.Load))
	a := w.forum.Another(client, p.calls)
	p.App, p.view, p.all = a, a.View, a.Items
	return p
}

// knowing starts a process that knows the head: its next read is that of a report.
func (w *walked) knowing() *process {
	w.Helper()
	p := w.start()
	if _, err := p.all.Head(w.Context()); err != nil {
		w.Fatal(err)
	}
	p.calls.Reset()
	return p
}

// must fails the test on an error.
func (w *walked) must(_ any, err error) {
	w.Helper()
	harness.OK(w, err)
}

// reporting makes a process report activities, each of which has to get a receipt.
func (w *walked) reporting(p *process, acts ...activity.Activity) []recording.Result {
	w.Helper()
	arrival := recording.Arrival{Now: max(w.now, board.MomentOf(w.forum.Now)), Ranks: true}
	results, err := p.Recorder.Record(w.Context(), acts, arrival)
	for _, r := range results {
		err = errors.Join(err, r.Err)
	}
	w.must(results, err)
	return results
}

func (w *walked) report(acts ...activity.Activity) []recording.Result {
	w.Helper()
	return w.reporting(w.process, acts...)
}

// did records activities of users now, each "user action target".
func (w *walked) did(texts ...string) {
	w.Helper()
	for _, text := range texts {
		words := strings.Fields(text)
		w.now++
		w.report(did(words[0], words[1], words[2], w.now))
	}
}

// on records activities of users on a target, at a moment.
func (w *walked) on(action, target string, moment board.Moment, users ...string) []recording.Result {
	w.Helper()
	acts := make([]activity.Activity, len(users))
	for i, user := range users {
		acts[i] = did(user, action, target, moment)
	}
	return w.report(acts...)
}

// put puts an article's item.
func (w *walked) put(page article.Page) {
	w.Helper()
	found, err := w.all.Read(w.Context(), items.Query{Articles: []string{page.ID}})
	w.must(found, err)
	change := items.Change{Was: found.Articles[page.ID].Revision, Article: &page}
	w.must(nil, w.all.Write(w.Context(), change)[0].Err)
}

// beforeTrip calls a function before the next trip to Redis, once.
func (p *process) beforeTrip(do func()) {
	p.calls.Before = func(c harness.Call) harness.Fate {
		if c.Trip {
			p.calls.Before = nil
			do()
		}
		return harness.Lives
	}
}

// compare compares until it is through, as ticks do one after the other; a killed comparison has left
// its claim.
func (w *walked) compare(o catchup.Request) (all catchup.Result) {
	w.Helper()
	for o.Alone = true; ; {
		done := harness.Must(w.Catchup.Run(w.Context(), o))(w)
		all.Shown, all.Differ, all.Filled = all.Shown+done.Shown, all.Differ+done.Differ, all.Filled+done.Filled
		all.Restored, all.Rounds = all.Restored+done.Restored, all.Rounds+done.Rounds
		all.Findings = append(all.Findings, done.Findings...)
		if o.Empty = false; !done.Left {
			return all
		}
	}
}

// boards are the users and their places by board.
type boards map[string]map[string]board.Packed

func (b boards) put(name string, p board.Period, user string, packed board.Packed) {
	id := name + " " + p.Window().String() + " " + p.String()
	if b[id] == nil {
		b[id] = map[string]board.Packed{}
	}
	b[id][user] = packed
}

// shown returns the boards as the view has them.
func (w *walked) shown() boards {
	w.Helper()
	all := boards{}
	existing := harness.Must(w.view.Boards(w.Context()))(w)
	for _, b := range existing {
		for e, err := range w.view.Members(w.Context(), b.Board, b.Period) {
			harness.OK(w, err)
			all.put(b.Board, b.Period, e.User, e.Packed)
		}
	}
	return all
}

// due returns the boards by the ledgers.
func (w *walked) due() boards {
	w.Helper()
	all := boards{}
	head := w.headNow()
	date := w.ledger.Calendar().Date(board.MomentOf(w.forum.Now))
	months := head.Life.LiveMonths(head.From, date.Month())
	for bucket := range items.Buckets {
		for h, err := range w.all.Pass(w.Context(), months, bucket) {
			if err != nil || h.Err != nil {
				w.Fatal(err, h.Err)
			}
			if p := h.Person.Value; p != nil && p.Status.Suppressed() {
				continue
			}
			a := &ledger.Account{Months: map[board.MonthOf]*ledger.MonthLedger{}}
			for m, row := range h.Ledgers {
				a.Months[m], a.User = row.Value, row.Value.User
			}
			for _, m := range months {
				places := harness.Must(w.ledger.Places(a, head.Life, date, m))(w)
				for _, p := range places {
					if p.Packed != 0 {
						all.put(p.Board, p.Period, a.User, p.Packed)
					}
				}
			}
			days := w.days()
			for _, p := range harness.Must(w.ledger.Rolling(a, head.Life, days.Oldest, days.Begun))(w) {
				if p.Packed != 0 {
					all.put(p.Board, p.Period, a.User, p.Packed)
				}
			}
		}
	}
	return all
}

// days are those that the view has rolling periods of.
func (w *walked) days() view.Rolling {
	w.Helper()
	return harness.Must(w.view.Markers(w.Context()))(w)[0].Rolling
}

// same holds the view against the ledgers.
func (w *walked) same(when string) {
	w.Helper()
	if diff := cmp.Diff(w.due(), w.shown()); diff != "" {
		w.Fatalf("%s: boards (-ledgers +view):\n%.3000s", when, diff)
	}
}

// keep remembers Redis as it is, and returns a function that restores it.
func keep(tb testing.TB, client *redis.Client) (back func()) {
	tb.Helper()
	ctx, dumps := tb.Context(), map[string]string{}
	for _, key := range client.Keys(ctx, "*").Val() {
		dumps[key] = client.Dump(ctx, key).Val()
	}
	return func() {
		client.FlushDB(ctx)
		for key, dump := range dumps {
			harness.OK(tb, client.Restore(ctx, key, 0, dump).Err())
		}
	}
}

// change changes a person's item.
func (w *walked) change(user string, how func(*items.Person)) {
	w.Helper()
	_, _, err := w.all.ChangePerson(w.Context(), w.headNow().KeyOf(user), user,
		func(_ *items.Head, p *items.Person) error { how(p); return nil })
	harness.OK(w, err)
}

// following returns the ids on a user's follow list.
func (w *walked) following(user string) (ids []string) {
	w.Helper()
	head := w.headNow()
	var q items.Query
	for part := range byte(items.FollowParts) {
		q.Follows = append(q.Follows, items.FollowsKey{Person: head.KeyOf(user), Part: part})
	}
	found, err := w.all.Read(w.Context(), q)
	harness.OK(w, err)
	if ids, err = found.Followed(); err != nil {
		w.Fatal(err)
	}
	return ids
}
