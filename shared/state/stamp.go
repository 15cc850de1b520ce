package state

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"time"

	"laurel/shared/board"
	"laurel/shared/redisstore"
	"laurel/shared/table"
)

var (
	stampKey = table.Key{Partition: "STATE", Sort: "stamp"}
	begunKey = table.Key{Partition: "STATE", Sort: "journal"}
)

// skew is how far the clocks of processes may differ.
const skew = 10 * time.Minute

// Begun returns a moment before which nothing has arrived, 0 if it is not known.
func (s *Store) Begun(ctx context.Context) (board.Moment, error) {
	data, err := s.get(ctx, begunKey)
	begun, _ := strconv.ParseInt(string(data), 10, 64) // 0 if it is damaged
	return board.Moment(begun), err
}

// Begin keeps that nothing has arrived before now, unless an earlier moment is kept.
func (s *Store) Begin(ctx context.Context) error {
	begun := board.MomentOf(s.now().Add(-skew))
	return s.change(ctx, begunKey, 0, func(kept []byte) ([]byte, error) {
		was, err := strconv.ParseInt(string(kept), 10, 64)
		later := err == nil && board.Moment(was) > begun
		if len(kept) == 0 || later {
			kept = strconv.AppendInt(nil, int64(begun), 10)
		}
		return kept, nil // what is damaged stays
	})
}

// Stamp returns the stamp of the store that the table describes, nil for none.
func (s *Store) Stamp(ctx context.Context) (stamp *redisstore.Stamp, err error) {
	data, err := s.get(ctx, stampKey)
	if err != nil || len(data) == 0 {
		return nil, err
	}
	if err := json.Unmarshal(data, &stamp); err != nil {
		return nil, damaged(stampKey, err)
	}
	return stamp, nil
}

// PutFirst writes a stamp if there is none, and returns the one there is then.
func (s *Store) PutFirst(ctx context.Context, stamp redisstore.Stamp) (now redisstore.Stamp, err error) {
	err = s.table.Put(ctx, stampItem(stamp))
	if !errors.Is(err, table.ErrExists) {
		return stamp, wrap("write", stampKey, err)
	}
	there, err := s.Stamp(ctx)
	if err == nil && there == nil {
		err = damaged(stampKey, errors.New("an item without data"))
	}
	if err != nil {
		return redisstore.Stamp{}, err
	}
	return *there, nil
}

// ReplaceStamp replaces a stamp by another. The error wraps table.ErrExists if the stamp
// is neither of the two.
func (s *Store) ReplaceStamp(ctx context.Context, old, next redisstore.Stamp) error {
	return wrap("write", stampKey, s.table.Replace(ctx, stampItem(next), stampItem(old).Data))
}

func stampItem(stamp redisstore.Stamp) table.Item {
	data, err := json.Marshal(stamp)
	if err != nil {
		panic("state: " + err.Error()) // never: the struct has only strings and numbers
	}
	return table.Item{Key: stampKey, Data: data}
}
