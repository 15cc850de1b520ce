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
	people := walk(cursor, func(bucket int, after string) iter.Seq2[records.PersonRow, error] {
		key, _ := records.ParseKey(after) // "" is the zero key
		return s.Records.People(ctx, bucket, key)
	}, func(row records.PersonRow) (string, bool) {
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
