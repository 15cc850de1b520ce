package pages

import (
	"context"
	"strconv"

	"laurel/shared/board"
	"laurel/shared/redisstore"
)

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
		_, err := s.changeVoid(ctx, all[i].Target, func(v *Void) error {
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
