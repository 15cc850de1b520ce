package pages

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"

	"github.com/redis/go-redis/v9"

	"laurel/shared/board"
	"laurel/shared/ledger"
	"laurel/shared/redisstore"
)

// passCount is about how many users one step of a pass reads, all of whose pages it holds.
const passCount = 200

// A PassStep is what one step of a pass has come to.
type PassStep struct {
	Next    string // where the next step goes on, "" after the last
	Users   int64  // whose pages it has read: once for each month, and again who has lost all points
	Undone  int64  // entries, those included that were done again after the moment of the void
	Damaged int64  // users whose pages cannot be read, and are as they were
}

// saveEvery is the number of steps after which a pass saves where it is.
const saveEvery = 50

// VoidPass does all steps of a pass.
func (s *Store) VoidPass(ctx context.Context) (whole PassStep, err error) {
	return s.VoidPassFrom(ctx, "", func(string) error { return nil })
}

// VoidPassFrom goes on with the pass that from is a step of, if there is still one, and then
// does all steps of a pass for the voids that wait. It calls save from time to time and in
// the end with the step where another call can go on.
func (s *Store) VoidPassFrom(ctx context.Context, from string, save func(next string) error) (
	whole PassStep, err error,
) {
	if _, err := s.parsePosition(from); err == nil { // else of another number of shards
		whole.Next = from
	}
	again := whole.Next != ""
	for n := 1; ; n++ {
		step, err := s.VoidStep(ctx, whole.Next)
		whole.Users += step.Users
		whole.Undone += step.Undone
		whole.Damaged += step.Damaged
		whole.Next = step.Next
		switch {
		case err == nil && whole.Next == "" && again:
			again = false
			continue
		case err != nil || whole.Next == "":
			return whole, errors.Join(err, save(whole.Next))
		case n%saveEvery > 0:
			continue
		}
		if err := save(whole.Next); err != nil {
			return whole, err
		}
	}
}

// VoidStep does the step of a pass that from names, "" for the first, which begins a pass
// for all voids that wait for one, or whose pass was cut off: from then on Redis has them,
// and recording keeps what arrives with a moment up to theirs undone. The others go over
// the users of the live months, and after the last the voids are done. Each step can be
// done again. A pass ends early when another one has begun, which takes over its voids.
func (s *Store) VoidStep(ctx context.Context, from string) (PassStep, error) {
	if from == "" {
		return s.beginPass(ctx)
	}
	at, err := s.parsePosition(from)
	if err != nil {
		return PassStep{Next: from}, err
	}
	all, err := s.Voids(ctx)
	if err != nil {
		return PassStep{Next: from}, err
	}
	voids, last := map[string]board.Moment{}, board.MonthOf(0)
	for _, v := range all {
		if v.pass == at.pass {
			voids[v.Target] = v.Begun
			last = max(last, s.ledger.Calendar().Date(v.Begun).Month())
		}
	}
	if len(voids) == 0 {
		return PassStep{}, nil
	}
	users, next, err := s.redis.MonthUsers(ctx, at.shard, at.month, at.users, passCount)
	if err != nil {
		return PassStep{Next: from}, err
	}
	step, err := s.voidPages(ctx, at.shard, users, voids)
	if at.users = next; next == "" {
		at.shard++
	}
	switch {
	case err != nil:
	case at.shard < s.redis.Shards():
		step.Next = at.String()
	default:
		step.Next, err = s.nextMonth(ctx, at, last)
	}
	if err != nil {
		step.Next = from
	}
	return step, err
}

// position is where a pass goes on.
type position struct {
	pass  string
	month board.MonthOf
	shard int
	users string // of MonthUsers
}

func (p position) String() string {
	return fmt.Sprintf("%s %d %d %q", p.pass, p.month, p.shard, p.users)
}

func (s *Store) parsePosition(from string) (p position, err error) {
	_, err = fmt.Sscanf(from, "%s %d %d %q", &p.pass, &p.month, &p.shard, &p.users)
	if err != nil || p.pass == noPass || p.shard < 0 || p.shard >= s.redis.Shards() {
		return p, fmt.Errorf("%w: %q is not a step of a pass", redisstore.ErrStored, from)
	}
	return p, nil
}

