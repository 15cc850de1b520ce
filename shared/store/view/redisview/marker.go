package redisview

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/redis/go-redis/v9"

	"laurel/shared/store/view"
)

var (
	setMarkerScript = newScript("slot.lua", "set_marker.lua")
	clearKeysScript = newScript("slot.lua", "clear_keys.lua")
)

// markerFields describe a slot. The identity is "" while the slot is being emptied.
var markerFields = []string{"is", "rules", "beat", "life", "fill", "keeps", "days"}

// Markers reads the markers of all slots, in one trip: the shards', then the articles'.
func (s *Store) Markers(ctx context.Context) ([]view.Marker, error) {
	pipe := s.client.Pipeline()
	var read []*redis.SliceCmd
	for _, slot := range s.slots() {
		read = append(read, pipe.HMGet(ctx, s.markerKey(slot), markerFields...))
	}
	if _, err := pipe.Exec(ctx); err != nil {
		return nil, unavailable("read the markers", err)
	}
	markers := make([]view.Marker, len(read))
	for i, slot := range s.slots() {
		markers[i] = parseMarker(texts(read[i].Val()))
		markers[i].Slot = slot
	}
	return markers, nil
}

func parseMarker(fields []string) (m view.Marker) {
	parts := strings.Fields(fields[0])
	if len(parts) != 4 {
		return m
	}
	m = view.Marker{Zone: parts[1], Table: parts[3], Rules: fields[1], Fill: fields[4], Boards: fields[5]}
	m.Format, _ = strconv.Atoi(parts[0])
	m.Shards, _ = strconv.Atoi(parts[2])
	m.Beat, _ = strconv.ParseInt(fields[2], 10, 64)
	m.Life, _ = strconv.ParseInt(fields[3], 10, 64)
	m.Rolling = parseRolling(fields[6])
	return m
}

// Is says whether the slot that has the marker is the view's of a table, complete or not.
func (s *Store) Is(m view.Marker, table string) bool { return s.options.Is(m, table) }

// Lacks says whether the slot that has the marker is not whole by the view's boards.
func (s *Store) Lacks(m view.Marker) bool { return s.options.Lacks(m) }

// Clear empties a slot until it finds no key, and marks it as being filled by want.Fill, of the table want.Table:
// nothing is shown in it before.
func (s *Store) Clear(ctx context.Context, slot view.Slot, want view.Marker) error {
	if _, err := s.clearKeys(ctx, slot, want.Fill, "begin", nil); err != nil {
		return err
	}
	for again := true; again; {
		var removed atomic.Int64
		err := s.eachKey(ctx, s.key(slot, ""), func(keys []string) error {
			n, err := s.clearKeys(ctx, slot, want.Fill, "", keys)
			removed.Add(n)
			return err
		})
		if err != nil {
			return err
		}
		again = removed.Load() > 0
	}
	done, err := s.setMarker(ctx, slot, expected{fill: want.Fill}, "is", s.identityOf(want.Table), "rules", want.Rules,
		"asks", s.options.Kept, "life", number(want.Life), "days", rollingText(want.Rolling))
	if err == nil && !done {
		err = view.ErrCleared
	}
	return err
}

// clearKeys removes keys of a slot that a fill empties, and returns how many there were.
func (s *Store) clearKeys(ctx context.Context, slot view.Slot, fill, begin string, keys []string) (int64, error) {
	marker := s.markerKey(slot)
	keys = slices.DeleteFunc(keys, func(key string) bool { return key == marker })
	if len(keys) == 0 && begin == "" {
		return 0, nil
	}
	removed, err := s.number(ctx, "empty a slot", &call{
		script: clearKeysScript, keys: append([]string{marker}, keys...), args: []string{fill, begin}, whenFull: true,
	})
	if removed < 0 {
		return 0, view.ErrCleared
	}
	return removed, err
}

// Advance moves a fill's chain on: false, where the step before is not there.
func (s *Store) Advance(ctx context.Context, slot view.Slot, from, to string) (bool, error) {
	var done bool
	err := s.identity(ctx, func(identity string) (err error) {
		done, err = s.setMarker(ctx, slot, expected{identity: identity, fill: from}, "fill", to)
		return err
	})
	return done, err
}

// Mark says that a slot is whole, of want's rules, with its beat and life, if its fill is the one that is given: ""
// for one that is whole already. It says false if it is not.
func (s *Store) Mark(ctx context.Context, slot view.Slot, want view.Marker, fill string) (bool, error) {
	own := expected{s.identityOf(want.Table), fill, s.options.Kept}
	return s.setMarker(ctx, slot, own, "fill", "", "rules", want.Rules, "keeps", s.options.Kept,
		"beat", number(want.Beat), "life", number(want.Life))
}

// Claim notes that a slot is being compared by the boards of the options: where a process with others shows units
// meanwhile, Mark says false. It says false itself if the slot is another or has another fill.
func (s *Store) Claim(ctx context.Context, slot view.Slot, table, fill string) (bool, error) {
	return s.setMarker(ctx, slot, expected{identity: s.identityOf(table), fill: fill}, "asks", s.options.Kept)
}

// An expected is the content that a marker needs before it is changed: asks are boards, "" for any.
type expected struct{ identity, fill, asks string }

// setMarker sets fields of a marker that is as expected.
func (s *Store) setMarker(ctx context.Context, slot view.Slot, was expected, set ...string) (bool, error) {
	n, err := s.number(ctx, "set a marker", &call{
		script: setMarkerScript, keys: []string{s.markerKey(slot)},
		args: append([]string{was.identity, was.fill, was.asks}, set...), whenFull: true,
	})
	return n == 1, err
}

const scanLen = 1_000 // keys, about, that a step of a scan looks at

// eachKey calls do with the keys that begin with a prefix, some at a time and some perhaps twice; in a cluster those
// of several nodes at once.
func (s *Store) eachKey(ctx context.Context, prefix string, do func(keys []string) error) error {
	scan := func(ctx context.Context, node redis.Cmdable) error {
		for cursor := uint64(0); ; {
			keys, next, err := node.Scan(ctx, cursor, prefix+"*", scanLen).Result()
			if err != nil {
				return unavailable("list keys", err)
			}
			if err := do(keys); err != nil || next == 0 {
				return err
			}
			cursor = next
		}
	}
	if cluster, ok := s.client.(*redis.ClusterClient); ok {
		return cluster.ForEachMaster(ctx, func(ctx context.Context, node *redis.Client) error { return scan(ctx, node) })
	}
	return scan(ctx, s.client)
}
