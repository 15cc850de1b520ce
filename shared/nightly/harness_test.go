package nightly_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/redis/go-redis/v9"

	"laurel/internal/testserver"
	"laurel/shared/activity"
	"laurel/shared/archive"
	"laurel/shared/archive/embedded"
	"laurel/shared/board"
	"laurel/shared/ledger"
	"laurel/shared/live"
	"laurel/shared/nightly"
	"laurel/shared/redisstore"
)

// A harness is a small forum with its own Redis and archive.
type harness struct {
	redis  redis.Options
	client *redis.Client
	store  *live.Store
	kept   archive.Store
	ledger *ledger.Ledger
}

func open(t *testing.T, shards int) *harness {
	t.Helper()
	f := &harness{redis: *testserver.RedisOptions(t), ledger: ledger.New(activity.Default(), board.NewCalendar(time.UTC))}
	f.client = f.connect(t)
	f.store = live.New(f.client, f.ledger, shards)
	f.kept = memory(t)
	return f
}

func (f *harness) connect(t *testing.T) *redis.Client {
	t.Helper()
	options := f.redis
	client := redis.NewClient(&options)
	t.Cleanup(func() { _ = client.Close() })
	return client
}

func memory(t *testing.T) archive.Store {
	t.Helper()
	kept, err := embedded.New(func() time.Time { return at(t, "2027-02-10T04:00").Time() })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = kept.Close() })
	return kept
}

func at(t *testing.T, s string) board.Moment {
	t.Helper()
	m, err := board.ParseMoment(s + ":00Z")
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func period(t *testing.T, s string) board.Period {
	t.Helper()
	for _, w := range board.Windows() {
		if p, err := board.ParsePeriod(w, s); err == nil {
			return p
		}
	}
	t.Fatalf("%q is not a period", s)
	return board.Period{}
}

// options returns the options of a run at a moment.
func (f *harness) options(now board.Moment) nightly.Options {
	return nightly.Options{
		Live: f.store, Archive: archive.New(f.kept), Rules: f.ledger.Rules(), Calendar: f.ledger.Calendar(),
		Now: now, HotDays: 3, HotMonths: 2, Units: f.kept.Units,
	}
}

// run runs once and fails the test on any error.
func (f *harness) run(t *testing.T, now board.Moment) nightly.Result {
	t.Helper()
	result, err := nightly.Run(t.Context(), f.options(now))
	if err != nil {
		t.Fatal(err)
	}
	return result
}

// record records "ada like 7" and such, and returns the receipts.
func (f *harness) record(t *testing.T, m board.Moment, texts ...string) []ledger.Receipt {
	t.Helper()
	var acts []activity.Activity
	for _, text := range texts {
		words := strings.Fields(text)
		a := activity.Activity{User: words[0], Action: words[1], Target: words[2], At: m}
		if words[1] == "steps" {
			a.Target, a.Value = "", new(int64(len(words[2])*1_000))
		}
		acts = append(acts, a)
		m += 1_000
	}
	var receipts []ledger.Receipt
	for i, r := range f.store.Record(t.Context(), acts, ledger.Arrival{Now: m, AnyAge: true}) {
		if r.Err != nil {
			t.Fatalf("%+v: %v", acts[i], r.Err)
		}
		receipts = append(receipts, r.Receipt)
	}
	return receipts
}

// fill records three days of a month, and an undo in the next one.
func (f *harness) fill(t *testing.T) {
	t.Helper()
	for day := 18; day <= 20; day++ {
		m := at(t, fmt.Sprintf("2026-11-%dT12:00", day))
		for _, user := range []string{"ada", "bob", "eve", "dan", "fay"} {
			f.record(t, m, fmt.Sprintf("%s like %d", user, day), user+" visit 1", fmt.Sprintf("%s comment %s", user, user))
		}
		f.record(t, m, "ada publish 1", "gus unlike 9", "bob steps xx", "dan bookmark 7")
	}
}

// boards returns the entries of all boards, final ones from the archive.
func (f *harness) boards(t *testing.T, periods []redisstore.LivePeriod) map[string][]board.Entry {
	t.Helper()
	all := map[string][]board.Entry{}
	kept := archive.New(f.kept)
	for _, p := range periods {
		name := p.Board + " " + p.Period.String()
		entries := f.store.Entries(t.Context(), p.Board, p.Period)
		if _, err := kept.Manifest(t.Context(), p.Board, p.Period); err == nil {
			entries = kept.Entries(t.Context(), p.Board, p.Period)
		} else if !errors.Is(err, archive.ErrNotFinal) {
			t.Fatal(err)
		}
		for e, err := range entries {
			if err != nil {
				t.Fatal(err)
			}
			all[name] = append(all[name], e)
		}
	}
	return all
}

// dump returns every item that the archive has of periods.
func (f *harness) dump(t *testing.T, periods []redisstore.LivePeriod) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, p := range periods {
		head := p.Board + "#" + p.Period.Window().String()
		for _, partition := range []string{head, head + "#" + p.Period.String()} {
			items, err := f.kept.Descend(t.Context(), partition, "\U0010FFFF", 1_000)
			if err != nil {
				t.Fatal(err)
			}
			for _, item := range items {
				all[item.String()] = fmt.Sprintf("%x %d", item.Data, item.Expires)
			}
		}
	}
	return all
}

