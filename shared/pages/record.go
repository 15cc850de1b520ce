package pages

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"

	"laurel/shared/activity"
	"laurel/shared/articles"
	"laurel/shared/board"
	"laurel/shared/ledger"
	"laurel/shared/redisstore"
)

// maxMonths is how many months one user's commit may reach over, so that it
// stays far below the arguments a script can take. Activities of 48 hours never
// come near; an import of history is cut there, at a round trip more.
const maxMonths = 3

// maxActivities is how many activities one user's commit may be of, for the same reason.
const maxActivities = 1_000

// tasksAtOnce is how many tasks get their memory together.
const tasksAtOnce = 32

// waitFor is how long a batch waits for locks.
const waitFor = 3 * time.Second

// A Result is a receipt, or why there is none: an error that wraps redisstore.ErrUnavailable,
// redisstore.ErrBusy or redisstore.ErrStored.
type Result struct {
	ledger.Receipt
	Err error
}

// Own says whether the error is of this user, or this article, alone: a value of theirs is
// damaged, other writers came first too often, or the user's lock was not free in time.
func (r Result) Own() bool {
	return errors.Is(r.Err, redisstore.ErrDamaged) || errors.Is(r.Err, redisstore.ErrBusy)
}

// Record records activities without violations and returns a result for each, in the
// same order. One user's are applied in the order given. It takes two round
// trips: one reads the pages of all users, one commits them, each user on its
// own. What they change is in the journal in between; when that fails, nothing is
// committed. What another process has changed in between is applied again, at one
// round trip a conflict for all who met one.
func (s *Store) Record(ctx context.Context, activities []activity.Activity, arrival ledger.Arrival) []Result {
	results, began := make([]Result, len(activities)), time.Now()
	for waiting := s.tasks(activities, results); len(waiting) > 0; {
		var free, rest []*task
		seen := map[string]bool{}
		for _, t := range waiting {
			if (!t.split || !seen[t.user]) && s.locks.tryLock(t.user) {
				free = append(free, t)
			} else {
				rest = append(rest, t)
			}
			if t.split {
				seen[t.user] = true
			}
		}
		if len(free) == 0 { // all are being worked on: wait for one, not for each
			t := rest[0]
			rest = rest[1:]
			if err := s.lockSoon(ctx, t.user, began); err != nil {
				t.fail(err)
				waiting = rest
				continue
			}
			free = []*task{t}
		}
		s.recordAll(ctx, free, arrival)
		waiting = rest
	}
	return results
}

// lockSoon waits for the lock of a user, as long as a batch waits for locks: less than the time
// that a function has, or one user would cost the others their receipts.
func (s *Store) lockSoon(ctx context.Context, user string, began time.Time) error {
	soon, cancel := context.WithDeadline(ctx, began.Add(waitFor))
	defer cancel()
	switch err := s.locks.lock(soon, user); {
	case err != nil && ctx.Err() != nil:
		return redisstore.Unavailable("wait for the user's lock", err)
	case err != nil:
		return fmt.Errorf("%w: wait for the user's lock: %w", redisstore.ErrBusy, err)
	default:
		return nil
	}
}

// task is the work on one user's activities.
type task struct {
	user       string
	shard      int
	split      bool // the user has several tasks
	size       int  // how many activities
	months     []board.MonthOf
	activities []activity.Activity
	results    []*Result

	needs    []ledger.PageKey
	names    []string // of the version and needs
	lines    string   // of names
	key      string   // of the pages
	at       *shardKeys
	version  string             // of the pages as read
	stored   []any              // the pages as read
	changed  []ledger.Registers // by activity
	voided   []ledger.Row       // entries met on void targets
	pages    ledger.Pages       // what is stored
	closed   *redisstore.ClosedSet
	voids    voids // of the activities' targets; and tombstones
	asks     bool  // for facts
	facts    ledger.Facts
	changes  ledger.Changes
	read     *redis.SliceCmd
	commit   *redisstore.Write
	part     int // of commit
	attempts int

	firstMonths [1]board.MonthOf // room for months
}

func (t *task) fail(err error) {
	for _, r := range t.results {
		*r = Result{Err: err}
	}
}

