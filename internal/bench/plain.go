package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strconv"
	"sync/atomic"
	"text/tabwriter"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/maintnotifications"

	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/importer"
	"laurel/shared/ledger"
	"laurel/shared/live"
	"laurel/shared/redisstore"
)

// Who records on the boards of plain: up to so many users, each in the middle of a
// month, with so many entries. The others only make the boards larger.
const activeUsers, activeEntries = 200_000, 30

// many connections are used for single activities, few for batches and reads.
const batch, many, few = 100, 32, 8

// The boards of the plain commands.
const plainDay, plainMonth = "plain:day", "plain:month"

func plainUser(user string) string { return "plain:user:" + user }

// plain compares the store with plain Redis commands.
type plain struct {
	options
	side
	client     *redis.Client
	store      *live.Store
	now        board.Moment
	period     board.Period // the day
	day, month string       // keys of the boards
	active     int          // how many users record
	last       atomic.Int64
	table      *tabwriter.Writer
	misses     int
}

// comparePlain measures the memory of a user's month, and recording and reading on
// boards of each size, and writes a table with the bar that each figure has to reach.
// A miss is not an error. The plain commands keep, for each user, a hash with a field
// for each activity, and count on boards of the same size: no caps, no undo, no
// repeats, no order of who was first, no receipts.
func comparePlain(ctx context.Context, o options, out io.Writer) (err error) {
	p := &plain{options: o, table: tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)}
	ctx, stop := context.WithCancel(ctx)
	defer func() { stop(); p.running.Wait() }()
	url, err := p.startRedis(ctx)
	if err != nil {
		return err
	}
	if p.client, err = connect(url); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.client.Close()) }()
	l := ledger.New(activity.Default(), board.NewCalendar(time.UTC))
	p.store, p.now = live.New(p.client, l, 1), board.MomentOf(time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC))
	date := l.Calendar().Date(p.now)
	p.period = board.PeriodOf(board.Day, date)
	p.day = redisstore.BoardKey(0, "activity", p.period)
	p.month = redisstore.BoardKey(0, "activity", board.PeriodOf(board.Month, date))
	for _, month := range []struct {
		entries int
		most    float64 // KB
	}{{100, 1.6}, {600, 8}} {
		size, err := p.monthOf(ctx, fmt.Sprint("user-", month.entries), month.entries)
		if err != nil {
			return err
		}
		p.bar(fmt.Sprintf("a user's month of %d entries, KB", month.entries), size, month.most, true)
	}
	if err := p.memory(ctx, o); err != nil {
		return err
	}
	for _, users := range o.users {
		if err := p.boards(ctx, users); err != nil {
			return fmt.Errorf("boards of %d users: %w", users, err)
		}
	}
	_, _ = fmt.Fprintf(p.table, "%d missed\n", p.misses) // Flush has the error
	return p.table.Flush()
}

// memory measures what users take in Redis, names apart. It empties the Redis.
func (p *plain) memory(ctx context.Context, o options) error {
	_, _ = fmt.Fprintf(p.table, "\nbytes of a user in Redis, names apart\n")
	for _, u := range someUsers {
		t, err := memoryOf(ctx, p.client, u, p.now)
		if err != nil {
			return err
		}
		p.bar(fmt.Sprintf("%d entries in the last %d days", u.entries, u.days), t.all, u.most, true)
		_, _ = fmt.Fprintf(p.table, "  %s\n", t)
	}
	if o.users[0] < 10_000 {
		return nil
	}
	return memoryOfYear(ctx, p.client, 300, func(name string, t taken) {
		_, _ = fmt.Fprintf(p.table, "%s\t%s\n", name, t)
	})
}

// connect returns a client with a connection for each caller.
func connect(url string) (*redis.Client, error) {
	o, err := redis.ParseURL(url)
	if err != nil {
		return nil, err
	}
	o.PoolSize, o.PipelinePoolSize = many, many
	o.DisableIdentity = true
	o.MaintNotificationsConfig = &maintnotifications.Config{Mode: maintnotifications.ModeDisabled}
	return redis.NewClient(o), nil
}

// boards compares on boards of so many users.
func (p *plain) boards(ctx context.Context, users int) error {
	if err := p.client.FlushDB(ctx).Err(); err != nil {
		return err
	}
	if err := p.fill(ctx, users); err != nil {
		return err
	}
	if err := p.recording(ctx, users); err != nil {
		return err
	}
	return p.reading(ctx, users)
}

// bar writes a figure and whether it reaches its bar.
func (p *plain) bar(name string, value, bar float64, most bool) {
	limit, result := "at least", "pass"
	if most {
		limit = "at most"
	}
	if value != bar && (value > bar) == most {
		result = "MISS"
		p.misses++
	}
	_, _ = fmt.Fprintf(p.table, "%s\t%.2f\t%s %.4g\t%s\n", name, value, limit, bar, result)
}

