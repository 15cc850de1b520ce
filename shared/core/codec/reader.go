package codec

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
)

// ErrDamaged is wrapped by the errors about stored bytes that cannot be read.
var ErrDamaged = errors.New("damaged data")

// A Reader reads a value from its start. After the first failure it returns zeros, and Done
// returns the failure and its place. Its texts are pieces of the value.
type Reader struct {
	data     string
	offset   int
	reason   string // of the first failure
	failedAt int
}

// NewReader returns a reader of a value.
func NewReader(data string) Reader { return Reader{data: data} }

// Fail makes the reader fail for a reason, unless it has failed before.
func (r *Reader) Fail(reason string) {
	if r.reason == "" {
		r.reason, r.failedAt = reason, r.offset
		r.offset = len(r.data)
	}
}

// Check makes the reader fail for a reason unless ok.
func (r *Reader) Check(ok bool, reason string) {
	if !ok {
		r.Fail(reason)
	}
}

// Failed says whether the reader has failed.
func (r *Reader) Failed() bool { return r.reason != "" }

// Done returns nil when the whole value was read without a failure. The error wraps ErrDamaged.
func (r *Reader) Done() error {
	if r.offset != len(r.data) {
		r.Fail("trailing data")
	}
	if r.reason != "" {
		return fmt.Errorf("%w: %s at byte %d of %d", ErrDamaged, r.reason, r.failedAt, len(r.data))
	}
	return nil
}

// Len returns how many bytes are left.
func (r *Reader) Len() int { return len(r.data) - r.offset }

// Byte reads a byte.
func (r *Reader) Byte() byte {
	if r.offset >= len(r.data) {
		r.Fail(truncated)
		return 0
	}
	r.offset++
	return r.data[r.offset-1]
}

const truncated = "truncated"

// Uvarint reads a number. One that takes more bytes than it needs is a failure.
func (r *Reader) Uvarint() uint64 {
	var value uint64
	start := r.offset
	for shift := 0; start < len(r.data); shift += 7 {
		b := r.data[start]
		start++
		if b < 0x80 {
			if (b == 0 && shift > 0) || (shift == 63 && b > 1) {
				break
			}
			r.offset = start
			return value | uint64(b)<<shift
		}
		if shift == 63 {
			break
		}
		value |= uint64(b&0x7f) << shift
	}
	r.Fail("bad number")
	return 0
}

// Varint reads a signed number.
func (r *Reader) Varint() int64 {
	u := r.Uvarint()
	return int64(u>>1) ^ -int64(u&1)
}

// Count reads how many items follow, each at least size bytes long. It fails when
// there are not bytes enough for them, so its value may be allocated.
func (r *Reader) Count(size int) int {
	n := r.Uvarint()
	if n > uint64(r.Len()/size) {
		r.Fail(truncated)
		return 0
	}
	return int(n)
}

// Take reads n bytes.
func (r *Reader) Take(n uint64) string {
	if n > uint64(r.Len()) {
		r.Fail(truncated)
		return ""
	}
	start := r.offset
	r.offset += int(n)
	return r.data[start:r.offset]
}

// Text reads a text after its length.
func (r *Reader) Text() string { return r.Take(r.Uvarint()) }

// AppendText appends a text after its length.
func AppendText(b []byte, text string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(text))), text...)
}

const checksumLen = 4

// checksum returns the CRC-32C of some bytes and a context.
func checksum(body []byte, context string) uint32 {
	table := crc32.MakeTable(crc32.Castagnoli) // hash/crc32 makes it once
	sum := crc32.Checksum(body, table)
	if context != "" {
		sum = crc32.Update(sum, table, []byte(context))
	}
	return sum
}

// Seal ends a body with its checksum.
func Seal(body []byte, context string) []byte {
	return binary.LittleEndian.AppendUint32(body, checksum(body, context))
}

// Open checks a sealed value's checksum and returns a reader of its body. The error wraps ErrDamaged.
func Open[T string | []byte](data T, context string) (Reader, error) {
	end := len(data) - checksumLen
	if end < 0 {
		return Reader{}, fmt.Errorf("%w: %d bytes are too few", ErrDamaged, len(data))
	}
	body, sum := []byte(data[:end]), []byte(data[end:])
	if checksum(body, context) != binary.LittleEndian.Uint32(sum) {
		return Reader{}, fmt.Errorf("%w: checksum does not match", ErrDamaged)
	}
	return NewReader(string(body)), nil
}
