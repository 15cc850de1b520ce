package pages

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/redis/go-redis/v9"

	"laurel/shared/board"
	"laurel/shared/codec"
	"laurel/shared/ledger"
	"laurel/shared/redisstore"
)

// statusPart is how many boards one write of a status changes, far below what a
// script can take.
const statusPart = 900

// A Visibility is what others may see of a user; nil leaves it as it is.
type Visibility struct {
	Hidden     *bool // off every live board for the others
	DaysPublic *bool // the days can be read by all
}

// SetVisibility changes what others may see of a user, takes the user off the live boards
// or puts the user back, and returns the status. It may be done again, and goes on where it
// was cut off.
func (s *Store) SetVisibility(ctx context.Context, user string, v Visibility) (now ledger.UserStatus, err error) {
	err = s.setStatus(ctx, user, statusChange{set: func(status *ledger.UserStatus) {
		for to, from := range map[*bool]*bool{&status.Hidden: v.Hidden, &status.DaysPublic: v.DaysPublic} {
			if from != nil {
				*to = *from
			}
		}
		now = *status
	}})
	return now, err
}

// SetHidden takes a user off every live board for the others, or puts the user
// back. It may be done again, and goes on where it was cut off.
func (s *Store) SetHidden(ctx context.Context, user string, hidden bool) error {
	_, err := s.SetVisibility(ctx, user, Visibility{Hidden: &hidden})
	return err
}

// SetExclusion takes a user off every live board and has nothing kept of what the
// user does from now on; or puts the user back with what was earned before. It may
// be done again, and goes on where it was cut off. It replaces a status that is kept and
// damaged: the user stays hidden then.
func (s *Store) SetExclusion(ctx context.Context, user string, excluded bool) error {
	set := func(status *ledger.UserStatus) { status.Excluded, status.Shadowed = excluded, false }
	return s.setStatus(ctx, user, statusChange{set: set, anew: true})
}

// Shadow takes a user off every live board for the others and has the user not notice: in
// place of an exclusion, and taken back as one.
func (s *Store) Shadow(ctx context.Context, user string) error {
	set := func(status *ledger.UserStatus) { status.Excluded, status.Shadowed = false, true }
	return s.setStatus(ctx, user, statusChange{set: set, anew: true})
}

// Status reads the status of a user, in one round trip.
func (s *Store) Status(ctx context.Context, user string) (ledger.UserStatus, error) {
	pipe, shard := s.redis.Client().Pipeline(), s.redis.ShardOf(user)
	page := pipe.HGet(ctx, redisstore.PagesKey(shard, user), ledger.StatusPage().String())
	if err := s.redis.ExecMarked(ctx, pipe, "read a status", shard); err != nil {
		return ledger.UserStatus{}, err
	}
	status, err := ledger.OpenUserStatus(page.Val())
	if err != nil {
		return status, redisstore.Damaged(user, err)
	}
	return status, nil
}

// person is everything on a user's pages with what was live in the shard then.
type person struct {
	user    string
	shard   int
	version string
	pages   ledger.Pages

	statusOnly bool // nothing is kept of the user but perhaps a status

	closed  *redisstore.ClosedSet
	open    *board.Closed           // without what is being reopened, which opens with whom it has then
	periods []redisstore.LivePeriod // of the shard's index and those being reopened, closed ones included
}

// Statuses keeps the status pages of users outside Redis. ChangeStatus replaces a user's,
// "" for none, by what change makes of it, and may call change more than once; known is
// false if nothing has been kept for longer than any call takes. EraseUser puts a
// tombstone of a user, removes all else that is kept, and returns the tombstone's moment: that
// of the call, or a later one if there was one. Erased returns those that are kept,
// by codec.Hash of the ids.
type Statuses interface {
	ChangeStatus(ctx context.Context, user string, change func(page string, known bool) (string, error)) error
	EraseUser(ctx context.Context, user string) (board.Moment, error)
	Erased(ctx context.Context) (map[uint64]board.Moment, error)
}

