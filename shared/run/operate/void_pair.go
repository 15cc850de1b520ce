package operate

import (
	"context"
	"fmt"
	"strings"
)

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
	return ended(Previewed{Applied: !v.DryRun.DryRun, Moves: movedOf(moves)}, v.pairText, err)
}

// pairText shows the places.
func (v *Void) pairText(p Previewed) string {
	var b strings.Builder
	writeMoves(&b, p.Moves, !p.Applied)
	if state := map[bool]string{true: "lifted", false: "void"}[v.Lift]; p.Applied {
		fmt.Fprintf(&b, "the pair is %s; places that moved: %d\n", state, len(p.Moves))
	}
	return b.String()
}
