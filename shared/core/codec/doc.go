// Package codec writes stored values as bytes: numbers, texts, ids and the checksum at the end. The pages
// of a user, those of articles and the items of the archive are made of it.
//
// It promises that a value has one form: a Reader accepts exactly the bytes that the Append functions write, so
// equal values are equal bytes, and that bytes from anywhere are a value or an error, never a panic. It does not
// know the meaning of the values: the reading package checks ranges and order with Reader.Check.
//
// # Numbers
//
// Numbers are varints as in encoding/binary: seven bits a byte, the lowest
// first, in as few bytes as they need. Signed ones are in zigzag: 0, -1, 1, -2.
//
// # Ids
//
// An id is a byte for its form and the bytes of that form:
//
//	+------+-------+   0 text: length, bytes     3 person: the first 8 bytes of the person's key
//	| form | bytes |   1 number below 2^64       4 hash: the first 16 bytes of SHA-256
//	+------+-------+   2 UUID: 16 bytes          7 no id
//
// A key has the forms of a target's id and of a ref's in its first byte, then the bytes of
// both, and the first 8 bytes of the other person's key if it names one. Of an id that takes more than 24 bytes it has
// the hash.
//
//	bits   7   6       5 4 3         2 1 0
//	      +---+-------+-------------+------+
//	      | 0 | other | ref: form+1 | form |   other: 1 if it names one; ref: 0 for none
//	      +---+-------+-------------+------+
//
// # Sealed values
//
// A sealed value ends with its CRC-32C (4 bytes, little endian). The checksum is of the body and of a context that is
// not stored, such as the key it is stored under: with one, a value cannot stand in for another.
package codec
