// Package compress compresses the answers to reads with gzip, for clients that accept it.
//
// It promises that an answer is the same without it: status, headers and, decompressed,
// the bytes. Answers below MinSize stay as they are, and so does what is no read: receipts
// are short, and the function that writes them does not carry this. Tags of answers are
// weak, and hold for both forms.
package compress

import (
	"net/http"

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
	compressed := wrap(next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet || r.Method == http.MethodHead {
			compressed(w, r)
			return
		}
		next.ServeHTTP(w, r)
	})
}
