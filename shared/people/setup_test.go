package people_test

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"laurel/internal/harness"
	"laurel/internal/testserver"
	"laurel/shared/activity"
	"laurel/shared/article"
	"laurel/shared/board"
	"laurel/shared/final"
	"laurel/shared/ledger"
	"laurel/shared/people"
	"laurel/shared/record"
	"laurel/shared/records"
	"laurel/shared/table"
	"laurel/shared/table/embedded"
	"laurel/shared/view"
)

// noon is when the clock of a forum stands.
var noon = board.MomentOf(time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC))

// A forum has a table in memory, a Redis of its own, and a clock that stands until it is moved.
type forum struct {
	*testing.T
	people   *people.Store
	recorder *record.Recorder
	records  *records.Store
	ledger   *ledger.Ledger
	view     *view.Store
	finals   *final.Store
	table    *watched
	redis    *redis.Client
	now      board.Moment
}

func open(t *testing.T, shards int) *forum {
	t.Helper()
	f := &forum{
		T: t, now: noon, ledger: ledger.New(activity.Default(), board.NewCalendar(time.UTC)),
		table: &watched{Store: embedded.New(time.Now), keys: map[table.Key]bool{}}, redis: testserver.Redis(t),
	}
	clock := func() time.Time { return f.now.Time() }
	f.records = records.New(f.table, "UTC", clock)
	f.view = view.New(f.redis, view.Options{
		Shards: shards, Zone: "UTC", Rules: "rules", Articles: article.Rules(f.ledger.Rules().Articles()),
		Table: f.records.TableID,
	})
	log := slog.New(slog.DiscardHandler)
	f.recorder = record.New(record.Options{
		Records: f.records, View: f.view, Ledger: f.ledger, Clock: clock, Log: log, HotDays: 3,
	})
	f.finals = final.New(f.table)
	f.people = people.NewStore(people.Options{
		Records: f.records, Recorder: f.recorder, View: f.view, Ledger: f.ledger, Clock: clock, Log: log,
		Finals: final.NewReader(f.finals, f.records, f.ledger.Calendar()), Wait: time.Millisecond,
	})
	f.compare()
	return f
}

// compare brings the view to what the table says.
func (f *forum) compare() {
	f.Helper()
	_, err := f.recorder.Compare(f.Context(), record.CompareOptions{})
	f.must(err)
}

func (f *forum) must(err error) {
	f.Helper()
	if err != nil {
		f.Fatal(err)
	}
}

// did records what somebody does now, "ann like 1", and returns the status.
func (f *forum) did(text string) ledger.Status {
	f.Helper()
	words := strings.Fields(text)
	a := activity.Activity{User: words[0], Action: words[1], At: f.now}
	if len(words) > 2 {
		a.Target = words[2]
	}
	results, err := f.recorder.Record(f.Context(), []activity.Activity{a}, record.Arrival{Now: f.now})
	f.must(errors.Join(err, results[0].Err))
	return results[0].Status
}

// board returns the users on a board of activity, "ann 2 bob 1".
func (f *forum) board(w board.Window) string {
	f.Helper()
	page, err := f.view.Read(f.Context(), board.View{Board: "activity", Period: f.period(w), Limit: 100})
	f.must(err)
	var on []string
	for _, p := range page.Places {
		on = append(on, p.User)
	}
	return strings.Join(on, " ")
}

func (f *forum) period(w board.Window) board.Period {
	return board.PeriodOf(w, f.ledger.Calendar().Date(f.now))
}

// finish goes on with erasures until none is at work.
func (f *forum) finish() {
	f.Helper()
	for range 100 {
		done, err := f.people.GoOn(f.Context())
		if err == nil && done.Left == 0 {
			return
		}
		f.compare()
		time.Sleep(time.Millisecond)
	}
	f.Fatal("an erasure does not end")
}

// nowhere fails the test if an id is in Redis or in the table, in any form that it is kept in.
func (f *forum) nowhere(id string) {
	f.Helper()
	if found := testserver.Grep(f.T, f.redis, id); len(found) > 0 {
		f.Errorf("%q is in Redis, in %q", id, found)
	}
	for _, item := range f.table.all(f.T) {
		if harness.Holds(f.T, item, id) {
			f.Errorf("%q is in the item %s", id, item.Key)
		}
	}
}

// watched is a table that knows the keys that were written, and asks before each write.
type watched struct {
	*embedded.Store
	mu     sync.Mutex
	keys   map[table.Key]bool
	before func(keys ...table.Key) error // nil: nobody is asked
	after  func() error
	count  atomic.Int64
}

func (w *watched) ask(keys ...table.Key) error {
	w.count.Add(1)
	w.mu.Lock()
	for _, key := range keys {
		w.keys[key] = true
	}
	before := w.before
	w.mu.Unlock()
	if before != nil {
		return before(keys...)
	}
	return nil
}

func keysOf(writes []table.Write) (keys []table.Key) {
	for _, w := range writes {
		keys = append(keys, w.Key)
	}
	return keys
}

func (w *watched) Write(ctx context.Context, writes ...table.Write) []table.Outcome {
	if err := w.ask(keysOf(writes)...); err != nil {
		return slices.Repeat([]table.Outcome{{Err: err}}, len(writes))
	}
	outcomes := w.Store.Write(ctx, writes...)
	if w.after != nil {
		if err := w.after(); err != nil {
			return slices.Repeat([]table.Outcome{{Err: err}}, len(writes))
		}
	}
	return outcomes
}

func (w *watched) Together(ctx context.Context, writes ...table.Write) error {
	if err := w.ask(keysOf(writes)...); err != nil {
		return err
	}
	err := w.Store.Together(ctx, writes...)
	if w.after != nil {
		err = errors.Join(err, w.after())
	}
	return err
}

func (w *watched) Put(ctx context.Context, item table.Item) error {
	return errors.Join(w.ask(item.Key), w.Store.Put(ctx, item))
}

func (w *watched) Replace(ctx context.Context, item table.Item, old []byte) error {
	return errors.Join(w.ask(item.Key), w.Store.Replace(ctx, item, old))
}

// all returns all items.
func (w *watched) all(t *testing.T) (all []table.Item) {
	t.Helper()
	for key := range w.keys {
		items, err := w.Get(context.WithoutCancel(t.Context()), key)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, items...)
	}
	return all
}

// writes returns how many writes there were.
func (w *watched) writes() int { return int(w.count.Load()) }
