package people

import (
	"context"
	"iter"

	"laurel/shared/core/board"
	"laurel/shared/store/items"
)

// A kind is one of the kinds of items in which there is something of a person. Export and erasure
// walk the list of kinds, and know no item beside it.
type kind struct {
	name string

	// ask asks for the items under the person's key; nil: the account has them, or there are none.
	ask ask
	// tell puts the person's part of the items into an export.
	tell func(*Store, context.Context, *personItems, *export) error
	// clear returns the writes that empty the items under the person's key of the data up to the
	// erasure, none if they are empty, and counts the removed items. nil: nothing in them outlasts the tombstone.
	clear func(*personItems, *erasing) []items.Change
	// seek takes some people out of everybody's items of a bucket. nil: no item of others names a person.
	seek func(s *Store, ctx context.Context, people map[string]*erasing, bucket int) error
}

// kinds are all kinds of items in which there is something of a person.
func kinds() []kind {
	return []kind{
		{name: "person", tell: (*Store).tellPerson, seek: (*Store).seekPairs}, // a tombstone takes its place
		{name: "ledgers", tell: (*Store).tellLedgers, clear: clearLedgers},
		{name: "follow list", ask: askFollows, tell: (*Store).tellFollows, clear: clearFollows},
		{name: "follow lists of others", tell: (*Store).tellFollowers, seek: (*Store).seekFollows},
		{name: "articles", tell: (*Store).tellArticles, seek: (*Store).seekArticles},
		{name: "live boards", tell: (*Store).tellStandings}, // follow from ledgers and person: shown without them
		{name: "final boards", tell: (*Store).tellFinal},    // have the person's key, and no id
		{name: "erasure", ask: askErasure, tell: (*Store).tellErasure},
		{name: "merge", ask: askMerge, tell: (*Store).tellMerged}, // an erasure begins with its end
	}
}

func askErasure(key items.Key, q *items.Query) { q.Erasures = append(q.Erasures, key) }

// all reads everything under a person's key.
func (s *Store) all(ctx context.Context, user string) (*personItems, error) {
	var asks []ask
	for _, k := range kinds() {
		if k.ask != nil {
			asks = append(asks, k.ask)
		}
	}
	every := func(head *items.Head) []board.MonthOf { // that there may be a ledger of
		return (*board.Life)(nil).LiveMonths(head.From, s.lastMonth())
	}
	return s.readOwn(ctx, user, every, asks...)
}

// A list is a sixteenth of a person's follow list.
type list struct {
	key items.FollowsKey
	items.Row[*items.FollowPart]
}

// listsAtOnce is how many follow lists are read together, or a few more.
const listsAtOnce = 100

// lists goes over sixteenths of the follow lists of a bucket's people, some at a time: those that there are
// and can be read. Where a person cannot be read there may be a list.
func (s *Store) lists(ctx context.Context, bucket int, sixteenths []byte) iter.Seq2[[]list, error] {
	return func(yield func([]list, error) bool) {
		var keys []items.FollowsKey
		for row, err := range s.Items.People(ctx, bucket) {
			if err != nil {
				yield(nil, err)
				return
			}
			if row.Err == nil && !row.Value.Follows {
				continue
			}
			for _, part := range sixteenths {
				keys = append(keys, items.FollowsKey{Person: row.Key, Part: part})
			}
			if len(keys) >= listsAtOnce {
				if !yield(s.readLists(ctx, keys)) {
					return
				}
				keys = nil
			}
		}
		yield(s.readLists(ctx, keys))
	}
}

// readLists reads sixteenths of follow lists. One that is damaged is left out, and logged.
func (s *Store) readLists(ctx context.Context, keys []items.FollowsKey) (lists []list, err error) {
	if len(keys) == 0 {
		return nil, nil
	}
	found, err := s.Items.Read(ctx, items.Query{Follows: keys})
	if err != nil {
		return nil, err
	}
	for _, key := range keys {
		row := found.Follows[key]
		if row.Revision != 0 {
			lists = append(lists, list{key, row})
		}
		if row.Err != nil {
			s.Log.ErrorContext(ctx, "a damaged follow list", "error", row.Err.Error())
		}
	}
	return lists, nil
}
