package archive

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"sync"

	"github.com/klauspost/compress/zstd"
)

// ErrDamaged is wrapped by the errors about an item that cannot be read; they
// name the item.
var ErrDamaged = errors.New("archive: damaged item")

// Formats of items, the first byte of their data.
const (
	formatManifest = 'M'
	formatPage     = 'P'
	formatIndex    = 'I'
)

const (
	headerLen = 1 + 4
	maxBody   = 16 << 20 // of a body; hostile bytes must not fill the memory
)

// The compressor and the decompressor, each made once by who needs it: together
// they take a megabyte and a millisecond. They are no values made at the start, so
// that a function which only reads has no compressor in it, and one that does
// neither has none of it.
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

// compressor has one thread and a fixed level, so that the same body is the same
// bytes.
func compressor() *zstd.Encoder {
	compressing.once.Do(func() {
		encoder, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedDefault), zstd.WithEncoderCRC(false))
		if err != nil {
			panic("archive: " + err.Error()) // the options above are wrong
		}
		compressing.encoder = encoder
	})
	return compressing.encoder
}

func decompressor() *zstd.Decoder {
	decompressing.once.Do(func() {
		decoder, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxBody))
		if err != nil {
			panic("archive: " + err.Error()) // likewise
		}
		decompressing.decoder = decoder
	})
	return decompressing.decoder
}

// checksum is the CRC-32C of a body under its keys, so that an item cannot stand
// in for another.
func checksum(key Key, body []byte) uint32 {
	table := crc32.MakeTable(crc32.Castagnoli)
	sum := crc32.Update(0, table, []byte(key.Partition+"\x00"+key.Sort+"\x00"))
	return crc32.Update(sum, table, body)
}

// seal makes an item's data of a body.
func seal(key Key, format byte, body []byte) []byte {
	data := binary.LittleEndian.AppendUint32([]byte{format}, checksum(key, body))
	return compressor().EncodeAll(body, data)
}

// unseal gives the body of an item's data back.
func unseal(key Key, format byte, data []byte) (*reader, error) {
	if len(data) < headerLen {
		return nil, damaged(key, "it is too short")
	}
	if data[0] != format {
		return nil, damaged(key, fmt.Sprintf("format %q, not %q", data[0], format))
	}
	body, err := decompressor().DecodeAll(data[headerLen:], nil)
	if err != nil {
		return nil, damaged(key, err.Error())
	}
	if checksum(key, body) != binary.LittleEndian.Uint32(data[1:]) {
		return nil, damaged(key, "its checksum does not match")
	}
	return &reader{body: body, key: key}, nil
}

func damaged(key Key, why string) error { return fmt.Errorf("%w: %s: %s", ErrDamaged, key, why) }

// reader walks a body. After the first fault it is bad and answers zeros.
type reader struct {
	body []byte
	key  Key
	bad  bool
}

func (r *reader) uvarint() uint64 {
	v, n := binary.Uvarint(r.body)
	if n <= 0 {
		r.bad, r.body = true, nil
		return 0
	}
	r.body = r.body[n:]
	return v
}

func (r *reader) varint() int64 {
	u := r.uvarint()
	return int64(u>>1) ^ -int64(u&1)
}

// count reads how many things follow, each at least a byte long.
func (r *reader) count() int {
	n := r.uvarint()
	if n > uint64(len(r.body)) {
		r.bad = true
		return 0
	}
	return int(n)
}

func (r *reader) bytes(n uint64) []byte {
	if n > uint64(len(r.body)) {
		r.bad, r.body = true, nil
		return nil
	}
	b := r.body[:n]
	r.body = r.body[n:]
	return b
}

// done says whether everything was read, and well.
func (r *reader) done() error {
	if r.bad || len(r.body) > 0 {
		return damaged(r.key, "it breaks off or goes on")
	}
	return nil
}
