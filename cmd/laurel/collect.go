package main

import (
	"os"
	"runtime/debug"
	"runtime/metrics"
)

// How much a server's heap may grow before garbage is collected. A small heap may grow to five times its live objects,
// like a function's: a batch then takes a quarter less CPU. A larger one, with many people's boards, may grow by
// roomBytes, and any heap by three fifths: a million people then take 1.1 GB at most in place of 1.5, and 2 percent
// more CPU.
const (
	gcPercent = 400
	gcLeast   = 60
	roomBytes = 250 << 20
)

// collectLess sets how much the heap may grow now, unless the environment does. A server whose heap grows calls it now
// and then.
func collectLess() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(percentFor(liveBytes()))
	}
}

// percentFor returns GOGC for a heap of which so much lives.
func percentFor(live uint64) int {
	if live == 0 {
		return gcPercent
	}
	return int(min(gcPercent, max(gcLeast, 100*roomBytes/live)))
}

// liveBytes returns how much of the heap the last collection found in use.
func liveBytes() uint64 {
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(live)
	if live[0].Value.Kind() != metrics.KindUint64 {
		return 0
	}
	return live[0].Value.Uint64()
}
