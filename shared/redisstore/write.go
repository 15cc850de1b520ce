package redisstore

import (
	"context"
	_ "embed"
	"fmt"
	"strings"

	"laurel/shared/ledger"
)

//go:embed guarded_write.lua
var guardedWriteSource string

// A Write is a guarded write: guards, and writes that are applied together if all guards
// hold. Else none is applied, and its answer is what Read and ReadFields have asked for.
// All its keys are of one shard, or of the articles. It takes fewer than 4,000 arguments.
//
// A Write may have parts, such as the commits of some users: each is applied or not on its
// own, and what is laid out before the first NextPart are guards of all. An error is that of
// all parts, of which none is applied then, but that members may be in sets of SAddToEach and
// Place already; so a part that fails for what it writes itself is to be tried on its own.
//
// A part that was applied is recognised when it comes again, as the client sends it
// when a reply was lost, by a version that it has set (GuardVersion's next).
type Write struct {
	keys   []string
	sets   []indexed
	texts  []string // that arguments point to
	layout []byte   // of the parts before
	args   []any

	guards, reads, writes section // of the part that is laid out
	parts                 int     // begun by NextPart
	call                  *Call
	room                  room
}

// room is where the parts of a usual write are laid out, such as the commit of a user's
// activities, so that they need no memory of their own.
type room struct {
	layout [48]byte
	args   [28]any
	keys   [6]string
	sets   [3]indexed
	texts  [20]string
}

// takeRoom lays a write that has nothing yet out in its room. What does not fit in a
// part's piece moves elsewhere.
func (w *Write) takeRoom() {
	r := &w.room
	w.guards = section{layout: r.layout[0:0:9], args: r.args[0:0:9]}
	w.reads = section{layout: r.layout[9:9:15], args: r.args[9:9:12]}
	w.writes = section{layout: r.layout[15:15], args: r.args[12:12]}
	w.keys, w.sets, w.texts = r.keys[:0], r.sets[:0], r.texts[:0]
}

// NextPart begins another part and returns its index, from 0.
func (w *Write) NextPart() (part int) {
	if w.parts == 0 {
		w.begin()
	}
	w.endPart()
	w.parts++
	return w.parts - 1
}

// Size returns how many arguments are laid out.
func (w *Write) Size() int {
	return len(w.args) + len(w.guards.args) + len(w.reads.args) + len(w.writes.args)
}

// begin leaves room for the number of parts, and for the layout as an argument.
func (w *Write) begin() {
	w.layout, w.args = append(make([]byte, 0, 64), 0), append(make([]any, 0, 32), nil)
}

// endPart lays out the part that ends.
func (w *Write) endPart() {
	w.layout = append(w.layout, byte(w.guards.n), byte(w.reads.n), byte(w.writes.n>>8), byte(w.writes.n))
	for _, s := range []*section{&w.guards, &w.reads, &w.writes} {
		w.layout, w.args = append(w.layout, s.layout...), append(w.args, s.args...)
		s.layout, s.args, s.n = s.layout[:0], s.args[:0], 0
	}
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
	w.guards.add(w.key(key), length)
	w.guards.args = append(w.guards.args, w.text(field), w.text(read), w.text(next))
}

// Read asks for a string when the guards do not hold.
func (w *Write) Read(key string) { w.ReadLines(key, "") }

// ReadFields asks for fields of a hash when the guards do not hold.
func (w *Write) ReadFields(key string, fields ...string) {
	w.ReadLines(key, strings.Join(fields, "\n"))
}

// ReadLines is ReadFields with the fields as lines, none of which is empty.
func (w *Write) ReadLines(key, fields string) {
	w.reads.add(w.key(key))
	w.reads.args = append(w.reads.args, w.text(fields))
}

// HSet sets fields of a hash: field, value, field, ...
func (w *Write) HSet(key string, fields ...any) { w.do("HSET", key, fields...) }

// HSetTexts is HSet with texts.
func (w *Write) HSetTexts(key string, fields ...string) { w.doTexts("HSET", key, fields) }

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

// SAddToEach puts a member into sets, none of which the write has otherwise.
func (w *Write) SAddToEach(keys []string, member string) {
	for _, key := range keys {
		w.merge(addToSet, set{key: key}, w.text(member))
	}
}

// Place puts a user onto boards of the user's shard, or takes the user off, and lists
// the periods of those that the user was not known to be on.
func (w *Write) Place(shard int, user string, moves []ledger.Move) {
	member, periods := w.text(user), []any(nil)
	for i := range moves {
		m, to := &moves[i], set{shard: shard, board: moves[i].Board, period: moves[i].Period}
		if m.Packed == 0 {
			w.merge(takeOff, to, member)
			continue
		}
		w.merge(putOn, to, (*int64)(&m.Packed), member)
		if m.Was == 0 {
			periods = append(periods, w.text(PeriodName(m.Board, m.Period)))
		}
	}
	w.merge(addToSet, set{key: PeriodsKey(shard)}, periods...)
}

// Call lays the write out as a call, for Run.
func (s *Store) Call(w *Write) *Call {
	if w.parts == 0 { // its only part has all guards
		w.begin()
		w.layout = append(w.layout, 0, 0, 0, 0)
		w.parts = 1
	}
	w.endPart()
	w.layout[0] = byte(w.parts)
	w.args[0] = w.layout
	w.call = &Call{Script: s.guardedWrite, Keys: w.keys, Args: w.args}
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
	return doneOf(reply)
}

// PartDone is Done of a part.
func (w *Write) PartDone(operation string, part int) (done bool, now []any, err error) {
	if w.parts == 1 {
		return w.Done(operation)
	}
	parts, err := w.call.Cmd.Slice()
	if err != nil {
		return false, nil, Unavailable(operation, err)
	}
	if len(parts) != w.parts {
		return false, nil, Unreadable(fmt.Sprintf("the answer to %d writes: %v", w.parts, parts))
	}
	return doneOf(parts[part])
}

// FailedTogether says whether a write of several parts has failed for what one of them writes,
// so that the others can be applied without it.
func (w *Write) FailedTogether() bool { return w.parts > 1 && isOfValue(w.call.Cmd.Err()) }

func doneOf(reply any) (done bool, now []any, err error) {
	if reply == Done {
		return true, nil, nil
	}
	now, ok := reply.([]any)
	if !ok {
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
