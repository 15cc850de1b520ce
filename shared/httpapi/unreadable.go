package httpapi

import (
	"bytes"
	"crypto/rand"
	"io"
	"maps"
	"net/http"
)

// Unreadable returns the whole answer to bytes of which no request can be read, after which the
// connection is closed: headers and all, as no handler is asked. The reason must not be the client's
// words; "" if nobody knows.
func Unreadable(reason string) []byte {
	detail := "the request is not readable"
	if reason != "" {
		detail += ": " + reason
	}
	held := response{header: maps.Clone(ofAll)}
	held.header[RequestIDHeader] = []string{rand.Text()}
	newProblem(CodeUnreadable, detail).write(&held)
	answer := http.Response{
		StatusCode: held.status, ProtoMajor: 1, ProtoMinor: 1, Header: held.header, Close: true,
		ContentLength: int64(len(held.body)), Body: io.NopCloser(bytes.NewReader(held.body)),
	}
	var all bytes.Buffer
	_ = answer.Write(&all) // a buffer takes everything
	return all.Bytes()
}
