package final

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"

	"laurel/shared/core/activity"
	"laurel/shared/core/board"
	"laurel/shared/store/items"
	"laurel/shared/store/table"
)

// ErrNotFinal is wrapped if a period has no manifest: it is live, or its board was always empty.
var ErrNotFinal = errors.New("final: period is not final")

// A Store keeps final boards in a table, and reads them with whom their entries are of. It is safe for concurrent use.
type Store struct {
	table    table.Store
	items    *items.Store
	calendar *board.Calendar
	guests   *activity.Rules
	runs     sync.Map // ref -> known, as many as the final boards that were read
}

// New returns the final boards of a forum in a table, with the names that guests see by their rules.
func New(t table.Store, people *items.Store, calendar *board.Calendar, guests *activity.Rules) *Store {
	return &Store{table: t, items: people, calendar: calendar, guests: guests}
}

// A ref names a final board.
type ref board.ID

// manifests returns the partition of the manifests of a board's window, which lists its
// periods: their names sort by time.
func manifests(name string, w board.Window) string { return name + "#" + w.String() }

func (r ref) manifest() table.Key {
	return table.Key{Partition: manifests(r.Board, r.Period.Window()), Sort: r.Period.String()}
}

func (r ref) partition() string {
	return manifests(r.Board, r.Period.Window()) + "#" + r.Period.String()
}

// runOf returns the prefix of the sort keys of a run's items; those of earlier closings come first.
func runOf(closing int64, run string) string { return fmt.Sprintf("%012d.%s", closing, run) }

func (r ref) page(run string, n int64) table.Key {
	return table.Key{Partition: r.partition(), Sort: fmt.Sprintf("%s#page#%06d", run, n)}
}

func (r ref) index(run string, first uint64) table.Key {
	return table.Key{Partition: r.partition(), Sort: fmt.Sprintf("%s#index#%010x", run, first)}
}

// Manifest returns the manifest of a final board, in one read. The error wraps ErrNotFinal if the period is not final.
func (s *Store) Manifest(ctx context.Context, name string, p board.Period) (Manifest, error) {
	m, _, err := s.manifestOf(ctx, ref{name, p})
	return m, err
}

// manifestOf returns the manifest with its revision, which is there of a damaged one, too.
func (s *Store) manifestOf(ctx context.Context, r ref) (m Manifest, revision int64, err error) {
	rows, err := s.table.Get(ctx, r.manifest())
	if err != nil {
		return Manifest{}, 0, fmt.Errorf("final: read %s: %w", r.manifest(), err)
	}
	if len(rows) == 0 {
		return Manifest{}, 0, fmt.Errorf("%w: %s", ErrNotFinal, r.manifest())
	}
	if m, err = openManifest(rows[0]); err == nil {
		s.runs.Store(r, known{m.Run, m.Total})
	}
	return m, rows[0].Revision, err
}

// A Period is a final period, how many are on its board, and the first of them.
type Period struct {
	Period board.Period
	Total  int64          // of a board of teams that of the teams
	Top    []items.Member // at most TopLen
	Teams  []board.Team   // of a board of teams
}

// Teams returns the teams on a final board, none for a board of people, in one read. The error wraps ErrNotFinal if the
// period is not final.
func (s *Store) Teams(ctx context.Context, name string, p board.Period) ([]board.Team, error) {
	m, err := s.Manifest(ctx, name, p)
	return m.Teams, err
}

// Periods returns the final periods of a board's window with at least one user, or team, the newest
// first: those before the period below, or all for the zero Period. It is one read, mostly.
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
		rows, err := s.table.Descend(ctx, manifests(name, w), before, asked)
		if err != nil {
			return nil, fmt.Errorf("final: list %s: %w", manifests(name, w), err)
		}
		for _, item := range rows {
			m, err := openManifest(item)
			if err != nil {
				return nil, err
			}
			p, err := board.ParsePeriod(w, item.Sort)
			if err != nil {
				return nil, damaged(item.Key, err.Error())
			}
			if before = item.Sort; m.On() > 0 {
				periods = append(periods, Period{p.Of(name), m.On(), m.Top, m.Teams})
			}
		}
		if len(rows) < asked {
			break
		}
	}
	return periods, nil
}

// afterAll is after every sort key.
const afterAll = "\U0010FFFF"

// Whole returns a whole board and its manifest, compared with each other. The error wraps ErrNotFinal, or
// codec.ErrDamaged for an item that it names.
func (s *Store) Whole(ctx context.Context, name string, p board.Period) (Manifest, []items.Member, error) {
	l, err := s.load(ctx, ref{name, p}, query{limit: math.MaxInt64})
	if err != nil {
		return Manifest{}, nil, err
	}
	entries := slices.Clone(l.Top)
	if n := l.Pages(); n > 0 {
		entries = slices.Grow(entries[:0], int(l.Total))
		for i := range n {
			entries = append(entries, l.pages[i]...)
		}
	}
	if !l.addsUp(entries) {
		return Manifest{}, nil, damaged(l.manifest(), "the teams in the manifest do not match the entries")
	}
	if digestOf(entries) != l.Digest {
		return Manifest{}, nil, damaged(l.manifest(), "the digest in the manifest does not match the entries")
	}
	return l.Manifest, entries, nil
}
