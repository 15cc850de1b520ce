package table

import (
	"sync"

	"github.com/klauspost/compress/zstd"
)

const maxBody = 16 << 20 // decompressed: limits the memory for hostile data

// Each is made at its first use: together they take a megabyte and a millisecond. They are not package
// variables with a value, so that the linker can leave out the one that a function does not use.
var (
	encoding, decoding sync.Once
	encoder            *zstd.Encoder
	decoder            *zstd.Decoder
)

// Compress appends the compressed body to b. It has one thread and a fixed level, so that the same body gives the
// same bytes.
func Compress(b, body []byte) []byte {
	encoding.Do(func() {
		var err error
		encoder, err = zstd.NewWriter(nil,
			zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedDefault), zstd.WithEncoderCRC(false))
		if err != nil {
			panic("table: " + err.Error()) // never: the options are valid
		}
	})
	return encoder.EncodeAll(body, b)
}

// Decompress returns the body of compressed data, at most 16 MiB.
func Decompress(data []byte) ([]byte, error) {
	decoding.Do(func() {
		var err error
		decoder, err = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxBody))
		if err != nil {
			panic("table: " + err.Error()) // never: the options are valid
		}
	})
	return decoder.DecodeAll(data, nil)
}
