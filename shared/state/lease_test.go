package state_test

import (
	"errors"
	"testing"
	"time"

	"laurel/internal/harness"
	"laurel/shared/state"
)

// One process holds a lease; one that was killed loses it after a while.
func TestOneHoldsALease(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
	items := harness.Memory(t, time.Now)
	one, two := state.New(items, func() time.Time { return now }), state.New(items, func() time.Time { return now })
	within, release, err := one.Hold(t.Context(), "work")
	check(t, err)
	if _, _, err := two.Hold(t.Context(), "work"); !errors.Is(err, state.ErrHeld) {
		t.Errorf("held: got %v, want %v", err, state.ErrHeld)
	}
	_, other, err := two.Hold(t.Context(), "other work")
	check(t, err)
	other()
	if release(); within.Err() == nil {
		t.Error("work goes on without the lease")
	}
	_, _, err = two.Hold(t.Context(), "work") // and is killed
	check(t, err)
	if _, _, err := one.Hold(t.Context(), "work"); !errors.Is(err, state.ErrHeld) {
		t.Errorf("after a kill: got %v, want %v", err, state.ErrHeld)
	}
	now = now.Add(3 * time.Minute)
	_, release, err = one.Hold(t.Context(), "work")
	check(t, err)
	release()
}

// Runs of one kind hold a lease at once, and it ends a while after the last has released it.
func TestRunsOfAKindHoldALease(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
	s := state.New(harness.Memory(t, time.Now), func() time.Time { return now })
	_, first, err := s.HoldAs(t.Context(), "work", "night", 10*time.Second)
	check(t, err)
	_, second, err := s.HoldAs(t.Context(), "work", "night", 10*time.Second)
	check(t, err)
	first()
	second()
	now = now.Add(9 * time.Second)
	if _, _, err := s.Hold(t.Context(), "work"); !errors.Is(err, state.ErrHeld) {
		t.Errorf("just released: got %v, want %v", err, state.ErrHeld)
	}
	now = now.Add(2 * time.Second)
	_, release, err := s.Hold(t.Context(), "work")
	check(t, err)
	defer release()
	if _, _, err := s.HoldAs(t.Context(), "work", "night", 0); !errors.Is(err, state.ErrHeld) {
		t.Errorf("held by another: got %v, want %v", err, state.ErrHeld)
	}
}
