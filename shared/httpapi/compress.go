package httpapi

import (
	"net/http"
	"strings"
	"sync"

	"github.com/klauspost/compress/gzip"
)

// minCompressed is the least number of bytes that are compressed.
const minCompressed = 1_024

// Compressed returns a handler that compresses the answers of another to GET with gzip, for clients
// that accept it. An answer is the same without it: status, headers and, decompressed, the bytes.
// What is no read stays as it is: receipts are short, and the function that writes them does not
// carry this. Who accepts gzip gets weak tags, which hold for both forms (RFC 9110, 8.8.1): a strong
// one is of one of them.
func Compressed(next http.Handler) http.Handler {
	writers := sync.Pool{New: func() any {
		w, _ := gzip.NewWriterLevel(nil, gzip.BestSpeed) // the level is valid
		return w
	}}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			next.ServeHTTP(w, r)
			return
		}
		header := w.Header()
		header.Add("Vary", "Accept-Encoding")
		if !accepts(r.Header, "gzip") {
			next.ServeHTTP(w, r)
			return
		}
		answer := &response{header: header}
		next.ServeHTTP(answer, r)
		if tag := header.Get("ETag"); strings.HasPrefix(tag, `"`) {
			header.Set("ETag", "W/"+tag)
		}
		if len(answer.body) < minCompressed || header.Get("Content-Encoding") != "" {
			answer.send(w)
			return
		}
		header.Set("Content-Encoding", "gzip")
		header.Del("Content-Length")
		w.WriteHeader(answer.status)
		zip, _ := writers.Get().(*gzip.Writer)
		zip.Reset(w)
		_, _ = zip.Write(answer.body) // the client may be gone
		_ = zip.Close()
		writers.Put(zip)
	})
}

// accepts says whether a client takes a content coding.
func accepts(header http.Header, wanted string) bool {
	for coding := range strings.SplitSeq(strings.Join(header["Accept-Encoding"], ","), ",") {
		name, quality, _ := strings.Cut(coding, ";")
		if strings.EqualFold(strings.TrimSpace(name), wanted) {
			weight, given := strings.CutPrefix(strings.TrimSpace(quality), "q=")
			return !given || strings.Trim(weight, "0.") != ""
		}
	}
	return false
}