// tasks divides activities by user; a user with many activities, or whose activities reach
// over many months, has several tasks, in order.
func (s *Store) tasks(activities []activity.Activity, results []Result) []*task {
	var all []*task
	var room []task
	of, last := make([]*task, len(activities)), make(map[string]*task, len(activities))
	for i := range activities {
		user, month := activities[i].User, s.ledger.Calendar().Date(activities[i].At).Month()
		t := last[user]
		isNew := t != nil && !slices.Contains(t.months, month)
		if before := t; t == nil || isNew && len(t.months) == maxMonths || t.size == maxActivities {
			if len(room) == cap(room) {
				room = make([]task, 0, min(len(activities)-i, tasksAtOnce))
			}
			room = append(room, task{user: user, shard: s.redis.ShardOf(user), split: before != nil})
			if before != nil {
				before.split = true
			}
			t, isNew = &room[len(room)-1], true
			t.months = t.firstMonths[:0]
			all, last[user] = append(all, t), t
		}
		if isNew {
			t.months = append(t.months, month)
		}
		of[i] = t
		t.size++
	}
	acts, changed := make([]activity.Activity, len(activities)), make([]ledger.Registers, len(activities))
	pointers, from := make([]*Result, len(activities)), 0
	for _, t := range all {
		to := from + t.size
		t.activities, t.changed, t.results = acts[from:from:to], changed[from:to], pointers[from:from:to]
		from = to
	}
	for i, t := range of {
		t.activities, t.results = append(t.activities, activities[i]), append(t.results, &results[i])
	}
	return all
}

// recordAll records the tasks whose users it has locked, and unlocks them as
// they are done.
func (s *Store) recordAll(ctx context.Context, tasks []*task, arrival ledger.Arrival) {
	s.nameNeeds(tasks, arrival)
	tasks = s.each(tasks, func(t *task) (bool, error) { return s.refused(t, arrival) })
	all := tasks
	stored := ledger.Pages{} // of one task after the other
	kept := entry{journal: s.journal}
	votes := s.articles.Ballots()
	for _, t := range tasks {
		for i, act := range t.activities {
			votes.Add(act, &t.results[i].Receipt, &t.changed[i], &t.results[i].Err)
		}
	}
	tasks = s.each(tasks, s.readPages(ctx, tasks, votes))
	for len(tasks) > 0 || votes.Open() {
		tasks = s.each(tasks, func(t *task) (bool, error) {
			t.pages = stored
			t.open()
			return s.decide(t, arrival)
		})
		calls := append(s.commits(tasks, usersACall), votes.Calls()...)
		if err := kept.keep(ctx, rowsOf(all)); err != nil {
			s.each(tasks, func(*task) (bool, error) { return false, err })
			votes.Fail(err)
			break
		}
		s.redis.Run(ctx, calls...)
		s.commitApart(ctx, tasks)
		tasks = s.each(tasks, s.committed)
		votes.Counted()
		backOff(ctx, tasks)
	}
	votes.Close()
}

// nameNeeds sets which pages tasks need. Those of most are the same.
func (s *Store) nameNeeds(tasks []*task, arrival ledger.Arrival) {
	same := &task{}
	for _, t := range tasks {
		if t.needs = s.ledger.Needs(t.activities, arrival); same.names != nil && slices.Equal(t.needs, same.needs) {
			t.needs, t.names, t.lines = same.needs, same.names, same.lines
			continue
		}
		t.setNeeds(t.needs)
		same = t
	}
}

// setNeeds sets which pages a task needs.
func (t *task) setNeeds(needs []ledger.PageKey) {
	t.needs, t.names = needs, names(needs)
	t.lines = strings.Join(t.names, "\n")
}

// each does a step of every task and returns those that go on: a task that is
// done, or fails, unlocks its user.
func (s *Store) each(tasks []*task, step func(*task) (goOn bool, err error)) []*task {
	var on []*task
	for _, t := range tasks {
		goOn, err := step(t)
		if err != nil {
			t.fail(err)
		}
		if goOn && err == nil {
			on = append(on, t)
		} else {
			s.locks.unlock(t.user)
		}
	}
	return on
}

// refused answers a task of which nothing is kept; the others go on.
func (s *Store) refused(t *task, arrival ledger.Arrival) (goOn bool, err error) {
	if len(t.needs) > 0 {
		return true, nil
	}
	t.closed = &redisstore.ClosedSet{}
	return s.decide(t, arrival)
}

