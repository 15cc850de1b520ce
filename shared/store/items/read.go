package items

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"laurel/shared/core/article"
	"laurel/shared/core/ledger"
	"laurel/shared/store/table"
)

// A Query names the items that one read gets. The head is read along, unless the query says that it need not be.
type Query struct {
	People   []Key
	Ledgers  []LedgerKey
	Follows  []FollowsKey
	Articles []string // ids
	Voids    []string // targets
	Erasures []Key
	Merges   []Key

	LateHead   bool // the head may be one that the process has read up to 4 s ago
	Eventually bool // for half of the units, without the writes of the last second or so
}

// Found has the rows of a read: each item that was asked for has one, of revision 0 if there is none.
type Found struct {
	Head     *Head // nil: the table was never used, see Begin
	HeadRev  int64
	People   map[Key]Row[*Person]
	Ledgers  map[LedgerKey]Row[*ledger.MonthLedger]
	Follows  map[FollowsKey]Row[*FollowPart]
	Articles map[string]Row[*article.Page]
	Voids    map[string]Row[*Void]
	Erasures map[Key]Row[*Erasure]
	Merges   map[Key]Row[*Merge]
}

// Read reads the items that the query names and the head, strongly consistent unless the query says that it
// need not be: one call for each 100 keys, side by side. The error wraps table.ErrUnavailable, or is
// of the head: ErrZone, ErrLaterFormat, codec.ErrDamaged.
func (s *Store) Read(ctx context.Context, q Query) (*Found, error) {
	r, f := &reading{take: map[table.Key]func(table.Item){}}, &Found{}
	f.People = ask(r, q.People, personKey, decodePerson)
	f.Ledgers = ask(r, q.Ledgers, LedgerKey.item, decodeLedger)
	f.Follows = ask(r, q.Follows, FollowsKey.item, decodeFollows)
	f.Articles = ask(r, q.Articles, articleKey, decodeArticle)
	f.Voids = ask(r, q.Voids, voidKey, decodeVoid)
	f.Erasures = ask(r, q.Erasures, erasureKey, decodeJSON[Erasure])
	f.Merges = ask(r, q.Merges, mergeKey, decodeJSON[Merge])
	var err error
	began := s.real()
	if q.LateHead && s.late {
		f.Head = s.headWithin(headFor, began)
	}
	get := s.table.Get
	if q.Eventually {
		get, began = s.table.GetEventually, time.Time{}
	}
	if f.Head == nil {
		r.add(headKey(), func(item table.Item) {
			f.HeadRev = item.Revision
			f.Head, err = s.headOf(item.Data, began)
		})
	}
	items, failed := inChunks(ctx, get, r.keys)
	if failed != nil {
		return nil, failed
	}
	for _, item := range items {
		r.take[item.Key](item)
	}
	if err != nil {
		return nil, err
	}
	if f.Head != nil {
		s.first.Store(int64(f.Head.From))
	}
	return f, nil
}

// A knownHead is a head with the bytes that it was read from, and the moment when that read began: zero for a read that
// may have got the head as it was before.
type knownHead struct {
	data  []byte
	head  *Head
	began time.Time
}

// headWithin returns the head that the process has read within a time, and not written since; nil where there is none.
// By either clock of the machine it is no older than that: one of them may stand still while a function is frozen.
func (s *Store) headWithin(most time.Duration, now time.Time) *Head {
	known := s.head.Load()
	if known.began.IsZero() {
		return nil
	}
	if wrote := s.written.Load(); wrote != nil && !known.began.After(*wrote) {
		return nil
	}
	if age := max(now.Sub(known.began), now.Round(0).Sub(known.began.Round(0))); age < 0 || age >= most {
		return nil
	}
	return known.head
}

// headOf reads the head, which is mostly the one that was read last. Nobody changes it.
func (s *Store) headOf(data []byte, began time.Time) (*Head, error) {
	if known := s.head.Load(); known.head != nil && bytes.Equal(known.data, data) {
		if !began.IsZero() {
			s.head.Store(&knownHead{known.data, known.head, began})
		}
		return known.head, nil
	}
	h, err := decodeHead(data)
	if err != nil {
		return nil, err
	}
	if s.zone != "" && h.Zone != s.zone {
		return nil, fmt.Errorf("%w: %s, not %s", ErrZone, h.Zone, s.zone)
	}
	s.head.Store(&knownHead{data, h, began})
	return h, nil
}

// A reading has the keys of a read, and the function that takes the item of each.
type reading struct {
	keys []table.Key
	take map[table.Key]func(table.Item)
}

func (r *reading) add(key table.Key, take func(table.Item)) {
	r.keys = append(r.keys, key)
	r.take[key] = take
}

// ask adds keys to a read and returns where their rows come.
func ask[K comparable, T any](
	r *reading, keys []K, itemKey func(K) table.Key, decode func(table.Key, []byte) (T, error),
) map[K]Row[T] {
	rows, row := make(map[K]Row[T], len(keys)), rowBy(decode)
	for _, k := range keys {
		if _, twice := rows[k]; twice {
			continue
		}
		rows[k] = Row[T]{}
		r.add(itemKey(k), func(item table.Item) { rows[k] = row(item) })
	}
	return rows
}

// inChunks reads items, 100 a call, all calls at once.
func inChunks(
	ctx context.Context, get func(context.Context, ...table.Key) ([]table.Item, error), keys []table.Key,
) ([]table.Item, error) {
	if len(keys) <= table.MaxKeys {
		items, err := get(ctx, keys...)
		if err != nil {
			return nil, wrap("read", err)
		}
		return items, nil
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
