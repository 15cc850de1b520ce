package archive

import (
	"context"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// Get reads items by their keys, of which there may be 100.
func (t *Table) Get(ctx context.Context, keys ...Key) ([]Item, error) {
	keys, err := checkKeys(keys)
	if err != nil {
		return nil, err
	}
	var rows []map[string]types.AttributeValue
	switch {
	case len(keys) > maxKeys:
		return nil, fmt.Errorf("%w: %d", errKeys, len(keys))
	case len(keys) > 1:
		rows, err = t.getAll(ctx, keys)
	case len(keys) == 1:
		rows, err = t.getOne(ctx, keys[0])
	}
	if err != nil {
		return nil, err
	}
	return t.living(rows), nil
}

func (t *Table) getOne(ctx context.Context, key Key) ([]map[string]types.AttributeValue, error) {
	output, err := t.client.GetItem(ctx, &dynamodb.GetItemInput{
		TableName: &t.name, Key: keyAttributes(key), ConsistentRead: aws.Bool(true),
		ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal,
	}, t.settings)
	if err != nil {
		return nil, unavailable("GetItem", key.String(), err)
	}
	t.count(capacity(output.ConsumedCapacity), 0)
	if len(output.Item) == 0 {
		return nil, nil
	}
	return []map[string]types.AttributeValue{output.Item}, nil
}

// getAll reads keys until none is left unprocessed: DynamoDB answers 16 MB at a
// time, and less when it is throttled.
func (t *Table) getAll(ctx context.Context, keys []Key) (rows []map[string]types.AttributeValue, err error) {
	rest := make([]map[string]types.AttributeValue, len(keys))
	for i, key := range keys {
		rest[i] = keyAttributes(key)
	}
	err = t.pace.untilDone(ctx, func() (left int, err error) {
		output, err := t.client.BatchGetItem(ctx, &dynamodb.BatchGetItemInput{
			RequestItems:           map[string]types.KeysAndAttributes{t.name: {Keys: rest, ConsistentRead: aws.Bool(true)}},
			ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal,
		}, t.settings)
		if err != nil {
			return 0, err
		}
		for _, consumed := range output.ConsumedCapacity {
			t.count(capacity(&consumed), 0)
		}
		rows = append(rows, output.Responses[t.name]...)
		rest = output.UnprocessedKeys[t.name].Keys
		return len(rest), nil
	})
	if err != nil {
		return nil, unavailable("BatchGetItem", some(keys), err)
	}
	return rows, nil
}

// Descend reads a partition downwards. DynamoDB answers 1 MB at a time, and what
// has expired is among it, so it may take several calls to have limit items.
func (t *Table) Descend(ctx context.Context, partition, below string, limit int) ([]Item, error) {
	if below == "" || limit <= 0 {
		return []Item{}, nil // nothing is less than ""
	}
	bound := Key{partition, below}
	if err := checkKey(bound); err != nil {
		return nil, err
	}
	input := &dynamodb.QueryInput{
		TableName: &t.name, ConsistentRead: aws.Bool(true), ScanIndexForward: aws.Bool(false),
		KeyConditionExpression:    aws.String("pk = :pk AND sk < :below"),
		ExpressionAttributeValues: map[string]types.AttributeValue{":pk": textValue(partition), ":below": textValue(below)},
		ReturnConsumedCapacity:    types.ReturnConsumedCapacityTotal,
	}
	var items []Item
	for {
		input.Limit = aws.Int32(int32(min(limit-len(items), 1<<20)))
		output, err := t.client.Query(ctx, input, t.settings)
		if err != nil {
			return nil, unavailable("Query", "below "+bound.String(), err)
		}
		t.count(capacity(output.ConsumedCapacity), 0)
		items = append(items, t.living(output.Items)...)
		if len(items) >= limit || len(output.LastEvaluatedKey) == 0 {
			return items, nil
		}
		input.ExclusiveStartKey = output.LastEvaluatedKey
	}
}

// living are the items that have not expired.
func (t *Table) living(rows []map[string]types.AttributeValue) []Item {
	now := t.now().Unix()
	items := make([]Item, 0, len(rows))
	for _, attributes := range rows {
		if item := itemOf(attributes); !gone(item.Expires, now) {
			items = append(items, item)
		}
	}
	return items
}

// some names keys in an error.
func some(keys []Key) string {
	return fmt.Sprintf("%s and %d more", keys[0], len(keys)-1)
}
