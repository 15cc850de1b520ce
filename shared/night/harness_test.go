package night_test

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

	"laurel/internal/testserver"
	"laurel/shared/activity"
	"laurel/shared/article"
	"laurel/shared/board"
	"laurel/shared/final"
	"laurel/shared/ledger"
	"laurel/shared/night"
	"laurel/shared/record"
	"laurel/shared/records"
	"laurel/shared/table"
	"laurel/shared/table/embedded"
	"laurel/shared/view"
)

// A forum is a small one: a table in memory, a Redis, a recorder, and what its nights need.
type forum struct {
	*testing.T
	night.Options
	records  *records.Store
	recorder *record.Recorder
	view     *view.Store
	calls    *calls
	client   *redis.Client
	mu       sync.Mutex
	now      time.Time     // the forum's clock
	passed   time.Duration // beside real time
	compared []record.CompareOptions
}

// everyWindow are rules of a board that is kept for all windows.
func everyWindow(t *testing.T) *activity.Rules {
	t.Helper()
	source := strings.Replace(string(activity.Default().JSON()), `["day", "month"]`,
		`["day", "week", "month", "year", "all"]`, 1)
	rules, err := activity.ParseRules([]byte(source))
	if err != nil || !rules.Keeps(board.Year) {
		t.Fatalf("rules: %v", err)
	}
	return rules
}

func newForum(t *testing.T, rules *activity.Rules) *forum {
	t.Helper()
	return newForumOn(t, rules, testserver.Redis(t))
}

