package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/maintnotifications"

	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/ledger"
	"laurel/shared/live"
)

// ErrNotEmpty is wrapped by the error about a database that holds something: it
// would have to be emptied.
var ErrNotEmpty = errors.New("bench: the database is not empty")

// Options are what to measure, and where.
type Options struct {
	URL   string // redis://host:port/database; the database has to be empty
	Out   io.Writer
	Users []int // sizes of the boards; 10,000 and 1,000,000 when nil
	Quick bool  // smaller boards when Users is nil, shorter and fewer rounds
}

// turn is how long one side of a comparison runs before the other does, and
// rounds how often each does.
func (o Options) turn() (d time.Duration, rounds int) {
	if o.Quick {
		return 200 * time.Millisecond, 3
	}
	return time.Second, 7
}

func (o Options) users() []int {
	switch {
	case len(o.Users) > 0:
		return o.Users
	case o.Quick:
		return []int{1_000, 20_000}
	default:
		return []int{10_000, 1_000_000}
	}
}

// bench is one run.
type bench struct {
	Options
	client *redis.Client
	ledger *ledger.Ledger
	store  *live.Store
	now    board.Moment
	day    board.Period
	month  board.Period
	table  table
}

// Run measures everything and prints a table of figures, each with the bar that
// it has to reach. A miss is not an error.
func Run(ctx context.Context, o Options) (err error) {
	options, err := redis.ParseURL(o.URL)
	if err != nil {
		return fmt.Errorf("bench: %w", err)
	}
	options.PoolSize, options.PipelinePoolSize = connections, connections
	options.DisableIdentity = true
	options.MaintNotificationsConfig = &maintnotifications.Config{Mode: maintnotifications.ModeDisabled}
	client := redis.NewClient(options)
	defer func() { err = errors.Join(err, client.Close()) }()
	if n, err := client.DBSize(ctx).Result(); err != nil || n > 0 {
		return cmp.Or(err, fmt.Errorf("%w: %d keys in database %d of %s", ErrNotEmpty, n, options.DB, options.Addr))
	}
	now := board.MomentOf(time.Date(2026, time.November, 20, 12, 0, 0, 0, time.UTC))
	l := ledger.New(activity.Default(), board.NewCalendar(time.UTC))
	date := l.Calendar().Date(now)
	b := &bench{
		Options: o, client: client, ledger: l, store: live.New(client, l, 1), now: now,
		day: board.PeriodOf(board.Day, date), month: board.PeriodOf(board.Month, date),
	}
	return b.run(ctx)
}

func (b *bench) run(ctx context.Context) error {
	steps := []func(context.Context) error{b.header, b.memory, b.apply}
	for _, users := range b.users() {
		steps = append(steps, func(ctx context.Context) error { return b.boards(ctx, users) })
	}
	for _, step := range steps {
		err := errors.Join(step(ctx), b.client.FlushDB(context.WithoutCancel(ctx)).Err())
		if err != nil {
			return fmt.Errorf("bench: %w", err)
		}
	}
	return b.table.write(b.Out)
}

// header says what is measured, so that nobody has to guess.
func (b *bench) header(ctx context.Context) error {
	version := ""
	if info := b.client.InfoMap(ctx, "server"); info.Err() == nil {
		version = info.Item("Server", "redis_version")
	}
	d, rounds := b.turn()
	_, err := fmt.Fprintf(b.Out, `Redis %s; %d rounds of %v for each side in turn, the median of the rounds.
An activity is a like, a bookmark or a comment with its own id, of an article nobody had met.
Who records is one of up to %d of the users, in the middle of their month: a page of %d
entries, a place on both boards. The plain sides have for each of them a hash with a field for
each of as many activities, add a field, and count on boards of the same size: no caps, no
undo, no repeats, no order of who was first, no receipts.

`, version, rounds, d, activeUsers, activeEntries)
	return err
}

// boards measures everything on boards of so many users.
func (b *bench) boards(ctx context.Context, users int) error {
	active, err := b.fill(ctx, users)
	if err != nil {
		return err
	}
	if err := b.recording(ctx, users, active); err != nil {
		return err
	}
	return b.reading(ctx, users)
}

// median is the middle of the values.
func median(values []float64) float64 {
	slices.Sort(values)
	n := len(values)
	if n == 0 {
		return 0
	}
	return (values[n/2] + values[(n-1)/2]) / 2
}
