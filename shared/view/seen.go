package view

import (
	"context"

	"github.com/redis/go-redis/v9"

	"laurel/shared/board"
)

// Seen reads what was seen: of people and of each month, in one bucket of all shards, in one
// trip. It reads slots that are being filled, too.
func (s *Store) Seen(ctx context.Context, months []board.MonthOf, bucket int,
) (people Seen, of map[board.MonthOf]Seen, err error) {
	kinds := []string{seenPeople}
	for _, m := range months {
		kinds = append(kinds, seenPrefix+m.String())
	}
	seen, err := s.seen(ctx, s.slots()[:s.options.Shards], kinds, bucket)
	if err != nil {
		return nil, nil, err
	}
	return seen[0], byMonth(months, seen[1:]), nil
}

// SeenVotes reads likewise which ledgers the votes were of, of each month in which articles were
// published, in one trip.
func (s *Store) SeenVotes(ctx context.Context, months []board.MonthOf, bucket int) (map[board.MonthOf]Seen, error) {
	var kinds []string
	for _, m := range months {
		kinds = append(kinds, votesPrefix+m.String())
	}
	seen, err := s.seen(ctx, []Slot{Articles}, kinds, bucket)
	if err != nil {
		return nil, err
	}
	return byMonth(months, seen), nil
}

func byMonth(months []board.MonthOf, seen []Seen) map[board.MonthOf]Seen {
	of := make(map[board.MonthOf]Seen, len(months))
	for i, m := range months {
		of[m] = seen[i]
	}
	return of
}

// seen reads a bucket of what was seen of each kind, in some slots.
func (s *Store) seen(ctx context.Context, slots []Slot, kinds []string, bucket int) ([]Seen, error) {
	var hashes [][]*redis.MapStringStringCmd // by kind
	err := s.plain(ctx, "read what was seen", slots, true, func(pipe redis.Pipeliner) {
		hashes = make([][]*redis.MapStringStringCmd, len(kinds))
		for i, kind := range kinds {
			for at := range len(slots) * seenParts {
				hashes[i] = append(hashes[i], pipe.HGetAll(ctx, s.seenPart(slots[at/seenParts], kind, bucket, at%seenParts)))
			}
		}
	})
	if err != nil {
		return nil, err
	}
	seen := make([]Seen, len(kinds))
	for i := range kinds {
		seen[i] = Seen{}
		for _, hash := range hashes[i] {
			for field, value := range hash.Val() {
				if len(field) == len([8]byte{}) {
					seen[i][[8]byte([]byte(field))] = revisionOf(value)
				}
			}
		}
	}
	return seen, nil
}

// SeenArticles reads the revisions that articles were shown with, of those that were, in one trip.
func (s *Store) SeenArticles(ctx context.Context, ids ...string) (map[string]int64, error) {
	return s.seenFields(ctx, "pages", ids)
}

// SeenAuthors reads the revisions of people that the names of authors are of, of those who have a
// name, in one trip.
func (s *Store) SeenAuthors(ctx context.Context, authors ...string) (map[string]int64, error) {
	return s.seenFields(ctx, "authors", authors)
}

// seenFields reads the revisions that fields of a hash of the articles begin with.
func (s *Store) seenFields(ctx context.Context, hash string, fields []string) (map[string]int64, error) {
	seen := map[string]int64{}
	if len(fields) == 0 {
		return seen, nil
	}
	var values *redis.SliceCmd
	err := s.plain(ctx, "read what was seen", []Slot{Articles}, true, func(pipe redis.Pipeliner) {
		values = pipe.HMGet(ctx, s.key(Articles, hash), fields...)
	})
	if err != nil {
		return nil, err
	}
	for i, value := range texts(values.Val()) {
		if value != "" {
			seen[fields[i]] = revisionOf(value)
		}
	}
	return seen, nil
}