// KeepStatuses has every change of a status written to kept first. It is called before the
// store is used.
func (s *Store) KeepStatuses(kept Statuses) { s.statuses = kept }

// statusChange is what changes a status.
type statusChange struct {
	set  func(*ledger.UserStatus) // nil: nothing does
	anew bool                     // a status that is kept and damaged, too
}

// setStatus writes a changed status and every live board that follows from it,
// however many times another process is first. It writes all of it also when the
// status is as it was: an earlier call may have been cut off.
//
// Each attempt reads the version of the pages, then changes the status that is kept, then
// commits what is kept then under that version. So whoever commits last has read what is
// kept after the commits of all others, and Redis ends with what is kept. The version of
// pages that are not there is no version: what is kept is read again then.
func (s *Store) setStatus(ctx context.Context, user string, change statusChange) error {
	ctx = redisstore.WhenFull(ctx)
	if err := s.locks.lock(ctx, user); err != nil {
		return redisstore.Unavailable("wait for the user's lock", err)
	}
	defer s.locks.unlock(user)
	for attempt := 1; attempt <= redisstore.MaxAttempts; attempt++ {
		p, err := s.readPerson(ctx, user)
		if err != nil {
			return err
		}
		status, err := s.keepStatus(ctx, p, change)
		if err != nil {
			return err
		}
		moves, err := s.movesFor(p, status)
		if err != nil && (change.set != nil || !errors.Is(err, redisstore.ErrDamaged)) {
			return err
		}
		done, err := s.writeStatus(ctx, p, status, moves)
		if done && p.version == "" {
			done, err = s.isKept(ctx, p, status)
		}
		if err != nil || done {
			return err
		}
		redisstore.BackOff(ctx, attempt)
	}
	return fmt.Errorf("%w: %d attempts", redisstore.ErrBusy, redisstore.MaxAttempts)
}

// keepStatus changes the status that is kept, or that of the pages if none is, and returns
// it. Without a change it is what is kept, and none if none is; ledger.StandIn if it is damaged.
func (s *Store) keepStatus(ctx context.Context, p person, change statusChange) (status ledger.UserStatus, err error) {
	inRedis := p.pages[ledger.StatusPage()]
	changed := func(page string, known bool) (string, error) {
		if !known && (change.set != nil || s.statuses == nil) {
			page = inRedis
		}
		status, err = ledger.OpenUserStatus(page)
		if known && errors.Is(err, codec.ErrDamaged) && (change.set == nil || change.anew) {
			status, err = ledger.StandIn(ledger.OpenUserStatus(inRedis)), nil
		} else {
			page = status.Page()
		}
		if err != nil {
			return "", redisstore.Damaged(p.user, err)
		}
		if change.set == nil {
			return page, nil
		}
		change.set(&status)
		return status.Page(), nil
	}
	if s.statuses == nil {
		_, err = changed("", false)
		return status, err
	}
	err = s.statuses.ChangeStatus(ctx, p.user, changed)
	return status, err
}

// isKept says whether a status is what is kept.
func (s *Store) isKept(ctx context.Context, p person, status ledger.UserStatus) (bool, error) {
	now, err := s.keepStatus(ctx, p, statusChange{})
	return now == status || s.statuses == nil, err
}

// movesFor works out what a status means for the live boards: off all of them, or
// on those that the pages have points for.
func (s *Store) movesFor(p person, status ledger.UserStatus) ([]ledger.Move, error) {
	if !status.Suppressed() {
		delete(p.pages, ledger.StatusPage())
		moves, err := s.ledger.Scores(p.pages, p.open)
		if err != nil {
			return nil, redisstore.Damaged(p.user, err)
		}
		return moves, nil
	}
	var moves []ledger.Move
	for _, at := range p.periods {
		if !p.open.Has(at.Board, at.Period) {
			moves = append(moves, ledger.Move{Board: at.Board, Period: at.Period})
		}
	}
	return moves, nil
}

