package pull

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/gofrs/flock"

	"laurel/shared/core/board"
)

// A Source is a forum that can be read.
type Source interface {
	// Name returns the forum's name for the state.
	Name() string
	// Read reads the forum and compares it. The state is saved after the comparison's requests were answered.
	Read(ctx context.Context, c *Comparison) error
}

// A Runner makes runs of a source.
type Runner struct {
	Source Source
	Laurel *Service
	File   string // has the state
	Now    func() time.Time
}

// A Summary counts the results of a run.
type Summary struct {
	Receipts map[string]int `json:"receipts"` // activities, by result
	Changed  map[string]int `json:"changed"`  // requests, by kind: profiles, articles
	Refused  []string       `json:"refused,omitempty"`
	Old      int            `json:"old,omitempty"` // not reported: they are older than Laurel takes
}

// String describes the results of a run.
func (s Summary) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "activities: %s\nchanged:    %s\n", listed(s.Receipts), listed(s.Changed))
	if s.Old > 0 {
		fmt.Fprintf(&b, "older than 48 hours, for laurel import: %d\n", s.Old)
	}
	for _, refused := range s.Refused {
		fmt.Fprintln(&b, "refused:   ", refused)
	}
	return b.String()
}

// listed lists numbers by kind.
func listed(all map[string]int) string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(all)) {
		parts = append(parts, fmt.Sprintf("%d %s", all[name], name))
	}
	return cmp.Or(strings.Join(parts, ", "), "none")
}

// Dropped counts activities that were sent and not kept.
func (s Summary) Dropped() int {
	return len(s.Refused) + s.Receipts["too_late"] + s.Receipts["too_early"]
}

// Run reads the forum and sends new activities, first those that an earlier run left. If it fails or dies, the next
// one continues.
func (r *Runner) Run(ctx context.Context) (Summary, error) {
	sum := Summary{Receipts: map[string]int{}, Changed: map[string]int{}}
	lock := flock.New(r.File + ".lock")
	if alone, err := lock.TryLock(); err != nil || !alone {
		return sum, cmp.Or(err, fmt.Errorf("the state in %s: another run has it", r.File))
	}
	defer lock.Close() //nolint:errcheck // the system ends it with the process
	state, err := load(r.File, r.Source.Name())
	if err != nil {
		return sum, err
	}
	if err := r.send(ctx, state, &sum); err != nil {
		return sum, err
	}
	rules, err := r.Laurel.Rules(ctx)
	if err != nil {
		return sum, err
	}
	c := &Comparison{
		State: state, Laurel: r.Laurel, Rules: rules, Now: board.MomentOf(r.Now()),
		frozen: map[string]bool{}, found: map[string]bool{},
	}
	if err := r.Source.Read(ctx, c); err != nil {
		return sum, err
	}
	state.Outbox, state.Read, sum.Old = c.requests(), c.Now, c.Old
	if err := state.save(r.File); err != nil {
		return sum, err
	}
	err = r.send(ctx, state, &sum)
	return sum, err
}

// send sends the outbox, and writes the state without the answered requests.
func (r *Runner) send(ctx context.Context, state *State, sum *Summary) error {
	if len(state.Outbox) == 0 {
		return nil
	}
	var failed error
	for len(state.Outbox) > 0 && failed == nil {
		if failed = r.one(ctx, state.Outbox[0], sum); failed == nil {
			state.Outbox = state.Outbox[1:]
		}
	}
	return errors.Join(failed, state.save(r.File))
}

// one sends a request. A request that is refused for its content would be refused again.
func (r *Runner) one(ctx context.Context, q Request, sum *Summary) error {
	body, err := r.Laurel.Do(ctx, q)
	segments := strings.Split(strings.TrimPrefix(q.Path, "/v1/"), "/")
	kind := segments[0]
	if len(segments) == 3 {
		kind = segments[2]
	}
	if status, ok := errors.AsType[*StatusError](err); ok {
		switch {
		case status.Status == http.StatusNotFound && kind == "articles" && q.Method != http.MethodPost:
			return nil // it was never reported, or has left the lists
		case status.Status == http.StatusConflict && kind == "articles":
			return nil // it is in the archive, or was deleted
		case status.Status == http.StatusUnprocessableEntity, status.Status == http.StatusBadRequest:
			sum.Refused = append(sum.Refused, err.Error())
			return nil
		}
	}
	if err != nil {
		return err
	}
	if kind != "activities" {
		sum.Changed[kind]++
		return nil
	}
	var answer struct {
		Receipts []struct {
			Status string `json:"status"`
		} `json:"receipts"`
	}
	if err := json.Unmarshal(body, &answer); err != nil {
		return fmt.Errorf("%s, the receipts: %w", r.Laurel.Name, err)
	}
	for _, receipt := range answer.Receipts {
		sum.Receipts[receipt.Status]++
	}
	return nil
}
