package pages

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/redis/go-redis/v9"

	"laurel/shared/board"
	"laurel/shared/redisstore"
)

// maxFields is how many fields a write asks for at once.
const maxFields = 254

// voids are those of a task's targets that are void, as a shard of Redis has them. The
// zero value is not read and not guarded.
type voids struct {
	targets []string // of the activities, in their order
	version string
	until   map[string]board.Moment // nil: none of them is void
}

// voidsRead reads the voids of all tasks of a shard by one command.
type voidsRead struct {
	fields []string // the version's, then the targets of the tasks
	taken  int      // of fields, by tasks
	cmd    *redis.SliceCmd
}

// ask asks for the voids of a task's targets.
func (r *voidsRead) ask(t *task) {
	from := len(r.fields)
	for i := range t.activities {
		r.fields = append(r.fields, t.activities[i].Target)
	}
	t.voids.targets = r.fields[from:len(r.fields):len(r.fields)]
}

// give gives a task what it asked for; tasks come in the order in which they asked.
func (r *voidsRead) give(t *task) error {
	values, err := r.cmd.Result()
	if err != nil {
		return redisstore.Unavailable("read the voids", err)
	}
	from := 1 + r.taken
	r.taken += len(t.voids.targets)
	return t.voids.take(values[0], values[from:1+r.taken])
}

// take takes in a version and the moments of the targets.
func (v *voids) take(version any, moments []any) error {
	v.version, _ = version.(string)
	v.until = nil
	for i, moment := range moments {
		text, _ := moment.(string)
		if text == "" {
			continue
		}
		until, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return fmt.Errorf("%w: void of %q: %w", redisstore.ErrStored, v.targets[i], err)
		}
		if v.until == nil {
			v.until = map[string]board.Moment{}
		}
		v.until[v.targets[i]] = board.Moment(until)
	}
	return nil
}

// guard has a write applied only if the voids are as they were read, and else asks for
// them.
func (v *voids) guard(w *redisstore.Write, shard int) {
	if v.targets == nil {
		return
	}
	key := redisstore.VoidsKey(shard)
	w.GuardVersion(key, redisstore.VoidsVersionField, v.version, "")
	w.ReadFields(key, redisstore.VoidsVersionField)
	for targets := range slices.Chunk(v.targets, maxFields) {
		w.ReadFields(key, targets...)
	}
}

// takeAnswer takes in what guard has asked for.
func (v *voids) takeAnswer(now []any) error {
	if v.targets == nil {
		return nil
	}
	var all []any
	for _, part := range now {
		fields, _ := part.([]any)
		all = append(all, fields...)
	}
	if len(all) != 1+len(v.targets) {
		return redisstore.Unreadable("the voids in the answer to a commit")
	}
	return v.take(all[0], all[1:])
}
