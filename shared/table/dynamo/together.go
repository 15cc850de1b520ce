package dynamo

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"

	"laurel/shared/table"
)

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