func (f *harness) periods(t *testing.T) []redisstore.LivePeriod {
	t.Helper()
	periods, err := f.store.Periods(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return periods
}

// onlyClosed checks that Redis has only the closed-period sets.
func (f *harness) onlyClosed(t *testing.T) {
	t.Helper()
	keys, err := f.client.Keys(t.Context(), "*").Result()
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range keys {
		if !strings.HasSuffix(key, "}:closed") {
			t.Errorf("Redis still holds %s", key)
		}
	}
}

func equal(t *testing.T, what string, want, got any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatalf("%s (-want +got):\n%.2000s", what, diff)
	}
}

var errCrash = errors.New("crash")

// A crash stops a process at its n-th call to Redis or to the archive's store: before the
// call, after it, or after half of a pipeline.
type crash struct {
	archive.Store
	calls, at int
	how       string // before, half, after
}

var ways = []string{"before", "half", "after"}

func (c *crash) call(do func() error) error {
	c.calls++
	if c.calls > c.at || (c.calls == c.at && c.how == "before") {
		return errCrash
	}
	err := do()
	if c.calls == c.at {
		return errCrash
	}
	return err
}

func (c *crash) Get(ctx context.Context, keys ...archive.Key) (items []archive.Item, err error) {
	err = c.call(func() error { items, err = c.Store.Get(ctx, keys...); return err })
	return items, err
}

func (c *crash) Descend(ctx context.Context, partition, below string, limit int) (items []archive.Item, err error) {
	err = c.call(func() error { items, err = c.Store.Descend(ctx, partition, below, limit); return err })
	return items, err
}

func (c *crash) Put(ctx context.Context, item archive.Item) error {
	return c.call(func() error { return c.Store.Put(ctx, item) })
}

func (c *crash) Replace(ctx context.Context, item archive.Item, old []byte) error {
	return c.call(func() error { return c.Store.Replace(ctx, item, old) })
}

func (c *crash) Delete(ctx context.Context, keys ...archive.Key) error {
	return c.call(func() error { return c.Store.Delete(ctx, keys...) })
}

func (*crash) DialHook(next redis.DialHook) redis.DialHook { return next }

func (c *crash) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		err := c.call(func() error { return next(ctx, cmd) })
		if errors.Is(err, errCrash) {
			cmd.SetErr(err)
		}
		return err
	}
}

func (c *crash) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return func(ctx context.Context, cmds []redis.Cmder) error {
		sent := cmds
		if c.calls+1 == c.at && c.how == "half" {
			sent = cmds[:len(cmds)/2]
		}
		err := c.call(func() error {
			if len(sent) == 0 {
				return nil
			}
			return next(ctx, sent)
		})
		if errors.Is(err, errCrash) {
			for _, cmd := range cmds {
				cmd.SetErr(err)
			}
		}
		return err
	}
}

// crashing returns the harness of a process that will crash.
func (f *harness) crashing(t *testing.T, c *crash, shards int) *harness {
	t.Helper()
	client := f.connect(t)
	client.AddHook(c)
	c.Store = f.kept
	return &harness{client: client, store: live.New(client, f.ledger, shards), kept: c, ledger: f.ledger}
}
