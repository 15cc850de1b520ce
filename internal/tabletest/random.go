package tabletest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"laurel/shared/store/table"
)

// Random does so many operations at random on an empty store and on a plain map, and compares their results.
func Random(t *testing.T, newStore New, operations int) {
	t.Helper()
	s, r := open(t, newStore), random{rand.New(rand.NewPCG(1, 2)), model{}}
	for n := range operations {
		s.clock.Add(int64(r.IntN(3)))
		operation, want, got := r.operation(t.Context(), s)
		if diff := gocmp.Diff(want, got); diff != "" {
			t.Fatalf("operation %d, %s (-map +store):\n%s", n, operation, diff)
		}
	}
}

// random is a source of operations and the map that has their results.
type random struct {
	*rand.Rand
	model model
}

// Some of these are prefixes of others, and some have several bytes a character.
var (
	partitions = []string{"a", "a#", "a\x00"}
	sorts      = []string{
		"\x00", "#", "0", "2026-01", "2026-01-01", "2026-01-10", "2026-1", "A", "a", "a\x00", "a\x01", "aa", "é", "日", "🏆",
	}
)

// expiring is a partition of items that may expire: these are always written alone.
const expiring = "A"

func pick[V any](r random, choices ...V) V { return choices[r.IntN(len(choices))] }

// bound returns a sort key, or a text beside one, from "" on.
func (r random) bound() string {
	return pick(r, "", pick(r, sorts...), pick(r, sorts...)+"\x00", "2026-", "~", "🏆🏆")
}

// keys returns at most so many keys that differ, of which items may be there.
func (r random) keys(most int, parts ...string) (keys []table.Key) {
	for _, partition := range parts {
		for _, sort := range sorts {
			keys = append(keys, key(partition, sort), key(partition, sort+"+"))
		}
	}
	r.Shuffle(len(keys), func(i, j int) { keys[i], keys[j] = keys[j], keys[i] })
	return keys[:r.IntN(min(most, len(keys))+1)]
}

// operation does one, and returns its name, and the answers of the map and the store.
func (r random) operation(ctx context.Context, s *store) (name string, want, got []string) {
	now, everywhere := s.clock.Load(), append(slices.Clone(partitions), expiring)
	partition, limit := pick(r, everywhere...), pick(r, 0, 1, 2, 3, 100)
	switch r.IntN(10) {
	case 0, 1:
		keys := r.keys(table.MaxKeys, everywhere...)
		items, err := s.Get(ctx, keys...)
		want := r.model.items(now, func(k table.Key) bool { return slices.Contains(keys, k) })
		return fmt.Sprint("get ", keys), lines(want), read(byKey(items), err)
	case 2:
		below := r.bound()
		items, err := s.Descend(ctx, partition, below, limit)
		want := r.model.items(now, func(k table.Key) bool { return k.Partition == partition && k.Sort < below })
		slices.Reverse(want)
		return fmt.Sprintf("descend %q %q %d", partition, below, limit), lines(want[:min(limit, len(want))]), read(items, err)
	case 3:
		after, last := r.bound(), r.bound()
		items, err := s.Ascend(ctx, partition, after, last, limit)
		want := r.model.items(now, func(k table.Key) bool {
			return k.Partition == partition && after < k.Sort && k.Sort <= last
		})
		name = fmt.Sprintf("ascend %q %q %q %d", partition, after, last, limit)
		return name, lines(want[:min(limit, len(want))]), read(items, err)
	case 4:
		keys := r.keys(pick(r, 2, 40), everywhere...)
		maps.DeleteFunc(r.model, func(k table.Key, _ table.Item) bool { return slices.Contains(keys, k) })
		return fmt.Sprint("delete ", keys), nil, read(nil, s.Delete(ctx, keys...))
	case 5, 6:
		writes := r.writes(now, pick(r, 3, 60))
		got = []string{told(writes, table.Outcome{Err: s.Together(ctx, writes...)})}
		return fmt.Sprintf("together %+v", writes), []string{r.model.together(writes)}, got
	default:
		writes := r.writes(now, pick(r, 1, 3, 60))
		name = fmt.Sprintf("write %+v", writes)
		for i, o := range s.Write(ctx, writes...) {
			want = append(want, told(writes[i:i+1], r.model.write(writes[i])))
			got = append(got, told(writes[i:i+1], o))
			copy(writes[i].Data, "changed by the writer")
		}
		return name, want, got
	}
}

