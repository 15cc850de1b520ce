package journal

import (
	"slices"

	"laurel/shared/ledger"
	"laurel/shared/table"
)

// Key returns the key of an entry's first item.
func (e *Entry) Key() table.Key { return e.key }

// Keys returns the keys of a day's segments.
func (s Sealed) Keys() []table.Key { return s.keys(s.runs...) }

// Encode returns the data of an item with rows.
func Encode(key table.Key, rows []ledger.Row) []byte { return encode(key, rows) }

// Decode returns the rows of an item.
func Decode(item table.Item) ([]ledger.Row, error) { return decode(item) }

// Pack returns the data of an item with a body of rows.
func Pack(key table.Key, body []byte) []byte { return pack(key, formatRows, slices.Clone(body)) }

// Body returns the body of rows.
func Body(rows []ledger.Row) []byte {
	data := encode(table.Key{}, rows)
	body := data[headerLen:]
	if data[2] == compressed {
		body, _ = table.Decompress(body)
	}
	return body[:len(body)-4] // without the checksum
}
