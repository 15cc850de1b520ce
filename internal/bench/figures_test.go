package main

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"laurel/shared/board"
)

// The figures of runs that were made up: good articles that are on the page at the
// hours from one to another after their publishing.
func TestFiguresCountHours(t *testing.T) {
	t.Parallel()
	const hour = board.Moment(3_600_000)
	site := NewSite(small(5))
	begin := site.Ends() - 4*24*hour
	watched := 0
	for _, a := range site.Articles {
		if site.Watched(a) {
			watched++
			if at := a.Published; !a.Good || at < begin+24*hour || at >= begin+48*hour {
				t.Errorf("%+v is watched", a)
			}
		}
	}
	for name, tt := range map[string]struct {
		on   func(age int) bool
		want Figures
	}{
		"never":     {func(int) bool { return false }, Figures{Good: 5}},
		"a day":     {func(n int) bool { return n <= 25 }, Figures{Good: 5, AfterDay: 5, Always: 5, Stay: 25}},
		"under":     {func(n int) bool { return n >= 2 && n <= 24 }, Figures{Good: 5, Always: 5, Stay: 24}},
		"under two": {func(n int) bool { return n <= 48 }, Figures{Good: 5, AfterDay: 5, Always: 5, Stay: 48}},
		"with a gap": {
			func(n int) bool { return n != 12 && n < 60 && n <= 49 },
			Figures{Good: 5, AfterDay: 5, AfterTwo: 5, Stay: 49},
		},
	} {
		var samples []Sample
		for at := begin + hour; at <= site.Ends(); at += hour {
			sample := Sample{At: at}
			for _, a := range site.Articles {
				if age := int((at - (a.Published - a.Published%hour)) / hour); a.Good && age >= 1 && tt.on(age) {
					sample.Hot = append(sample.Hot, a.ID)
				}
			}
			samples = append(samples, sample)
		}
		got := site.Look(samples)
		got.OfPage, got.StillOn = 0, 0
		if diff := cmp.Diff(tt.want, got); diff != "" || watched != 5 {
			t.Errorf("%s, %d watched (-want +got):\n%s", name, watched, diff)
		}
	}
}
