package archive

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	"laurel/shared/board"
	"laurel/shared/codec"
)

// ErrChanged is wrapped if a board changed while it was written: it was not closed, or
// another run has written it and removed it from Redis.
var ErrChanged = errors.New("archive: board changed while it was written")

// A Source is a closed board: the number of its entries, and a function that returns all
// of them in order.
type Source struct {
	Total    int64
	Entries  func(context.Context) iter.Seq2[board.Entry, error]
	Reopened bool // since the copy that the archive may have, which Write replaces

	// Check is called before the manifest is written, which its error prevents; nil: nothing is
	// to be checked.
	Check func(context.Context) error
}

// A Report is the outcome of writing a board.
type Report struct {
	Entries, Pages, Indexes int64
	Bytes                   int64 // of data
	Was                     bool  // final before; nothing was written
}

// passLen is the number of entries that one pass adds to the index. A larger board is
// read in several passes, so that memory does not grow with the board.
const passLen = 1 << 20

// writer is the state of writing a board.
type writer struct {
	*Archive
	name    string
	period  board.Period
	source  Source
	expires int64
	former  Item           // the manifest that is replaced, without data for none
	copied  int64          // number of the copy that is written
	written map[Key]uint32 // checksums of the data to compare when it is read back
	report  Report
	sum     uint64
	last    int64 // the last place's score
	top     []board.Entry
}

// Write makes a closed period final: it writes pages and index, reads them back, compares
// them, and writes the manifest last. It can be repeated, also concurrently, and writes
// the same bytes. A period that is final already stays unchanged, unless it was reopened:
// then the copy is replaced by its successor, in one write of the manifest, and deleted
// after that; or it stays if the board is as it was.
func (a *Archive) Write(
	ctx context.Context, name string, p board.Period, source Source, expires int64,
) (Report, error) {
	w := &writer{Archive: a, name: name, period: p, source: source, expires: expires, written: map[Key]uint32{}}
	m, err := w.begin(ctx)
	switch {
	case errors.Is(err, ErrNotFinal):
		return w.report, w.write(ctx)
	case err != nil:
		return Report{}, err
	case m.Next > 0 && source.Reopened:
		return w.replace(ctx, m)
	}
	if source.Reopened { // replaced by a run that may have been interrupted then
		err = w.deleteBefore(ctx, m.Copy)
	}
	return Report{Entries: m.Total, Pages: m.Pages(), Indexes: m.Indexes, Was: true}, err
}

func (w *writer) write(ctx context.Context) error {
	passes := max((w.source.Total+passLen-1)/passLen, 1)
	for pass := range passes {
		spots, err := w.scan(ctx, uint64(pass), uint64(passes))
		if err != nil {
			return err
		}
		if err := w.index(ctx, spots, uint64(pass), uint64(passes)); err != nil {
			return err
		}
	}
	if err := w.readBack(ctx); err != nil {
		return err
	}
	m := Manifest{Total: w.source.Total, PageLen: PageLen, Indexes: w.report.Indexes, Last: w.last, Sum: w.sum, Top: w.top}
	m.Copy = w.copied
	w.report.Entries = m.Total
	return w.commit(ctx, m)
}

// commit writes the manifest, in place of the one that was read.
func (w *writer) commit(ctx context.Context, m Manifest) error {
	key := manifestKey(w.name, w.period)
	item := Item{Key: key, Data: sealManifest(key, m), Expires: w.expires}
	var err error
	if w.source.Check != nil {
		if err := w.source.Check(ctx); err != nil {
			return err
		}
	}
	if w.former.Data == nil {
		err = w.store.Put(ctx, item)
	} else if err = w.store.Replace(ctx, item, w.former.Data); errors.Is(err, ErrExists) {
		err = fmt.Errorf("%w: its manifest: %w", ErrChanged, err)
	}
	if err != nil {
		return fmt.Errorf("archive: manifest %s: %w", key, err)
	}
	w.report.Bytes += int64(len(item.Data))
	return nil
}

