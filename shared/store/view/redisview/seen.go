package redisview

import (
	"context"
	"slices"

	"github.com/redis/go-redis/v9"

	"laurel/shared/core/board"
	"laurel/shared/store/view"
)

// Seen reads the seen revisions: of people and of each month, in one bucket of all shards, in one trip; of slots
// that are being filled, too.
func (s *Store) Seen(ctx context.Context, months []board.MonthOf, bucket int,
) (people view.Seen, byMonth map[board.MonthOf]view.Seen, err error) {
	byMonth, err = s.seen(ctx, s.slots()[:s.options.Shards], seenPrefix, append(slices.Clone(months), ofPeople), bucket)
	people = byMonth[ofPeople]
	delete(byMonth, ofPeople)
	return people, byMonth, err
}

// SeenVotes reads likewise the revisions of the ledgers that the votes were of, of each month in which articles
// were published, in one trip.
func (s *Store) SeenVotes(ctx context.Context, months []board.MonthOf, bucket int,
) (map[board.MonthOf]view.Seen, error) {
	return s.seen(ctx, []view.Slot{view.Articles}, votesPrefix, months, bucket)
}

// ofPeople stands for the seen revisions of people among months.
const ofPeople board.MonthOf = -1

// seen reads a bucket of seen revisions of months, in some slots.
func (s *Store) seen(ctx context.Context, slots []view.Slot, prefix string, months []board.MonthOf, bucket int,
) (map[board.MonthOf]view.Seen, error) {
	hashes := map[board.MonthOf][]*redis.MapStringStringCmd{}
	err := s.plain(ctx, "read seen revisions", slots, true, func(pipe redis.Pipeliner) {
		clear(hashes)
		for _, m := range months {
			kind := prefix + m.String()
			if m == ofPeople {
				kind = seenPeople
			}
			for index := range len(slots) * seenParts {
				hashes[m] = append(hashes[m], pipe.HGetAll(ctx, s.seenPart(slots[index/seenParts], kind, bucket, index%seenParts)))
			}
		}
	})
	if err != nil {
		return nil, err
	}
	seen := make(map[board.MonthOf]view.Seen, len(months))
	for _, m := range months {
		seen[m] = view.Seen{}
		for _, hash := range hashes[m] {
			for field, value := range hash.Val() {
				if len(field) == len([8]byte{}) {
					seen[m][[8]byte([]byte(field))] = revisionOf(value)
				}
			}
		}
	}
	return seen, nil
}

// SeenArticles reads the revisions that articles were shown with, of those that were, in one trip; of a slot that is
// being filled, too.
func (s *Store) SeenArticles(ctx context.Context, ids ...string) (map[string]int64, error) {
	seen := map[string]int64{}
	if len(ids) == 0 {
		return seen, nil
	}
	var lines *redis.SliceCmd
	err := s.plain(ctx, "read seen articles", []view.Slot{view.Articles}, true, func(pipe redis.Pipeliner) {
		lines = pipe.HMGet(ctx, s.articlesKey(), ids...)
	})
	if err != nil {
		return nil, err
	}
	for i, line := range texts(lines.Val()) {
		if line != "" {
			seen[ids[i]] = revisionOf(line)
		}
	}
	return seen, nil
}
