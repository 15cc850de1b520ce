package dynamo

import (
	"context"
	"errors"
	"fmt"
	"time"

	"laurel/shared/table"
)

// A Store is a table.Store on a DynamoDB table with the keys pk and sk (S), the bytes data
// (B), the revision r (N) and the mark m (B) of items that have them, and expires (N), the
// table's time to live. It calls only GetItem, BatchGetItem, Query, PutItem with a condition,
// DeleteItem, BatchWriteItem, BatchExecuteStatement and TransactWriteItems. All reads but
// GetEventually are strongly consistent.
type Store struct {
	meter  table.Meter
	caller func() (*caller, error) // made when it is first called
	name   []byte                  // of the table, as JSON
	texts  texts
	now    func() time.Time
	pace   pace
}

var _ table.Store = (*Store)(nil)

// Units returns the read and write units consumed so far.
func (s *Store) Units() (read, write float64) { return s.meter.Units() }

// Put writes an item if there is none, or one with the same data, which gets the new
// expiry.
func (s *Store) Put(ctx context.Context, item table.Item) error {
	if err := item.Check(); err != nil {
		return err
	}
	condition := []byte(`,"ConditionExpression":"attribute_not_exists(pk) OR #expires <= :now OR #data = :data"`)
	return s.putItem(ctx, item, append(s.appendValues(condition, item), `}`...))
}

// Replace writes an item if the stored one has the data old, or the new data already: a
// call whose answer was lost is repeated.
func (s *Store) Replace(ctx context.Context, item table.Item, old []byte) error {
	if old == nil {
		return s.Put(ctx, item)
	}
	if err := item.Check(); err != nil {
		return err
	}
	condition := []byte(`,"ConditionExpression":` +
		`"(attribute_not_exists(#expires) OR #expires > :now) AND (#data = :old OR #data = :data)"`)
	condition = append(s.appendValues(condition, item), `,":old":`...)
	return s.putItem(ctx, item, append(appendBytes(condition, old), `}`...))
}

// appendValues appends what both conditions name.
func (s *Store) appendValues(b []byte, item table.Item) []byte {
	b = append(b, `,"ExpressionAttributeNames":{"#data":"data","#expires":"expires"}`...)
	b = append(b, `,"ExpressionAttributeValues":{":now":`...)
	return appendBytes(append(appendNumber(b, s.now().Unix()), `,":data":`...), item.Data)
}

// putItem writes an item under a condition, the end of the request.
func (s *Store) putItem(ctx context.Context, item table.Item, condition []byte) error {
	body := append(make([]byte, 0, room(item)+len(condition)), `{"TableName":`...)
	body = appendItem(append(append(body, s.name...), `,"Item":`...), item, table.Mark{})
	body = append(append(body, condition...), consumption...)
	var answer oneAnswer
	err := s.call(ctx, "PutItem", body, writePatience, &answer)
	if refused, ok := errors.AsType[*refusal](err); ok && refused.failed() {
		// It consumes the units of the write; the answer does not have them.
		s.meter.Count(0, table.WriteUnits(item.Size()))
		return fmt.Errorf("%w: %s", table.ErrExists, item.Key)
	}
	if err != nil {
		return unavailable("PutItem", item.String(), err)
	}
	s.meter.Count(0, answer.Consumed.Units)
	return nil
}
