package pages

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"strconv"

	"github.com/redis/go-redis/v9"

	"laurel/shared/activity"
	"laurel/shared/articles"
	"laurel/shared/board"
	"laurel/shared/ledger"
	"laurel/shared/redisstore"
)

//go:embed commit.lua
var commitSource string

// maxMonths is how many months one user's commit may reach over, so that it
// stays far below the arguments a script can take. Activities of 48 hours never
// come near; an import of history is cut there, at a round trip more.
const maxMonths = 6

// A Result is a receipt, or why there is none: an error that wraps redisstore.ErrUnavailable,
// redisstore.ErrBusy or redisstore.ErrStored.
type Result struct {
	ledger.Receipt
	Err error
}

// Record records activities without faults and returns a result for each, in the
// same order. One user's are applied in the order given. It takes two round
// trips: one reads the pages of all users, one commits them, each user on its
// own. What another process has changed in between is applied again, at one
// round trip a conflict for all who met one.
func (s *Store) Record(ctx context.Context, activities []activity.Activity, arrival ledger.Arrival) []Result {
	results := make([]Result, len(activities))
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
			if err := s.locks.lock(ctx, t.user); err != nil {
				t.fail(redisstore.Unavailable("wait for the user's lock", err))
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

// task is the work on one user's activities.
type task struct {
	user       string
	shard      int
	activities []activity.Activity
	results    []*Result

	needs    []ledger.PageKey
	names    []string // of needs
	version  string   // of the pages as read
	pages    ledger.Pages
	closed   *redisstore.ClosedSet
	changes  ledger.Changes
	read     *redis.SliceCmd
	commit   *redisstore.Call
	attempts int
}

func (t *task) fail(err error) {
	for _, r := range t.results {
		*r = Result{Err: err}
	}
}

// tasks divides activities by user; a user whose activities reach over many
// months has several tasks, in order.
func (s *Store) tasks(activities []activity.Activity, results []Result) []*task {
	var all []*task
	last := map[string]*task{}
	months := map[*task]map[board.MonthOf]bool{}
	for i, a := range activities {
		month := s.ledger.Calendar().Date(a.At).Month()
		t := last[a.User]
		if t == nil || (len(months[t]) == maxMonths && !months[t][month]) {
			t = &task{user: a.User, shard: s.redis.ShardOf(a.User)}
			all = append(all, t)
			last[a.User], months[t] = t, map[board.MonthOf]bool{}
		}
		months[t][month] = true
		t.activities = append(t.activities, a)
		t.results = append(t.results, &results[i])
	}
	return all
}

// recordAll records the tasks whose turn it is, and gives their turns back as
// they are done.
func (s *Store) recordAll(ctx context.Context, tasks []*task, arrival ledger.Arrival) {
	for _, t := range tasks {
		t.needs = s.ledger.Needs(t.activities, arrival)
		t.names = names(t.needs)
	}
	tasks = s.each(tasks, func(t *task) (bool, error) { return s.refused(t, arrival) })
	votes := s.articles.Ballots()
	for _, t := range tasks {
		for i, act := range t.activities {
			votes.Add(act, &t.results[i].Receipt, &t.results[i].Err)
		}
	}
	tasks = s.each(tasks, s.readPages(ctx, tasks, votes))
	for len(tasks) > 0 || votes.Open() {
		tasks = s.each(tasks, func(t *task) (bool, error) { return s.decide(t, arrival) })
		calls := make([]*redisstore.Call, 0, len(tasks))
		for _, t := range tasks {
			calls = append(calls, t.commit)
		}
		s.redis.Run(ctx, append(calls, votes.Calls()...)...)
		tasks = s.each(tasks, s.committed)
		votes.Counted()
		backOff(ctx, tasks)
	}
	votes.Close()
}

// each does a step of every task and returns those that go on: a task that is
// done, or fails, gives its turn back.
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

// readPages reads the pages of all tasks, what is closed in their shards and the
// articles that are voted on, in one round trip, and returns the step that takes
// the pages in.
func (s *Store) readPages(ctx context.Context, tasks []*task, votes *articles.Ballots) func(*task) (bool, error) {
	if len(tasks) == 0 {
		return nil
	}
	pipe := s.redis.Client().Pipeline()
	closed := map[int]*redis.StringCmd{}
	for _, t := range tasks {
		if closed[t.shard] == nil {
			closed[t.shard] = pipe.Get(ctx, redisstore.ClosedKey(t.shard))
		}
		t.read = pipe.HMGet(ctx, redisstore.PagesKey(t.shard, t.user), append([]string{redisstore.VersionField}, t.names...)...)
	}
	votes.ReadIn(ctx, pipe)
	_, _ = pipe.Exec(ctx)
	return func(t *task) (bool, error) {
		if err := closed[t.shard].Err(); err != nil && !errors.Is(err, redis.Nil) {
			return false, redisstore.Unavailable("read what is closed", err)
		}
		if err := t.read.Err(); err != nil {
			return false, redisstore.Unavailable("read pages", err)
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
	t.pages = make(ledger.Pages, len(t.needs))
	for i, key := range t.needs {
		t.pages[key], _ = values[1+i].(string)
	}
	return nil
}

// decide applies a task's activities to the pages as they were read. A task that
// has nothing to write is done.
func (s *Store) decide(t *task, arrival ledger.Arrival) (goOn bool, err error) {
	decision, err := s.ledger.Decide(t.pages, t.closed.Periods, t.activities, arrival)
	if err != nil {
		return false, fmt.Errorf("%w: user %q: %w", redisstore.ErrStored, t.user, err)
	}
	for i, receipt := range decision.Receipts {
		t.results[i].Receipt = receipt
	}
	if t.changes = decision.Changes; t.changes.Empty() {
		return false, nil
	}
	t.commit = s.commitCall(t)
	return true, nil
}

// commitCall lays the keys and arguments of commit.lua out.
func (s *Store) commitCall(t *task) *redisstore.Call {
	c := t.changes
	keys := make([]string, 0, 5+len(c.Months)+len(c.Scores))
	keys = append(keys, redisstore.PagesKey(t.shard, t.user), redisstore.ClosedKey(t.shard), redisstore.PeriodsKey(t.shard))
	if len(c.Join)+len(c.Leave) > 0 {
		keys = append(keys, redisstore.FriendsKey(t.shard, t.user), redisstore.ListsKey(t.shard))
	}
	for _, m := range c.Months {
		keys = append(keys, redisstore.MonthKey(t.shard, m))
	}
	args := make([]any, 0, 8+len(t.needs)+2*len(c.Pages)+len(c.Scores))
	args = append(args, t.version, redisstore.NewVersion(), t.closed.Version(), t.user, len(c.Months), len(t.needs), packIDs(c.Join), packIDs(c.Leave))
	for _, name := range t.names {
		args = append(args, name)
	}
	for _, p := range c.Pages {
		args = append(args, p.Key.String(), p.Data)
	}
	for _, m := range c.Scores {
		keys = append(keys, redisstore.BoardKey(t.shard, m.Board, m.Period))
		args = append(args, redisstore.PackedArg(m.Packed))
	}
	return &redisstore.Call{Script: s.scripts.commit, Keys: keys, Args: args}
}

// committed looks at the answer to a task's commit. Who met a conflict takes in
// the pages that came with it and goes on.
func (s *Store) committed(t *task) (goOn bool, err error) {
	reply, err := t.commit.Cmd.Result()
	if err != nil {
		return false, redisstore.Unavailable("commit", err)
	}
	if reply == redisstore.Done {
		return false, nil
	}
	now, conflict := reply.([]any)
	if !conflict || len(now) == 0 {
		return false, fmt.Errorf("%w: a commit's answer %v", redisstore.ErrStored, reply)
	}
	if t.attempts++; t.attempts == redisstore.MaxAttempts {
		return false, fmt.Errorf("%w: %d attempts", redisstore.ErrBusy, t.attempts)
	}
	closed, _ := now[0].(string)
	return true, s.take(t, closed, now[1:])
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

// packIDs writes ids into one argument, each after its length: a list of 5,000
// would be more arguments than a script can take.
func packIDs(ids []string) string {
	var b []byte
	for _, id := range ids {
		b = append(strconv.AppendInt(b, int64(len(id)), 10), ':')
		b = append(b, id...)
	}
	return string(b)
}

func names(keys []ledger.PageKey) []string {
	all := make([]string, len(keys))
	for i, k := range keys {
		all[i] = k.String()
	}
	return all
}
