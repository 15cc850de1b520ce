package memory_test

import (
	"fmt"
	"runtime"
	"testing"

	"laurel/internal/harness"
	"laurel/internal/viewtest"
	"laurel/shared/core/board"
	"laurel/shared/store/view"
	"laurel/shared/store/view/memory"
)

// BenchmarkView reads a month's board of so many members, and shows units on it; B/member is the growth of the heap
// with a place on a day's board, too, and estimated is the estimate of Bytes.
func BenchmarkView(b *testing.B) {
	for _, members := range []int{10_000, 100_000, 1_000_000} {
		b.Run(fmt.Sprint(members), func(b *testing.B) { benchmark(b, members) })
	}
}

func benchmark(b *testing.B, members int) {
	b.Helper()
	before := heap()
	v := memory.New((&viewtest.View{Known: "table-1"}).Options(1))
	h := viewtest.New(b, 1, func(view.Options) view.View { return v })
	for first := 0; first < members; first += 1_000 {
		units := make([]view.Unit, 1_000)
		for i := range units {
			units[i] = unitOf(first+i, 1, int64(first+i)*7_919%60_000)
		}
		harness.Must(h.Show(b.Context(), 0, units...))(b)
	}
	grown := heap() - before
	user := func(i int) string { return fmt.Sprintf("member-%07d", i*104_729%members) }
	month := board.View{Board: "activity", Period: viewtest.Month}
	read := func(name string, choose func(i int, v *board.View)) {
		b.Run(name, func(b *testing.B) {
			for i := 0; b.Loop(); i++ {
				v := month
				choose(i, &v)
				harness.Must(h.Read(b.Context(), v))(b)
			}
		})
	}
	read("top30", func(_ int, v *board.View) { v.Limit = 30 })
	read("standing", func(i int, v *board.View) { v.User = user(i) })
	read("around15", func(i int, v *board.View) { v.User, v.Around = user(i), 15 })
	read("users100", func(i int, v *board.View) {
		for n := range 100 {
			v.Users = append(v.Users, user(100*i+n))
		}
	})
	b.Run("show", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			n := i * 104_729 % members
			harness.Must(h.Show(b.Context(), 0, unitOf(n, int64(2+i), int64(i)%60_000)))(b)
		}
		b.ReportMetric(float64(grown)/float64(members), "B/member")
		b.ReportMetric(float64(v.Bytes())/float64(members), "estimated")
	})
}

// unitOf is a member's, on a month's and a day's board.
func unitOf(n int, revision, score int64) view.Unit {
	places := viewtest.Place(viewtest.Month, 1+score, int64(n)%1_000_000)
	day := viewtest.Place(viewtest.Today, 1+score%100, int64(n)%1_000_000)
	u := viewtest.Unit(fmt.Sprintf("member-%07d", n), revision, revision-1, places, day)
	return viewtest.Person(u, revision, "A Name of Twenty Byt")
}

// heap is the size of the heap, without garbage.
func heap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
