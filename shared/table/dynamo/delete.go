package dynamo

import (
	"context"
	"slices"

	"laurel/shared/table"
)

// Delete removes the items that exist for the keys. It has no condition, because callers
// delete keys that must not have any item; BatchWriteItem has no conditions either.
func (s *Store) Delete(ctx context.Context, keys ...table.Key) error {
	keys, err := table.Distinct(keys)
	if err != nil {
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
				item, _ := r.Request.Key.item()
				keys = append(keys, item.Key)
			}
		}
		return len(keys), nil
	})
}
