package dynamo

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"

	"laurel/shared/store/table"
)

// Write applies each write by itself: one by PutItem or DeleteItem, several by statements of BatchExecuteStatement.
func (s *Store) Write(ctx context.Context, writes ...table.Write) []table.Outcome {
	marked, outcomes := table.Prepare(writes)
	if len(marked) == 1 {
		outcomes[marked[0].Index] = s.writeOne(ctx, marked[0])
	} else if len(marked) > 1 {
		s.writeAll(ctx, marked, outcomes)
	}
	return outcomes
}

func (s *Store) writeOne(ctx context.Context, m table.Marked) table.Outcome {
	operation := "PutItem"
	if m.Gone {
		operation = "DeleteItem"
	}
	body := s.appendWrite(make([]byte, 0, room(m.Item)+400), m)
	lost, err := s.call(ctx, operation, body, writePatience, &struct{}{})
	refused, _ := errors.AsType[*refusal](err)
	switch {
	case err == nil:
		return table.Outcome{}
	case refused != nil && (refused.failed() || refused.conflicts()):
		return refusedBy(m, &refused.Item, lost)
	}
	return table.Outcome{Err: unavailable(operation, m.String(), err)}
}

// refusedBy returns the outcome of a write whose condition does not hold for the stored row. After
// an attempt whose answer was lost, the row may be its own; and once the row is later than that, or
// deleted, nobody can tell whether it was written.
func refusedBy(m table.Marked, stored *row, lost bool) table.Outcome {
	item, mark := stored.item()
	if m.Applied(item, mark) {
		return table.Outcome{}
	}
	outcome := m.Conflict()
	if item.Partition != "" {
		outcome.Stored = &item
	}
	if lost && (item.Partition == "" || item.Revision > m.Revision) {
		why := errors.New("an attempt was not answered, and others have written since")
		outcome.Err = unavailable("write", m.String(), why)
	}
	return outcome
}

// appendWrite appends a write as PutItem, DeleteItem and the items of TransactWriteItems have it.
func (s *Store) appendWrite(b []byte, m table.Marked) []byte {
	b = append(append(b, `{"TableName":`...), s.name...)
	if m.Gone {
		b = appendKey(append(b, `,"Key":`...), m.Key)
	} else {
		b = appendItem(append(b, `,"Item":`...), m.Item, m.Mark)
	}
	b = append(b, `,"ReturnValuesOnConditionCheckFailure":"ALL_OLD","ConditionExpression":`...)
	if m.Was == 0 {
		return append(b, `"attribute_not_exists(pk)"}`...)
	}
	if m.Gone {
		b = append(b, `"attribute_not_exists(pk) OR r = :was"`...)
	} else {
		b = append(b, `"r = :was"`...)
	}
	b = append(b, `,"ExpressionAttributeValues":{":was":`...)
	return append(appendNumber(b, m.Was), `}}`...)
}

// Together applies all writes or none, by TransactWriteItems. Its token makes DynamoDB answer
// a repeated request of a transaction that was carried out as it did before.
func (s *Store) Together(ctx context.Context, writes ...table.Write) error {
	marked, err := table.PrepareTogether(writes)
	if err != nil || len(marked) == 0 {
		return err
	}
	body := append([]byte(`{"ClientRequestToken":"`+rand.Text()), `","TransactItems":[`...)
	for i, m := range marked {
		operation := `{"Put":`
		if m.Gone {
			operation = `{"Delete":`
		}
		if i > 0 {
			body = append(body, ',')
		}
		body = append(s.appendWrite(append(body, operation...), m), '}')
	}
	lost, err := s.call(ctx, "TransactWriteItems", append(body, `]}`...), writePatience, &struct{}{})
	refused, _ := errors.AsType[*refusal](err)
	switch {
	case err == nil:
		return nil
	case refused != nil && (refused.failed() || refused.conflicts() && !lost):
		return fmt.Errorf("%w: %s: %s", table.ErrConflict, marked[0].Key, refused.Kind)
	}
	return unavailable("TransactWriteItems", marked[0].String(), err)
}

// Delete removes the items that exist for the keys. It has no condition, because callers
// delete keys that must not have any item; BatchWriteItem has no conditions either.
func (s *Store) Delete(ctx context.Context, keys ...table.Key) error {
	if err := table.CheckKeys(keys); err != nil {
		return err
	}
	for chunk := range slices.Chunk(keys, maxStatements) { // the limit of BatchWriteItem, too
		if err := s.deleteAll(ctx, chunk); err != nil {
			return unavailable("BatchWriteItem", some(chunk), err)
		}
	}
	return nil
}

// deleteAll removes items until none is left unprocessed.
func (s *Store) deleteAll(ctx context.Context, keys []table.Key) error {
	return s.pace.untilDone(ctx, func() (left int, err error) {
		body := append(append([]byte(`{"RequestItems":{`), s.name...), `:[`...)
		for i, key := range keys {
			if i > 0 {
				body = append(body, ',')
			}
			body = append(appendKey(append(body, `{"DeleteRequest":{"Key":`...), key), `}}`...)
		}
		var answer struct {
			Left map[string][]struct {
				Request struct {
					Key row `json:"Key"`
				} `json:"DeleteRequest"`
			} `json:"UnprocessedItems"`
		}
		_, err = s.call(ctx, "BatchWriteItem", append(body, `]}}`...), writePatience, &answer)
		if err != nil {
			return 0, err
		}
		keys = nil
		for _, requests := range answer.Left {
			for _, r := range requests {
				keys = append(keys, r.Request.Key.key())
			}
		}
		return len(keys), nil
	})
}