// readPages reads the pages of all tasks, the closed-period set and the voids of their
// targets in their shards, the articles that are voted on, and the facts that rules ask for, in one round trip, and
// returns the step that takes the pages in.
func (s *Store) readPages(ctx context.Context, tasks []*task, votes *articles.Ballots) func(*task) (bool, error) {
	if len(tasks) == 0 {
		return nil
	}
	pipe := s.redis.Client().Pipeline()
	closed, voided := map[int]*redis.StringCmd{}, map[int]*voidsRead{}
	for _, t := range tasks {
		if closed[t.shard] == nil {
			keys := keysOf(t.shard)
			closed[t.shard] = pipe.Get(ctx, keys.closed)
			voided[t.shard] = &voidsRead{at: keys, fields: []string{redisstore.VoidsVersionField}}
		}
		t.at = voided[t.shard].at
		voided[t.shard].askFor(s.ledger, t)
		t.key = redisstore.PagesKey(t.shard, t.user)
		t.read = redisstore.HMGet(ctx, pipe, &t.key, t.names)
	}
	for _, read := range voided {
		read.cmd = redisstore.HMGet(ctx, pipe, &read.at.voids, read.fields)
	}
	votes.ReadIn(ctx, pipe)
	facts := s.askFacts(ctx, pipe, tasks)
	_, _ = pipe.Exec(ctx)
	facts.take(ctx, s.facts)
	return func(t *task) (bool, error) {
		if err := closed[t.shard].Err(); err != nil && !errors.Is(err, redis.Nil) {
			return false, redisstore.Unavailable("read the closed-period set", err)
		}
		if err := t.read.Err(); err != nil {
			return false, redisstore.UserError("read pages", t.user, err)
		}
		if err := voided[t.shard].give(t); err != nil {
			return false, err
		}
		if err := facts.give(t); err != nil {
			return false, err
		}
		return true, s.take(t, closed[t.shard].Val(), t.read.Val())
	}
}

// take takes in a version and the pages of a task.
func (s *Store) take(t *task, closed string, values []any) (err error) {
	if t.closed, err = s.redis.ReadClosed(t.shard, closed); err != nil {
		return err
	}
	if len(values) != 1+len(t.needs) {
		return fmt.Errorf("%w: %d pages instead of %d", redisstore.ErrStored, len(values)-1, len(t.needs))
	}
	t.version, _ = values[0].(string)
	t.version = t.version[:min(redisstore.VersionLen, len(t.version))] // a longer one is damaged, and replaced
	t.stored = values[1:]
	return nil
}

// open makes the task's pages of what is stored.
func (t *task) open() {
	clear(t.pages)
	for i, key := range t.needs {
		page, there := t.stored[i].(string)
		t.pages[key] = ledger.StoredPage(page, there)
	}
}

// decide applies a task's activities to the pages as they were read. A task that
// has nothing to write is done.
func (s *Store) decide(t *task, arrival ledger.Arrival) (goOn bool, err error) {
	arrival.Erased, arrival.Facts = t.voids.erased, t.facts
	decision, err := s.ledger.Decide(t.pages, t.closed.Periods, t.voids.until, t.activities, arrival)
	if err != nil {
		return false, redisstore.Damaged(t.user, err)
	}
	for i, receipt := range decision.Receipts {
		t.results[i].Receipt = receipt
		if t.changed[i] &= ledger.Vote; receipt.Status == ledger.WasErased {
			t.changed[i] = 0 // before another attempt met the tombstone
		}
		t.changed[i] |= decision.Changed[i]
	}
	t.voided = decision.Voided
	if t.changes = decision.Changes; t.changes.Empty() {
		return false, nil
	}
	return true, nil
}

// backOff waits before conflicts are tried again, as long as who has lost most often
// does.
func backOff(ctx context.Context, tasks []*task) {
	most := 0
	for _, t := range tasks {
		most = max(most, t.attempts)
	}
	if most > 0 {
		redisstore.BackOff(ctx, most)
	}
}

// names are the fields of pages that are read, the version first.
func names(keys []ledger.PageKey) []string {
	all := make([]string, 0, 1+len(keys))
	all = append(all, redisstore.VersionField)
	for _, k := range keys {
		all = append(all, k.String())
	}
	return all
}
