package main

import (
	"runtime"
	"testing"
)

func TestHeapGrowsLessTheLargerItIs(t *testing.T) {
	t.Parallel()
	for live, want := range map[uint64]int{
		0: 400, 1 << 20: 400, 62 << 20: 400, 125 << 20: 200, 250 << 20: 100, 400 << 20: 62, 8 << 30: 60,
	} {
		if got := percentFor(live); got != want {
			t.Errorf("%d MB: %d, want %d", live>>20, got, want)
		}
	}
	kept := make([]byte, 64<<20)
	runtime.GC()
	if live := liveBytes(); live < 64<<20 {
		t.Errorf("%d bytes live", live)
	}
	runtime.KeepAlive(kept)
}
