package records

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"laurel/shared/ledger"
	"laurel/shared/table"
)

// A Query names what one read is to get. Head is always read along.
type Query struct {
	People   []Key
	Ledgers  []LedgerKey
	Follows  []FollowsKey
	Articles []string // ids
	Voids    []string // targets
	Erasures []Key

	Eventually bool // for half of the units, without what was written in the last second or so
}

// Found is what a read got: everything that was asked for has a row, of revision 0 if there
// is none. What is there and cannot be read is in Damaged, by the kind and a hash of the key,
// and has no row: nothing else fails for it.
type Found struct {
	Head     *Head // nil: the table was never used, see Begin
	HeadRev  int64
	People   map[Key]Row[*Person]
	Ledgers  map[LedgerKey]Row[*ledger.MonthLedger]
	Follows  map[FollowsKey]Row[*FollowPart]
	Articles map[string]Row[*Article]
	Voids    map[string]Row[*Void]
	Erasures map[Key]Row[*Erasure]

	DamagedPeople   map[Key]error // each wraps codec.ErrDamaged or ledger.ErrFormat
	DamagedLedgers  map[LedgerKey]error
	DamagedFollows  map[FollowsKey]error
	DamagedArticles map[string]error
	DamagedVoids    map[string]error
	DamagedErasures map[Key]error
}

// Read reads what the query names and the head, strongly consistent unless the query says that it
// need not be: one call for each 100 keys, side by side. The error wraps table.ErrUnavailable, or is
// of the head: ErrZone, ErrFormat, codec.ErrDamaged.
func (s *Store) Read(ctx context.Context, q Query) (*Found, error) {
	r, f := &reading{}, &Found{}
	f.People, f.DamagedPeople = ask(r, q.People, personKey, decodePerson)
	f.Ledgers, f.DamagedLedgers = ask(r, q.Ledgers, LedgerKey.item, decodeLedger)
	f.Follows, f.DamagedFollows = ask(r, q.Follows, FollowsKey.item, decodeFollows)
	f.Articles, f.DamagedArticles = ask(r, q.Articles, articleKey, decodeArticle)
	f.Voids, f.DamagedVoids = ask(r, q.Voids, voidKey, decodeVoid)
	f.Erasures, f.DamagedErasures = ask(r, q.Erasures, erasureKey, decodeErasure)
	var err error
	r.add(headKey())
	r.taken(func(_ int, item table.Item) {
		f.HeadRev = item.Revision
		f.Head, err = s.headOf(item.Data)
	})
	get := s.table.Get
	if q.Eventually {
		get = s.table.GetEventually
	}
	items, failed := inChunks(ctx, get, r.keys)
	if failed != nil {
		return nil, failed
	}
	r.take(items)
	if err != nil {
		return nil, err
	}
	if f.Head != nil {
		s.from.Store(int64(f.Head.From))
	}
	return f, nil
}

// A knownHead is a head with the bytes that it was read from.
type knownHead struct {
	data []byte
	head *Head
}

// headOf reads the head, which is mostly the one that was read last. Nobody changes it.
func (s *Store) headOf(data []byte) (*Head, error) {
	if known := s.head.Load(); known != nil && bytes.Equal(known.data, data) {
		return known.head, nil
	}
	h, err := decodeHead(data)
	if err != nil {
		return nil, err
	}
	if s.zone != "" && h.Zone != s.zone {
		return nil, fmt.Errorf("%w: %s, not %s", ErrZone, h.Zone, s.zone)
	}
	s.head.Store(&knownHead{data, h})
	return h, nil
}

// A reading has the keys of a read, one kind after the other, and what takes the items of each kind.
type reading struct {
	keys  []table.Key
	kinds []kind
}

// A kind is the keys up to an end. take gets an item, and which of the kind's keys it has.
type kind struct {
	begin, end int
	take       func(n int, item table.Item)
}

func (r *reading) add(key table.Key) { r.keys = append(r.keys, key) }

// taken says what takes the items of the keys that were added since it was called last.
func (r *reading) taken(take func(n int, item table.Item)) {
	k := kind{end: len(r.keys), take: take}
	if n := len(r.kinds); n > 0 {
		k.begin = r.kinds[n-1].end
	}
	r.kinds = append(r.kinds, k)
}

// take gives each item that was found to its kind.
func (r *reading) take(items []table.Item) {
	at := make(map[table.Key]int, len(r.keys))
	for i, key := range r.keys {
		at[key] = i
	}
	for _, item := range items {
		n := at[item.Key]
		i, _ := slices.BinarySearchFunc(r.kinds, n, func(k kind, n int) int { return cmp.Compare(k.end, n+1) })
		r.kinds[i].take(n-r.kinds[i].begin, item)
	}
}

// ask adds keys to a read and returns where their rows, or what is damaged, come.
func ask[K comparable, T any](
	r *reading, keys []K, itemKey func(K) table.Key, decode func(table.Key, []byte) (T, error),
) (rows map[K]Row[T], damaged map[K]error) {
	if len(keys) == 0 {
		return nil, nil
	}
	rows, damaged = make(map[K]Row[T], len(keys)), map[K]error{}
	own := make([]K, 0, len(keys))
	for _, k := range keys {
		if _, twice := rows[k]; !twice {
			rows[k], own = Row[T]{}, append(own, k)
			r.add(itemKey(k))
		}
	}
	r.taken(func(n int, item table.Item) {
		row, err := rowOf(item, decode)
		if err != nil {
			delete(rows, own[n])
			damaged[own[n]] = err
			return
		}
		rows[own[n]] = row
	})
	return rows, damaged
}

// inChunks reads items, 100 a call, all calls at once.
func inChunks(
	ctx context.Context, get func(context.Context, ...table.Key) ([]table.Item, error), keys []table.Key,
) ([]table.Item, error) {
	if len(keys) <= table.MaxKeys {
		items, err := get(ctx, keys...)
		return items, wrap("read", err)
	}
	chunks := slices.Collect(slices.Chunk(keys, table.MaxKeys))
	found, errs := make([][]table.Item, len(chunks)), make([]error, len(chunks))
	var all sync.WaitGroup
	for i, chunk := range chunks {
		all.Go(func() { found[i], errs[i] = get(ctx, chunk...) })
	}
	all.Wait()
	return slices.Concat(found...), wrap("read", errors.Join(errs...))
}
