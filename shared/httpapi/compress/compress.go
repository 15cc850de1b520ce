// Package compress compresses the answers to reads with gzip, for clients that accept it.
//
// It promises that an answer is the same without it: status, headers and, decompressed,
// the bytes. Answers below MinSize stay as they are, and so does what is no read: receipts
// are short, and the function that writes them does not carry this. Who accepts gzip gets
// weak tags, which hold for both forms (RFC 9110, 8.8.1): a strong one is of one of them.
package compress

import (
	"net/http"
	"strings"

	"github.com/klauspost/compress/gzhttp"
	"github.com/klauspost/compress/gzip"
)

// MinSize is the least number of bytes that are compressed.
const MinSize = 1_024

// Reads returns a handler that compresses the answers of another to GET.
func Reads(next http.Handler) http.Handler {
	wrap, err := gzhttp.NewWrapper(
		gzhttp.MinSize(MinSize), gzhttp.CompressionLevel(gzip.BestSpeed), gzhttp.EnableZstd(false),
	)
	if err != nil { // it depends on nothing but these
		panic("compress: " + err.Error())
	}
	compressed := wrap(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.Contains(strings.Join(r.Header.Values("Accept-Encoding"), ","), "gzip") {
			w = &weakened{w}
		}
		next.ServeHTTP(w, r)
	}))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet || r.Method == http.MethodHead {
			compressed(w, r)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// weakened makes the tag of an answer weak.
type weakened struct{ http.ResponseWriter }

func (w *weakened) weaken() {
	if tag := w.Header().Get("ETag"); strings.HasPrefix(tag, `"`) {
		w.Header().Set("ETag", "W/"+tag)
	}
}

// WriteHeader sends the status and the headers.
func (w *weakened) WriteHeader(status int) {
	w.weaken()
	w.ResponseWriter.WriteHeader(status)
}

// Write sends some of the body.
func (w *weakened) Write(p []byte) (int, error) {
	w.weaken()
	return w.ResponseWriter.Write(p)
}

// Unwrap is for http.ResponseController.
func (w *weakened) Unwrap() http.ResponseWriter { return w.ResponseWriter }
