package table_test

import (
	"encoding/json"
	"fmt"
	"io"
)

// leftIn is where the answers to batches tell what was not processed.
var leftIn = map[string]string{"BatchGetItem": "UnprocessedKeys", "BatchWriteItem": "UnprocessedItems"}

// A batch is the request of a batch operation: for each table a list of writes, or
// an object with a list of keys and how they are read.
type batch struct {
	rest   map[string]json.RawMessage
	tables map[string]any
}

func readBatch(body io.Reader) (batch, error) {
	var b batch
	if err := json.NewDecoder(body).Decode(&b.rest); err != nil {
		return batch{}, fmt.Errorf("read a batch: %w", err)
	}
	if err := json.Unmarshal(b.rest["RequestItems"], &b.tables); err != nil {
		return batch{}, fmt.Errorf("read a batch: %w", err)
	}
	return b, nil
}

func (b batch) empty() bool { return len(b.tables) == 0 }

func (b batch) encode() []byte {
	b.rest["RequestItems"] = encoded(b.tables)
	return encoded(b.rest)
}

// divide takes out of the batch what is to be left, and returns it, encoded as an
// answer tells it, and how much it is.
func (b batch) divide(leave func() bool) (left json.RawMessage, n int) {
	unprocessed := map[string]any{}
	for table, part := range b.tables {
		var keep, rest []any
		for _, one := range listOf(part) {
			if leave() {
				rest = append(rest, one)
			} else {
				keep = append(keep, one)
			}
		}
		n += len(rest)
		if len(rest) > 0 {
			unprocessed[table] = withList(part, rest)
		}
		if b.tables[table] = withList(part, keep); len(keep) == 0 {
			delete(b.tables, table)
		}
	}
	return encoded(unprocessed), n
}

// addLeft adds what was left to what the server itself has left.
func addLeft(body io.Reader, field string, left json.RawMessage) ([]byte, error) {
	var answered map[string]json.RawMessage
	if err := json.NewDecoder(body).Decode(&answered); err != nil {
		return nil, fmt.Errorf("read a batch's answer: %w", err)
	}
	var own, added map[string]any
	if err := json.Unmarshal(left, &added); err != nil {
		return nil, err
	}
	if len(answered[field]) > 0 {
		if err := json.Unmarshal(answered[field], &own); err != nil {
			return nil, fmt.Errorf("read a batch's answer: %w", err)
		}
	}
	for table, part := range own {
		added[table] = withList(part, append(listOf(part), listOf(added[table])...))
	}
	answered[field] = encoded(added)
	return encoded(answered), nil
}

func listOf(part any) []any {
	if keys, ok := part.(map[string]any); ok {
		part = keys["Keys"]
	}
	list, _ := part.([]any)
	return list
}

func withList(part any, list []any) any {
	keys, ok := part.(map[string]any)
	if !ok {
		return list
	}
	copied := map[string]any{"Keys": list}
	for name, value := range keys {
		if name != "Keys" {
			copied[name] = value
		}
	}
	return copied
}

// encoded is what was decoded before, so it can be encoded.
func encoded(value any) json.RawMessage {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	return text
}
