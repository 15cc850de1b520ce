package dynamo

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"laurel/shared/table"
)

// A Store is a table.Store on a DynamoDB table with the keys pk and sk (S), the bytes
// data (B), and expires (N), the table's time to live. It calls only GetItem,
// BatchGetItem, Query, PutItem (with a condition, except for Set), DeleteItem and
// BatchWriteItem. All reads are strongly consistent.
type Store struct {
	meter   table.Meter
	client  func() *dynamodb.Client // made when it is first called
	setter  func() (*setter, error) // likewise
	name    string
	now     func() time.Time
	pace    pace
	retryer aws.Retryer
}

var _ table.Store = (*Store)(nil)

// Units returns the read and write units consumed so far.
func (s *Store) Units() (read, write float64) { return s.meter.Units() }

// Put writes an item if there is none, or one with the same data, which gets the new
// expiry.
func (s *Store) Put(ctx context.Context, item table.Item) error {
	return s.put(ctx, item, "attribute_not_exists(pk) OR #expires <= :now OR #data = :data", nil)
}

// Replace writes an item if the stored one has the data old, or the new data already: a
// call whose answer was lost is repeated.
func (s *Store) Replace(ctx context.Context, item table.Item, old []byte) error {
	if old == nil {
		return s.Put(ctx, item)
	}
	return s.put(ctx, item, "(attribute_not_exists(#expires) OR #expires > :now) AND (#data = :old OR #data = :data)", old)
}

func (s *Store) put(ctx context.Context, item table.Item, condition string, old []byte) error {
	if err := item.Check(); err != nil {
		return err
	}
	values := map[string]types.AttributeValue{":data": bytesValue(item.Data), ":now": numberValue(s.now().Unix())}
	if old != nil {
		values[":old"] = bytesValue(old)
	}
	return s.write(ctx, item, &dynamodb.PutItemInput{
		ConditionExpression:       &condition,
		ExpressionAttributeNames:  map[string]string{"#data": table.AttrData, "#expires": table.AttrExpires},
		ExpressionAttributeValues: values,
	})
}

// write writes an item under the condition of input.
func (s *Store) write(ctx context.Context, item table.Item, input *dynamodb.PutItemInput) error {
	input.TableName, input.Item = &s.name, attributesOf(item)
	input.ReturnConsumedCapacity = types.ReturnConsumedCapacityTotal
	output, err := s.client().PutItem(ctx, input, s.settings)
	if _, ok := errors.AsType[*types.ConditionalCheckFailedException](err); ok {
		// It consumes the units of the write; the answer does not have them.
		s.meter.Count(0, table.WriteUnits(item.Size()))
		return fmt.Errorf("%w: %s", table.ErrExists, item.Key)
	}
	if err != nil {
		return unavailable("PutItem", item.String(), err)
	}
	s.meter.Count(0, capacity(output.ConsumedCapacity))
	return nil
}

// attributesOf returns an item's attributes in the table.
func attributesOf(item table.Item) map[string]types.AttributeValue {
	attributes := keyAttributes(item.Key)
	attributes[table.AttrData] = bytesValue(item.Data)
	if item.Expires > 0 {
		attributes[table.AttrExpires] = numberValue(item.Expires)
	}
	return attributes
}

// itemOf reads an item of the table. One with other attributes, changed by hand, has no
// data, so that decoding reports it as damaged and the others of the read stay readable.
func itemOf(attributes map[string]types.AttributeValue) table.Item {
	item := table.Item{Data: []byte{}}
	if v, ok := attributes[table.AttrPartition].(*types.AttributeValueMemberS); ok {
		item.Partition = v.Value
	}
	if v, ok := attributes[table.AttrSort].(*types.AttributeValueMemberS); ok {
		item.Sort = v.Value
	}
	if v, ok := attributes[table.AttrData].(*types.AttributeValueMemberB); ok && v.Value != nil {
		item.Data = v.Value
	}
	if v, ok := attributes[table.AttrExpires].(*types.AttributeValueMemberN); ok {
		if seconds, err := strconv.ParseInt(v.Value, 10, 64); err == nil {
			item.Expires = seconds
		}
	}
	return item
}

func keyAttributes(key table.Key) map[string]types.AttributeValue {
	return map[string]types.AttributeValue{
		table.AttrPartition: textValue(key.Partition), table.AttrSort: textValue(key.Sort),
	}
}

func textValue(s string) types.AttributeValue { return &types.AttributeValueMemberS{Value: s} }

func bytesValue(b []byte) types.AttributeValue {
	if b == nil {
		b = []byte{} // the SDK leaves nil out of the request
	}
	return &types.AttributeValueMemberB{Value: b}
}

func numberValue(n int64) types.AttributeValue {
	return &types.AttributeValueMemberN{Value: strconv.FormatInt(n, 10)}
}

// capacity returns the units that a call consumed.
func capacity(consumed *types.ConsumedCapacity) float64 {
	if consumed == nil {
		return 0
	}
	return aws.ToFloat64(consumed.CapacityUnits)
}
