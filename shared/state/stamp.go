package state

import (
	"context"
	"encoding/json"
	"errors"

	"laurel/shared/redisstore"
	"laurel/shared/table"
)

var stampKey = table.Key{Partition: "STATE", Sort: "stamp"}

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
