package pages

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/redis/go-redis/v9"

	"laurel/shared/board"
	"laurel/shared/codec"
	"laurel/shared/ledger"
	"laurel/shared/redisstore"
)

// maxFields is how many fields a write asks for at once.
const maxFields = 254

// voids are those of a task's targets that are void, and the tombstones of its user and of
// whom it follows, as a shard of Redis has them. The zero value is not read and not
// guarded.
type voids struct {
	fields  []string // targets, and fields of tombstones
	version string
	until   map[string]board.Moment // nil: none of the targets is void
	erased  ledger.Erased           // nil: nobody was erased
	reread  bool                    // after a conflict, as there may be more fields than a script can answer
}

// tombstoneOf adds the tombstone of a user to what is read.
func (v *voids) tombstoneOf(hash uint64) {
	v.fields = append(v.fields, redisstore.TombstoneField(hash))
}

// voidsRead reads the voids of all tasks of a shard by one command.
type voidsRead struct {
	fields []string // the version's, then those of the tasks
	taken  int      // of fields, by tasks
	cmd    *redis.SliceCmd
}

// fieldsOf are the voids of a task's targets, and the tombstones of the user and of whom
// the user follows.
func (s *Store) fieldsOf(t *task) {
	t.voids.fields = make([]string, 0, len(t.activities)+2)
	t.voids.tombstoneOf(codec.Hash(t.user))
	for i := range t.activities {
		a := &t.activities[i]
		t.voids.fields = append(t.voids.fields, a.Target)
		if s.ledger.Follows(a) {
			t.voids.tombstoneOf(codec.Hash(a.Target))
		}
	}
}

// ask asks for what a task needs.
func (r *voidsRead) ask(t *task) { r.fields = append(r.fields, t.voids.fields...) }

// give gives a task what it asked for; tasks come in the order in which they asked.
func (r *voidsRead) give(t *task) error {
	values, err := r.cmd.Result()
	if err != nil {
		return redisstore.Unavailable("read the voids", err)
	}
	from := 1 + r.taken
	r.taken += len(t.voids.fields)
	return t.voids.take(values[0], values[from:1+r.taken])
}

// take takes in a version and the moments of the fields.
func (v *voids) take(version any, moments []any) error {
	v.version, _ = version.(string)
	v.until, v.erased = nil, nil
	for i, moment := range moments {
		text, _ := moment.(string)
		if text == "" {
			continue
		}
		until, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return fmt.Errorf("%w: void of %q: %w", redisstore.ErrStored, v.fields[i], err)
		}
		if hash, ok := redisstore.ParseTombstone(v.fields[i]); ok {
			if v.erased == nil {
				v.erased = ledger.Erased{}
			}
			v.erased[hash] = board.Moment(until)
			continue
		}
		if v.until == nil {
			v.until = map[string]board.Moment{}
		}
		v.until[v.fields[i]] = board.Moment(until)
	}
	return nil
}

// guard has a write applied only if the voids are as they were read, and else asks for
// them.
func (v *voids) guard(w *redisstore.Write, shard int) {
	if v.fields == nil {
		return
	}
	key := redisstore.VoidsKey(shard)
	w.GuardVersion(key, redisstore.VoidsVersionField, v.version, "")
	if v.reread {
		return
	}
	w.ReadFields(key, redisstore.VoidsVersionField)
	for fields := range slices.Chunk(v.fields, maxFields) {
		w.ReadFields(key, fields...)
	}
}

// takeAnswer takes in what guard has asked for.
func (v *voids) takeAnswer(now []any) error {
	if v.fields == nil || v.reread {
		return nil
	}
	var all []any
	for _, part := range now {
		fields, _ := part.([]any)
		all = append(all, fields...)
	}
	if len(all) != 1+len(v.fields) {
		return redisstore.Unreadable("the voids in the answer to a commit")
	}
	return v.take(all[0], all[1:])
}