// beginPass has all voids that are not done carried out by a new pass.
func (s *Store) beginPass(ctx context.Context) (PassStep, error) {
	at := position{pass: hex.EncodeToString([]byte(redisstore.NewVersion()))}
	last, begun := board.MonthOf(0), false
	waiting := func(v *Void) bool { return v.Done < v.Until }
	err := s.changeVoids(ctx, waiting, func(v *Void) {
		v.Begun, v.pass = v.Until, at.pass
		last, begun = max(last, s.ledger.Calendar().Date(v.Until).Month()), true
	})
	if err != nil || !begun {
		return PassStep{}, err
	}
	if err := s.putVoids(ctx); err != nil {
		return PassStep{}, err
	}
	next, err := s.nextMonth(ctx, at, last)
	return PassStep{Next: next}, err
}

// nextMonth returns where a pass goes on after a month, or ends it: there is nothing to
// undo in the months after the last.
func (s *Store) nextMonth(ctx context.Context, at position, last board.MonthOf) (next string, err error) {
	months, err := s.Months(ctx)
	if err != nil {
		return "", err
	}
	for _, month := range months {
		if month > at.month && month <= last {
			return position{pass: at.pass, month: month}.String(), nil
		}
	}
	ended := func(v *Void) bool { return v.pass == at.pass }
	return "", s.changeVoids(ctx, ended, func(v *Void) { v.Done, v.pass = v.Begun, noPass })
}

// voidPages undoes the entries of some users of a shard on targets that are void: their
// rows are put into the journal, then their pages are committed.
func (s *Store) voidPages(ctx context.Context, shard int, users []string, voids map[string]board.Moment,
) (step PassStep, err error) {
	ctx = redisstore.WhenFull(ctx)
	slices.Sort(users)
	users = slices.Compact(users) // a scan may return one twice
	kept, rows, left := entry{journal: s.journal}, map[string][]ledger.Row{}, users
	step.Users = int64(len(users))
	for attempt := 1; len(left) > 0; attempt++ {
		if attempt > redisstore.MaxAttempts {
			return step, fmt.Errorf("%w: %d attempts", redisstore.ErrBusy, redisstore.MaxAttempts)
		}
		people, err := s.readPeople(ctx, shard, left)
		if err != nil {
			return step, err
		}
		var tasks []*task
		var writes []*redisstore.Write
		for _, p := range people {
			changes, undone, err := s.ledger.Void(p.user, p.pages, p.closed.Periods, voids)
			if err != nil {
				step.Damaged++
			}
			if rows[p.user] = undone; changes.Empty() {
				continue
			}
			t := &task{user: p.user, shard: shard, version: p.version, closed: p.closed, changes: changes}
			t.setNeeds(nil)
			t.commit = s.commitOf(t)
			tasks, writes = append(tasks, t), append(writes, t.commit)
		}
		var all []ledger.Row
		for _, user := range users {
			all = append(all, rows[user]...)
		}
		if err := kept.keep(ctx, all); err != nil {
			return step, err
		}
		s.redis.Apply(ctx, writes...)
		left = nil
		for _, t := range tasks {
			done, _, err := t.commit.Done("undo what is void")
			if err != nil {
				return step, err
			}
			if !done {
				left = append(left, t.user)
			}
		}
		if step.Undone = int64(len(all)); len(left) > 0 {
			redisstore.BackOff(ctx, attempt)
		}
	}
	return step, nil
}

// readPeople reads all pages of users of a shard.
func (s *Store) readPeople(ctx context.Context, shard int, users []string) ([]person, error) {
	pipe := s.redis.Client().Pipeline()
	closed := pipe.Get(ctx, redisstore.ClosedKey(shard))
	fields := make([]*redis.MapStringStringCmd, len(users))
	for i, user := range users {
		fields[i] = pipe.HGetAll(ctx, redisstore.PagesKey(shard, user))
	}
	cmds, _ := pipe.Exec(ctx)
	if err := redisstore.FirstError(cmds...); err != nil {
		return nil, redisstore.Unavailable("read users", err)
	}
	set, err := s.redis.ReadClosed(shard, closed.Val())
	if err != nil {
		return nil, err
	}
	people := make([]person, len(users))
	for i, user := range users {
		people[i] = person{user: user, shard: shard, pages: ledger.Pages{}, closed: set}.with(fields[i].Val())
	}
	return people, nil
}
