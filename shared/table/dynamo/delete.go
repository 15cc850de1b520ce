package dynamo

import (
	"context"
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"laurel/shared/table"
)

// Delete removes the items that exist for the keys. It has no condition, because callers
// delete keys that must not have any item; BatchWriteItem has no conditions either.
func (s *Store) Delete(ctx context.Context, keys ...table.Key) error {
	keys, err := table.Distinct(keys)
	if err != nil {
		return err
	}
	if len(keys) == 1 {
		output, err := s.client().DeleteItem(ctx, &dynamodb.DeleteItemInput{
			TableName: &s.name, Key: keyAttributes(keys[0]), ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal,
		}, s.settings)
		if err != nil {
			return unavailable("DeleteItem", keys[0].String(), err)
		}
		s.meter.Count(0, capacity(output.ConsumedCapacity))
		return nil
	}
	return s.deleteAll(ctx, keys)
}

// deleteAll removes keys 25 at a time, the limit of BatchWriteItem, until none is left
// unprocessed.
func (s *Store) deleteAll(ctx context.Context, keys []table.Key) error {
	const most = 25
	for chunk := range slices.Chunk(keys, most) {
		rest := make([]types.WriteRequest, len(chunk))
		for i, key := range chunk {
			rest[i] = types.WriteRequest{DeleteRequest: &types.DeleteRequest{Key: keyAttributes(key)}}
		}
		err := s.pace.untilDone(ctx, func() (left int, err error) {
			output, err := s.client().BatchWriteItem(ctx, &dynamodb.BatchWriteItemInput{
				RequestItems:           map[string][]types.WriteRequest{s.name: rest},
				ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal,
			}, s.settings)
			if err != nil {
				return 0, err
			}
			for _, consumed := range output.ConsumedCapacity {
				s.meter.Count(0, capacity(&consumed))
			}
			rest = output.UnprocessedItems[s.name]
			return len(rest), nil
		})
		if err != nil {
			return unavailable("BatchWriteItem", some(chunk), err)
		}
	}
	return nil
}
