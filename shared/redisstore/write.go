package redisstore

import (
	"context"
	_ "embed"
	"fmt"

	"laurel/shared/ledger"
)

//go:embed guarded_write.lua
var guardedWriteSource string

// A Write is a guarded write: guards, and writes that are applied together if all
// guards hold. Else none is applied, and its answer is what Read and ReadFields have
// asked for. All its keys are of one shard, or of the articles: at most 254, without
// those of boards and months. It takes fewer than 4,000 arguments.
//
// A Write that was applied is recognised when it comes again, as the client sends it
// when a reply was lost, by a version that it has set (GuardVersion's next).
type Write struct {
	guards, reads, writes section
	guarded, read         int
	keys, eachKeys        []string
	call                  *Call
	room                  room
}

// room is where the parts of a usual write are laid out, such as the commit of a user's
// activities, so that they need no memory of their own.
type room struct {
	layout [44]byte
	args   [48]any
	keys   [7]string
}

// takeRoom lays a write that has nothing yet out in its room. What does not fit in a
// part's piece moves elsewhere.
func (w *Write) takeRoom() {
	r := &w.room
	w.guards = section{layout: r.layout[0:0:6], args: r.args[0:0:9]}
	w.reads = section{layout: r.layout[6:6:14], args: r.args[9:9:19]}
	w.writes = section{layout: r.layout[14:14], args: r.args[19:19]}
	w.keys = r.keys[:0]
}

// GuardVersion has the write applied only if a hash's field begins with a version, as
// it was read; "" is a field that is not there. next is the version that the write
// gives it, "" if it leaves it alone.
func (w *Write) GuardVersion(key, field, version, next string) {
	w.guard(key, field, VersionLen, version, next)
}

// GuardValue has the write applied only if a hash's field is as it was read, "" if it
// was not there. It is at most 254 bytes long.
func (w *Write) GuardValue(key, field, value string) { w.guard(key, field, maxNumber, value, "") }

// GuardClosed has the write applied only if a shard's closed-period set is as it was
// read.
func (w *Write) GuardClosed(shard int, read *ClosedSet) {
	w.guard(ClosedKey(shard), "", VersionLen, read.Version(), "")
}

// guard guards the first bytes of a value.
func (w *Write) guard(key, field string, length byte, read, next string) {
	if w.keys == nil && w.writes.layout == nil {
		w.takeRoom()
	}
	w.guards.layout = append(w.guards.layout, w.key(key), length)
	w.guards.args = append(w.guards.args, field, read, next)
	w.guarded++
}

// Read asks for a string when the guards do not hold.
func (w *Write) Read(key string) { w.ReadFields(key) }

// ReadFields asks for fields of a hash, at most 254, when the guards do not hold.
func (w *Write) ReadFields(key string, fields ...string) {
	w.reads.layout = append(w.reads.layout, w.key(key), byte(len(fields)))
	for _, f := range fields {
		w.reads.args = append(w.reads.args, f)
	}
	w.read++
}

// HSet sets fields of a hash: field, value, field, ...
func (w *Write) HSet(key string, fields ...any) { w.do("HSET", key, fields...) }

// HSetAll sets fields of a hash, however many: field, value, field, ..., all of them UTF-8.
func (w *Write) HSetAll(key string, fields []string) { w.doList("HSET", key, fields) }

// HDel removes fields of a hash.
func (w *Write) HDel(key string, fields ...any) { w.do("HDEL", key, fields...) }

// HIncrBy adds to a number in a hash, and removes the field when nothing is left.
func (w *Write) HIncrBy(key, field string, n int64) { w.do("HINCRBY", key, field, n) }

// ZAdd puts a member into a sorted set.
func (w *Write) ZAdd(key string, score, member any) { w.do("ZADD", key, score, member) }

// ZRem takes members out of a sorted set.
func (w *Write) ZRem(key string, members ...any) { w.do("ZREM", key, members...) }

