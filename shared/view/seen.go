package view

import (
	"context"
	"slices"
	"strings"

	"github.com/redis/go-redis/v9"

	"laurel/shared/board"
)

// Seen reads the seen revisions: of people and of each month, in one bucket of all shards, in one trip; of slots
// that are being filled, too.
func (s *Store) Seen(ctx context.Context, months []board.MonthOf, bucket int,
) (people Seen, byMonth map[board.MonthOf]Seen, err error) {
	byMonth, err = s.seen(ctx, s.slots()[:s.options.Shards], seenPrefix, append(slices.Clone(months), ofPeople), bucket)
	people = byMonth[ofPeople]
	delete(byMonth, ofPeople)
	return people, byMonth, err
}

// SeenVotes reads likewise the revisions of the ledgers that the votes were of, of each month in which articles
// were published, in one trip.
func (s *Store) SeenVotes(ctx context.Context, months []board.MonthOf, bucket int) (map[board.MonthOf]Seen, error) {
	return s.seen(ctx, []Slot{Articles}, votesPrefix, months, bucket)
}

// ofPeople stands for the seen revisions of people among months.
const ofPeople board.MonthOf = -1

// seen reads a bucket of seen revisions of months, in some slots.
func (s *Store) seen(ctx context.Context, slots []Slot, prefix string, months []board.MonthOf, bucket int,
) (map[board.MonthOf]Seen, error) {
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
	seen := make(map[board.MonthOf]Seen, len(months))
	for _, m := range months {
		seen[m] = Seen{}
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

// SeenArticles reads the revisions that articles were shown with, of those that were, in one trip.
func (s *Store) SeenArticles(ctx context.Context, ids ...string) (map[string]int64, error) {
	return s.seenFields(ctx, "pages", ids)
}

// ArticlesBy returns the ids of the articles of an author that the view has, listed or not. It reads all articles, in a
// trip for each few hundred.
func (s *Store) ArticlesBy(ctx context.Context, author string) (ids []string, err error) {
	for cursor := uint64(0); ; {
		var found *redis.ScanCmd
		err := s.plain(ctx, "look for an author's articles", []Slot{Articles}, true, func(pipe redis.Pipeliner) {
			found = pipe.HScan(ctx, s.key(Articles, "pages"), cursor, "", namesAtOnce)
		})
		if err != nil {
			return nil, err
		}
		var pairs []string
		pairs, cursor = found.Val()
		for pair := range slices.Chunk(pairs, 2) {
			line, _, _ := strings.Cut(pair[1], "\n")
			if fields := strings.Split(line, "\t"); len(fields) == articleFields && fields[5] == author {
				ids = append(ids, pair[0])
			}
		}
		if cursor == 0 {
			slices.Sort(ids)
			return slices.Compact(ids), nil
		}
	}
}

// SeenAuthors reads the revisions of people that the names of authors are of, of those who have one, in one trip.
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
	err := s.plain(ctx, "read seen revisions", []Slot{Articles}, true, func(pipe redis.Pipeliner) {
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
