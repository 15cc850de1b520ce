package dynamo

import (
	"context"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"laurel/shared/table"
)

// Get reads items by their keys, at most 100.
func (s *Store) Get(ctx context.Context, keys ...table.Key) ([]table.Item, error) {
	keys, err := table.Readable(keys)
	if err != nil {
		return nil, err
	}
	var rows []map[string]types.AttributeValue
	switch {
	case len(keys) > 1:
		rows, err = s.getAll(ctx, keys)
	case len(keys) == 1:
		rows, err = s.getOne(ctx, keys[0])
	}
	if err != nil {
		return nil, err
	}
	return s.living(rows), nil
}

func (s *Store) getOne(ctx context.Context, key table.Key) ([]map[string]types.AttributeValue, error) {
	output, err := s.client().GetItem(ctx, &dynamodb.GetItemInput{
		TableName: &s.name, Key: keyAttributes(key), ConsistentRead: aws.Bool(true),
		ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal,
	}, s.settings)
	if err != nil {
		return nil, unavailable("GetItem", key.String(), err)
	}
	s.meter.Count(capacity(output.ConsumedCapacity), 0)
	if len(output.Item) == 0 {
		return nil, nil
	}
	return []map[string]types.AttributeValue{output.Item}, nil
}

// getAll reads keys until none is left unprocessed: an answer of DynamoDB has at most 16
// MB, and less when it throttles.
func (s *Store) getAll(ctx context.Context, keys []table.Key) (rows []map[string]types.AttributeValue, err error) {
	rest := make([]map[string]types.AttributeValue, len(keys))
	for i, key := range keys {
		rest[i] = keyAttributes(key)
	}
	err = s.pace.untilDone(ctx, func() (left int, err error) {
		output, err := s.client().BatchGetItem(ctx, &dynamodb.BatchGetItemInput{
			RequestItems:           map[string]types.KeysAndAttributes{s.name: {Keys: rest, ConsistentRead: aws.Bool(true)}},
			ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal,
		}, s.settings)
		if err != nil {
			return 0, err
		}
		for _, consumed := range output.ConsumedCapacity {
			s.meter.Count(capacity(&consumed), 0)
		}
		rows = append(rows, output.Responses[s.name]...)
		rest = output.UnprocessedKeys[s.name].Keys
		return len(rest), nil
	})
	if err != nil {
		return nil, unavailable("BatchGetItem", some(keys), err)
	}
	return rows, nil
}

// Descend reads the items of a partition in descending order.
func (s *Store) Descend(ctx context.Context, partition, below string, limit int) ([]table.Item, error) {
	if below == "" || limit <= 0 {
		return []table.Item{}, nil // nothing is less than ""
	}
	bound := table.Key{Partition: partition, Sort: below}
	if err := bound.Check(); err != nil {
		return nil, err
	}
	return s.query(ctx, limit, "below "+bound.String(), &dynamodb.QueryInput{
		ScanIndexForward:          aws.Bool(false),
		KeyConditionExpression:    aws.String("pk = :pk AND sk < :below"),
		ExpressionAttributeValues: map[string]types.AttributeValue{":pk": textValue(partition), ":below": textValue(below)},
	})
}

// Ascend reads the items of a partition in ascending order.
func (s *Store) Ascend(ctx context.Context, partition, after, last string, limit int) ([]table.Item, error) {
	first, ok, err := table.Between(partition, after, last, limit)
	if !ok || err != nil {
		return []table.Item{}, err
	}
	return s.query(ctx, limit, fmt.Sprintf("%q to %q", first, last), &dynamodb.QueryInput{
		ScanIndexForward:       aws.Bool(true),
		KeyConditionExpression: aws.String("pk = :pk AND sk BETWEEN :first AND :last"),
		ExpressionAttributeValues: map[string]types.AttributeValue{
			":pk": textValue(partition), ":first": textValue(first.Sort), ":last": textValue(last),
		},
	})
}

// query reads at most limit items. An answer of DynamoDB has at most 1 MB, expired items
// included, so it may take several calls.
func (s *Store) query(
	ctx context.Context, limit int, what string, input *dynamodb.QueryInput,
) (items []table.Item, err error) {
	input.TableName, input.ConsistentRead = &s.name, aws.Bool(true)
	input.ReturnConsumedCapacity = types.ReturnConsumedCapacityTotal
	for {
		input.Limit = aws.Int32(int32(min(limit-len(items), 1<<20)))
		output, err := s.client().Query(ctx, input, s.settings)
		if err != nil {
			return nil, unavailable("Query", what, err)
		}
		s.meter.Count(capacity(output.ConsumedCapacity), 0)
		items = append(items, s.living(output.Items)...)
		if len(items) >= limit || len(output.LastEvaluatedKey) == 0 {
			return items, nil
		}
		input.ExclusiveStartKey = output.LastEvaluatedKey
	}
}

// living returns the items that have not expired.
func (s *Store) living(rows []map[string]types.AttributeValue) []table.Item {
	now := s.now().Unix()
	items := make([]table.Item, 0, len(rows))
	for _, attributes := range rows {
		if item := itemOf(attributes); !item.Gone(now) {
			items = append(items, item)
		}
	}
	return items
}

// some returns keys for an error.
func some(keys []table.Key) string {
	return fmt.Sprintf("%s and %d more", keys[0], len(keys)-1)
}