// SAdd puts members into a set.
func (w *Write) SAdd(key string, members ...any) { w.do("SADD", key, members...) }

// SRem takes members out of a set.
func (w *Write) SRem(key string, members ...any) { w.do("SREM", key, members...) }

// Set sets a string.
func (w *Write) Set(key, value string) { w.do("SET", key, value) }

// Unlink removes a key.
func (w *Write) Unlink(key string) { w.do("UNLINK", key) }

// ZAddAll puts members into a sorted set, however many, all with the score 0.
func (w *Write) ZAddAll(key string, members []string) {
	args := make([]string, 0, 2*len(members))
	for _, m := range members {
		args = append(args, "0", m)
	}
	w.doList("ZADD", key, args)
}

// ZRemAll takes members out of a sorted set, however many.
func (w *Write) ZRemAll(key string, members []string) { w.doList("ZREM", key, members) }

// SAddToEach puts a member into sets, none of which the write has yet.
func (w *Write) SAddToEach(keys []string, member string) {
	w.doEach("SADD", keys, repeated(member, len(keys)))
}

func repeated(member string, n int) []any {
	all := make([]any, n)
	for i := range all {
		all[i] = member
	}
	return all
}

// Place puts a user onto boards of the user's shard, or takes the user off, and lists
// the periods of those that the user was not known to be on.
func (w *Write) Place(shard int, user string, moves []ledger.Move) {
	var on, off []string
	var periods []any
	scores := make([]any, 0, len(moves))
	for _, m := range moves {
		key := BoardKey(shard, m.Board, m.Period)
		if m.Packed == 0 {
			off = append(off, key)
			continue
		}
		on, scores = append(on, key), append(scores, int64(m.Packed))
		if m.Was == 0 {
			periods = append(periods, PeriodName(m.Board, m.Period))
		}
	}
	w.doEach("ZADD", on, scores, user)
	w.doEach("ZREM", off, repeated(user, len(off)))
	if len(periods) > 0 {
		w.SAdd(PeriodsKey(shard), periods...)
	}
}

// Call lays the write out as a call, for Run.
func (s *Store) Call(w *Write) *Call {
	layout := make([]byte, 0, 3+len(w.guards.layout)+len(w.reads.layout)+len(w.writes.layout))
	layout = append(layout, byte(w.guarded), byte(w.read), byte(len(w.keys)))
	args := make([]any, 1, 1+len(w.guards.args)+len(w.reads.args)+len(w.writes.args))
	for _, s := range []section{w.guards, w.reads, w.writes} {
		layout, args = append(layout, s.layout...), append(args, s.args...)
	}
	args[0] = layout
	w.call = &Call{Script: s.guardedWrite, Keys: append(w.keys, w.eachKeys...), Args: args}
	return w.call
}

// Apply applies writes, each on its own, all in one round trip. Done has their
// results.
func (s *Store) Apply(ctx context.Context, writes ...*Write) {
	calls := make([]*Call, len(writes))
	for i, w := range writes {
		calls[i] = s.Call(w)
	}
	s.Run(ctx, calls...)
}

// Done says whether the write was applied, now or before. If not, now is what the
// reads have asked for, in their order: a string, or a []any of a hash's fields, nil
// for what is missing.
func (w *Write) Done(operation string) (done bool, now []any, err error) {
	reply, err := w.call.Cmd.Result()
	if err != nil {
		return false, nil, Unavailable(operation, err)
	}
	if reply == Done {
		return true, nil, nil
	}
	now, ok := reply.([]any)
	if !ok || len(now) != w.read {
		return false, nil, Unreadable(fmt.Sprintf("the answer to a write: %v", reply))
	}
	return false, now, nil
}

// Applied counts the writes that were applied.
func Applied(operation string, writes ...*Write) (done int, err error) {
	for _, w := range writes {
		ok, _, err := w.Done(operation)
		if err != nil {
			return done, err
		}
		if ok {
			done++
		}
	}
	return done, nil
}
