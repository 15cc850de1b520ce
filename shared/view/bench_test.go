package view_test

import (
	"fmt"
	"testing"

	"laurel/internal/testserver"
	"laurel/shared/ledger"
	"laurel/shared/view"
)

// A show of one user and of a hundred, with the places of two boards and five live days, on boards of
// ten thousand.
func BenchmarkShow(b *testing.B) {
	h := on(b, testserver.OwnRedis(b).Client(), 1)
	places := func(score int64) (all []ledger.Shown) {
		for _, name := range []string{"activity", "steps"} {
			day := today
			for range 5 {
				p := place(day, score, score)
				p.Board = name
				all, day = append(all, p), day.Prev()
			}
			p := place(month, score, score)
			p.Board = name
			all = append(all, p)
		}
		return all
	}
	var units []view.Unit
	for i := range 10_000 {
		units = append(units, person(unit(fmt.Sprintf("user%d", i), 1, 0, places(int64(i))...), 1, "a name"))
	}
	if _, err := h.Show(b.Context(), 0, units...); err != nil {
		b.Fatal(err)
	}
	revision := int64(1)
	for _, n := range []int{1, 100} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			h.client.ConfigResetStat(b.Context())
			runs := 0
			for b.Loop() {
				revision++
				runs++
				some := make([]view.Unit, n)
				for i := range some {
					all := places(revision % 1_000)
					some[i] = unit(fmt.Sprintf("user%d", i), revision, revision-1, all[0], all[5])
					some[i].Person, some[i].Months[0].Changed = 1, true
				}
				if results, err := h.Show(b.Context(), 0, some...); err != nil || results[n-1] != view.ShowApplied {
					b.Fatal(results, err)
				}
			}
			b.Log(runs, h.client.Info(b.Context(), "cpu").Val(), h.client.Info(b.Context(), "commandstats").Val())
		})
	}
}
