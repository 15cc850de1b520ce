package table

import (
	"sync"

	"github.com/klauspost/compress/zstd"
)

const maxBody = 16 << 20 // decompressed: limits the memory for hostile data

// Compress appends the compressed body to b. The same body gives the same bytes.
func Compress(b, body []byte) []byte { return compressor().EncodeAll(body, b) }

// Decompress returns the body of compressed data, at most 16 MiB.
func Decompress(data []byte) ([]byte, error) { return decompressor().DecodeAll(data, nil) }

// The compressor and the decompressor, each made at its first use: together they take a
// megabyte and a millisecond. They are not package variables with a value, so that the
// linker can leave out the one that a function does not use.
var (
	compressing struct {
		once    sync.Once
		encoder *zstd.Encoder
	}
	decompressing struct {
		once    sync.Once
		decoder *zstd.Decoder
	}
)

// compressor has one thread and a fixed level, so that the same body gives the same
// bytes.
func compressor() *zstd.Encoder {
	compressing.once.Do(func() {
		encoder, err := zstd.NewWriter(nil,
			zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedDefault), zstd.WithEncoderCRC(false))
		if err != nil {
			panic("table: " + err.Error()) // never: the options are valid
		}
		compressing.encoder = encoder
	})
	return compressing.encoder
}

func decompressor() *zstd.Decoder {
	decompressing.once.Do(func() {
		decoder, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxBody))
		if err != nil {
			panic("table: " + err.Error()) // never: the options are valid
		}
		decompressing.decoder = decoder
	})
	return decompressing.decoder
}
