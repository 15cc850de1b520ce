package httpapi_test

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"laurel/shared/board"
	"laurel/shared/boards"
	"laurel/shared/httpapi"
	"laurel/shared/live"
)

// between is a store that lets something happen before or after a board is read.
type between struct {
	*live.Store
	before, after func(context.Context)
}

func (b *between) Read(ctx context.Context, v board.View) (boards.Page, error) {
	if b.before != nil {
		b.before(ctx)
	}
	page, err := b.Store.Read(ctx, v)
	if b.after != nil {
		b.after(ctx)
	}
	return page, err
}

// While a period moves a reader sees the one or the other, whole.
func TestWhileAPeriodMovesItIsWhole(t *testing.T) {
	t.Parallel()
	for _, path := range views("2026-11-20") {
		h := past(t)
		want := read[httpapi.Board](t, h.at(the24th).get(path, ""))
		want.Final = true
		store := &between{Store: h.live}
		store.before = func(ctx context.Context) { h.move(ctx, "2026-11-20"); store.before = nil }
		if got := read[httpapi.Board](t, h.over(store, the24th).get(path, "")); cmp.Diff(want, got) != "" {
			t.Errorf("%s while it moves (-before +while):\n%s", path, cmp.Diff(want, got))
		}
	}
	// The same after each read of the archive.
	for _, path := range []string{views("2026-11-20")[0], views("2026-11-20")[4], views("2026-11-20")[6], views("2026-11-20")[11]} {
		for n := int64(1); n <= 4; n++ {
			h := past(t)
			f := h.at(the24th)
			want := read[httpapi.Board](t, f.get(path, ""))
			h.items.reads.Store(0)
			h.items.after = map[int64]func(){n: func() { h.move(t.Context(), "2026-11-20") }}
			got := read[httpapi.Board](t, f.get(path, ""))
			if want.Final = got.Final; cmp.Diff(want, got) != "" {
				t.Errorf("%s while it moves after read %d (-before +while):\n%s", path, n, cmp.Diff(want, got))
			}
		}
	}
	// Copied, and not yet removed from everywhere: Redis no longer counts.
	h := past(t)
	want := read[httpapi.Periods](t, h.at(the24th).get("/v1/boards/activity/day/periods", ""))
	h.copy(t.Context(), "2026-11-20")
	for i := range want.Periods {
		want.Periods[i].Final = want.Periods[i].Period == "2026-11-20"
	}
	if got := read[httpapi.Periods](t, h.at(the24th).get("/v1/boards/activity/day/periods", "")); cmp.Diff(want, got) != "" {
		t.Errorf("periods (-want +got):\n%s", cmp.Diff(want, got))
	}
}

// A period that was moved when less was hot is still found.
func TestWhatIsFinalAndNotDueIsFound(t *testing.T) {
	t.Parallel()
	h := past(t)
	f := h.at(the24th)
	for _, path := range views("2026-11-23") {
		if strings.Contains(path, "nobody") {
			continue
		}
		want := read[httpapi.Board](t, f.get(path, ""))
		want.Final = true
		h.move(t.Context(), "2026-11-23")
		if got := read[httpapi.Board](t, f.get(path, "")); cmp.Diff(want, got) != "" {
			t.Errorf("%s (-before +after):\n%s", path, cmp.Diff(want, got))
		}
		h = past(t)
		f = h.at(the24th)
	}
}
