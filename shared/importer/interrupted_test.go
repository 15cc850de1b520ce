package importer_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"laurel/internal/harness"
	"laurel/shared/board"
	"laurel/shared/importer"
	"laurel/shared/ledger"
	"laurel/shared/ledger/reference"
	"laurel/shared/records"
)

// loading is a file that is imported into a forum.
type loading struct {
	*kept
	im   *importer.Importer
	path string
}

func loadInto(t *testing.T, forum reference.Forum, text string) *loading {
	t.Helper()
	l := &loading{
		kept: newKept(t, ledger.New(forum.Rules, forum.Calendar), filled), path: filepath.Join(t.TempDir(), "history.csv"),
	}
	harness.OK(t, os.WriteFile(l.path, []byte(text), 0o600))
	l.im = forumImporter(forum)
	l.im.Now = l.now
	return l
}

// run imports the file, into stores in place of the forum's.
func (l *loading) run(ctx context.Context, stores importer.Stores) (importer.Summary, error) {
	l.Helper()
	src := harness.Must(importer.Open(l.path, strings.NewReader("")))(l)
	defer src.Close()
	l.im.Stores = stores
	return l.im.Import(ctx, src, &importer.RejectedFile{Path: l.path + ".rejected"})
}

// interrupt imports the file until so many activities are recorded.
func (l *loading) interrupt(after int64) {
	l.Helper()
	ctx, cut := context.WithCancel(l.Context())
	defer cut()
	c := &cutting{stores: l.stores(), left: after, cut: cut}
	if s, err := l.run(ctx, c.do); !errors.Is(err, context.Canceled) {
		l.Fatalf("it was not interrupted: %+v, %v", s, err)
	}
}

// complete imports the whole file: nothing is too late.
func (l *loading) complete() {
	l.Helper()
	s, err := l.run(l.Context(), l.stores())
	if err != nil || s.Rejected > 0 || s.Receipts[ledger.TooLate] > 0 {
		l.Fatalf("%+v, %v", s, err)
	}
	if left := l.imports(); len(left) > 0 {
		l.Errorf("still marked: %+v", left)
	}
}

func (l *loading) stores() importer.Stores { return importer.Here(l.Recorder, nil) }

func (l *loading) imports() []records.Import {
	l.Helper()
	return harness.Must(l.Imports(l.Context()))(l)
}

// due are the months that a night would close, and that it would if nothing held them.
func (l *loading) due(forum reference.Forum) (due, held []board.Period) {
	l.Helper()
	head := harness.Must(l.records.Head(l.Context()))(l)
	today := forum.Calendar.Date(l.now)
	return head.Life.Due(board.Month, head.From, today, 3, 2), head.Life.Held(board.Month, head.From, today, 3, 2)
}

// Nights leave the months of an import that was interrupted alone until it is run again as a whole,
// which gives the reference's boards, whatever rows are in it and in whatever form.
func TestAnInterruptedImportHoldsItsMonths(t *testing.T) {
	t.Parallel()
	for i := range uint64(4) {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			t.Parallel()
			rng := rand.New(rand.NewPCG(i, 14))
			forum := harness.Must(reference.NewForum(rng))(t)
			users := []string{"ann", "-42", "9007199254740993", "9223372036854775807", "é", "a b", "\"q\""}
			acts := forum.WithRestores(rng, forum.Activities(rng, 4_000, users))
			text := writeCSV(t, rng, acts)
			if i%2 == 1 {
				text = writeJSON(t, acts)
			}
			if i > 1 {
				text = pack(t, text)
			}
			l := loadInto(t, forum, text)
			for range 3 {
				l.interrupt(rng.Int64N(2_500))
				due, held := l.due(forum)
				for _, a := range acts {
					month := board.PeriodOf(board.Month, forum.Calendar.Date(a.At))
					if slices.Contains(due, month) || !slices.Contains(held, month) {
						t.Fatalf("%s: due %v, held %v", month, due, held)
					}
				}
			}
			for range 2 { // a second time nothing changes
				l.complete()
				l.sameAsReference(forum, acts)
			}
			if due, held := l.due(forum); len(due) == 0 || len(held) > 0 {
				t.Errorf("after it is complete: due %v, held %v", due, held)
			}
		})
	}
}

// Imports of two inputs, of which one has the same name as the other, have a mark each; the
// same input has one, whoever imports it, from a file or not.
func TestEveryInputHasItsMark(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(5, 14))
	forum := harness.Must(reference.NewForum(rng))(t)
	text := func() string { return writeCSV(t, rng, forum.Activities(rng, 3_000, []string{"ann", "bob", "eve"})) }
	l := loadInto(t, forum, text())
	l.interrupt(0)
	l.interrupt(0)
	other := *l
	other.path = filepath.Join(t.TempDir(), filepath.Base(l.path))
	harness.OK(t, os.WriteFile(other.path, []byte(text()), 0o600))
	other.interrupt(0)
	if marks := l.imports(); len(marks) != 2 || len(marks[0].Months) < 2 || marks[0].Since == 0 {
		t.Fatalf("%+v", marks)
	}
	other.path, l.path = l.path, other.path
	if s, err := other.run(t.Context(), l.stores()); err != nil || s.Recorded() != 3_000 {
		t.Fatalf("%+v, %v", s, err)
	}
	if marks := l.imports(); len(marks) != 1 || marks[0].Name != l.path {
		t.Errorf("%+v", marks)
	}
	l.complete()
}

// The months of what cannot be read ahead are marked before a row of theirs is recorded, and
// an undo's month with the one before.
func TestMonthsAreMarkedBeforeTheirRows(t *testing.T) {
	t.Parallel()
	store := &fake{}
	im := newImporter(store.do)
	const rows = "at,user,action,target\n2026-05-02T12:00:00Z,ann,like,1\n2026-06-02T12:00:00Z,ann,visit,1\n" +
		"2026-06-03T12:00:00Z,bob,like,1\n2026-09-03T12:00:00Z,bob,unlike,1\n"
	if _, _, err := load(t, im, rows); err != nil || store.late || !store.ended {
		t.Errorf("%+v, %v", store.months, err)
	}
	if got := fmt.Sprint(store.months); got != "[[] [2026-05] [2026-06] [2026-09 2026-08]]" {
		t.Error(got)
	}
	store.months = nil
	_, _, err := loadFile(t, im, rows)
	if err != nil || store.late || len(store.months) != 2 || len(store.months[1]) != 4 {
		t.Errorf("a file: %v, %v", store.months, err)
	}
}

// cutting is stores that end the import once so much is recorded.
type cutting struct {
	stores importer.Stores
	left   int64
	cut    context.CancelFunc
}

func (c *cutting) do(ctx context.Context, p importer.Part) (importer.Done, error) {
	if len(p.Activities) == 0 {
		return c.stores(ctx, p)
	}
	n := min(max(c.left, 0), int64(len(p.Activities)))
	done, err := c.stores(ctx, importer.Part{Activities: p.Activities[:n], Now: p.Now})
	if c.left -= int64(len(p.Activities)); c.left < 0 {
		c.cut()
	}
	rest, failed := c.stores(ctx, importer.Part{Activities: p.Activities[n:], Now: p.Now})
	return importer.Done{Results: append(done.Results, rest.Results...)}, errors.Join(err, failed)
}
