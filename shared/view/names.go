package view

import (
	"context"
	"slices"

	"github.com/redis/go-redis/v9"
)

// bySlot puts users into their shards.
func (s *Store) bySlot(users []string) map[Slot][]string {
	shards := map[Slot][]string{}
	for _, user := range users {
		slot := Slot(s.shardOf(user))
		shards[slot] = append(shards[slot], user)
	}
	return shards
}

// Names reads the names of users, as records.Public as text, in one trip: of those who are on a live
// board and have one. It reads slots that are being filled, too.
func (s *Store) Names(ctx context.Context, users ...string) (names map[string]string, err error) {
	err = s.identity(ctx, func(is string) error {
		names, err = s.fields(ctx, is, s.bySlot(users), s.namesOf)
		return err
	})
	return names, err
}

// Suppressed says who of users is hidden, excluded or shadowed, in one trip. It reads slots that
// are being filled, too.
func (s *Store) Suppressed(ctx context.Context, users ...string) (suppressed map[string]bool, err error) {
	err = s.identity(ctx, func(is string) error {
		suppressed = map[string]bool{}
		ask := func(pipe redis.Pipeliner, slot Slot, users []string) func() error {
			members := make([]any, len(users))
			for i, user := range users {
				members[i] = user
			}
			cmd := pipe.SMIsMember(ctx, s.suppressedKey(int(slot)), members...)
			return func() error {
				for i, is := range cmd.Val() {
					if is {
						suppressed[users[i]] = true
					}
				}
				return cmd.Err()
			}
		}
		return s.eachField(ctx, is, s.bySlot(users), ask)
	})
	return suppressed, err
}

// fields reads fields of a hash in each slot, those that are there, in one trip.
func (s *Store) fields(ctx context.Context, is string, of map[Slot][]string, key func(Slot) string,
) (map[string]string, error) {
	values := map[string]string{}
	return values, s.eachField(ctx, is, of, askValues(ctx, key, values))
}

// askValues asks for fields of a hash, and takes those that are there into values.
func askValues(ctx context.Context, key func(Slot) string, values map[string]string) askField {
	return func(pipe redis.Pipeliner, slot Slot, fields []string) func() error {
		cmd := pipe.HMGet(ctx, key(slot), fields...)
		return func() error {
			takeNames(values, fields, cmd.Val())
			return cmd.Err()
		}
	}
}

func (s *Store) namesOf(slot Slot) string { return s.namesKey(int(slot)) }

// An askField puts a question about fields in a slot into a pipeline, and returns what takes in
// the answer.
type askField func(pipe redis.Pipeliner, slot Slot, fields []string) (take func() error)

// eachField asks each slot, be it filled or not, about some fields at a time, all in one pipeline.
func (s *Store) eachField(ctx context.Context, is string, of map[Slot][]string, ask askField) error {
	var slots []Slot
	for slot, fields := range of {
		if len(fields) > 0 {
			slots = append(slots, slot)
		}
	}
	var takes []func() error
	err := s.plain(ctx, is, slots, true, func(pipe redis.Pipeliner) {
		for _, slot := range slots {
			for some := range slices.Chunk(of[slot], maxArguments) {
				takes = append(takes, ask(pipe, slot, some))
			}
		}
	})
	for _, take := range takes {
		if err == nil {
			if err = take(); err != nil {
				err = unavailable("read fields", err)
			}
		}
	}
	return err
}
