package dynamo

import (
	"context"
	"errors"

	"laurel/shared/table"
)

// Write applies each write by itself: one by PutItem or DeleteItem, several by statements of
// BatchExecuteStatement.
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

var errLost = errors.New("an attempt was not answered, and others have written since")

// refusedBy returns the outcome of a write whose condition does not hold for the stored row. After
// an attempt whose answer was lost, the row may be its own; and once the row is later than that, or
// deleted, nobody can tell whether it was written.
func refusedBy(m table.Marked, stored *row, lost bool) table.Outcome {
	item, mark := stored.item()
	if m.Applied(item, mark) {
		return table.Outcome{}
	}
	outcome := m.Conflict(nil)
	if item.Partition != "" {
		outcome.Stored = &item
	}
	if lost && (item.Partition == "" || item.Revision > m.Revision) {
		outcome.Err = unavailable("write", m.String(), errLost)
	}
	return outcome
}

// appendWrite appends a write as PutItem, DeleteItem and the items of TransactWriteItems
// have it.
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
