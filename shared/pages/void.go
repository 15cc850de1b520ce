package pages

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"

	"laurel/shared/board"
	"laurel/shared/redisstore"
)

// ErrNoVoid is returned about a target that has no void.
var ErrNoVoid = errors.New("pages: target has no void")

// ErrVoidBegun is returned when a void cannot be withdrawn, because its pass has begun.
var ErrVoidBegun = errors.New("pages: the pass of the void has begun")

var errNoTable = fmt.Errorf("%w: voids are kept in a table, and there is none", redisstore.ErrUnavailable)

// A Void says of a target until which moment it is void, and how far that is carried out:
// it waits for a pass while Begun is before Until; in the pass, everybody's entries are
// undone up to Begun; they all are up to Done.
type Void struct {
	Target             string
	Until, Begun, Done board.Moment // 0 for none

	pass string // that carries it out; noPass, or "" of a new one
}

const noPass = "-"

// KeptVoids keeps a text for each target that has a void, outside Redis. ChangeVoid
// replaces a target's, "" for none, by what change makes of it, and may call change more
// than once. EachVoid goes over all, in the order of their targets.
type KeptVoids interface {
	ChangeVoid(ctx context.Context, target string, change func(text string, known bool) (string, error)) error
	EachVoid(ctx context.Context, do func(target, text string) error) error
}

// KeepVoids has the void targets kept in kept. It is called before the store is used.
func (s *Store) KeepVoids(kept KeptVoids) { s.kept = kept }

// SetVoid declares a target void until a moment, or until a later one: what was done to it
// up to then is undone by the next pass (VoidStep), and what arrives from then on with a
// moment up to it is kept undone. Until the pass begins, everything counts, and the void
// can be withdrawn. Votes and follows stay.
func (s *Store) SetVoid(ctx context.Context, target string, until board.Moment) error {
	return s.changeVoid(ctx, target, func(v *Void) error {
		v.Until = max(v.Until, until)
		return nil
	})
}

// WithdrawVoid takes back what waits for a pass. The error is ErrNoVoid or ErrVoidBegun
// when nothing waits.
func (s *Store) WithdrawVoid(ctx context.Context, target string) error {
	return s.changeVoid(ctx, target, func(v *Void) error {
		if v.Until == 0 {
			return ErrNoVoid
		}
		if v.Until == v.Begun {
			return ErrVoidBegun
		}
		v.Until = v.Begun
		return nil
	})
}

// Voids returns every void that is kept, in the order of the targets.
func (s *Store) Voids(ctx context.Context) (all []Void, err error) {
	if s.kept == nil {
		return nil, nil
	}
	err = s.kept.EachVoid(ctx, func(target, text string) error {
		v, err := parseVoid(target, text)
		all = append(all, v)
		return err
	})
	return all, err
}

// DropVoids drops the voids until moments before a month: when no month before it is live,
// nothing that they undo can arrive any more. It also makes the voids in Redis what they
// should be, where single keys were lost, and drops tombstones that are not kept any more.
func (s *Store) DropVoids(ctx context.Context, before board.MonthOf) error {
	over := func(v *Void) bool { return s.ledger.Calendar().Date(v.Until).Month() < before }
	err := s.changeVoids(ctx, over, func(v *Void) { *v = Void{} })
	if err != nil || s.kept == nil {
		return err
	}
	return s.putVoids(ctx)
}

// PutVoids puts the voids whose pass has begun into every shard of Redis, and has the next
// pass carry them out again. Recovery calls it before it merges rows into an emptied Redis,
// and when a merge has changed pages: an entry whose commit was lost was not there when
// the pass came by, and no row undoes it.
func (s *Store) PutVoids(ctx context.Context) error {
	begun := func(v *Void) bool { return v.Begun > 0 }
	err := s.changeVoids(ctx, begun, func(v *Void) { v.Done, v.pass = 0, noPass })
	if err != nil || s.kept == nil {
		return err
	}
	return s.putVoids(ctx)
}

