package events

import (
	"math/rand/v2"
	"time"
)

// What fails is tried again after 5 s, 10 s, 20 s and so on, up to 6 h, until three days have passed.
const (
	firstAgain = 5 * time.Second
	mostAgain  = 6 * time.Hour
	giveUp     = 72 * time.Hour
)

// backoff returns for how long an event waits that has failed so often, from 1: up to a fifth more or less
// than the schedule says, so that addresses that failed together are not tried together.
func backoff(attempts int) time.Duration {
	wait := min(firstAgain<<min(max(attempts-1, 0), 20), mostAgain)
	return wait*4/5 + rand.N(wait*2/5)
}