// scan reads the board once. The first pass writes the pages; each pass returns the spots
// of its share of the hashes.
func (w *writer) scan(ctx context.Context, pass, passes uint64) ([]spot, error) {
	share := shareOf(passes)
	var spots []spot
	var page []board.Entry
	rank := int64(0)
	for e, err := range w.source.Entries(ctx) {
		if err != nil {
			return nil, err
		}
		rank++
		if hash := hashOf(e.User); hash/share == pass {
			spots = append(spots, spot{hash, uint32(rank)})
		}
		if pass > 0 {
			continue
		}
		w.last = e.Packed.Score()
		if rank <= TopLen {
			w.top = append(w.top, e)
		}
		if page = append(page, e); len(page) == PageLen {
			if err := w.page(ctx, page); err != nil {
				return nil, err
			}
			page = page[:0]
		}
	}
	if rank != w.source.Total { // before an incomplete page is written
		return nil, fmt.Errorf("%w: %d entries, want %d", ErrChanged, rank, w.source.Total)
	}
	if len(page) > 0 {
		if err := w.page(ctx, page); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(spots, compareSpots)
	return spots, nil
}

func (w *writer) page(ctx context.Context, entries []board.Entry) error {
	key := pageKey(w.name, w.period, w.copied, w.report.Pages)
	w.report.Pages++
	return w.put(ctx, key, sealPage(key, entries))
}

// shareOf returns the number of hashes in a pass, of so many passes.
func shareOf(passes uint64) uint64 { return uint64(1)<<hashBits/passes + 1 }

// index writes the index items of one pass, at least one. Together they cover every hash
// of the pass, and users of one hash are in one item.
func (w *writer) index(ctx context.Context, spots []spot, pass, passes uint64) error {
	share := shareOf(passes)
	from, end := pass*share, min((pass+1)*share, 1<<hashBits)
	for from < end {
		n := min(indexLen, len(spots))
		for n < len(spots) && spots[n].hash == spots[n-1].hash {
			n++
		}
		until := end
		if n < len(spots) {
			until = spots[n].hash
		}
		key := indexKey(w.name, w.period, w.copied, from)
		w.report.Indexes++
		if err := w.put(ctx, key, sealIndex(key, spots[:n], until)); err != nil {
			return err
		}
		from, spots = until, spots[n:]
	}
	return nil
}

// put writes an item. It replaces an item that an earlier run left of a board that has
// changed since, but not one of a copy that is final.
func (w *writer) put(ctx context.Context, key Key, data []byte) error {
	item := Item{Key: key, Data: data, Expires: w.expires}
	err := w.store.Put(ctx, item)
	if errors.Is(err, ErrExists) {
		err = w.displace(ctx, item)
	}
	if err != nil {
		return fmt.Errorf("archive: write %s: %w", key, err)
	}
	crc := crcOf(data)
	w.written[key] = crc
	w.sum += uint64(crc)
	w.report.Bytes += int64(len(data))
	return nil
}

func (w *writer) displace(ctx context.Context, item Item) error {
	switch m, err := w.Manifest(ctx, w.name, w.period); {
	case err == nil && (w.former.Data == nil || m.Next != w.copied):
		return fmt.Errorf("%w: another run made it final", ErrChanged)
	case err != nil && !errors.Is(err, ErrNotFinal):
		return err
	}
	old, err := w.store.Get(ctx, item.Key)
	if err != nil {
		return err
	}
	var data []byte
	if len(old) > 0 {
		data = old[0].Data
	}
	return w.store.Replace(ctx, item, data)
}

// readBack reads all items of the period and compares them with what was written. Items
// that an earlier run left under other keys are deleted: an item of its index would hide
// items of this one.
func (w *writer) readBack(ctx context.Context) error {
	seen := 0
	err := w.sweep(ctx, partition(w.name, w.period, w.copied), func(item Item) (keep bool, err error) {
		crc, ours := w.written[item.Key]
		if !ours {
			return false, nil
		}
		seen++
		switch {
		case crcOf(item.Data) != crc:
			err = damaged(item.Key, "not what was written")
		case strings.HasPrefix(item.Sort, prefixPage):
			_, err = openPage(item.Key, item.Data)
		default:
			_, _, err = openIndex(item.Key, item.Data)
		}
		return true, err
	})
	if err == nil && seen != len(w.written) {
		err = fmt.Errorf("%w: %s: %d of %d items exist", ErrDamaged, partition(w.name, w.period, w.copied), seen,
			len(w.written))
	}
	return err
}

func crcOf(data []byte) uint32 { return codec.Checksum(data, "") }
