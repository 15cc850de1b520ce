package article

import "encoding/binary"

// Seal ends a page with a checksum that fits, so that a fuzzer gets past it.
func Seal(id, body string) string {
	return string(binary.LittleEndian.AppendUint32([]byte(body), checksum([]byte(body), id)))
}
