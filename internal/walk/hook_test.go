package walk_test

import (
	"sync"

	"laurel/internal/harness"
)

// The faults at a call of a process to a store. Nested steps are those of other processes.
const (
	dieBefore  = string(harness.DiesBefore)
	dieHalf    = string(harness.DiesWithin)
	dieAfter   = string(harness.DiesAfter)
	loseAnswer = string(harness.LosesAnswer)
	nestBefore = "nest before"
	nestAfter  = "nest after"
	stall      = "stall after" // nests too, and the process continues 20 s later
)

// A hook is between a process and the stores. It is safe for concurrent use.
type hook struct {
	*harness.Table
	mu      sync.Mutex
	plan    map[int]string    // by call
	nest    func(name string) // takes the steps of others
	nesting sync.Mutex
}

// arm begins to count calls.
func (h *hook) arm(plan map[int]string) {
	h.All.Store(0)
	h.mu.Lock()
	defer h.mu.Unlock()
	h.plan = plan
}

// decision returns the fault at a call.
func (h *hook) decision(c harness.Call) string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.plan[int(c.N)]
}

// before runs before each call.
func (h *hook) before(c harness.Call) harness.Fate {
	switch decision := h.decision(c); decision {
	case nestBefore:
		h.nestOne(decision)
	case dieBefore, dieHalf, dieAfter, loseAnswer:
		return harness.Fate(decision)
	}
	return harness.Lives
}

// after runs after each call that was made.
func (h *hook) after(c harness.Call) {
	if decision := h.decision(c); decision == nestAfter || decision == stall {
		h.nestOne(decision)
	}
}

// nestOne nests, while other calls of the same process wait.
func (h *hook) nestOne(name string) {
	h.nesting.Lock()
	defer h.nesting.Unlock()
	h.nest(name)
}
