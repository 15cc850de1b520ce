package archive

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// A Table is a Store on a DynamoDB table with the keys pk and sk (S), the bytes
// data (B), and expires (N), the table's time to live. It calls GetItem,
// BatchGetItem, Query, PutItem with a condition, DeleteItem and BatchWriteItem, and
// nothing else. All its reads are strongly consistent.
type Table struct {
	meter
	client  *dynamodb.Client
	name    string
	now     func() time.Time
	pace    pace
	retryer aws.Retryer
}

var _ Store = (*Table)(nil)

// NewTable returns the Store on a table that is there. How often a call is tried,
// and for how long, is set here, whatever the client says. The clock decides what
// has expired.
func NewTable(client *dynamodb.Client, name string, now func() time.Time) *Table {
	t := &Table{client: client, name: name, now: now, pace: steady}
	t.retryer = t.pace.retryer()
	return t
}

// Put writes an item if there is none, or one with the same data, which takes the
// new one's expiry.
func (t *Table) Put(ctx context.Context, item Item) error {
	return t.put(ctx, item, "attribute_not_exists(pk) OR #expires <= :now OR #data = :data", nil)
}

// Replace writes an item if what is there has the data old, or the new data
// already: a call whose answer was lost comes again.
func (t *Table) Replace(ctx context.Context, item Item, old []byte) error {
	if old == nil {
		return t.Put(ctx, item)
	}
	return t.put(ctx, item, "(attribute_not_exists(#expires) OR #expires > :now) AND (#data = :old OR #data = :data)", old)
}

func (t *Table) put(ctx context.Context, item Item, condition string, old []byte) error {
	if err := checkItem(item); err != nil {
		return err
	}
	values := map[string]types.AttributeValue{":data": bytesValue(item.Data), ":now": numberValue(t.now().Unix())}
	if old != nil {
		values[":old"] = bytesValue(old)
	}
	output, err := t.client.PutItem(ctx, &dynamodb.PutItemInput{
		TableName: &t.name, Item: attributesOf(item),
		ConditionExpression:       &condition,
		ExpressionAttributeNames:  map[string]string{"#data": attrData, "#expires": attrExpires},
		ExpressionAttributeValues: values,
		ReturnConsumedCapacity:    types.ReturnConsumedCapacityTotal,
	}, t.settings)
	if _, ok := errors.AsType[*types.ConditionalCheckFailedException](err); ok {
		// It costs what it would have written, and the answer does not say so.
		t.count(0, unitsOf(sizeOf(item), writeUnit))
		return fmt.Errorf("%w: %s", ErrExists, item.Key)
	}
	if err != nil {
		return unavailable("PutItem", item.String(), err)
	}
	t.count(0, capacity(output.ConsumedCapacity))
	return nil
}

// attributesOf is an item as the table has it.
func attributesOf(item Item) map[string]types.AttributeValue {
	attributes := keyAttributes(item.Key)
	attributes[attrData] = bytesValue(item.Data)
	if item.Expires > 0 {
		attributes[attrExpires] = numberValue(item.Expires)
	}
	return attributes
}

// itemOf reads an item of the table. One that somebody has changed by hand has no
// data then, and whoever decodes it says that it is damaged: the others of the
// same read stay readable.
func itemOf(attributes map[string]types.AttributeValue) Item {
	item := Item{Data: []byte{}}
	if v, ok := attributes[attrPartition].(*types.AttributeValueMemberS); ok {
		item.Partition = v.Value
	}
	if v, ok := attributes[attrSort].(*types.AttributeValueMemberS); ok {
		item.Sort = v.Value
	}
	if v, ok := attributes[attrData].(*types.AttributeValueMemberB); ok && v.Value != nil {
		item.Data = v.Value
	}
	if v, ok := attributes[attrExpires].(*types.AttributeValueMemberN); ok {
		if seconds, err := strconv.ParseInt(v.Value, 10, 64); err == nil {
			item.Expires = seconds
		}
	}
	return item
}

func keyAttributes(key Key) map[string]types.AttributeValue {
	return map[string]types.AttributeValue{attrPartition: textValue(key.Partition), attrSort: textValue(key.Sort)}
}

func textValue(s string) types.AttributeValue { return &types.AttributeValueMemberS{Value: s} }

func bytesValue(b []byte) types.AttributeValue {
	if b == nil {
		b = []byte{} // nil is left out of the request
	}
	return &types.AttributeValueMemberB{Value: b}
}

func numberValue(n int64) types.AttributeValue {
	return &types.AttributeValueMemberN{Value: strconv.FormatInt(n, 10)}
}

// capacity is what a call has consumed, in units of reading or writing.
func capacity(consumed *types.ConsumedCapacity) float64 {
	if consumed == nil {
		return 0
	}
	return aws.ToFloat64(consumed.CapacityUnits)
}
