package importer_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"laurel/shared/core/codec"
	"laurel/shared/run/importer"
	"laurel/shared/store/items"
	"laurel/shared/store/table"
)

// failing is stores that fail for some calls, for half of a batch.
type failing struct {
	fake
	fails int
	err   error
}

func (f *failing) do(ctx context.Context, p importer.Part) (importer.Done, error) {
	if len(p.Activities) == 0 || f.fails == 0 {
		return f.fake.do(ctx, p)
	}
	f.fails--
	half := len(p.Activities) / 2
	done, err := f.fake.do(ctx, importer.Part{Activities: p.Activities[:half]})
	for range p.Activities[half:] {
		done.Statuses = append(done.Statuses, "")
	}
	return done, cmp.Or(err, fmt.Errorf("%w: test", f.err))
}

func TestAStoreThatComesBack(t *testing.T) {
	t.Parallel()
	text := "at,user,action,target\n" + strings.Repeat("1773489600,ann,like,1\n", 5000)
	for _, why := range []error{table.ErrUnavailable, items.ErrBusy} {
		synctest.Test(t, func(t *testing.T) {
			store := &failing{fails: 6, err: why}
			s, _, err := load(t, newImporter(store.do), text)
			if err != nil || s.Recorded() != 5000 || len(store.acts) != 5000 {
				t.Errorf("%+v, %v", s, err)
			}
		})
	}
}

func TestAStoreThatStaysUnavailable(t *testing.T) {
	t.Parallel()
	text := "at,user,action,target\n" + strings.Repeat("1773489600,ann,like,1\n", 50_000)
	for why, most := range map[error]time.Duration{table.ErrUnavailable: time.Minute, codec.ErrDamaged: 0} {
		synctest.Test(t, func(t *testing.T) {
			store := &failing{fails: 1 << 40, err: why}
			began := time.Now()
			s, _, err := load(t, newImporter(store.do), text)
			if !errors.Is(err, why) || s.Unanswered == 0 || s.Recorded() == 50_000 {
				t.Errorf("%+v, %v", s, err)
			}
			if took := time.Since(began); took > most {
				t.Errorf("%v was tried for %s", why, took)
			}
		})
	}
}

// Months are marked before a row of theirs is recorded, with all later ones up to the present, of which rows may
// follow: those are due as soon as an earlier month has a ledger.
func TestMonthsAreMarkedBeforeTheirRows(t *testing.T) {
	t.Parallel()
	store := &fake{}
	im := newImporter(store.do)
	through := []string{"2026-05", "2026-06", "2026-07", "2026-08", "2026-09", "2026-10", "2026-11"}
	const rows = "at,user,action,target\n2026-05-02T12:00:00Z,ann,like,1\n2026-06-02T12:00:00Z,ann,visit,1\n" +
		"2026-06-03T12:00:00Z,bob,like,1\n2026-09-03T12:00:00Z,bob,unlike,1\n"
	if _, _, err := load(t, im, rows); err != nil || store.late || !store.ended {
		t.Errorf("%+v, %v", store.months, err)
	}
	if got := fmt.Sprint(store.months); got != fmt.Sprint([][]string{{}, through}) {
		t.Error(got)
	}
	store.months = nil
	_, _, err := loadFile(t, im, rows)
	if err != nil || store.late || len(store.months) != 2 || len(store.months[1]) != len(through) {
		t.Errorf("a file: %v, %v", store.months, err)
	}
}
