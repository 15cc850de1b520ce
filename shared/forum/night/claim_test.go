package night_test

import (
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"laurel/internal/harness"
	"laurel/shared/core/board"
	"laurel/shared/forum/night"
	"laurel/shared/store/items"
	"laurel/shared/store/table"
)

// made returns how many periods a tick made the boards of, and how many it left to another run.
func made(r night.Result) (made, left int) {
	for _, m := range r.Moved {
		if m.Event == board.EventMake {
			made++
		}
	}
	for _, l := range r.Left {
		if l.Reason == items.ReasonWait {
			left++
		}
	}
	return made, left
}

// making is a forum whose periods are closed, and a process that has the given fate at its first write of a board.
func making(t *testing.T, fate func() harness.Fate) (*forum, *process) {
	t.Helper()
	f := filled(t)
	f.tick() // closes them
	f.Pass(time.Minute)
	p := f.start()
	var met atomic.Bool // boards are written side by side
	p.calls.Before = func(c harness.Call) harness.Fate {
		isBoard := slices.ContainsFunc(c.Keys, func(key table.Key) bool {
			return strings.HasPrefix(key.Partition, "activity#")
		})
		if !isBoard || !met.CompareAndSwap(false, true) {
			return harness.Lives
		}
		return fate()
	}
	return f, p
}

// Of two ticks at once one makes the boards, and the other leaves without reading a ledger.
func TestOneRunMakesBoards(t *testing.T) {
	t.Parallel()
	var f *forum
	var beside night.Result
	var reads int64
	f, p := making(t, func() harness.Fate {
		other := f.start()
		other.CatchUp = nil // it has nothing to compare
		beside = harness.Must(night.Tick(t.Context(), other.Options))(t)
		reads = other.calls.Reads.Load()
		return harness.Lives
	})
	first := harness.Must(night.Tick(t.Context(), p.Options))(t)
	if n, _ := made(first); n == 0 {
		t.Errorf("the first makes nothing: %+v", first)
	}
	if n, left := made(beside); n > 0 || left == 0 || reads > 20 {
		t.Errorf("the second makes %d, leaves %d and reads %d times: %+v", n, left, reads, beside)
	}
	f.nights()
	f.same()
}

// A run that was killed keeps others from making boards for a minute.
func TestTheClaimOfAKilledRunEnds(t *testing.T) {
	t.Parallel()
	f, p := making(t, func() harness.Fate { return harness.DiesBefore })
	if _, err := night.Tick(t.Context(), p.Options); err == nil {
		t.Fatal("it was not killed")
	}
	other := f.start()
	for _, c := range []struct {
		after time.Duration
		makes bool
	}{{59 * time.Second, false}, {time.Second, true}} {
		f.Pass(c.after)
		r := harness.Must(night.Tick(t.Context(), other.Options))(t)
		if n, _ := made(r); (n > 0) != c.makes {
			t.Errorf("%s later it makes %d: %+v", c.after, n, r)
		}
	}
	f.nights()
	f.same()
}
