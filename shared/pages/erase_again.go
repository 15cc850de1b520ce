package pages

import (
	"context"
	"slices"
	"strconv"

	"laurel/shared/board"
	"laurel/shared/codec"
	"laurel/shared/ledger"
	"laurel/shared/redisstore"
)

// LostTombstones returns the tombstones that are kept and that a shard, or the articles, has
// not, or has with an earlier moment, or of an erasure that is not done there.
func (s *Store) LostTombstones(ctx context.Context) (ledger.Erased, error) {
	kept, err := s.tombstones(ctx)
	if err != nil {
		return nil, err
	}
	has, err := s.articles.Tombstones(ctx)
	if err != nil {
		return nil, err
	}
	lost := ledger.Erased{}
	for hash, at := range kept {
		if has[hash] < at {
			lost[hash] = at
		}
	}
	for shard := range s.redis.Shards() {
		fields, err := s.redis.Client().HGetAll(ctx, redisstore.VoidsKey(shard)).Result()
		if err != nil {
			return nil, redisstore.Unavailable("read the tombstones", err)
		}
		for hash, at := range kept {
			there, err := strconv.ParseUint(fields[redisstore.TombstoneField(hash)], 10, 63) // no sign: it is done
			if err != nil || board.Moment(there) < at {
				lost[hash] = at
			}
		}
	}
	return lost, nil
}

// EraseAgain erases everything in Redis of a user of before the moment of a tombstone, which is
// kept: a failover has brought it back. Pages with something of before go as a whole: what is later
// is to be merged again. It leaves the table alone, and may be done again.
func (s *Store) EraseAgain(ctx context.Context, user string, at board.Moment) error {
	ctx = redisstore.WhenFull(ctx)
	until := ledger.Erased{codec.Hash(user): at}.Followed(codec.Hash(user))
	step := ErasureStep{Next: listsStep(0, 0, until)}
	p, err := s.readPerson(ctx, user)
	if err != nil {
		return err
	}
	if len(p.pages) == 0 || s.knows(p.pages, at) {
		step, err = s.eraseOwn(ctx, user, func(context.Context) (board.Moment, board.Moment, error) { return at, until, nil })
	}
	for err == nil && step.Next != "" {
		step, err = s.eraseStep(ctx, user, step.Next)
	}
	if err == nil {
		_, err = s.articles.EraseUntil(ctx, user, at)
	}
	return err
}

// knows says whether pages have anything of before a moment, or may have.
func (s *Store) knows(pages ledger.Pages, at board.Moment) bool {
	before := func(m board.Moment) bool { return m > 0 && m <= at }
	for key, page := range pages {
		switch key {
		case ledger.StatusPage(): // the table has it
		case ledger.FollowsPage():
			list, err := ledger.OpenFollows(page)
			if err != nil || slices.ContainsFunc(list.All(), func(k ledger.Known) bool {
				return before(k.Followed) || before(k.Unfollowed)
			}) {
				return true
			}
		case ledger.TotalsPage():
			months, err := ledger.MonthTotals(page)
			if err != nil || slices.ContainsFunc(months, func(t ledger.MonthTotal) bool { return before(t.Reached) }) {
				return true
			}
		default:
			entries, err := s.entries(pages, key)
			if err != nil || slices.ContainsFunc(entries, func(e ledger.Entry) bool {
				return before(e.First) || before(e.Last) || before(e.Undone) || before(e.Restored)
			}) {
				return true
			}
		}
	}
	return false
}

// entries returns the entries of a page, of a month's also what is left of days whose pages are
// gone.
func (s *Store) entries(pages ledger.Pages, key ledger.PageKey) ([]ledger.Entry, error) {
	entries, err := s.ledger.Entries(key, pages[key])
	month, _ := key.Month()
	if err != nil || key != ledger.MonthPage(month) {
		return entries, err
	}
	gone, err := s.ledger.Summarized(month, pages[key], func(d board.Date) bool { return pages[ledger.DayPage(d)] == "" })
	return append(entries, gone...), err
}