// writeStatus writes a status with its moves, each part under the version of the one
// before; done is false when the pages or the closed-period set have changed.
func (s *Store) writeStatus(ctx context.Context, p person, status ledger.UserStatus, moves []ledger.Move) (done bool,
	err error,
) {
	for first := true; first || len(moves) > 0; first = false {
		part := moves[:min(len(moves), statusPart)]
		moves = moves[len(part):]
		next := redisstore.NewVersion()
		w := p.statusWrite(status, next)
		enter, leave := indexed(s.listing, part, nil)
		enter = slices.DeleteFunc(enter, func(m board.MonthOf) bool { return p.pages[ledger.MonthPage(m)] == "" })
		indexMonths(w, p.shard, p.user, enter, leave)
		w.Place(p.shard, p.user, part)
		s.redis.Apply(ctx, w)
		if done, _, err := w.Done("set a user's status"); err != nil || !done {
			return done, err
		}
		p.version = next
	}
	return true, nil
}

// statusWrite sets the status page and the index of suppressed users. Pages without
// anything but a status go with it.
func (p person) statusWrite(status ledger.UserStatus, next string) *redisstore.Write {
	w := &redisstore.Write{}
	pages, name := redisstore.PagesKey(p.shard, p.user), ledger.StatusPage().String()
	w.GuardVersion(pages, redisstore.VersionField, p.version, next)
	w.GuardClosed(p.shard, p.closed)
	if status.Suppressed() {
		w.SAdd(redisstore.SuppressedKey(p.shard), p.user)
	} else {
		w.SRem(redisstore.SuppressedKey(p.shard), p.user)
	}
	if page := status.Page(); page != "" {
		w.HSet(pages, redisstore.VersionField, next, name, page)
	} else if p.statusOnly {
		w.Unlink(pages)
	} else {
		w.HSet(pages, redisstore.VersionField, next)
		w.HDel(pages, name)
	}
	return w
}

// readPerson reads all of a user's pages and what is live, in one round trip.
func (s *Store) readPerson(ctx context.Context, user string) (person, error) {
	p := person{user: user, shard: s.redis.ShardOf(user), pages: ledger.Pages{}}
	pipe := s.redis.Client().Pipeline()
	closed := pipe.Get(ctx, redisstore.ClosedKey(p.shard))
	fields := pipe.HGetAll(ctx, redisstore.PagesKey(p.shard, user))
	index := pipe.SMembers(ctx, redisstore.PeriodsKey(p.shard))
	if _, err := pipe.Exec(ctx); err != nil && !errors.Is(err, redis.Nil) {
		return p, redisstore.Unavailable("read a user", err)
	}
	var err error
	if p.closed, err = s.redis.ReadClosed(p.shard, closed.Val()); err != nil {
		return p, err
	}
	p = p.with(fields.Val())
	named := map[redisstore.LivePeriod]bool{}
	for _, member := range index.Val() {
		if name, period, ok := redisstore.ParsePeriodName(member); ok {
			named[redisstore.LivePeriod{Board: name, Period: period}] = true
		}
	}
	p.open = p.closed.Periods
	for _, at := range p.closed.AllReopening() {
		named[at], p.open = true, redisstore.Opened(p.open, at.Board, at.Period)
	}
	p.periods = slices.Collect(maps.Keys(named))
	return p, nil
}

// with returns the person with the fields of the pages.
func (p person) with(fields map[string]string) person {
	version := fields[redisstore.VersionField]
	p.version, p.statusOnly = version[:min(redisstore.VersionLen, len(version))], true
	for name, page := range fields {
		p.statusOnly = p.statusOnly && (name == redisstore.VersionField || name == ledger.StatusPage().String())
		if key, ok := ledger.ParsePageKey(name); ok {
			p.pages[key] = ledger.StoredPage(page, true)
		}
	}
	return p
}
