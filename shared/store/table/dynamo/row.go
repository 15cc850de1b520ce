package dynamo

import (
	"encoding/base64"
	"encoding/json"
	"strconv"

	"laurel/shared/store/table"
)

// A row is an item in an answer. One with other attributes, changed by hand, has no data, so
// that decoding reports it as damaged and the others of the read stay readable.
type row struct {
	Partition text    `json:"pk"`
	Sort      text    `json:"sk"`
	Data      octets  `json:"data"`
	Revision  decimal `json:"r"`
	Mark      octets  `json:"m"`
	Expires   decimal `json:"expires"`
}

type (
	text struct {
		Value string `json:"S"`
	}
	octets struct {
		Value []byte `json:"B"`
	}
	decimal struct {
		Value string `json:"N"`
	}
)

func (d decimal) number() int64 {
	n, err := strconv.ParseInt(d.Value, 10, 64)
	if err != nil {
		return 0
	}
	return n
}

func (r *row) key() table.Key { return table.Key{Partition: r.Partition.Value, Sort: r.Sort.Value} }

// item returns the row's item and the mark of its write.
func (r *row) item() (item table.Item, mark table.Mark) {
	item = table.Item{Key: r.key(), Data: r.Data.Value, Expires: r.Expires.number(), Revision: r.Revision.number()}
	if item.Data == nil {
		item.Data = []byte{}
	}
	copy(mark[:], r.Mark.Value)
	return item, mark
}

// The parts of requests, as JSON.

// quoted returns a text as JSON.
func quoted(text string) []byte {
	b, _ := json.Marshal(text) //nolint:errchkjson // a text has no error
	return b
}

func appendText(b []byte, s string) []byte {
	return append(append(append(b, `{"S":`...), quoted(s)...), '}')
}

func appendBytes(b, data []byte) []byte {
	return append(base64.StdEncoding.AppendEncode(append(b, `{"B":"`...), data), `"}`...)
}

func appendNumber(b []byte, n int64) []byte {
	return append(strconv.AppendInt(append(b, `{"N":"`...), n, 10), `"}`...)
}

func appendKey(b []byte, key table.Key) []byte {
	b = appendText(append(b, `{"pk":`...), key.Partition)
	return append(appendText(append(b, `,"sk":`...), key.Sort), '}')
}

// appendItem appends all attributes.
func appendItem(b []byte, item table.Item, mark table.Mark) []byte {
	b = appendKey(b, item.Key)
	b = appendBytes(append(b[:len(b)-1], `,"data":`...), item.Data)
	b = appendNumber(append(b, `,"r":`...), item.Revision)
	b = appendBytes(append(b, `,"m":`...), mark[:])
	if item.Expires > 0 {
		b = appendNumber(append(b, `,"expires":`...), item.Expires)
	}
	return append(b, '}')
}

// room returns the bytes that an item takes in a request, roughly.
func room(item table.Item) int {
	return len(item.Partition) + len(item.Sort) + base64.StdEncoding.EncodedLen(len(item.Data)) + 256
}