func newForumOn(t *testing.T, rules *activity.Rules, client *redis.Client) *forum {
	t.Helper()
	f := &forum{T: t, client: client, now: time.Date(2026, time.November, 20, 12, 0, 0, 0, time.UTC)}
	store, err := embedded.New(time.Now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	calendar, err := board.LoadCalendar("UTC")
	if err != nil {
		t.Fatal(err)
	}
	f.calls = &calls{Table: store}
	f.records = records.New(f.calls)
	rulesOf := ledger.New(rules, calendar)
	f.view = view.New(f.client, view.Options{
		Shards: 2, Zone: "UTC", Rules: "rules", Articles: article.Rules(rules.Articles()),
		Table: func(ctx context.Context, again bool) (string, error) { return f.recorder.TableID(ctx, again) },
	})
	f.recorder = record.New(record.Options{
		Records: f.records, View: f.view, Ledger: rulesOf, Clock: f.clock,
		Log: slog.New(slog.DiscardHandler), Zone: "UTC", Rules: "rules", HotDays: 3,
	})
	f.Options = night.Options{
		Records: f.records, Finals: final.New(f.calls), Ledger: rulesOf, View: f.view, Rules: "rules",
		Compare: f.compare, Clock: f.clock,
		Real:    func() time.Time { return time.Now().Add(f.passed) },
		HotDays: 3, HotMonths: 2,
	}
	if _, err := f.recorder.Compare(t.Context(), record.CompareOptions{}); err != nil {
		t.Fatal(err)
	}
	return f
}

// compare notes what is asked for.
func (f *forum) compare(ctx context.Context, o record.CompareOptions) (record.Compared, error) {
	f.compared = append(f.compared, o)
	return f.recorder.Compare(ctx, o)
}

// did records activities: "ann like a1", each a second after the one before.
func (f *forum) did(acts ...string) []record.Result {
	f.Helper()
	all := make([]activity.Activity, len(acts))
	for i, text := range acts {
		words := strings.Fields(text)
		f.mu.Lock()
		f.now = f.now.Add(time.Second)
		f.mu.Unlock()
		all[i] = activity.Activity{User: words[0], Action: words[1], Target: words[2], At: board.MomentOf(f.now)}
		if words[1] == "steps" {
			all[i].Target, all[i].Value = "", new(int64(len(words[2])))
		}
	}
	results, err := f.recorder.Record(f.Context(), all, record.Arrival{Now: board.MomentOf(f.now)})
	if err != nil {
		f.Fatal(err)
	}
	for _, r := range results {
		if r.Err != nil {
			f.Fatal(r.Err)
		}
	}
	return results
}

func (f *forum) clock() time.Time {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.now
}

// on sets the forum's clock to noon of a day.
func (f *forum) on(day string) {
	f.Helper()
	d, err := time.Parse(time.DateOnly, day)
	if err != nil {
		f.Fatal(err)
	}
	f.now = d.Add(12 * time.Hour)
}

// tick makes one, a while after all before.
func (f *forum) tick() night.Result {
	f.Helper()
	f.passed += time.Minute
	r, err := night.Tick(f.Context(), f.Options)
	if err != nil {
		f.Fatal(err)
	}
	return r
}

// nights makes ticks until nothing waits any more.
func (f *forum) nights() (all night.Result) {
	f.Helper()
	for range 20 {
		r := f.tick()
		all.Add(r)
		if !slices.ContainsFunc(r.Left, func(l night.Left) bool { return l.Reason == night.ReasonWait }) {
			return all
		}
	}
	f.Fatalf("something is always left: %+v", all.Left)
	return all
}

// users returns who is on a final board, in its order: "ann 12".
func (f *forum) users(name, period string) []string {
	f.Helper()
	var keys []records.Key
	var scores []int64
	for e, err := range f.Finals.Entries(f.Context(), name, f.period(period)) {
		if errors.Is(err, final.ErrNotFinal) {
			return nil
		}
		if err != nil {
			f.Fatal(err)
		}
		keys, scores = append(keys, e.Key), append(scores, e.Packed.Score())
	}
	found, err := f.records.Read(f.Context(), records.Query{People: keys})
	if err != nil {
		f.Fatal(err)
	}
	var users []string
	for i, key := range keys {
		id := "?"
		if p := found.People[key].Value; p != nil {
			id = p.ID
		}
		users = append(users, id+" "+number(scores[i]))
	}
	return users
}

func number(n int64) string {
	if n < 10 {
		return string(rune('0' + n))
	}
	return number(n/10) + number(n%10)
}

func (f *forum) period(name string) (p board.Period) {
	f.Helper()
	if err := p.UnmarshalText([]byte(name)); err != nil {
		f.Fatal(err)
	}
	return p
}

func (f *forum) head() *records.Head {
	f.Helper()
	head, err := f.records.Head(f.Context())
	if err != nil || head == nil {
		f.Fatal(head, err)
	}
	return head
}

// is checks the state of a period.
func (f *forum) is(period string, want board.PeriodState) {
	f.Helper()
	if got := f.head().Life.State(f.period(period)); got != want {
		f.Errorf("%s is %s, want %s", period, got, want)
	}
}

// setPerson changes a person's item.
func (f *forum) setPerson(user string, change func(*records.Person)) {
	f.Helper()
	_, _, err := f.records.ChangePerson(f.Context(), f.head().KeyOf(user), user,
		func(_ *records.Head, p *records.Person) error {
			change(p)
			return nil
		})
	if err != nil {
		f.Fatal(err)
	}
}

var errKilled = errors.New("killed")

// calls counts the calls of a table, and fails from the n-th write on, before or after it was
// applied, as one does whose process is killed.
type calls struct {
	records.Table
	all, writes, killed atomic.Int64
	at                  int64 // the write that fails; 0: none
	applied             bool  // it is applied all the same
}

// dead says whether a write fails, and whether it is applied before.
func (c *calls) dead() (dies, applied bool) {
	c.all.Add(1)
	n := c.writes.Add(1)
	if c.at == 0 || n < c.at {
		return false, false
	}
	c.killed.Add(1)
	return true, n == c.at && c.applied
}

func (c *calls) read() error {
	if c.all.Add(1); c.killed.Load() > 0 {
		return errKilled
	}
	return nil
}

func (c *calls) Get(ctx context.Context, keys ...table.Key) ([]table.Item, error) {
	if err := c.read(); err != nil {
		return nil, err
	}
	return c.Table.Get(ctx, keys...)
}

func (c *calls) Ascend(ctx context.Context, part, after, last string, limit int) ([]table.Item, error) {
	if err := c.read(); err != nil {
		return nil, err
	}
	return c.Table.Ascend(ctx, part, after, last, limit)
}

func (c *calls) Descend(ctx context.Context, part, below string, limit int) ([]table.Item, error) {
	if err := c.read(); err != nil {
		return nil, err
	}
	return c.Table.Descend(ctx, part, below, limit)
}

func (c *calls) one(do func() error) error {
	dies, applied := c.dead()
	if dies && !applied {
		return errKilled
	}
	err := do()
	if dies {
		return errKilled
	}
	return err
}

func (c *calls) Put(ctx context.Context, item table.Item) error {
	return c.one(func() error { return c.Table.Put(ctx, item) })
}

func (c *calls) Replace(ctx context.Context, item table.Item, old []byte) error {
	return c.one(func() error { return c.Table.Replace(ctx, item, old) })
}

func (c *calls) Delete(ctx context.Context, keys ...table.Key) error {
	return c.one(func() error { return c.Table.Delete(ctx, keys...) })
}

func (c *calls) Together(ctx context.Context, writes ...table.Write) error {
	return c.one(func() error { return c.Table.Together(ctx, writes...) })
}

func (c *calls) Write(ctx context.Context, writes ...table.Write) (all []table.Outcome) {
	err := c.one(func() error {
		all = c.Table.Write(ctx, writes...)
		return nil
	})
	if err != nil {
		all = make([]table.Outcome, len(writes))
		for i := range all {
			all[i].Err = err
		}
	}
	return all
}

// alive has the process started again.
func (c *calls) alive() {
	c.at = 0
	c.all.Store(0)
	c.writes.Store(0)
	c.killed.Store(0)
}

// dieAt has it killed at the n-th write from now on.
func (c *calls) dieAt(n int64, applied bool) {
	c.alive()
	c.at, c.applied = n, applied
}

var auditing = record.CompareOptions{Audit: true}

// hold has an import hold months.
func (f *forum) hold(name string, months ...board.MonthOf) {
	f.Helper()
	_, err := f.records.ChangeHead(f.Context(), func(h *records.Head) error {
		h.Life = h.Life.Hold(name, months...)
		h.Imports = append(h.Imports, records.Import{ID: name, Name: name, Since: board.MomentOf(time.Now()), Months: months})
		return nil
	})
	if err != nil {
		f.Fatal(err)
	}
}

// release has it done.
func (f *forum) release(name string) {
	f.Helper()
	_, err := f.records.ChangeHead(f.Context(), func(h *records.Head) error {
		h.Life, h.Imports = h.Life.Release(name), nil
		return nil
	})
	if err != nil {
		f.Fatal(err)
	}
}

// merge records an activity at noon of a day, however old.
func (f *forum) merge(text, day string) {
	f.Helper()
	words := strings.Fields(text)
	at := f.Ledger.Calendar().Start(f.period(day).First()).Add(13 * time.Hour)
	act := activity.Activity{User: words[0], Action: words[1], Target: words[2], At: at}
	results, err := f.recorder.Record(f.Context(), []activity.Activity{act},
		record.Arrival{Now: board.MomentOf(f.now), AnyAge: true})
	if err != nil || results[0].Err != nil || results[0].Status != ledger.Counted {
		f.Fatal(results, err)
	}
}

// flush deletes the keys of all live boards.
func (f *forum) flush() {
	f.Helper()
	keys, err := f.client.Keys(f.Context(), "*:board:*").Result()
	if err != nil || len(keys) == 0 {
		f.Fatal(keys, err)
	}
	if err := f.client.Del(f.Context(), keys...).Err(); err != nil {
		f.Fatal(err)
	}
}

// failingView is a view that fails.
type failingView struct {
	night.View
	err error
}

func (v *failingView) Markers(ctx context.Context) ([]view.Marker, error) {
	if v.err != nil {
		return nil, v.err
	}
	return v.View.Markers(ctx)
}

func (v *failingView) Sweep(ctx context.Context, life *board.Life, beat int64) error {
	if v.err != nil {
		return v.err
	}
	return v.View.Sweep(ctx, life, beat)
}

// articles creates articles of fay's, now.
func (f *forum) articles(ids ...string) {
	f.Helper()
	for _, id := range ids {
		_, _, err := f.recorder.Articles().Create(f.Context(), article.Article{
			ID: id, Title: id, Author: "fay", Published: board.MomentOf(f.now),
		}, board.MomentOf(f.now))
		if err != nil {
			f.Fatal(err)
		}
	}
}

func (f *forum) article(id string) *records.Article {
	f.Helper()
	found, err := f.records.Read(f.Context(), records.Query{Articles: []string{id}})
	if err != nil || found.Articles[id].Value == nil {
		f.Fatal(id, err)
	}
	return found.Articles[id].Value
}

func deadLetters(n int64) func(context.Context) (int64, error) {
	return func(context.Context) (int64, error) { return n, nil }
}
