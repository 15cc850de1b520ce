package record_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/redis/go-redis/v9"

	"laurel/internal/testserver"
	"laurel/shared/article"
	"laurel/shared/board"
	"laurel/shared/ledger"
	"laurel/shared/record"
	"laurel/shared/records"
	"laurel/shared/table"
	"laurel/shared/view"
)

// A walked is a forum whose processes share a table and a Redis, and are killed between any two
// of their steps.
type walked struct {
	testing.TB
	ledger   *ledger.Ledger
	clock    time.Time
	shards   int
	digest   string // of the rules
	items    records.Table
	redis    *redis.Client
	*process // one that is never killed
}

func newWalked(tb testing.TB, l *ledger.Ledger, now board.Moment, shards int, items records.Table) *walked {
	tb.Helper()
	options := testserver.RedisOptions(tb)
	w := &walked{
		TB: tb, ledger: l, clock: now.Time(), shards: shards, digest: "rules", items: items, redis: redis.NewClient(options),
	}
	tb.Cleanup(func() { _ = w.redis.Close() })
	w.process = w.start()
	w.compare(record.CompareOptions{})
	return w
}

// A process has its own recorder and its own way to the stores, which may be cut.
type process struct {
	*record.Recorder
	view *view.Store
	cut  *cut
	all  *records.Store
}

func (w *walked) start() *process {
	p := &process{cut: &cut{}}
	l := w.ledger
	zone, clock := l.Calendar().Zone().String(), func() time.Time { return w.clock }
	p.all = records.New(cutTable{w.items, p.cut}, zone, clock)
	p.view = view.New(w.redis, view.Options{
		Shards: w.shards, Zone: zone, Rules: w.digest, Articles: article.Rules(l.Rules().Articles()),
		Table: p.all.TableID,
	})
	p.Recorder = record.New(record.Options{
		Records: p.all, View: cutView{p.view, p.cut}, Ledger: l, Clock: clock,
		Log: slog.New(slog.DiscardHandler), Rules: w.digest, HotDays: 3,
	})
	return p
}

// A cut kills a process: after some steps nothing of it reaches a store any more.
type cut struct {
	mu    sync.Mutex
	steps int  // that are left; 0: it is not killed
	after bool // the last step is made, and its answer lost
	dead  bool

	reads, writes, trips atomic.Int64
	afterRead            func() // is done once, after the first read
	beforeShow           func() // is done once, before the first trip to show
}

var errCut = errors.New("the process is dead")

func (c *cut) arm(steps int, after bool) { c.steps, c.after = steps, after }

func (c *cut) armed() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.steps > 0 || c.dead
}

// step makes a step, or says that the process is dead.
func (c *cut) step(do func()) error {
	c.mu.Lock()
	dead := c.dead
	last := !dead && c.steps == 1
	c.dead = dead || last
	c.steps = max(c.steps-1, 0)
	c.mu.Unlock()
	if !dead && (!last || c.after) {
		do()
	}
	if dead || last {
		return fmt.Errorf("%w: %w", table.ErrUnavailable, errCut)
	}
	return nil
}

type cutTable struct {
	records.Table
	cut *cut
}

func (t cutTable) Get(ctx context.Context, keys ...table.Key) (items []table.Item, err error) {
	first := t.cut.reads.Add(1) == 1
	err = errors.Join(t.cut.step(func() { items, err = t.Table.Get(ctx, keys...) }), err)
	if first && t.cut.afterRead != nil {
		t.cut.afterRead()
	}
	return items, err
}

func (t cutTable) Write(ctx context.Context, writes ...table.Write) (outcomes []table.Outcome) {
	t.cut.writes.Add(1)
	if err := t.cut.step(func() { outcomes = t.Table.Write(ctx, writes...) }); err != nil {
		outcomes = make([]table.Outcome, len(writes))
		for i := range outcomes {
			outcomes[i].Err = err
		}
	}
	return outcomes
}

func (t cutTable) Together(ctx context.Context, writes ...table.Write) (err error) {
	t.cut.writes.Add(1)
	return errors.Join(t.cut.step(func() { err = t.Table.Together(ctx, writes...) }), err)
}

type cutView struct {
	*view.Store
	cut *cut
}

// ShowAll shows a half before the process dies and a half after.
func (v cutView) ShowAll(ctx context.Context, life int64, what view.Showing) (showed view.Showed, err error) {
	if v.cut.trips.Add(1) == 1 && v.cut.beforeShow != nil {
		v.cut.beforeShow()
	}
	if !v.cut.armed() {
		return v.Store.ShowAll(ctx, life, what)
	}
	half := view.Showing{Units: what.Units[:len(what.Units)/2], Votes: what.Votes[:len(what.Votes)/2]}
	if err := v.cut.step(func() { _, err = v.Store.ShowAll(ctx, life, half) }); err != nil {
		return showed, fmt.Errorf("%w: %w", view.ErrUnavailable, err)
	}
	if err := v.cut.step(func() { showed, err = v.Store.ShowAll(ctx, life, what) }); err != nil {
		return showed, fmt.Errorf("%w: %w", view.ErrUnavailable, err)
	}
	return showed, err
}

func (v cutView) Clear(ctx context.Context, slot view.Slot, want view.Marker) (err error) {
	return errors.Join(v.cut.step(func() { err = v.Store.Clear(ctx, slot, want) }), err)
}

