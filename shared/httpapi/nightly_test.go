package httpapi_test

import (
	"fmt"
	"math/rand/v2"
	"net/url"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"laurel/internal/stream"
	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/httpapi"
	"laurel/shared/ledger"
	"laurel/shared/nightly"
)

// Random activities of a month and more; then night after night everything reads
// as it did before, page by page, standing by standing, period by period, with
// final and asOf apart.
func TestNightsChangeNothingThatIsRead(t *testing.T) {
	t.Parallel()
	users := []string{"ada", "bob/bob", "-1", "9007199254740993", "é è", "eve%20"}
	finals := 0
	for i := range 4 {
		rng := rand.New(rand.NewPCG(uint64(i), 11))
		place, err := stream.NewForum(rng)
		if err != nil {
			t.Fatal(err)
		}
		h := newHistory(t, ledger.New(place.Rules, place.Calendar), 1+i%3)
		acts := place.Activities(rng, 600, users)
		last := acts[0].At
		for _, a := range acts {
			last = max(last, a.At)
		}
		h.record(acts, last)
		for _, days := range []int{0, 2, 5, 40, 75, 120} {
			now := last.Time().AddDate(0, 0, days)
			f := h.at(now)
			before := f.everything(place, users, &finals)
			h.night(now)
			after := f.everything(place, users, &finals)
			if len(before) != len(after) {
				t.Errorf("%d addresses before, %d after", len(before), len(after))
			}
			for path, want := range before {
				if diff := cmp.Diff(want, after[path]); diff != "" {
					t.Errorf("%s (-before the night +after):\n%s", path, diff)
				}
			}
			if t.Failed() {
				t.Fatalf("stream %d in %s, %d days later", i, place.Calendar.Zone(), days)
			}
		}
	}
	if finals < 500 {
		t.Errorf("only %d of the answers came from the archive", finals)
	}
	t.Logf("%d answers from the archive", finals)
}

// record records activities as an import does.
func (h *history) record(acts []activity.Activity, now board.Moment) {
	h.tb.Helper()
	for _, r := range h.live.Record(h.tb.Context(), acts, ledger.Arrival{Now: now, AnyAge: true}) {
		if r.Err != nil {
			h.tb.Fatal(r.Err)
		}
	}
}

// night is a nightly run.
func (h *history) night(now time.Time) {
	h.tb.Helper()
	result, err := nightly.Run(h.tb.Context(), nightly.Options{
		Live: h.live, Archive: h.final, Rules: h.ledger.Rules(), Calendar: h.ledger.Calendar(), Now: board.MomentOf(now), HotDays: 3, HotMonths: 2,
	})
	if err != nil || len(result.Left) > 0 || len(result.Failed) > 0 {
		h.tb.Fatalf("%+v, %v", result, err)
	}
}

// everything reads all boards by address: lists of periods, pages, standings. What
// moves with the clock is left out; finals counts what was final.
func (f *forum) everything(place stream.Forum, users []string, finals *int) map[string]any {
	f.tb.Helper()
	all := map[string]any{}
	get := func(path string) httpapi.Board {
		b := read[httpapi.Board](f.tb, f.get(path, ""))
		if b.AsOf = ""; b.Final {
			b.Final = false
			*finals++
		}
		all[path] = b
		return b
	}
	for _, name := range place.Rules.Boards() {
		for _, w := range place.Rules.Windows(name) {
			address := fmt.Sprintf("/v1/boards/%s/%s", name, w)
			listed := read[httpapi.Periods](f.tb, f.get(address+"/periods?limit=100", ""))
			for i, p := range listed.Periods {
				listed.Periods[i].Final = false
				for offset, total := int64(0), int64(1); offset < total; offset += 2 {
					total = get(fmt.Sprintf("%s?period=%s&limit=2&offset=%d", address, p.Period, offset)).Total
				}
				for _, user := range append(users, "nobody") {
					get(fmt.Sprintf("%s/users/%s?period=%s&around=1", address, url.PathEscape(user), p.Period))
				}
			}
			all[address+"/periods"] = listed
		}
	}
	return all
}
