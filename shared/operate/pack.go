package operate

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
)

// packed is a request or a reply that is large: Lambda takes and gives 6 MB at most.
type packed struct {
	Operation string `json:"operation,omitempty"` // of a request, whose function has to tell events apart
	Gzip      []byte `json:"gzip"`
}

// packFrom is the size from which something is packed.
const packFrom = 64 << 10

func pack(v any, operation string) (json.RawMessage, error) {
	text, err := json.Marshal(v)
	if err != nil || len(text) < packFrom {
		return text, err
	}
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, _ = w.Write(text) // into memory
	_ = w.Close()
	return json.Marshal(packed{operation, b.Bytes()})
}

// unpack reads what was sent.
func unpack(text []byte, into any) error {
	var p packed
	if err := json.Unmarshal(text, &p); err == nil && len(p.Gzip) > 0 {
		from, err := gzip.NewReader(bytes.NewReader(p.Gzip))
		if err != nil {
			return err
		}
		return json.NewDecoder(from).Decode(into)
	}
	return json.Unmarshal(text, into)
}

// Event returns the event of a request.
func Event(r Request) ([]byte, error) { return pack(r, r.Operation) }

// ReadReply reads a function's answer to an event.
func ReadReply(text []byte) (r Reply, err error) {
	err = unpack(text, &r)
	return r, err
}
