package codec

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"unsafe"
)

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

// Open checks a sealed value's checksum and returns a reader of its body. The
// error wraps ErrDamaged.
func Open[T string | []byte](data T, context string) (Reader, error) {
	end := len(data) - checksumLen
	if end < 0 {
		return Reader{}, fmt.Errorf("%w: %d bytes are too few", ErrDamaged, len(data))
	}
	text := string(data)
	raw := unsafe.Slice(unsafe.StringData(text), len(text)) //nolint:gosec // without a copy, which nobody changes
	if checksum(raw[:end], context) != binary.LittleEndian.Uint32(raw[end:]) {
		return Reader{}, fmt.Errorf("%w: checksum does not match", ErrDamaged)
	}
	return NewReader(text[:end]), nil
}
