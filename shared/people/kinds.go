package people

import (
	"context"
	"fmt"
	"iter"
	"strconv"
	"strings"
	"time"

	"laurel/shared/codec"
	"laurel/shared/records"
)

// A kind is one of the kinds of items in which there is something of a person. Export and erasure
// walk the list of kinds, and know no item beside it.
type kind struct {
	name string

	// ask asks for the items under the person's key; nil: there are none.
	ask func(*own, *records.Query)
	// tell puts what there is into an export.
	tell func(*Store, context.Context, *own, *export) error
	// clear returns the writes that empty the items under the person's key of what was up to the
	// erasure, none if they are, and counts what goes. nil: nothing in them outlasts the tombstone.
	clear func(*own, *erasing) []records.Change
	// seek takes the ids of some people out of the items of everybody, from a cursor to the one
	// that it returns, "" at the end. nil: no item of others has an id.
	seek func(s *Store, ctx context.Context, of erasings, cursor string) (next string, err error)
}

// kinds are all kinds of items in which there is something of a person.
func kinds() []kind {
	return []kind{
		{name: "person", tell: (*Store).tellPerson}, // read with all else; a tombstone takes its place
		{name: "ledgers", ask: askLedgers, tell: (*Store).tellLedgers, clear: clearLedgers},
		{name: "follow list", ask: askFollows, tell: (*Store).tellFollows, clear: clearFollows},
		{name: "follow lists of others", tell: (*Store).tellFollowers, seek: (*Store).seekFollows},
		{name: "articles", tell: (*Store).tellArticles, seek: (*Store).seekArticles},
		{name: "live boards", tell: (*Store).tellStandings}, // follow from ledgers and person: shown without them
		{name: "final boards", tell: (*Store).tellFinal},    // have the person's key, and no id
		{name: "erasure", ask: askErasure, tell: (*Store).tellErasure},
	}
}

func askErasure(o *own, q *records.Query) { q.Erasures = append(q.Erasures, o.key) }

// all reads everything under a person's key.
func (s *Store) all(ctx context.Context, user string) (*own, error) {
	return s.read(ctx, user, func(o *own, q *records.Query) {
		o.months = s.keptMonths(o.Head)
		for _, k := range kinds() {
			if k.ask != nil {
				k.ask(o, q)
			}
		}
	})
}

// askLedgers asks for the ledgers of the months.
func askLedgers(o *own, q *records.Query) {
	for _, m := range o.months {
		q.Ledgers = append(q.Ledgers, records.LedgerKey{Person: o.key, Month: m})
	}
}

const (
	sliceLen = 100             // items of everybody that are read together
	reserve  = 2 * time.Second // of a call's time, to save how far it is
)

// A slice is some items of everybody, and the cursor after them, "" at the end.
type slice[T any] struct {
	rows []T
	next string
}

// cursorAt says where a walk over all buckets goes on, "" at the end. The number of the bucket has
// two digits, so that cursors are in order.
func cursorAt(bucket int, after string) string {
	if bucket == records.Buckets {
		return ""
	}
	return fmt.Sprintf("%02d#%s", bucket, after)
}

func parseCursor(cursor string) (bucket int, after string, err error) {
	if cursor == "" {
		return 0, "", nil
	}
	text, after, _ := strings.Cut(cursor, "#")
	if bucket, err = strconv.Atoi(text); err != nil || bucket < 0 || bucket >= records.Buckets {
		return 0, "", fmt.Errorf("people: %w: the cursor %q", codec.ErrDamaged, cursor)
	}
	return bucket, after, nil
}

// walk goes over all buckets from a cursor: in has the rows of a bucket after one, take says after
// which a row is, and whether it is wanted.
func walk[T any](cursor string, in func(bucket int, after string) iter.Seq2[T, error],
	take func(T) (after string, wanted bool),
) iter.Seq2[slice[T], error] {
	return func(yield func(slice[T], error) bool) {
		bucket, after, err := parseCursor(cursor)
		for ; err == nil && bucket < records.Buckets; bucket, after = bucket+1, "" {
			var rows []T
			var row T
			for row, err = range in(bucket, after) {
				if err != nil {
					break
				}
				at, wanted := take(row)
				if wanted {
					rows = append(rows, row)
				}
				if len(rows) == sliceLen {
					if !yield(slice[T]{rows, cursorAt(bucket, at)}, nil) {
						return
					}
					rows = nil
				}
			}
			if err == nil && !yield(slice[T]{rows, cursorAt(bucket+1, "")}, nil) {
				return
			}
		}
		if err != nil {
			yield(slice[T]{}, err)
		}
	}
}

// posts goes over all articles that can be read.
func (s *Store) posts(ctx context.Context, cursor string) iter.Seq2[slice[records.ArticleRow], error] {
	return walk(cursor, func(bucket int, after string) iter.Seq2[records.ArticleRow, error] {
		return s.Records.Articles(ctx, bucket, after)
	}, func(row records.ArticleRow) (string, bool) { return row.ID, row.Err == nil })
}

// A list is a sixteenth of somebody's follow list.
type list struct {
	key records.FollowsKey
	records.Row[*records.FollowPart]
}

// lists goes over sixteenths of everybody's follow lists, those that there are and can be read.
// Where a person cannot be read there may be a list.
func (s *Store) lists(ctx context.Context, sixteenths []byte, cursor string) iter.Seq2[slice[list], error] {
	people := walk(cursor, func(bucket int, after string) iter.Seq2[records.Keyed[*records.Person], error] {
		key, _ := records.ParseKey(after) // "" is the zero key
		return s.Records.People(ctx, bucket, key)
	}, func(row records.Keyed[*records.Person]) (string, bool) {
		return row.Key.String(), row.Err != nil || row.Value.Follows
	})
	return func(yield func(slice[list], error) bool) {
		for some, err := range people {
			var lists []list
			if err == nil {
				var keys []records.FollowsKey
				for _, row := range some.rows {
					for _, part := range sixteenths {
						keys = append(keys, records.FollowsKey{Person: row.Key, Part: part})
					}
				}
				lists, err = s.readLists(ctx, keys)
			}
			if !yield(slice[list]{lists, some.next}, err) || err != nil {
				return
			}
		}
	}
}

// readLists reads sixteenths of follow lists. One that is damaged is left out, and logged.
func (s *Store) readLists(ctx context.Context, keys []records.FollowsKey) (lists []list, err error) {
	if len(keys) == 0 {
		return nil, nil
	}
	found, err := s.Records.Read(ctx, records.Query{Follows: keys})
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

// over says whether a call has only time left to save how far it is.
func over(ctx context.Context) bool {
	deadline, ok := ctx.Deadline()
	return ctx.Err() != nil || ok && time.Until(deadline) < reserve
}
