package operate

import (
	"context"
	"fmt"
	"strings"
)

// A Voided tells the places that moved, or would move.
type Voided struct {
	Void   bool    `json:"void"`
	DryRun bool    `json:"dryRun,omitempty"`
	Moves  []Moved `json:"moves"`
}

func (v *Void) checkPair() error {
	switch {
	case v.Other == "":
		return Usage("name two people, or a target: laurel void ada bob, or laurel void --target 42")
	case v.User == v.Other:
		return Usage("name two people: nobody is void with oneself")
	case v.Target != "" || v.Until != "":
		return Usage("--target and --until are for a target, without people")
	}
	return checkReason(v.Reason)
}

// doPair makes a pair of people void, or lifts that, in one slice.
func (v *Void) doPair(ctx context.Context, s *slice) (Result, error) {
	moves, err := s.People.PairMoves(ctx, v.User, v.Other, !v.Lift)
	if err == nil && !v.DryRun.DryRun {
		_, err = s.People.SetVoidPair(ctx, v.User, v.Other, !v.Lift, v.Reason)
	}
	return ended(Voided{!v.Lift, v.DryRun.DryRun, movedOf(moves)}, Voided.String, err)
}

// String shows the places.
func (v Voided) String() string {
	var b strings.Builder
	writeMoves(&b, v.Moves, v.DryRun)
	if state := map[bool]string{true: "void", false: "lifted"}[v.Void]; !v.DryRun {
		fmt.Fprintf(&b, "the pair is %s; places that moved: %d\n", state, len(v.Moves))
	}
	return b.String()
}
