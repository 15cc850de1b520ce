package ledger

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"strconv"
	"strings"
)

// Tags of the ids in a key; see the package's drawing.
const (
	tagText = iota
	tagNumber
	tagNegative
	tagInt64
	tagUUID
	tagHash

	tagRef  = 1 << 3 // a ref follows
	tagKind = tagRef - 1

	hashLen = 8
)

// maxVarint is where a varint would need more than the 8 bytes of an int64.
const maxVarint = 1 << 56

// appendKey appends the key of a target and its ref: the shortest of the forms
// that gives the same text back. A hashed target cannot be read back.
func appendKey(b []byte, target, ref string, hashed bool) []byte {
	start := len(b)
	if hashed {
		sum := sha256.Sum256([]byte(target))
		b = append(append(b, tagHash), sum[:hashLen]...)
	} else {
		b = appendID(b, target)
	}
	if ref != "" {
		b[start] |= tagRef
		b = appendID(b, ref)
	}
	return b
}

func appendID(b []byte, id string) []byte {
	if n, ok := canonicalInt(id); ok {
		switch {
		case n >= 0 && n < maxVarint:
			return binary.AppendUvarint(append(b, tagNumber), uint64(n))
		case n < 0 && n > -maxVarint:
			return binary.AppendUvarint(append(b, tagNegative), uint64(-n))
		default:
			return binary.BigEndian.AppendUint64(append(b, tagInt64), uint64(n))
		}
	}
	if uuid, ok := canonicalUUID(id); ok {
		return append(append(b, tagUUID), uuid[:]...)
	}
	return append(binary.AppendUvarint(append(b, tagText), uint64(len(id))), id...)
}

// canonicalInt reads an int64 that is written as strconv would write it.
func canonicalInt(id string) (int64, bool) {
	digits := strings.TrimPrefix(id, "-")
	if digits == "" || len(digits) > 19 || digits[0] < '0' || digits[0] > '9' || (digits[0] == '0' && id != "0") {
		return 0, false
	}
	n, err := strconv.ParseInt(id, 10, 64)
	return n, err == nil
}

// canonicalUUID reads a UUID in its usual form, lower case with hyphens.
func canonicalUUID(id string) (uuid [16]byte, ok bool) {
	if len(id) != 36 || id[8] != '-' || id[13] != '-' || id[18] != '-' || id[23] != '-' || strings.ToLower(id) != id {
		return uuid, false
	}
	_, err := hex.Decode(uuid[:], []byte(id[:8]+id[9:13]+id[14:18]+id[19:23]+id[24:]))
	return uuid, err == nil
}

// readKey reads past a key and returns it, a piece of the page.
func (r *reader) readKey() string {
	start := r.at
	tag := r.byte()
	r.skipID(tag & tagKind)
	if tag&tagRef != 0 {
		r.skipID(r.byte())
	}
	if r.bad || tag > tagRef+tagHash {
		r.bad = true
		return ""
	}
	return r.page[start:r.at]
}

func (r *reader) skipID(tag byte) {
	switch tag {
	case tagText:
		r.skip(r.uvarint())
	case tagNumber, tagNegative:
		r.uvarint()
	case tagInt64, tagHash:
		r.skip(8)
	case tagUUID:
		r.skip(16)
	default:
		r.bad = true
	}
}

// keyText gives a key's target and ref back; a hashed target reads as "#" and
// its hash in hex.
func keyText(key string) (target, ref string) {
	r := reader{page: key}
	tag := r.byte()
	target = r.idText(tag & tagKind)
	if tag&tagRef != 0 {
		ref = r.idText(r.byte())
	}
	return target, ref
}

func (r *reader) idText(tag byte) string {
	start := r.at
	switch tag {
	case tagText:
		n := r.uvarint()
		start = r.at
		r.skip(n)
		return r.page[start:r.at]
	case tagNumber:
		return strconv.FormatUint(r.uvarint(), 10)
	case tagNegative:
		return "-" + strconv.FormatUint(r.uvarint(), 10)
	case tagInt64:
		r.skip(8)
		return strconv.FormatInt(int64(binary.BigEndian.Uint64([]byte(r.page[start:r.at]))), 10)
	case tagUUID:
		r.skip(16)
		h := hex.EncodeToString([]byte(r.page[start:r.at]))
		return h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:]
	default:
		r.skip(hashLen)
		return "#" + hex.EncodeToString([]byte(r.page[start:r.at]))
	}
}
