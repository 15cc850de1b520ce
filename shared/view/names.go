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

// askNames asks for the names of users, and takes those that are there into names.
func (s *Store) askNames(ctx context.Context, pipe redis.Pipeliner, users []string, names map[string]string,
) askedFields {
	return s.askFields(ctx, pipe, s.bySlot(users), askValues(ctx, s.namesOf, names))
}

func (s *Store) namesOf(slot Slot) string { return s.namesKey(int(slot)) }

// eachField asks each slot, be it filled or not, about some fields at a time, all in one pipeline.
func (s *Store) eachField(ctx context.Context, is string, of map[Slot][]string, ask askField) error {
	pipe := s.client.Pipeline()
	asked := s.askFields(ctx, pipe, of, ask)
	if pipe.Len() > 0 {
		_, _ = pipe.Exec(ctx)
	}
	return asked.take(is, true)
}

// An askField puts a question about fields in a slot into a pipeline, and returns what takes in
// the answer.
type askField func(pipe redis.Pipeliner, slot Slot, fields []string) (take func() error)

// askedFields are questions about fields, with those about the slots' markers.
type askedFields struct {
	checks []check
	takes  []func() error
}

func (s *Store) askFields(ctx context.Context, pipe redis.Pipeliner, of map[Slot][]string, ask askField) askedFields {
	var a askedFields
	for slot, fields := range of {
		if len(fields) > 0 {
			a.checks = append(a.checks, s.checkIn(ctx, pipe, slot))
		}
		for some := range slices.Chunk(fields, maxArguments) {
			a.takes = append(a.takes, ask(pipe, slot, some))
		}
	}
	return a
}

// take takes in the answers.
func (a askedFields) take(is string, filling bool) error {
	for _, c := range a.checks {
		if err := c.err(is, filling); err != nil {
			return err
		}
	}
	for _, take := range a.takes {
		if err := take(); err != nil {
			return unavailable("read fields", err)
		}
	}
	return nil
}
