package walk_test

import (
	"sync"

	"laurel/internal/harness"
)

// What happens at a call of a process to a store. Nested steps are those of other processes.
const (
	dieBefore  = string(harness.DiesBefore)
	dieHalf    = string(harness.DiesWithin)
	dieAfter   = string(harness.DiesAfter)
	loseAnswer = string(harness.LosesAnswer)
	nestBefore = "nest before"
	nestAfter  = "nest after"
	stall      = "stall after" // nests too, and the process goes on 20 s later
)

// A hook is between a process and the stores. It is safe for concurrent use.
type hook struct {
	*harness.Table
	mu      sync.Mutex
	plan    map[int]string    // by call
	nest    func(what string) // takes the steps of others
	nesting sync.Mutex
}

// arm begins to count calls.
func (h *hook) arm(plan map[int]string) {
	h.All.Store(0)
	h.mu.Lock()
	defer h.mu.Unlock()
	h.plan = plan
}

// what is what happens at a call.
func (h *hook) what(c harness.Call) string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.plan[int(c.N)]
}

// before is asked before each call.
func (h *hook) before(c harness.Call) harness.Fate {
	switch what := h.what(c); what {
	case nestBefore:
		h.nestOne(what)
	case dieBefore, dieHalf, dieAfter, loseAnswer:
		return harness.Fate(what)
	}
	return harness.Lives
}

// after is told of each call that was made.
func (h *hook) after(c harness.Call) {
	if what := h.what(c); what == nestAfter || what == stall {
		h.nestOne(what)
	}
}

// nestOne nests, while other calls of the same process that are to wait.
func (h *hook) nestOne(what string) {
	h.nesting.Lock()
	defer h.nesting.Unlock()
	h.nest(what)
}
