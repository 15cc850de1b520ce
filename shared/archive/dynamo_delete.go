package archive

import (
	"context"
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// Delete removes items, those that are there. It has no condition: a key is
// deleted by who has decided that nothing may be there, and doing so twice is the
// same. BatchWriteItem knows no conditions either.
func (t *Table) Delete(ctx context.Context, keys ...Key) error {
	keys, err := checkKeys(keys)
	if err != nil {
		return err
	}
	if len(keys) == 1 {
		output, err := t.client.DeleteItem(ctx, &dynamodb.DeleteItemInput{
			TableName: &t.name, Key: keyAttributes(keys[0]), ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal,
		}, t.settings)
		if err != nil {
			return unavailable("DeleteItem", keys[0].String(), err)
		}
		t.count(0, capacity(output.ConsumedCapacity))
		return nil
	}
	return t.deleteAll(ctx, keys)
}

// deleteAll removes keys 25 at a time, as BatchWriteItem takes them, until none is
// left unprocessed.
func (t *Table) deleteAll(ctx context.Context, keys []Key) error {
	const most = 25
	for chunk := range slices.Chunk(keys, most) {
		rest := make([]types.WriteRequest, len(chunk))
		for i, key := range chunk {
			rest[i] = types.WriteRequest{DeleteRequest: &types.DeleteRequest{Key: keyAttributes(key)}}
		}
		err := t.pace.untilDone(ctx, func() (left int, err error) {
			output, err := t.client.BatchWriteItem(ctx, &dynamodb.BatchWriteItemInput{
				RequestItems:           map[string][]types.WriteRequest{t.name: rest},
				ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal,
			}, t.settings)
			if err != nil {
				return 0, err
			}
			for _, consumed := range output.ConsumedCapacity {
				t.count(0, capacity(&consumed))
			}
			rest = output.UnprocessedItems[t.name]
			return len(rest), nil
		})
		if err != nil {
			return unavailable("BatchWriteItem", some(chunk), err)
		}
	}
	return nil
}