func (v cutView) Advance(ctx context.Context, slot view.Slot, from, to string) (on bool, err error) {
	return on, errors.Join(v.cut.step(func() { on, err = v.Store.Advance(ctx, slot, from, to) }), err)
}

func (v cutView) Mark(ctx context.Context, slot view.Slot, want view.Marker, fill string) (on bool, err error) {
	return on, errors.Join(v.cut.step(func() { on, err = v.Store.Mark(ctx, slot, want, fill) }), err)
}

// compare compares until it is through, as ticks do one after the other.
func (w *walked) compare(o record.CompareOptions) (all record.Compared) {
	w.Helper()
	for {
		// One that was killed has left its claim.
		_, revision, err := w.all.Cursor(w.Context(), "compare")
		if err == nil && !o.Audit {
			err = w.unclaim(revision)
		}
		if err != nil {
			w.Fatal(err)
		}
		done, err := w.Compare(w.Context(), o)
		if err != nil {
			w.Fatal(err)
		}
		all.Shown, all.Differ, all.Filled = all.Shown+done.Shown, all.Differ+done.Differ, all.Filled+done.Filled
		all.Restored, all.Findings = all.Restored+done.Restored, append(all.Findings, done.Findings...)
		if o.Empty = false; !done.Left {
			return all
		}
	}
}

// unclaim lets the next comparison go on at once, where one is said to be at work.
func (w *walked) unclaim(revision int64) error {
	text, _, err := w.all.Cursor(w.Context(), "compare")
	if err != nil || text == "" {
		return err
	}
	_, err = w.all.SetCursor(w.Context(), "compare", unclaimed(text), revision)
	return err
}

// boards are who is on which board, and where.
type boards map[string]map[string]board.Packed

func (b boards) put(name string, p board.Period, user string, packed board.Packed) {
	of := name + " " + p.Window().String() + " " + p.String()
	if b[of] == nil {
		b[of] = map[string]board.Packed{}
	}
	b[of][user] = packed
}

// shown are the boards as the view has them.
func (w *walked) shown() boards {
	w.Helper()
	all := boards{}
	there, err := w.view.Boards(w.Context())
	if err != nil {
		w.Fatal(err)
	}
	for _, b := range there {
		for e, err := range w.view.Members(w.Context(), b.Board, b.Period) {
			if err != nil {
				w.Fatal(err)
			}
			all.put(b.Board, b.Period, e.User, e.Packed)
		}
	}
	return all
}

// due are the boards as the ledgers say.
func (w *walked) due() boards {
	w.Helper()
	all := boards{}
	head, err := w.all.Head(w.Context())
	if err != nil {
		w.Fatal(err)
	}
	date := w.ledger.Calendar().Date(board.MomentOf(w.clock))
	months := head.Life.LiveMonths(head.From, date.Month())
	for bucket := range records.Buckets {
		for h, err := range w.all.Holdings(w.Context(), months, bucket, records.Key{}) {
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
				places, err := w.ledger.Places(a, head.Life, date, m)
				if err != nil {
					w.Fatal(err)
				}
				for _, p := range places {
					if p.Packed != 0 {
						all.put(p.Board, p.Period, a.User, p.Packed)
					}
				}
			}
		}
	}
	return all
}

// same holds the view against the ledgers.
func (w *walked) same(when string) {
	w.Helper()
	if diff := cmp.Diff(w.due(), w.shown()); diff != "" {
		w.Fatalf("%s: boards (-ledgers +view):\n%.3000s", when, diff)
	}
}

// keep remembers Redis as it is, and returns what brings that back.
func (w *walked) keep() (back func()) {
	ctx, dumps := w.Context(), map[string]string{}
	for _, key := range w.redis.Keys(ctx, "*").Val() {
		dumps[key] = w.redis.Dump(ctx, key).Val()
	}
	return func() {
		w.redis.FlushDB(ctx)
		for key, dump := range dumps {
			if err := w.redis.Restore(ctx, key, 0, dump).Err(); err != nil {
				w.Fatal(err)
			}
		}
	}
}

// unclaimed is the text of a cursor without the claim of a process that is dead.
func unclaimed(text string) string {
	from := strings.Index(text, `"until":`)
	to := from + strings.IndexAny(text[from:], ",}")
	return text[:from] + `"until":0` + text[to:]
}

func (w *walked) hide(user string, hidden bool) {
	w.Helper()
	head, err := w.all.Head(w.Context())
	if err == nil {
		_, _, err = w.all.ChangePerson(w.Context(), head.KeyOf(user), user, func(_ *records.Head, p *records.Person) error {
			p.Status.Hidden = hidden
			return nil
		})
	}
	if err != nil {
		w.Fatal(err)
	}
}

// following are the ids on a user's follow list.
func (w *walked) following(user string) (ids []string) {
	w.Helper()
	head, err := w.all.Head(w.Context())
	if err != nil {
		w.Fatal(err)
	}
	var q records.Query
	for part := range byte(records.FollowParts) {
		q.Follows = append(q.Follows, records.FollowsKey{Person: head.KeyOf(user), Part: part})
	}
	found, err := w.all.Read(w.Context(), q)
	if err != nil {
		w.Fatal(err)
	}
	for _, row := range found.Follows {
		if row.Revision == 0 {
			continue
		}
		for _, f := range row.Value.Targets {
			if f.Last > f.Undone {
				ids = append(ids, f.ID)
			}
		}
	}
	slices.Sort(ids)
	return ids
}
