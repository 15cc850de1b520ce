package archive

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"

	"laurel/shared/board"
)

// Erase takes a user off a final board: the entry keeps its place and its score,
// and names nobody any more. It says whether the user was on it; nobody is on a
// period that is not final. It may be done again, and beside others and readers;
// cut off anywhere, it is to be done again to its end.
//
// Who is not on the board costs the manifest and an item of the index to read (10
// units for a large board), who is also a page, and four writes (80 units: an item
// of the index and a page are rewritten whole).
func (a *Archive) Erase(ctx context.Context, name string, p board.Period, user string) (bool, error) {
	return (&eraser{Archive: a, name: name, period: p, user: user, hash: hashOf(user)}).erase(ctx)
}

// eraser erases one user from one board.
type eraser struct {
	*Archive
	name   string
	period board.Period
	user   string
	hash   uint64

	head     Item // the manifest as it was read; without data before that
	manifest Manifest
	erased   bool
}

// erase tries until nobody has come between. Each time that somebody has, they
// have got on with theirs, so all come to an end.
func (e *eraser) erase(ctx context.Context) (bool, error) {
	for {
		done, err := e.try(ctx)
		switch {
		case errors.Is(err, ErrNotFinal):
			return e.erased, nil // it is not, or not any more
		case errors.Is(err, ErrExists):
			e.head = Item{}
		case done || err != nil:
			return e.erased, err
		}
	}
}

// try does what is to be done next, and says whether nothing is left. The error
// wraps ErrExists when something is not what was read.
func (e *eraser) try(ctx context.Context) (done bool, err error) {
	if e.head.Data == nil {
		if err := e.readHead(ctx); err != nil {
			return false, err
		}
	}
	if m := e.manifest.erasing; m != nil {
		pair, err := e.pair(ctx, *m)
		if err != nil {
			return false, err
		}
		return false, e.settle(ctx, pair)
	}
	pair, err := e.find(ctx)
	if err != nil || pair.rank == 0 {
		return err == nil, err
	}
	if err := e.begin(ctx, pair); err != nil {
		return false, err
	}
	return true, e.settle(ctx, pair)
}

func (e *eraser) readHead(ctx context.Context) error {
	key := manifestKey(e.name, e.period)
	items, err := e.store.Get(ctx, key)
	if err != nil {
		return fmt.Errorf("archive: read %s: %w", key, err)
	}
	if e.manifest, err = manifestOf(key, items); err == nil {
		e.head = items[0]
	}
	return err
}

// begin has the manifest say what comes.
func (e *eraser) begin(ctx context.Context, p pair) error {
	page, index := p.without()
	m := e.manifest
	m.Erased++
	m.erasing = &p.erasing
	m.Sum += uint64(crcOf(page.Data)) + uint64(crcOf(index.Data))
	m.Sum -= uint64(crcOf(p.page.Data)) + uint64(crcOf(p.index.item.Data))
	if p.rank <= int64(len(m.Top)) {
		m.Top = slices.Clone(m.Top)
		m.Top[p.rank-1].User = ""
	}
	return e.writeHead(ctx, m)
}

// settle erases what the manifest says is being erased, whoever has begun it.
func (e *eraser) settle(ctx context.Context, p pair) error {
	e.erased = e.erased || p.hash == e.hash
	page, index := p.without()
	if err := e.replace(ctx, page, p.page); err != nil {
		return err
	}
	if err := e.replace(ctx, index, p.index.item); err != nil {
		return err
	}
	m := e.manifest
	m.erasing = nil
	return e.writeHead(ctx, m)
}

func (e *eraser) writeHead(ctx context.Context, m Manifest) error {
	head := e.head
	head.Data = sealManifest(head.Key, m)
	if err := e.replace(ctx, head, e.head); err != nil {
		return err
	}
	e.head, e.manifest = head, m
	return nil
}

// replace writes an item, which keeps its expiry, in the place of what was read.
func (e *eraser) replace(ctx context.Context, item, old Item) error {
	if bytes.Equal(item.Data, old.Data) {
		return nil
	}
	if err := e.store.Replace(ctx, item, old.Data); err != nil {
		return fmt.Errorf("archive: erase from %s: %w", item.Key, err)
	}
	return nil
}
