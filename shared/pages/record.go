package pages

import (
	"context"
	"errors"
	"fmt"
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
			if !seen[t.user] && s.locks.tryLock(t.user) {
				free = append(free, t)
			} else {
				rest = append(rest, t)
			}
			seen[t.user] = true
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
	activities []activity.Activity
	results    []*Result

	needs    []ledger.PageKey
	names    []string           // of the version and needs
	version  string             // of the pages as read
	changed  []ledger.Registers // by activity
	voided   []ledger.Row       // entries met on void targets
	pages    ledger.Pages
	closed   *redisstore.ClosedSet
	voids    voids // of the activities' targets; and tombstones
	asks     bool  // for facts
	facts    ledger.Facts
	changes  ledger.Changes
	read     *redis.SliceCmd
	commit   *redisstore.Write
	attempts int
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
	last := map[string]*task{}
	months := map[*task]map[board.MonthOf]bool{}
	for i, a := range activities {
		month := s.ledger.Calendar().Date(a.At).Month()
		t := last[a.User]
		if t == nil || (len(months[t]) == maxMonths && !months[t][month]) || len(t.activities) == maxActivities {
			t = &task{user: a.User, shard: s.redis.ShardOf(a.User)}
			all = append(all, t)
			last[a.User], months[t] = t, map[board.MonthOf]bool{}
		}
		months[t][month] = true
		t.activities = append(t.activities, a)
		t.changed = append(t.changed, 0)
		t.results = append(t.results, &results[i])
	}
	return all
}

// recordAll records the tasks whose users it has locked, and unlocks them as
// they are done.
func (s *Store) recordAll(ctx context.Context, tasks []*task, arrival ledger.Arrival) {
	for _, t := range tasks {
		t.needs = s.ledger.Needs(t.activities, arrival)
		t.names = names(t.needs)
	}
	tasks = s.each(tasks, func(t *task) (bool, error) { return s.refused(t, arrival) })
	all := tasks
	kept := entry{journal: s.journal}
	votes := s.articles.Ballots()
	for _, t := range tasks {
		for i, act := range t.activities {
			votes.Add(act, &t.results[i].Receipt, &t.changed[i], &t.results[i].Err)
		}
	}
	tasks = s.each(tasks, s.readPages(ctx, tasks, votes))
	for len(tasks) > 0 || votes.Open() {
		tasks = s.each(tasks, func(t *task) (bool, error) { return s.decide(t, arrival) })
		calls := make([]*redisstore.Call, 0, len(tasks))
		for _, t := range tasks {
			calls = append(calls, s.redis.Call(t.commit))
		}
		calls = append(calls, votes.Calls()...)
		if err := kept.keep(ctx, rowsOf(all)); err != nil {
			s.each(tasks, func(*task) (bool, error) { return false, err })
			votes.Fail(err)
			break
		}
		s.redis.Run(ctx, calls...)
		tasks = s.each(tasks, s.committed)
		votes.Counted()
		backOff(ctx, tasks)
	}
	votes.Close()
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
			closed[t.shard] = pipe.Get(ctx, redisstore.ClosedKey(t.shard))
			voided[t.shard] = &voidsRead{fields: []string{redisstore.VoidsVersionField}}
		}
		s.fieldsOf(t)
		t.read = pipe.HMGet(ctx, redisstore.PagesKey(t.shard, t.user), t.names...)
		voided[t.shard].ask(t)
	}
	for shard, read := range voided {
		read.cmd = pipe.HMGet(ctx, redisstore.VoidsKey(shard), read.fields...)
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
	t.pages = make(ledger.Pages, len(t.needs))
	for i, key := range t.needs {
		page, there := values[1+i].(string)
		t.pages[key] = ledger.StoredPage(page, there)
	}
	return nil
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
	t.commit = commitOf(t)
	return true, nil
}

// commitOf is the write that commits a task's changes.
func commitOf(t *task) *redisstore.Write {
	c, w := t.changes, &redisstore.Write{}
	pages, next := redisstore.PagesKey(t.shard, t.user), redisstore.NewVersion()
	w.GuardVersion(pages, redisstore.VersionField, t.version, next)
	w.GuardClosed(t.shard, t.closed)
	w.Read(redisstore.ClosedKey(t.shard))
	w.ReadFields(pages, t.names...)
	t.voids.guard(w, t.shard)
	set := make([]any, 0, 2+2*len(c.Pages))
	set = append(set, redisstore.VersionField, next)
	for _, p := range c.Pages {
		switch lists := redisstore.ListsKey(t.shard); {
		case p.Key != ledger.FollowsPage():
		case p.Data == "":
			w.HDel(pages, p.Key.String())
			w.SRem(lists, t.user)
			continue
		default:
			w.SAdd(lists, t.user)
		}
		set = append(set, p.Key.String(), p.Data)
	}
	w.HSet(pages, set...)
	months := make([]string, len(c.Months))
	for i, m := range c.Months {
		months[i] = redisstore.MonthKey(t.shard, m)
	}
	w.SAddToEach(months, t.user)
	w.Place(t.shard, t.user, c.Scores)
	if len(c.Join)+len(c.Leave) > 0 {
		w.ZAddAll(redisstore.FriendsKey(t.shard, t.user), c.Join)
		w.ZRemAll(redisstore.FriendsKey(t.shard, t.user), c.Leave)
	}
	return w
}

// committed looks at the answer to a task's commit. Who met a conflict takes in
// the pages that came with it and goes on.
func (s *Store) committed(t *task) (goOn bool, err error) {
	done, now, err := t.commit.Done("commit")
	if err != nil {
		return false, redisstore.UserError("commit", t.user, err)
	}
	if done {
		return false, nil
	}
	if t.attempts++; t.attempts == redisstore.MaxAttempts {
		return false, fmt.Errorf("%w: %d attempts", redisstore.ErrBusy, t.attempts)
	}
	closed, _ := now[0].(string)
	pages, _ := now[1].([]any)
	if err := t.voids.takeAnswer(now[2:]); err != nil {
		return false, err
	}
	return true, s.take(t, closed, pages)
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
