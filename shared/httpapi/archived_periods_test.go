package httpapi_test

import (
	"fmt"
	"slices"
	"testing"

	"laurel/shared/httpapi"
)

// Live and final periods are one list, in pages, the newest first.
func TestPeriodsAreMerged(t *testing.T) {
	t.Parallel()
	h := past(t)
	f := h.at(the24th)
	want := []string{"2026-11-24", "2026-11-23", "2026-11-22", "2026-11-21", "2026-11-20", "2026-11-19", "2026-11-18", "2026-11-17"}
	for _, moved := range []string{"", "2026-11-17", "2026-11-19", "2026-11-18"} {
		if moved != "" {
			h.move(t.Context(), moved)
		}
		for _, limit := range []int{1, 2, 3, 7, 8, 31, 100} {
			var got []string
			path := fmt.Sprintf("/v1/boards/activity/day/periods?limit=%d", limit)
			for next := path; ; next = path + "&before=" + got[len(got)-1] {
				page := read[httpapi.Periods](t, f.get(next, "")).Periods
				for _, p := range page {
					b := read[httpapi.Board](t, f.get("/v1/boards/activity/day?limit=1&period="+p.Period, ""))
					if b.Final != p.Final || b.Total != p.Total || b.StartsAt != p.StartsAt || *b.EndsAt != *p.EndsAt {
						t.Errorf("%+v is listed as %+v", b, p)
					}
					got = append(got, p.Period)
				}
				if len(page) < limit {
					break
				}
			}
			if !slices.Equal(got, want) {
				t.Errorf("by %d: %q, want %q", limit, got, want)
			}
		}
	}
	for query, want := range map[string]int{"?before=2026-11-17": 0, "?before=2026-11-18": 1, "?before=2030-01-01": 8, "?before=2000-01-01": 0} {
		if got := read[httpapi.Periods](t, f.get("/v1/boards/activity/day/periods"+query, "")).Periods; len(got) != want {
			t.Errorf("%s: %+v", query, got)
		}
	}
}
