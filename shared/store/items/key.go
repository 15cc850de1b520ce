package items

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"fmt"

	"laurel/shared/core/board"
	"laurel/shared/core/codec"
	"laurel/shared/store/table"
)

// Buckets is how many parts the ledgers of a month, the people and the articles are in. It never changes.
const Buckets = 32

// A Key stands for a person in the keys of items and in final boards: the first 16 bytes of
// HMAC-SHA256 of the id by the forum's secret. No id stands in a key.
type Key [16]byte

// KeyOf returns a person's key.
func (h *Head) KeyOf(id string) Key { return h.Keys()(id) }

// KeysOf returns the keys of people, in their order.
func (h *Head) KeysOf(ids []string) []Key {
	keys, keyOf := make([]Key, len(ids)), h.Keys()
	for i, id := range ids {
		keys[i] = keyOf(id)
	}
	return keys
}

// Keys returns KeyOf for many ids, one after the other.
func (h *Head) Keys() func(id string) Key {
	mac, text, sum := hmac.New(sha256.New, h.Secret), []byte(nil), make([]byte, 0, sha256.Size)
	return func(id string) Key {
		mac.Reset()
		text = append(text[:0], id...)
		_, _ = mac.Write(text) // it never fails
		return Key(mac.Sum(sum)[:len(Key{})])
	}
}

// Hash returns the part of the key that stands for the person in entries of others.
func (k Key) Hash() codec.PersonHash { return codec.PersonHash(binary.BigEndian.Uint64(k[:])) }

// Bucket returns the part that the person's items are in.
func (k Key) Bucket() int { return int(k[0]) % Buckets }

// String returns the key as sort keys have it: base64url without padding.
func (k Key) String() string {
	var text [22]byte
	base64.RawURLEncoding.Encode(text[:], k[:])
	return string(text[:])
}

// ParseKey reads a text that String returned. The error wraps codec.ErrDamaged.
func ParseKey(text string) (k Key, err error) {
	if len(text) == base64.RawURLEncoding.EncodedLen(len(k)) {
		_, err = base64.RawURLEncoding.Strict().Decode(k[:], []byte(text))
	}
	if err != nil || k.String() != text {
		return Key{}, fmt.Errorf("%w: %q is no person's key", codec.ErrDamaged, text)
	}
	return k, nil
}

// A LedgerKey names the ledger of a person's month.
type LedgerKey struct {
	Person Key
	Month  board.MonthOf
}

// A FollowsKey names a sixteenth of a person's follow list: that of targets the first byte of
// whose hash (codec.Hash, big-endian) has Part as its upper half.
type FollowsKey struct {
	Person Key
	Part   byte // 0 to 15
}

// FollowParts is how many items a follow list is in at most.
const FollowParts = 16

// FollowPartOf returns the part of a follow list that a target is in.
func FollowPartOf(target string) byte { return byte(codec.Hash(target) >> 60) }

// ArticleBucket returns the part that an article is in.
func ArticleBucket(id string) int { return int(codec.Hash(id)>>56) % Buckets }

// afterAll is after every sort key.
const afterAll = "\U0010FFFF"

// Partitions that do not depend on anything.
const (
	partForum = "FORUM"
	partVoid  = "VOID"
)

func headKey() table.Key { return table.Key{Partition: partForum, Sort: "head"} }

func cursorKey(name string) table.Key { return table.Key{Partition: partForum, Sort: "cursor#" + name} }

// digits returns a bucket as partitions have it.
func digits(bucket int) string {
	const all = "#00#01#02#03#04#05#06#07#08#09#10#11#12#13#14#15#16#17#18#19#20#21#22#23#24#25#26#27#28#29#30#31"
	return all[3*bucket:][:3]
}

func ledgers(month board.MonthOf, bucket int) string {
	return "LEDGER#" + month.String() + digits(bucket)
}

func (k LedgerKey) item() table.Key {
	return table.Key{Partition: ledgers(k.Month, k.Person.Bucket()), Sort: k.Person.String()}
}

func (k FollowsKey) item() table.Key {
	return table.Key{Partition: "FOLLOWS#" + k.Person.String(), Sort: "0123456789abcdef"[k.Part&15 : k.Part&15+1]}
}

func people(bucket int) string { return "PERSON" + digits(bucket) }

func personKey(k Key) table.Key { return table.Key{Partition: people(k.Bucket()), Sort: k.String()} }

func articles(bucket int) string { return "ARTICLE" + digits(bucket) }

func articleKey(id string) table.Key {
	return table.Key{Partition: articles(ArticleBucket(id)), Sort: id}
}

func voidKey(target string) table.Key { return table.Key{Partition: partVoid, Sort: target} }

func erasures(bucket int) string { return "ERASURE" + digits(bucket) }

func erasureKey(k Key) table.Key { return table.Key{Partition: erasures(k.Bucket()), Sort: k.String()} }

func merges(bucket int) string { return "MERGE" + digits(bucket) }

func mergeKey(k Key) table.Key { return table.Key{Partition: merges(k.Bucket()), Sort: k.String()} }
