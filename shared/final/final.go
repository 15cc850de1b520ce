package final

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"sync"

	"laurel/shared/board"
	"laurel/shared/codec"
	"laurel/shared/records"
	"laurel/shared/table"
)

var (
	// ErrNotFinal is wrapped if a period has no manifest: it is live, or its board was always
	// empty.
	ErrNotFinal = errors.New("final: period is not final")
	// ErrChanged is wrapped if a board was made again while it was read.
	ErrChanged = errors.New("final: the board was made again meanwhile")
)

// An Entry is a person's place on a final board.
type Entry struct {
	Key    records.Key
	Packed board.Packed
}

// A Store keeps final boards in a table. It is safe for concurrent use.
type Store struct {
	table table.Store

	mu   sync.Mutex
	runs map[ref]known
}

// New returns the final boards in a table.
func New(t table.Store) *Store { return &Store{table: t, runs: map[ref]known{}} }

// A ref names a final board.
type ref struct {
	board  string
	period board.Period
}

// manifests returns the partition of the manifests of a board's window, which lists its
// periods: their names sort by time.
func manifests(name string, w board.Window) string { return name + "#" + w.String() }

func (r ref) manifest() table.Key {
	return table.Key{Partition: manifests(r.board, r.period.Window()), Sort: r.period.String()}
}

func (r ref) partition() string {
	return manifests(r.board, r.period.Window()) + "#" + r.period.String()
}

// runOf returns what the sort keys of a run's items begin with; those of earlier closings come
// first.
func runOf(closing int64, run string) string { return fmt.Sprintf("%012d.%s", closing, run) }

func (r ref) page(run string, n int64) table.Key {
	return table.Key{Partition: r.partition(), Sort: fmt.Sprintf("%s#page#%06d", run, n)}
}

func (r ref) index(run string, from uint64) table.Key {
	return table.Key{Partition: r.partition(), Sort: fmt.Sprintf("%s#index#%010x", run, from)}
}

// Manifest returns the manifest of a final board, in one read. The error wraps ErrNotFinal if
// the period is not final.
func (s *Store) Manifest(ctx context.Context, name string, p board.Period) (Manifest, error) {
	m, _, err := s.manifestOf(ctx, ref{name, p})
	return m, err
}

// manifestOf returns the manifest with its revision, which is there of a damaged one, too.
func (s *Store) manifestOf(ctx context.Context, r ref) (m Manifest, revision int64, err error) {
	items, err := s.table.Get(ctx, r.manifest())
	if err != nil {
		return Manifest{}, 0, fmt.Errorf("final: read %s: %w", r.manifest(), err)
	}
	if len(items) == 0 {
		return Manifest{}, 0, fmt.Errorf("%w: %s", ErrNotFinal, r.manifest())
	}
	if m, err = openManifest(items[0]); err == nil {
		s.remember(r, m)
	}
	return m, items[0].Revision, err
}

// A Period is a final period, how many are on its board, and the first of them.
type Period struct {
	Period board.Period
	Total  int64
	Top    []Entry // at most TopLen
}

// Periods returns the final periods of a board's window with somebody on them, the newest first:
// those before the period below, or all for the zero Period. It is one read, mostly.
func (s *Store) Periods(
	ctx context.Context, name string, w board.Window, below board.Period, limit int,
) ([]Period, error) {
	before := afterAll
	if below != (board.Period{}) {
		before = below.String()
	}
	var periods []Period
	for len(periods) < limit {
		asked := limit - len(periods)
		items, err := s.table.Descend(ctx, manifests(name, w), before, asked)
		if err != nil {
			return nil, fmt.Errorf("final: list %s: %w", manifests(name, w), err)
		}
		for _, item := range items {
			m, err := openManifest(item)
			if err != nil {
				return nil, err
			}
			p, err := board.ParsePeriod(w, item.Sort)
			if err != nil {
				return nil, damaged(item.Key, err.Error())
			}
			if before = item.Sort; m.Total > 0 {
				periods = append(periods, Period{p, m.Total, m.Top})
			}
		}
		if len(items) < asked {
			break
		}
	}
	return periods, nil
}

// afterAll is after every sort key.
const afterAll = "\U0010FFFF"

// entriesAtOnce is how many entries Entries reads at a time.
const entriesAtOnce = 10 * PageLen

// Entries returns all entries of a final board in order. It ends with the first error, which
// wraps ErrNotFinal, ErrChanged, or codec.ErrDamaged for an item that it names.
func (s *Store) Entries(ctx context.Context, name string, p board.Period) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		run := ""
		for offset, total := int64(0), int64(1); offset < total; offset += entriesAtOnce {
			c, err := s.load(ctx, ref{name, p}, query{offset: offset, limit: entriesAtOnce})
			if err == nil && offset > 0 && c.Run != run {
				err = fmt.Errorf("%w: %s", ErrChanged, ref{name, p}.manifest())
			}
			if err != nil {
				yield(Entry{}, err)
				return
			}
			run, total = c.Run, c.Total
			for i := offset; i < min(offset+entriesAtOnce, total); i++ {
				if !yield(c.at(i), nil) {
					return
				}
			}
		}
	}
}

// Check reads a whole board and compares it with its manifest. The error wraps
// codec.ErrDamaged, or is one of Entries.
func (s *Store) Check(ctx context.Context, name string, p board.Period) error {
	m, err := s.Manifest(ctx, name, p)
	if err != nil {
		return err
	}
	digest, n := NewDigest(), int64(0)
	for e, err := range s.Entries(ctx, name, p) {
		if err != nil {
			return err
		}
		digest.Add(e)
		n++
	}
	if n != m.Total || digest.Sum() != m.Digest {
		return fmt.Errorf("final: %w: %s: the digest in the manifest does not match the entries", codec.ErrDamaged,
			ref{name, p}.manifest())
	}
	return nil
}
