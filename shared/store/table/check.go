package table

import (
	"crypto/rand"
	"errors"
	"fmt"
	"unicode/utf8"
)

// MaxKeys is the limit of the keys of one read.
const MaxKeys = 100

// Limits of DynamoDB, and so of every Store.
const (
	maxPartition = 2_048     // bytes of a partition key
	maxSort      = 1_024     // bytes of a sort key
	maxItem      = 400 << 10 // bytes of an item with the names of its attributes

	maxTogether     = 100     // items of a transaction
	maxTogetherSize = 4 << 20 // bytes of them
)

// The attributes of an item in a table, whose names are part of its size. The table's time to live is on the last.
const (
	AttrPartition = "pk"
	AttrSort      = "sk"
	AttrData      = "data"
	AttrRevision  = "r"
	AttrMark      = "m"
	AttrExpires   = "expires"
)

// Readable checks the keys of one read. This error and those below are of the caller: repeating the call does not help.
func Readable(keys []Key) error {
	if len(keys) > MaxKeys {
		return fmt.Errorf("table: too many keys for one read: %d", len(keys))
	}
	return CheckKeys(keys)
}

// CheckKeys checks the keys of one call, of any number: DynamoDB refuses two that are the same.
func CheckKeys(keys []Key) error {
	seen := make(map[Key]bool, len(keys))
	for _, key := range keys {
		if err := key.Check(); err != nil {
			return err
		}
		if seen[key] {
			return fmt.Errorf("table: a key twice in a call: %s", key)
		}
		seen[key] = true
	}
	return nil
}

// Check returns an error if the key is invalid.
func (k Key) Check() error {
	p, s := k.Partition, k.Sort
	if p == "" || len(p) > maxPartition || !utf8.ValidString(p) || s == "" || len(s) > maxSort || !utf8.ValidString(s) {
		return fmt.Errorf("table: invalid key: %.100q", k.String())
	}
	return nil
}

// Check returns an error if the item is too large or its key is invalid.
func (i Item) Check() error {
	if size := i.Size(); size > maxItem {
		return fmt.Errorf("table: item is too large: %.100s has %d bytes", i.Key, size)
	}
	return i.Key.Check()
}

// Between checks the bounds of Ascend, or those of Descend after "", and returns the least key that it reads; ok is
// false if there can be none.
func Between(partition, after, last string, limit int) (first Key, ok bool, err error) {
	first = Key{Partition: partition, Sort: after + "\x00"}
	if limit <= 0 || first.Sort > last {
		return first, false, nil
	}
	return first, true, errors.Join(first.Check(), Key{Partition: partition, Sort: last}.Check())
}

// Size returns the item's size in bytes as DynamoDB counts it: names and values.
func (i Item) Size() int {
	size := len(AttrPartition) + len(i.Partition) + len(AttrSort) + len(i.Sort) + len(AttrData) + len(i.Data)
	if i.Revision > 0 {
		size += len(AttrRevision) + numberSize(i.Revision) + len(AttrMark) + markLen
	}
	if i.Expires > 0 {
		size += len(AttrExpires) + numberSize(i.Expires)
	}
	return size
}

// numberSize is that of a number above 0: a byte, and one for two digits.
func numberSize(n int64) int {
	size := 2
	for ; n >= 100; n /= 100 {
		size++
	}
	return size
}

// Gone reports whether the item has expired at a second since the Unix epoch. DynamoDB
// deletes expired items within days, not at once.
func (i Item) Gone(now int64) bool { return i.Expires > 0 && i.Expires <= now }

// markLen is the length of a mark in bytes.
const markLen = 8

// A Mark is a write's own random number, which is stored with the item.
type Mark [markLen]byte

// A Marked is a Write that a Store carries out: it was checked, its Revision is the one to
// be stored, and it has its Mark.
type Marked struct {
	Write
	Mark  Mark
	Index int // of the Write in its call
}

// Prepare checks writes and returns those to be carried out, with an outcome for each of all;
// of one that must not be, it is the caller's error.
func Prepare(writes []Write) ([]Marked, []Outcome) {
	marked, outcomes := make([]Marked, 0, len(writes)), make([]Outcome, len(writes))
	marks, seen := make([]byte, markLen*len(writes)), make(map[Key]bool, len(writes))
	_, _ = rand.Read(marks) // it never fails
	for i, w := range writes {
		if err := w.valid(seen[w.Key], len(writes) == 1); err != nil {
			outcomes[i].Err = err
			continue
		}
		seen[w.Key] = true
		if w.Revision == 0 {
			w.Revision = Next(w.Was)
		}
		marked = append(marked, Marked{Write: w, Mark: Mark(marks[markLen*i:]), Index: i})
	}
	return marked, outcomes
}

func (w Write) valid(twice, alone bool) error {
	switch {
	case twice:
		return fmt.Errorf("table: two writes of one item in a call: %s", w.Key)
	case w.Expires != 0 && !alone:
		return fmt.Errorf("table: an item that expires is written alone: %s", w.Key)
	case w.Was < 0 || (w.Gone && w.Was == 0) || (!w.Gone && w.Revision != 0 && w.Revision <= w.Was):
		return fmt.Errorf("table: invalid revision of a write: %s from %d to %d", w.Key, w.Was, w.Revision)
	case w.Gone:
		return w.Key.Check()
	}
	w.Revision = max(w.Revision, 1<<40) // its size, once it is set
	return w.Check()
}

// PrepareTogether is Prepare for writes that are carried out all or not at all.
func PrepareTogether(writes []Write) ([]Marked, error) {
	if len(writes) > maxTogether {
		return nil, fmt.Errorf("table: transaction is too large: %d writes", len(writes))
	}
	marked, outcomes := Prepare(writes)
	errs, size := make([]error, 0, len(outcomes)+1), 0
	for i, o := range outcomes {
		errs = append(errs, o.Err)
		size += writes[i].Size()
	}
	if size > maxTogetherSize {
		errs = append(errs, fmt.Errorf("table: transaction is too large: %d bytes", size))
	}
	return marked, errors.Join(errs...)
}

// Applied reports whether a stored item was stored by this write.
func (m Marked) Applied(stored Item, mark Mark) bool {
	return !m.Gone && stored.Revision == m.Revision && mark == m.Mark
}

// Conflict returns the outcome of a write whose condition does not hold, without the stored item.
func (m Marked) Conflict() Outcome { return Outcome{Err: fmt.Errorf("%w: %s", ErrConflict, m.Key)} }
