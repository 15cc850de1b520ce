package dynamo

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"time"

	"laurel/shared/store/table"
)

// readPatience is the longest timeout of one attempt of a read, whose answer may have 16 MB.
const readPatience = 10 * time.Second

// Get reads items by their keys, at most 100.
func (s *Store) Get(ctx context.Context, keys ...table.Key) ([]table.Item, error) {
	return s.get(ctx, true, keys)
}

// GetEventually reads items by their keys, at most 100, as they were a moment ago.
func (s *Store) GetEventually(ctx context.Context, keys ...table.Key) ([]table.Item, error) {
	return s.get(ctx, false, keys)
}

func (s *Store) get(ctx context.Context, consistent bool, keys []table.Key) ([]table.Item, error) {
	if err := table.Readable(keys); err != nil {
		return nil, err
	}
	rows, err := s.read(ctx, consistent, keys)
	if err != nil {
		return nil, err
	}
	return s.living(rows), nil
}

// read reads keys until none is left unprocessed: an answer of DynamoDB has at most 16 MB, and less when it throttles.
func (s *Store) read(ctx context.Context, consistent bool, keys []table.Key) (rows []row, err error) {
	if len(keys) == 0 {
		return nil, nil
	}
	rest := keys
	rows = make([]row, 0, len(keys))
	err = s.pace.untilDone(ctx, func() (left int, err error) {
		body := append(append(make([]byte, 0, 256+100*len(rest)), `{"RequestItems":{`...), s.name...)
		body = strconv.AppendBool(append(body, `:{"ConsistentRead":`...), consistent)
		body = append(body, `,"Keys":[`...)
		for i, key := range rest {
			if i > 0 {
				body = append(body, ',')
			}
			body = appendKey(body, key)
		}
		var answer struct {
			Responses map[string][]row `json:"Responses"`
			Left      map[string]struct {
				Keys []row `json:"Keys"`
			} `json:"UnprocessedKeys"`
		}
		_, err = s.call(ctx, "BatchGetItem", append(body, `]}}}`...), readPatience, &answer)
		if err != nil {
			return 0, err
		}
		for _, some := range answer.Responses { // of the only table
			rows = append(rows, some...)
		}
		rest = nil
		for _, some := range answer.Left {
			for _, r := range some.Keys {
				rest = append(rest, r.key())
			}
		}
		return len(rest), nil
	})
	if err != nil {
		return nil, unavailable("BatchGetItem", some(keys), err)
	}
	return rows, nil
}

// Descend reads the items of a partition in descending order.
func (s *Store) Descend(ctx context.Context, partition, below string, limit int) ([]table.Item, error) {
	_, ok, err := table.Between(partition, "", below, limit)
	if !ok || err != nil {
		return []table.Item{}, err
	}
	b := []byte(`,"ScanIndexForward":false,"KeyConditionExpression":"pk = :pk AND sk < :below"`)
	b = appendText(append(b, `,"ExpressionAttributeValues":{":below":`...), below)
	return s.query(ctx, true, limit, "below "+partition+" "+below, partition, b)
}

// Ascend reads the items of a partition in ascending order.
func (s *Store) Ascend(ctx context.Context, partition, after, last string, limit int) ([]table.Item, error) {
	return s.ascend(ctx, true, partition, after, last, limit)
}

// AscendEventually reads the items of a partition in ascending order, as they were a moment ago.
func (s *Store) AscendEventually(
	ctx context.Context, partition, after, last string, limit int,
) ([]table.Item, error) {
	return s.ascend(ctx, false, partition, after, last, limit)
}

func (s *Store) ascend(
	ctx context.Context, consistent bool, partition, after, last string, limit int,
) ([]table.Item, error) {
	first, ok, err := table.Between(partition, after, last, limit)
	if !ok || err != nil {
		return []table.Item{}, err
	}
	b := []byte(`,"ScanIndexForward":true,"KeyConditionExpression":"pk = :pk AND sk BETWEEN :first AND :last"`)
	b = appendText(append(b, `,"ExpressionAttributeValues":{":first":`...), first.Sort)
	b = appendText(append(b, `,":last":`...), last)
	return s.query(ctx, consistent, limit, fmt.Sprintf("%q to %q", first, last), partition, b)
}

// query reads at most limit items. An answer of DynamoDB has at most 1 MB, expired items
// included, so it may take several calls.
func (s *Store) query(
	ctx context.Context, consistent bool, limit int, operation, partition string, condition []byte,
) (items []table.Item, err error) {
	base := append(append([]byte(`{"TableName":`), s.name...), `,"ConsistentRead":`...)
	base = strconv.AppendBool(base, consistent)
	base = append(appendText(append(append(base, condition...), `,":pk":`...), partition), '}')
	for body := slices.Clip(base); ; {
		body = strconv.AppendInt(append(body, `,"Limit":`...), int64(min(limit-len(items), 1<<20)), 10)
		var answer struct {
			Items []row `json:"Items"`
			Last  *row  `json:"LastEvaluatedKey"`
		}
		if _, err := s.call(ctx, "Query", append(body, '}'), readPatience, &answer); err != nil {
			return nil, unavailable("Query", operation, err)
		}
		items = append(items, s.living(answer.Items)...)
		if len(items) >= limit || answer.Last == nil {
			return items, nil
		}
		body = appendKey(append(slices.Clip(base), `,"ExclusiveStartKey":`...), answer.Last.key())
	}
}

// living returns the items that have not expired.
func (s *Store) living(rows []row) []table.Item {
	now := s.now().Unix()
	items := make([]table.Item, 0, len(rows))
	for i := range rows {
		if item, _ := rows[i].item(); !item.Gone(now) {
			items = append(items, item)
		}
	}
	return items
}

// some returns keys for an error.
func some(keys []table.Key) string {
	if len(keys) == 1 {
		return keys[0].String()
	}
	return fmt.Sprintf("%s and %d more", keys[0], len(keys)-1)
}
