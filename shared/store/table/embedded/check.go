package embedded

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"hash/fnv"
	"io/fs"
	"os"
	"unsafe"

	"go.etcd.io/bbolt"

	"laurel/shared/store/table"
)

// ErrDamaged is wrapped when a file is not as it was written.
var ErrDamaged = errors.New("embedded: the file is damaged")

var errOther = errors.New("it has another format, which this version does not read")

// The bytes around an item's data in its value.
const headLen, sumLen = 16, 4

// sum returns the CRC-32C of a key and the part of the value before the sum.
func sum(key, value []byte) uint32 {
	castagnoli := crc32.MakeTable(crc32.Castagnoli)
	return crc32.Update(crc32.Checksum(key, castagnoli), castagnoli, value)
}

// sumIn returns the sum in a value, 0 for no value.
func sumIn(value []byte) uint64 {
	if len(value) < sumLen {
		return 0
	}
	return uint64(binary.BigEndian.Uint32(value[len(value)-sumLen:]))
}

// set writes a value, or with nil deletes it, and keeps the total of all sums.
func (f file) set(key, value []byte) error {
	total := f.Sequence() - sumIn(f.Get(key)) + sumIn(value)
	err := f.SetSequence(total)
	if value == nil {
		return errors.Join(err, f.Delete(key))
	}
	return errors.Join(err, f.Put(key, value))
}

// check reads a file from its first to its last item, as bbolt has checksums for its two
// roots alone, and ends the process at most other damage. torn says that one root is not
// valid: a commit was interrupted, and bbolt takes the state before it.
func check(path string) (torn bool, err error) {
	if info, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) || (err == nil && info.Size() == 0) {
		return false, nil
	}
	db, err := openBolt(path, &bbolt.Options{ReadOnly: true})
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	info, err := os.Stat(path)
	if err != nil {
		return false, fmt.Errorf("%w: %w", table.ErrUnavailable, err)
	}
	err = db.View(func(tx *bbolt.Tx) error {
		size := db.Info().PageSize
		//nolint:gosec // the file is mapped as far as it goes
		file := unsafe.Slice((*byte)(unsafe.Add(nil, db.Info().Data)), min(info.Size(), tx.Size()))
		torn = !soundRoot(file) || !soundRoot(file[size:])
		c := checker{file: file, size: size, seen: make([]bool, tx.Size()/int64(size))}
		return c.check(uint64(tx.Cursor().Bucket().Root()))
	})
	switch {
	case errors.Is(err, errOther):
		err = fmt.Errorf("%w: %s: %w", table.ErrUnavailable, path, err)
	case err != nil:
		err = fmt.Errorf("%w: %w: %s: %w; restore it from a backup", table.ErrUnavailable, ErrDamaged, path, err)
	}
	return torn, err
}

// soundRoot compares a root with its checksum, which is the last of its fields.
func soundRoot(page []byte) bool {
	const from, to = 16, 72
	hash := fnv.New64a()
	_, _ = hash.Write(page[from:to])
	return hash.Sum64() == binary.NativeEndian.Uint64(page[to:])
}

// A checker walks through the pages of a file, as bbolt has them:
//
//	page       id 8, type 2, count 2, overflow 4, then elements, keys and values
//	of a branch   position of the key from here 4, its length 4, page 8
//	of a leaf     flags 4, position 4, length of the key 4, of the value 4
//
// The leaf at the root has buckets, whose values are the page 8 and a number 8; a small one is
// page 0, and its only page follows.
type checker struct {
	file   []byte
	size   int
	seen   []bool // by page
	offset uint64 // the offset of the page that is being read

	total uint64 // of sums
}

const (
	pageHead, element = 16, 16
	branch, leaf      = 1, 2
)

// check walks from the root. It panics at an invalid page.
func (c *checker) check(root uint64) (err error) {
	defer func() {
		switch thrown := recover().(type) {
		case nil:
		case error:
			if !errors.Is(thrown, errOther) {
				thrown = fmt.Errorf("in the page at offset %d: %w", c.offset, thrown)
			}
			err = thrown
		default:
			panic(thrown)
		}
	}()
	c.page(root, nil, nil, func(flags uint32, name, value []byte) {
		c.must(flags == 1, "a bucket is none")
		if !bytes.Equal(name, itemsBucket) {
			panic(errOther)
		}
		if id := binary.NativeEndian.Uint64(value); id != 0 {
			c.page(id, nil, nil, c.item)
		} else {
			c.elements(value[pageHead:], nil, nil, c.item)
		}
		c.must(c.total == binary.NativeEndian.Uint64(value[8:]), "items are missing, or are older ones")
	})
	return nil
}

// item compares an item with its checksum.
func (c *checker) item(flags uint32, key, value []byte) {
	end := max(len(value)-sumLen, headLen)
	c.must(flags == 0 && uint64(sum(key, value[:end])) == sumIn(value), "an item does not match its checksum")
	c.total += sumIn(value)
}

// page walks a page and those below it, whose keys are from low to below high, and returns the last of them.
func (c *checker) page(id uint64, low, high []byte, visit func(flags uint32, key, value []byte)) (last []byte) {
	before := c.offset
	c.offset = id * uint64(c.size)
	page := c.file[c.offset:]
	c.must(id > 1 && binary.NativeEndian.Uint64(page) == id, "it is another page")
	end := id + uint64(binary.NativeEndian.Uint32(page[12:]))
	for i := id; i <= end; i++ {
		c.must(!c.seen[i], "it is used twice")
		c.seen[i] = true
	}
	last = c.elements(page[:(end-id+1)*uint64(c.size)], low, high, visit)
	c.offset = before
	return last
}

func (c *checker) elements(page, low, high []byte, visit func(flags uint32, key, value []byte)) (last []byte) {
	kind, count := binary.NativeEndian.Uint16(page[8:]), int(binary.NativeEndian.Uint16(page[10:]))
	c.must(kind == branch || kind == leaf, "it has no known type")
	key := func(i int) (key, after []byte) {
		head := page[pageHead+i*element:]
		if kind == leaf {
			head = head[4:]
		}
		length := binary.NativeEndian.Uint32(head[4:])
		start := page[pageHead+i*element:][binary.NativeEndian.Uint32(head):]
		return start[:length], start[length:]
	}
	last = low
	for i := range count {
		k, after := key(i)
		order := bytes.Compare(last, k)
		c.must(order < 0 || (order == 0 && (i == 0)) || last == nil, "its keys are not in order")
		c.must(high == nil || bytes.Compare(k, high) < 0, "its keys are not in order")
		if kind == leaf {
			flags := binary.NativeEndian.Uint32(page[pageHead+i*element:])
			visit(flags, k, after[:binary.NativeEndian.Uint32(page[pageHead+i*element+12:])])
			last = k
			continue
		}
		next := high
		if i+1 < count {
			next, _ = key(i + 1)
		}
		last = c.page(binary.NativeEndian.Uint64(page[pageHead+i*element+8:]), k, next, visit)
	}
	return last
}

func (c *checker) must(holds bool, rule string) {
	if !holds {
		panic(errors.New(rule)) // check returns it
	}
}
