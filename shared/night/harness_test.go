package night_test

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"sync"
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
	"laurel/shared/table/embedded"
	"laurel/shared/view"
)

// A forum is a small one: a table in memory, a Redis, and a process that nothing happens to.
type forum struct {
	*testing.T
	*process
	rules    *activity.Rules
	store    records.Table
	client   *redis.Client
	mu       sync.Mutex
	now      time.Time     // the forum's clock
	passed   time.Duration // beside real time
	compared []record.CompareOptions
}

// A process has a recorder, and what its nights need, on a table whose calls are its own.
type process struct {
	night.Options
	records  *records.Store
	recorder *record.Recorder
	view     *view.Store
	calls    *calls
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
	f := &forum{T: t, rules: rules, client: client, now: time.Date(2026, time.November, 20, 12, 0, 0, 0, time.UTC)}
	f.store = embedded.New(time.Now)
	f.process = f.start()
	if _, err := f.recorder.Compare(t.Context(), record.CompareOptions{}); err != nil {
		t.Fatal(err)
	}
	return f
}

// start starts a process.
func (f *forum) start() *process {
	p, rulesOf := &process{calls: &calls{Table: f.store}}, ledger.New(f.rules, board.NewCalendar(time.UTC))
	p.records = records.New(p.calls, "UTC", f.clock)
	p.view = view.New(f.client, view.Options{
		Shards: 2, Zone: "UTC", Rules: "rules", Articles: article.Rules(f.rules.Articles()),
		Table: p.records.TableID,
	})
	p.recorder = record.New(record.Options{
		Records: p.records, View: p.view, Ledger: rulesOf, Clock: f.clock, Real: f.real,
		Log: slog.New(slog.DiscardHandler), Rules: "rules", HotDays: 3,
	})
	p.Options = night.Options{
		Records: p.records, Finals: final.New(p.calls), Ledger: rulesOf, View: p.view, Rules: "rules",
		Clock: f.clock, Real: f.real, HotDays: 3, HotMonths: 2,
	}
	// It notes what is asked for.
	p.Compare = func(ctx context.Context, o record.CompareOptions) (record.Compared, error) {
		f.mu.Lock()
		f.compared = append(f.compared, o)
		f.mu.Unlock()
		return p.recorder.Compare(ctx, o)
	}
	return p
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

// real is the clock of waits.
func (f *forum) real() time.Time {
	f.mu.Lock()
	defer f.mu.Unlock()
	return time.Now().Add(f.passed)
}

// pass lets time pass by the clock of waits.
func (f *forum) pass(d time.Duration) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.passed += d
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
	f.pass(time.Minute)
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
		if !waiting(r) {
			return all
		}
	}
	f.Fatalf("something is always left: %+v", all.Left)
	return all
}

// waiting says whether a later tick, with nothing else, does more.
func waiting(r night.Result) bool {
	return slices.ContainsFunc(r.Left, func(l night.Left) bool { return l.Reason == night.ReasonWait })
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
	head, err := f.records.Peek(f.Context())
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

var auditing = record.CompareOptions{Audit: true}

// hold begins an import, which holds months.
func (f *forum) hold(name string, months ...board.MonthOf) {
	f.Helper()
	if err := f.recorder.MarkImport(f.Context(), name, name, board.MomentOf(f.real()), months...); err != nil {
		f.Fatal(err)
	}
}

// release ends it.
func (f *forum) release(name string) {
	f.Helper()
	if err := f.recorder.EndImport(f.Context(), name); err != nil {
		f.Fatal(err)
	}
}

// merge imports an activity of one o'clock of a day, which may be there already.
func (f *forum) merge(text, day string) {
	f.Helper()
	result := f.recorder.Merge(f.Context(), []activity.Activity{f.act(text, day)}, board.MomentOf(f.clock()))[0]
	if result.Err != nil || result.Status != ledger.Counted && result.Status != ledger.Duplicate {
		f.Fatalf("%+v", result)
	}
}

// late records an activity of one o'clock of a day, which a queue has had since then.
func (f *forum) late(text, day string) ledger.Status {
	f.Helper()
	a := f.act(text, day)
	results, err := f.recorder.Record(f.Context(), []activity.Activity{a}, record.Arrival{Now: a.At})
	if err != nil || results[0].Err != nil {
		f.Fatal(results, err)
	}
	return results[0].Status
}

// act is an activity of one o'clock of a day.
func (f *forum) act(text, day string) activity.Activity {
	f.Helper()
	words := strings.Fields(text)
	at := f.Ledger.Calendar().Start(f.period(day).First()).Add(13 * time.Hour)
	a := activity.Activity{User: words[0], Action: words[1], Target: words[2], At: at}
	if a.Action == "restore" {
		a.Action, a.Restores = "like", true
	}
	return a
}

// merges records an activity of one o'clock of a day, however old, and wants a status.
func (f *forum) merges(text, day string, want ledger.Status) {
	f.Helper()
	results, err := f.recorder.Record(f.Context(), []activity.Activity{f.act(text, day)},
		record.Arrival{Now: board.MomentOf(f.now), AnyAge: true})
	if err != nil || results[0].Err != nil || results[0].Status != want {
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
