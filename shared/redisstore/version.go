package redisstore

import (
	"context"
	"math/rand/v2"
	"time"
)

// VersionLen is the length of a version: random bytes, new with every write.
const VersionLen = 8

// MaxAttempts is how often a write is decided before ErrBusy. Of writers that race
// one always wins, so this bounds how many may come first.
const MaxAttempts = 256

// NewVersion returns a version that was never given before.
func NewVersion() string {
	b := make([]byte, VersionLen)
	n := rand.Uint64()
	for i := range b {
		b[i] = byte(n >> (8 * i))
	}
	return string(b)
}

// BackOff waits before a conflict is tried again: who lost for the first time the
// longest, who has lost often hardly at all, or it would starve.
func BackOff(ctx context.Context, attempts int) {
	select {
	case <-ctx.Done():
	case <-time.After(rand.N(4*time.Millisecond) / time.Duration(attempts)):
	}
}