// MendVoids makes the voids and tombstones of every shard, and the articles' tombstones,
// what is kept, and has the next pass carry the voids out again if a shard's were not: what
// arrived meanwhile may count. Nobody else puts back tombstones that Redis has lost: whom
// they are of has to be erased before (EraseAgain).
func (s *Store) MendVoids(ctx context.Context) (mended bool, err error) {
	if s.kept == nil {
		return false, nil
	}
	if err := s.articles.PutTombstones(redisstore.WhenFull(ctx), s.tombstones); err != nil {
		return false, err
	}
	for shard := range s.redis.Shards() {
		same, err := s.putVoidsInto(ctx, shard, true)
		if err != nil {
			return false, err
		}
		mended = mended || !same
	}
	if mended {
		err = s.PutVoids(ctx)
	}
	return mended, err
}

// changeVoids changes the voids that which selects.
func (s *Store) changeVoids(ctx context.Context, which func(*Void) bool, change func(*Void)) error {
	all, err := s.Voids(ctx)
	if err != nil {
		return err
	}
	for i := range all {
		if !which(&all[i]) {
			continue
		}
		err := s.changeVoid(ctx, all[i].Target, func(v *Void) error {
			if v.Until > 0 && which(v) {
				change(v)
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// changeVoid changes what is kept of a target's void, which is the zero value for none.
func (s *Store) changeVoid(ctx context.Context, target string, change func(*Void) error) error {
	if s.kept == nil {
		return errNoTable
	}
	return s.kept.ChangeVoid(ctx, target, func(text string, _ bool) (string, error) {
		v, err := parseVoid(target, text)
		if err == nil {
			err = change(&v)
		}
		return v.text(), err
	})
}

// text returns what is kept of a void: until, begun, done, and the pass.
func (v *Void) text() string {
	if v.Until == 0 {
		return ""
	}
	return fmt.Sprintf("%d %d %d %s", v.Until, v.Begun, v.Done, cmp.Or(v.pass, noPass))
}

func parseVoid(target, text string) (Void, error) {
	v := Void{Target: target}
	if text == "" {
		return v, nil
	}
	_, err := fmt.Sscanf(text, "%d %d %d %s", &v.Until, &v.Begun, &v.Done, &v.pass)
	if err != nil {
		return v, fmt.Errorf("%w: void of %q: %w", redisstore.ErrStored, target, err)
	}
	return v, nil
}

// putVoids makes the voids of every shard those whose pass has begun, and are kept.
func (s *Store) putVoids(ctx context.Context) error {
	ctx = redisstore.WhenFull(ctx)
	for shard := range s.redis.Shards() {
		for same := false; !same; {
			var err error
			if same, err = s.putVoidsInto(ctx, shard, false); err != nil {
				return err
			}
		}
	}
	return nil
}

// putVoidsInto makes a shard's voids, and its tombstones but those that it lacks without bury,
// what is kept; same says that they were. Who has
// written looks again: somebody else may have changed what is kept, and found Redis as it
// was to be.
func (s *Store) putVoidsInto(ctx context.Context, shard int, bury bool) (same bool, err error) {
	key := redisstore.VoidsKey(shard)
	pipe := s.redis.Client().Pipeline()
	read := pipe.HGetAll(ctx, key)
	if err := s.redis.ExecMarked(ctx, pipe, "read the voids", shard); err != nil {
		return false, err
	}
	now := read.Val()
	all, err := s.Voids(ctx)
	if err != nil {
		return false, err
	}
	erased, err := s.tombstones(ctx)
	if err != nil {
		return false, err
	}
	version, next := now[redisstore.VoidsVersionField], redisstore.NewVersion()
	delete(now, redisstore.VoidsVersionField)
	var fields []string
	same = true
	for _, v := range all {
		if v.Begun > 0 {
			until := strconv.FormatInt(int64(v.Begun), 10)
			fields, same = append(fields, v.Target, until), same && now[v.Target] == until
		}
	}
	for hash, at := range erased {
		field, until := redisstore.TombstoneField(hash), strconv.FormatInt(int64(at), 10)
		if !bury && now[field] != until {
			if until = now[field]; until == "" {
				continue
			}
		}
		fields, same = append(fields, field, until), same && now[field] == until
	}
	if same && len(fields) == 2*len(now) {
		return true, nil
	}
	var w redisstore.Write
	w.GuardVersion(key, redisstore.VoidsVersionField, version, next)
	w.Unlink(key)
	w.HSet(key, redisstore.VoidsVersionField, next)
	w.HSetAll(key, fields)
	s.redis.Apply(ctx, &w)
	_, _, err = w.Done("put the voids")
	return false, err
}
