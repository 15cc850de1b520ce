package pages

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/redis/go-redis/v9"

	"laurel/shared/board"
	"laurel/shared/codec"
	"laurel/shared/ledger"
	"laurel/shared/redisstore"
)

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
	at     *shardKeys
	fields []string // the version's, then those of the tasks
	taken  int      // of fields, by tasks
	cmd    *redis.SliceCmd
}

// askFor asks for the voids of a task's targets, and the tombstones of the user and of whom
// the user follows.
func (r *voidsRead) askFor(l *ledger.Ledger, t *task) {
	from := len(r.fields)
	r.fields = append(r.fields, redisstore.TombstoneField(codec.Hash(t.user)))
	for i := range t.activities {
		a := &t.activities[i]
		if a.Target != "" {
			r.fields = append(r.fields, a.Target)
		}
		if l.Follows(a) {
			r.fields = append(r.fields, redisstore.TombstoneField(codec.Hash(a.Target)))
		}
	}
	t.voids.fields = r.fields[from:len(r.fields):len(r.fields)]
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

// guard has a write applied only if the voids are as they were read.
func (v *voids) guard(w *redisstore.Write, key string) {
	if v.fields != nil {
		w.GuardVersion(key, redisstore.VoidsVersionField, v.version, "")
	}
}

// ask asks for the voids if a write is not applied.
func (v *voids) ask(w *redisstore.Write, key string) {
	if v.fields != nil && !v.reread {
		w.ReadLines(key, redisstore.VoidsVersionField+"\n"+strings.Join(v.fields, "\n"))
	}
}

// takeAnswer takes in what was asked for.
func (v *voids) takeAnswer(now []any) error {
	if v.fields == nil || v.reread {
		return nil
	}
	if len(now) == 1 {
		if all, _ := now[0].([]any); len(all) == 1+len(v.fields) {
			return v.take(all[0], all[1:])
		}
	}
	return redisstore.Unreadable("the voids in the answer to a commit")
}
