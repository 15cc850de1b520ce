package archive

import (
	"errors"
	"fmt"
	"sync"

	"github.com/klauspost/compress/zstd"

	"laurel/shared/codec"
)

// ErrDamaged is wrapped by errors about an item that cannot be decoded; they name it.
var ErrDamaged = errors.New("archive: damaged item")

// Kinds of items, the first byte of their data.
const (
	formatManifest = 'M'
	formatPage     = 'P'
	formatIndex    = 'I'
)

// version is the version of all formats, the second byte of an item's data.
const version = 2

const (
	headerLen = 2
	maxBody   = 16 << 20 // of a body: limits the memory for hostile data
)

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
			panic("archive: " + err.Error()) // never: the options are valid
		}
		compressing.encoder = encoder
	})
	return compressing.encoder
}

func decompressor() *zstd.Decoder {
	decompressing.once.Do(func() {
		decoder, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxBody))
		if err != nil {
			panic("archive: " + err.Error()) // never: the options are valid
		}
		decompressing.decoder = decoder
	})
	return decompressing.decoder
}

// sealContext returns an item's keys as part of its checksum, so that an item stored
// under another key is damaged.
func sealContext(key Key) string { return key.Partition + "\x00" + key.Sort }

// seal returns the data of an item with this body.
func seal(key Key, format byte, body []byte) []byte {
	return compressor().EncodeAll(codec.Seal(body, sealContext(key)), []byte{format, version})
}

// unseal returns a reader of the body of an item's data.
func unseal(key Key, format byte, data []byte) (codec.Reader, error) {
	if len(data) < headerLen {
		return codec.Reader{}, damaged(key, "too short")
	}
	if data[0] != format || data[1] != version {
		return codec.Reader{}, damaged(key, fmt.Sprintf("format %q.%d, want %q.%d", data[0], data[1], format, version))
	}
	body, err := decompressor().DecodeAll(data[headerLen:], nil)
	if err != nil {
		return codec.Reader{}, damaged(key, err.Error())
	}
	r, err := codec.Open(body, sealContext(key))
	return r, named(key, err)
}

func damaged(key Key, why string) error { return fmt.Errorf("%w: %s: %s", ErrDamaged, key, why) }

// named adds the item to an error about its data; nil stays nil.
func named(key Key, err error) error {
	if err == nil {
		return nil
	}
	return damaged(key, err.Error())
}
