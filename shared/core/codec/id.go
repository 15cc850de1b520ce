package codec

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"strconv"
)

// Forms of an id; see the package's drawing.
const (
	formText = iota
	formNumber
	formUUID
	formPerson
	formHash

	formBits   = 3
	formMask   = 1<<formBits - 1
	formNone   = formMask
	hasOther   = 1 << (2 * formBits) // a key ends with the other person
	endOfForms = 1 << (2*formBits + 1)
)

// Lengths of hashes in bytes: of Hash and a person, and of a long id in a key.
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

// A PersonHash stands for a person in an entry: the first 8 bytes of the person's key, which nobody can guess from an
// id. 0 is nobody.
type PersonHash uint64

// String returns the hash in hexadecimal digits.
func (h PersonHash) String() string { return fmt.Sprintf("%016x", uint64(h)) }

// An EntryKey has the parts of the key of an entry. Parts that are zero are not in it.
type EntryKey struct {
	Target string
	Person PersonHash // in place of Target: the target is this person
	Ref    string
	Other  PersonHash // the other person of the act
}

// Append appends the key.
func (k EntryKey) Append(b []byte) []byte {
	start := len(b)
	if k.Person != 0 {
		b = binary.BigEndian.AppendUint64(append(b, formPerson), uint64(k.Person))
	} else {
		b = appendInKey(b, k.Target)
	}
	if k.Ref != "" {
		offset := len(b)
		b = appendInKey(b, k.Ref)
		b[start] |= (b[offset] + 1) << formBits
		b = append(b[:offset], b[offset+1:]...)
	}
	if k.Other != 0 {
		b[start] |= hasOther
		b = binary.BigEndian.AppendUint64(b, uint64(k.Other))
	}
	return b
}

// PersonIn returns the person whom a key names, as its target or as the other person; 0 for none.
func PersonIn(key string) PersonHash {
	switch {
	case key[0]&hasOther != 0:
		return personHash(key[len(key)-HashLen:])
	case key[0]&formMask == formPerson:
		return personHash(key[1 : 1+HashLen])
	default:
		return 0
	}
}

func personHash(b string) PersonHash { return PersonHash(binary.BigEndian.Uint64([]byte(b))) }

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
func HasRef(key string) bool { return refBits(key) != 0 }

func refBits(key string) byte { return key[0] >> formBits & formMask }

// SameRef says whether two keys have the same ref; their targets may differ.
func SameRef(key, other string) bool {
	return refBits(key) == refBits(other) && refOf(key) == refOf(other)
}

// refOf returns the bytes of a key's ref.
func refOf(key string) string {
	end := len(key)
	if key[0]&hasOther != 0 {
		end -= HashLen
	}
	return key[1+len(targetOf(key).bytes) : end]
}

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
	case formPerson:
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
	if first&hasOther != 0 {
		r.PersonHash()
	}
	if r.Failed() {
		return ""
	}
	return r.data[start:r.offset]
}

// PersonHash reads the hash of a person.
func (r *Reader) PersonHash() PersonHash {
	b := r.Take(HashLen)
	if b == "" {
		return 0
	}
	hash := personHash(b)
	r.Check(hash != 0, badID)
	return hash
}

func (r *Reader) skipID(form byte) {
	switch form {
	case formText:
		r.Text()
	case formNumber:
		r.Uvarint()
	case formPerson:
		r.PersonHash()
	case formUUID, formHash:
		r.Take(16)
	case formNone:
	default:
		r.Fail(badID)
	}
}

// SplitKey returns the target and the ref of a key, as ID reads them: a person as "#" and the digits of the hash.
func SplitKey(key string) (target, ref string) {
	r := NewReader(key)
	form, refForm := formsInKey(r.Byte())
	target = r.id(form)
	return target, r.id(refForm)
}
