package operate

import (
	"bytes"
	"compress/gzip"
	"context"
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

// By returns what has somebody else do slices of so many seconds, who answers events as Serve does.
func By(seconds int, ask func(ctx context.Context, event []byte) (answer []byte, err error)) Slicer {
	return func(ctx context.Context, r Request, _ Watch) (reply Reply, err error) {
		r.Seconds = seconds
		event, err := pack(r, r.Operation)
		if err != nil {
			return reply, err
		}
		answer, err := ask(ctx, event)
		if err != nil {
			return reply, err
		}
		err = unpack(answer, &reply)
		return reply, err
	}
}
