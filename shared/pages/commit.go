package pages

import (
	"context"
	"fmt"
	"slices"

	"laurel/shared/board"
	"laurel/shared/ledger"
	"laurel/shared/redisstore"
)

// usersACall is how many users' commits one call carries. Others wait in Redis meanwhile: at
// 20 to 35 us an activity, for less than a millisecond.
const usersACall = 25

// mostArguments is from how many arguments on a call takes no other user.
const mostArguments = 1_000

// commits lays the commits of tasks out: of up to most users of a shard in one call, if they
// have read the same closed-period set and voids. A follow list may be large, and has keys
// that nobody else guards: it has a call of its own.
func (s *Store) commits(tasks []*task, most int) []*redisstore.Call {
	var writes []*redisstore.Write
	open := map[int]*task{} // by shard: whose call takes more
	for _, t := range tasks {
		to, alone := open[t.shard], len(t.changes.Join)+len(t.changes.Leave) > 0
		switch {
		case alone || to == nil || to.part+1 >= most || to.commit.Size() > mostArguments ||
			to.closed != t.closed || to.voids.version != t.voids.version:
			t.commit = &redisstore.Write{}
			t.guardAll(t.commit)
			writes = append(writes, t.commit)
		default:
			t.commit = to.commit
		}
		if t.lay(s.listing); !alone {
			open[t.shard] = t
		}
	}
	calls := make([]*redisstore.Call, len(writes), len(writes)+len(tasks)) // and votes
	for i, w := range writes {
		calls[i] = s.redis.Call(w)
	}
	return calls
}

// commitApart applies commits again, each by a call of its own, that have failed for what
// one of them writes: a deliberate round trip more.
func (s *Store) commitApart(ctx context.Context, tasks []*task) {
	var failed []*task
	for _, t := range tasks {
		if t.commit.FailedTogether() {
			failed = append(failed, t)
		}
	}
	if len(failed) > 0 {
		s.redis.Run(ctx, s.commits(failed, 1)...)
	}
}

// commitOf is the write that commits a task's changes alone.
func (s *Store) commitOf(t *task) *redisstore.Write {
	t.at, t.key = keysOf(t.shard), redisstore.PagesKey(t.shard, t.user)
	t.commit = &redisstore.Write{}
	t.guardAll(t.commit)
	t.lay(s.listing)
	return t.commit
}

// shardKeys are keys that all users of a shard share.
type shardKeys struct{ closed, voids string }

func keysOf(shard int) *shardKeys {
	return &shardKeys{redisstore.ClosedKey(shard), redisstore.VoidsKey(shard)}
}

// nameOf returns the name of a page. Most were read, and have theirs.
func (t *task) nameOf(key ledger.PageKey) string {
	if i := slices.Index(t.needs, key); i >= 0 {
		return t.names[1+i]
	}
	return key.String()
}

// guardAll guards what all users of a shard share.
func (t *task) guardAll(w *redisstore.Write) {
	w.GuardClosed(t.shard, t.closed)
	t.voids.guard(w, t.at.voids)
}

// lay lays a task's changes out as a part of its commit. listing is the board whose months
// list their users.
func (t *task) lay(listing string) {
	c, w, next := &t.changes, t.commit, redisstore.NewVersion()
	t.part = w.NextPart()
	w.GuardVersion(t.key, redisstore.VersionField, t.version, next)
	w.Read(t.at.closed)
	w.ReadLines(t.key, t.lines)
	t.voids.ask(w, t.at.voids)
	var room [12]string
	set := append(room[:0], redisstore.VersionField, next)
	for _, p := range c.Pages {
		switch {
		case p.Key != ledger.FollowsPage():
		case p.Data == "":
			w.HDel(t.key, p.Key.String())
			w.SRem(redisstore.ListsKey(t.shard), t.user)
			continue
		default:
			w.SAdd(redisstore.ListsKey(t.shard), t.user)
		}
		set = append(set, t.nameOf(p.Key), p.Data)
	}
	w.HSetTexts(t.key, set...)
	enter, leave := indexed(listing, c.Scores, c.Months)
	indexMonths(w, t.shard, t.user, enter, leave)
	w.Place(t.shard, t.user, c.Scores)
	if len(c.Join)+len(c.Leave) > 0 {
		w.ZAddAll(redisstore.FriendsKey(t.shard, t.user), c.Join)
		w.ZRemAll(redisstore.FriendsKey(t.shard, t.user), c.Leave)
	}
}

// indexed returns the months in whose indexes a user gets with new pages and moves, and those
// whose indexes the user leaves: the board that lists users has the others.
func indexed(listing string, moves []ledger.Move, pages []board.MonthOf) (enter, leave []board.MonthOf) {
	enter = append(enter, pages...)
	for i := range moves {
		move := &moves[i]
		if move.Period.Window() != board.Month || move.Board != listing {
			continue
		}
		month := move.Period.First().Month()
		switch i := slices.Index(enter, month); {
		case move.Packed == 0 && i < 0:
			enter = append(enter, month)
		case move.Packed != 0 && i >= 0:
			enter = slices.Delete(enter, i, i+1)
		case move.Packed != 0 && move.Was == 0:
			leave = append(leave, month)
		}
	}
	return enter, leave
}

// indexMonths puts a user into the indexes of months, and takes the user out of others.
func indexMonths(w *redisstore.Write, shard int, user string, enter, leave []board.MonthOf) {
	if len(enter) > 0 {
		keys := make([]string, len(enter))
		for i, m := range enter {
			keys[i] = redisstore.MonthKey(shard, m)
		}
		w.SAddToEach(keys, user)
	}
	for _, m := range leave {
		w.SRem(redisstore.MonthKey(shard, m), user)
	}
}

// committed looks at the answer to a task's commit. Who met a conflict takes in
// the pages that came with it and goes on.
func (s *Store) committed(t *task) (goOn bool, err error) {
	done, now, err := t.commit.PartDone("commit", t.part)
	if err != nil {
		return false, redisstore.UserError("commit", t.user, err)
	}
	if done {
		return false, nil
	}
	if t.attempts++; t.attempts == redisstore.MaxAttempts {
		return false, fmt.Errorf("%w: %d attempts", redisstore.ErrBusy, t.attempts)
	}
	if len(now) < 2 {
		return false, redisstore.Unreadable("the answer to a commit")
	}
	closed, _ := now[0].(string)
	pages, _ := now[1].([]any)
	if err := t.voids.takeAnswer(now[2:]); err != nil {
		return false, err
	}
	return true, s.take(t, closed, pages)
}
