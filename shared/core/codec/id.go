package codec

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"strconv"
)

// Forms of an id; see the package's drawing.
const (
	formText = iota
	formNumber
	formUUID
	formShortHash
	formHash

	formBits   = 3
	formMask   = 1<<formBits - 1
	formNone   = formMask
	endOfForms = 1 << (2 * formBits) // of the two in a key
)

// Lengths of hashes in bytes: of Hash, and of a long id in a key.
const (
	HashLen     = 8
	longHashLen = 16
)

// maxInKey is how many bytes an id takes in a key, with its form.
const maxInKey = 24

// Hash returns the hash of an id: the first 8 bytes of its SHA-256.
func Hash(id string) uint64 {
	sum := sha256.Sum256([]byte(id))
	return binary.BigEndian.Uint64(sum[:HashLen])
}

// AppendID appends an id, "" included, in the shortest form that reads back as the same text.
func AppendID(b []byte, id string) []byte {
	if id == "" {
		return append(b, formNone)
	}
	if n, ok := canonicalNumber(id); ok {
		return binary.AppendUvarint(append(b, formNumber), n)
	}
	if uuid, ok := canonicalUUID(id); ok {
		return append(append(b, formUUID), uuid...)
	}
	return AppendText(append(b, formText), id)
}

// AppendKey appends the key of a target and its ref, "" for none of either. Of a hashed target the short hash alone is
// kept.
func AppendKey(b []byte, target, ref string, hashed bool) []byte {
	start := len(b)
	if hashed {
		b = binary.BigEndian.AppendUint64(append(b, formShortHash), Hash(target))
	} else {
		b = appendInKey(b, target)
	}
	if ref != "" {
		offset := len(b)
		b = appendInKey(b, ref)
		b[start] |= (b[offset] + 1) << formBits
		b = append(b[:offset], b[offset+1:]...)
	}
	return b
}

// formsInKey returns the forms of a key's target and ref, which the key begins with.
func formsInKey(first byte) (target, ref byte) {
	return first & formMask, (first>>formBits - 1) & formMask
}

// appendInKey appends an id, or its hash when it is long.
func appendInKey(b []byte, id string) []byte {
	start := len(b)
	if b = AppendID(b, id); len(b)-start > maxInKey {
		sum := sha256.Sum256([]byte(id))
		b = append(append(b[:start], formHash), sum[:longHashLen]...)
	}
	return b
}

// SameTarget says whether two keys have the same target; their refs may differ.
func SameTarget(key, other string) bool { return targetOf(key) == targetOf(other) }

// HasTarget says whether a key has a target, and HasRef whether it has a ref.
func HasTarget(key string) bool { return key[0]&formMask != formNone }

// HasRef says whether a key has a ref.
func HasRef(key string) bool { return key[0]>>formBits != 0 }

// SameRef says whether two keys have the same ref; their targets may differ.
func SameRef(key, other string) bool {
	return key[0]>>formBits == other[0]>>formBits && refOf(key) == refOf(other)
}

// refOf returns the bytes of a key's ref.
func refOf(key string) string { return key[1+len(targetOf(key).bytes):] }

// targetOf returns the form and the bytes of a key's target.
func targetOf(key string) (target struct {
	form  byte
	bytes string
},
) {
	r := NewReader(key)
	target.form = r.Byte() & formMask
	r.skipID(target.form)
	target.bytes = key[1 : len(key)-r.Len()]
	return target
}

// canonicalNumber parses a uint64 that is written as strconv writes it.
func canonicalNumber(id string) (uint64, bool) {
	n, err := strconv.ParseUint(id, 10, 64)
	return n, err == nil && strconv.FormatUint(n, 10) == id
}

// canonicalUUID parses a UUID in its usual form, lower case with hyphens.
func canonicalUUID(id string) ([]byte, bool) {
	if len(id) != 36 {
		return nil, false
	}
	uuid, err := hex.DecodeString(id[:8] + id[9:13] + id[14:18] + id[19:23] + id[24:])
	return uuid, err == nil && formatUUID(string(uuid)) == id
}

// ID reads an id. A hash reads as "#" and its digits; a text of that form reads the same.
func (r *Reader) ID() string { return r.id(r.Byte()) }

const badID = "bad id"

func (r *Reader) id(form byte) string {
	switch form {
	case formText: // of an id that has no shorter form
		text := r.Text()
		_, number := canonicalNumber(text)
		_, uuid := canonicalUUID(text)
		r.Check(text != "" && !number && !uuid, badID)
		return text
	case formNumber:
		return strconv.FormatUint(r.Uvarint(), 10)
	case formUUID:
		return formatUUID(r.Take(16))
	case formShortHash:
		return "#" + hex.EncodeToString([]byte(r.Take(HashLen)))
	case formHash:
		return "#" + hex.EncodeToString([]byte(r.Take(longHashLen)))
	case formNone:
		return ""
	default:
		r.Fail(badID)
		return ""
	}
}

func formatUUID(b string) string {
	if b == "" {
		return ""
	}
	digits := hex.EncodeToString([]byte(b))
	return digits[:8] + "-" + digits[8:12] + "-" + digits[12:16] + "-" + digits[16:20] + "-" + digits[20:]
}

// Key reads past a key and returns its bytes.
func (r *Reader) Key() string {
	start := r.offset
	first := r.Byte()
	r.Check(first < endOfForms, badID)
	target, ref := formsInKey(first)
	r.skipID(target)
	r.skipID(ref)
	if r.Failed() {
		return ""
	}
	return r.data[start:r.offset]
}

func (r *Reader) skipID(form byte) {
	switch form {
	case formText:
		r.Text()
	case formNumber:
		r.Uvarint()
	case formShortHash:
		r.Take(HashLen)
	case formUUID, formHash:
		r.Take(16)
	case formNone:
	default:
		r.Fail(badID)
	}
}

// SplitKey returns the target and the ref of a key, as ID reads them.
func SplitKey(key string) (target, ref string) {
	r := NewReader(key)
	form, refForm := formsInKey(r.Byte())
	target = r.id(form)
	return target, r.id(refForm)
}
