package redisview

import (
	"context"
	"errors"
	"strings"

	"github.com/redis/go-redis/v9"

	"laurel/shared/core/board"
	"laurel/shared/store/items"
	"laurel/shared/store/view"
)

var (
	sweepScript     = newScript("slot.lua", "sweep.lua")
	dropNamesScript = newScript("slot.lua", "drop_names.lua")
)

const namesAtOnce = 200

// Sweep removes the boards of periods that life says are final, and the seen revisions of such months, and writes
// the beat and Life.Number into the slots that have their marker, complete or not. It works in a full Redis, and
// takes two trips, and more once a month, for names.
func (s *Store) Sweep(ctx context.Context, life *board.Life, beat int64) error {
	return s.identity(ctx, func(identity string) error {
		indexes, err := s.indexes(ctx, s.slots())
		if err != nil {
			return err
		}
		var calls []*call
		var months []view.Slot // that have lost one
		for i, slot := range s.slots() {
			swept, month := s.sweepCalls(identity, life, beat, slot, indexes[i])
			calls = append(calls, swept...)
			if month && slot != view.Articles {
				months = append(months, slot)
			}
		}
		s.run(ctx, calls)
		var failed []error
		for _, c := range calls {
			switch swept, err := c.cmd.Int(); {
			case err != nil:
				failed = append(failed, unavailable("sweep", err))
			case swept < 0:
				failed = append(failed, view.ErrLaterLife)
			}
		}
		for _, slot := range months {
			failed = append(failed, s.dropNames(ctx, identity, slot))
		}
		return errors.Join(failed...)
	})
}

// indexes reads the keys that slots may have: fields of their markers.
func (s *Store) indexes(ctx context.Context, slots []view.Slot) ([][]string, error) {
	pipe := s.client.Pipeline()
	read := make([]*redis.StringSliceCmd, len(slots))
	for i, slot := range slots {
		read[i] = pipe.HKeys(ctx, s.markerKey(slot))
	}
	_, _ = pipe.Exec(ctx)
	indexes := make([][]string, len(slots))
	for i, cmd := range read {
		if cmd.Err() != nil {
			return nil, unavailable("list boards", cmd.Err())
		}
		indexes[i] = cmd.Val()
	}
	return indexes, nil
}

// sweepCalls are the calls that sweep a slot, one for each field of its marker that is final and one for the beat,
// and whether a whole month goes.
func (s *Store) sweepCalls(identity string, life *board.Life, beat int64, slot view.Slot, index []string,
) (calls []*call, month bool) {
	sweep := func(keys []string, unless string, fields ...string) {
		calls = append(calls, &call{
			script: sweepScript, keys: append([]string{s.markerKey(slot)}, keys...), whenFull: true,
			args: append([]string{identity, number(life.Number()), number(beat), unless}, fields...),
		})
	}
	for _, field := range index {
		if keys, whole := s.finalKeys(slot, life, field); len(keys) > 0 {
			sweep(keys, "", field)
			month = month || whole
		}
	}
	for _, field := range index {
		if part, _, ok := parseBoardField(field); ok && s.nameOf(part) == "" { // of other rules
			sweep([]string{s.key(slot, field)}, part, field)
		}
	}
	sweep(nil, "")
	return calls, month
}

// finalKeys returns the keys of a field of the marker if it is final, and whether it is a whole month.
func (s *Store) finalKeys(slot view.Slot, life *board.Life, field string) (keys []string, month bool) {
	if id, ok := s.parseOwn(field); ok {
		if life.Final(id.Period) {
			keys = []string{s.key(slot, field)}
		}
		return keys, false
	}
	kind, name, _ := strings.Cut(field, ":")
	p, err := board.ParsePeriod(board.Month, name)
	switch kind + ":" {
	case seenPrefix:
		if err != nil || life.Follows(p.First().Month(), s.options.Contests) {
			return nil, false
		}
	case votesPrefix:
		if err != nil || !life.Final(p) {
			return nil, false
		}
	default:
		return nil, false
	}
	for bucket := range items.Buckets {
		for part := range seenParts {
			keys = append(keys, s.seenPart(slot, field, bucket, part))
		}
	}
	return keys, true
}

// dropNames removes the names of those who are on no board of a shard any more.
func (s *Store) dropNames(ctx context.Context, identity string, slot view.Slot) error {
	indexes, err := s.indexes(ctx, []view.Slot{slot})
	if err != nil {
		return err
	}
	keys := []string{s.markerKey(slot), s.namesKey(int(slot))}
	for _, field := range indexes[0] {
		if strings.HasPrefix(field, boardPrefix) {
			keys = append(keys, s.key(slot, field))
		}
	}
	for cursor := uint64(0); ; {
		pairs, next, err := s.client.HScan(ctx, keys[1], cursor, "", namesAtOnce).Result()
		if err != nil {
			return unavailable("list names", err)
		}
		c := &call{script: dropNamesScript, keys: keys, args: []string{identity}, whenFull: true}
		for i := 0; i < len(pairs); i += 2 {
			c.args = append(c.args, pairs[i])
		}
		if _, err := s.number(ctx, "drop names", c); err != nil || next == 0 {
			return err
		}
		cursor = next
	}
}