// writes returns at most so many writes of items that differ, most of them on the revision that is stored.
func (r random) writes(now int64, most int) (writes []table.Write) {
	parts := partitions
	if most == 1 {
		parts = []string{expiring}
	}
	for _, key := range r.keys(most, parts...) {
		was := pick(r, r.model[key].Revision, r.model[key].Revision, int64(r.IntN(3)))
		w := table.Write{Was: was, Gone: was > 0 && r.IntN(4) == 0}
		w.Key, w.Revision, w.Data = key, pick(r, was+1, was+1, was+7), make([]byte, pick(r, 0, 30, 512))
		for i := range w.Data {
			w.Data[i] = byte(i) // also those that text cannot have
		}
		if was > 0 && w.Revision == was+1 {
			w.Revision = pick(r, 0, was+1) // it is the next one, too
		}
		if most == 1 && !w.Gone {
			w.Expires = pick(r, 0, now+int64(r.IntN(20)))
		}
		writes = append(writes, w)
	}
	return writes
}

// A model has the items of a store, expired ones included.
type model map[table.Key]table.Item

// items returns those that have not expired, of some keys, in order.
func (m model) items(now int64, matches func(table.Key) bool) (items []table.Item) {
	for key, item := range m {
		if matches(key) && (item.Expires == 0 || item.Expires > now) {
			items = append(items, item)
		}
	}
	return byKey(items)
}

// allows says whether a write's condition holds.
func (m model) allows(w table.Write) bool {
	if stored, ok := m[w.Key]; ok {
		return w.Was == stored.Revision
	}
	return w.Was == 0 || w.Gone
}

func (m model) write(w table.Write) table.Outcome {
	if !m.allows(w) {
		o := table.Outcome{Err: fmt.Errorf("%w: %s", table.ErrConflict, w.Key)}
		if stored, ok := m[w.Key]; ok {
			o.Stored = &stored
		}
		return o
	}
	if delete(m, w.Key); !w.Gone {
		if w.Revision == 0 {
			w.Revision = w.Was + 1
		}
		w.Data = bytes.Clone(w.Data)
		m[w.Key] = w.Item
	}
	return table.Outcome{}
}

func (m model) together(writes []table.Write) string {
	for _, w := range writes {
		if !m.allows(w) {
			return told([]table.Write{w}, table.Outcome{Err: fmt.Errorf("%w: %s", table.ErrConflict, w.Key)})
		}
	}
	for _, w := range writes {
		m.write(w)
	}
	return told(writes, table.Outcome{})
}

// read returns the items that were read, whose data may be changed then, or why they could not be.
func read(items []table.Item, err error) []string {
	if err != nil {
		return []string{err.Error()}
	}
	text := lines(items)
	for _, item := range items {
		copy(item.Data, "changed by the reader")
	}
	return text
}

// told returns the outcome of a write or of several together. A store that has lost an answer may not be able to tell
// whether a write was carried out before others wrote.
func told(writes []table.Write, o table.Outcome) string {
	conflict := o.Err != nil && (errors.Is(o.Err, table.ErrConflict) ||
		strings.Contains(o.Err.Error(), "others have written since")) && slices.ContainsFunc(writes,
		func(w table.Write) bool { return strings.Contains(o.Err.Error(), w.String()) })
	switch {
	case o.Err == nil && o.Stored == nil:
		return "applied"
	case conflict && o.Stored == nil:
		return "conflict"
	case conflict:
		return "conflict with " + lines([]table.Item{*o.Stored})[0]
	default:
		return fmt.Sprintf("%+v", o)
	}
}