// did returns the n-th activity of a month.
func did(user string, n int, at board.Moment) activity.Activity {
	a := activity.Activity{
		User: user, Action: []string{"like", "bookmark", "comment"}[n%3], Target: strconv.Itoa(100_000 + n*37), At: at,
	}
	if a.Action == "comment" {
		a.Ref = strconv.Itoa(5_000_000 + n*11)
	}
	return a
}

// plainField is the field of a user's hash that holds an activity.
func plainField(a activity.Activity) string { return a.Action + ":" + a.Target }

// monthOf records a user's month until now and returns the size of its pages in KB.
func (p *plain) monthOf(ctx context.Context, user string, entries int) (float64, error) {
	acts := make([]activity.Activity, entries)
	for i := range acts {
		step := 19 * 24 * time.Hour / time.Duration(entries)
		acts[i] = did(user, i, p.now.Add(-step*time.Duration(i)))
	}
	if err := p.record(ctx, acts); err != nil {
		return 0, err
	}
	size, err := p.client.MemoryUsage(ctx, redisstore.PagesKey(0, user), 0).Result()
	return float64(size) / 1000, err
}

func (p *plain) record(ctx context.Context, acts []activity.Activity) error {
	return record(ctx, p.store, p.now, acts)
}

// record records activities of any age, and returns the errors of all.
func record(ctx context.Context, store *live.Store, now board.Moment, acts []activity.Activity) error {
	var errs []error
	for _, result := range store.Record(ctx, acts, ledger.Arrival{Now: now, AnyAge: true}) {
		errs = append(errs, result.Err)
	}
	return errors.Join(errs...)
}

// fill makes boards of so many users straight in Redis, and gives those who record
// copies of one user's pages and hash.
func (p *plain) fill(ctx context.Context, users int) error {
	p.active = min(users, activeUsers)
	if _, err := p.monthOf(ctx, "first", activeEntries); err != nil {
		return err
	}
	for i := range activeEntries {
		a := did("first", i, p.now)
		if err := p.client.HSet(ctx, plainUser("first"), plainField(a), int64(a.At)).Err(); err != nil {
			return err
		}
	}
	const chunk = 500
	for from := 0; from < users; from += chunk {
		pipe := p.client.Pipeline()
		for i := from; i < min(from+chunk, users); i++ {
			user, score := userID(i), 1+rand.Int64N(300)
			packed := float64(board.Pack(score, rand.Int64N(1<<25)))
			pipe.ZAdd(ctx, p.day, redis.Z{Member: user, Score: packed})
			pipe.ZAdd(ctx, p.month, redis.Z{Member: user, Score: packed})
			pipe.ZAdd(ctx, plainDay, redis.Z{Member: user, Score: float64(score)})
			pipe.ZAdd(ctx, plainMonth, redis.Z{Member: user, Score: float64(score)})
			if i < p.active {
				pipe.Copy(ctx, redisstore.PagesKey(0, "first"), redisstore.PagesKey(0, user), 0, true)
				pipe.Copy(ctx, plainUser("first"), plainUser(user), 0, true)
			}
		}
		if _, err := pipe.Exec(ctx); err != nil {
			return fmt.Errorf("fill boards: %w", err)
		}
	}
	return nil
}

// A way is one way of doing something, and what it took in each round.
type way struct {
	name        string
	connections int
	events      int // of a call
	do          func(context.Context) error
	perSecond   []float64
	redis       []float64 // microseconds of CPU an event
}

// compare gives every way its turn in each round. The first round is for warming up.
func (p *plain) compare(ctx context.Context, ways ...*way) error {
	for range p.rounds + 1 {
		for _, w := range ways {
			calls := make([]request, 10*p.requests/w.events)
			before, err := cpuOf("/proc", p.redis)
			if err != nil {
				return err
			}
			began := time.Now()
			do := func(ctx context.Context, _ request) (string, error) { return "", w.do(ctx) }
			if _, err := send(ctx, calls, w.connections, do); err != nil {
				return fmt.Errorf("%s: %w", w.name, err)
			}
			events, took := float64(len(calls)*w.events), time.Since(began)
			after, err := cpuOf("/proc", p.redis)
			if err != nil {
				return err
			}
			w.perSecond = append(w.perSecond, events/took.Seconds())
			w.redis = append(w.redis, float64((after-before).Nanoseconds())/1000/events)
		}
	}
	for _, w := range ways {
		w.perSecond, w.redis = w.perSecond[1:], w.redis[1:]
		_, _ = fmt.Fprintf(p.table, "%s, %d connections\t%s/s, Redis CPU %.1f us each\n", w.name, w.connections,
			importer.Thousands(int64(median(w.perSecond))), median(w.redis))
	}
	return nil
}

// ratio returns the median of the rounds' ratios.
func ratio(a, b []float64) float64 {
	ratios := make([]float64, len(a))
	for i := range a {
		ratios[i] = a[i] / b[i]
	}
	return median(ratios)
}
