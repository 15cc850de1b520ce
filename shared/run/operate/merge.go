package operate

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"laurel/shared/core/activity"
	"laurel/shared/forum/people"
)

// Merge merges a user into another one, for good, in one slice; ticks join the rest. Its object is a Merged.
type Merge struct {
	User   string `arg:"" json:"user"`
	Into   string `arg:"" json:"into"`
	Reason string `json:"reason,omitempty" placeholder:"TEXT"`
	DryRun
}

// A Merged tells how far a merge is, and the places that move, or would move.
type Merged struct {
	DryRun bool          `json:"dryRun,omitempty"`
	Merge  *people.Merge `json:"merge,omitempty"`
	Moves  []Moved       `json:"moves"`
}

func (m *Merge) check() error {
	for _, id := range []string{m.User, m.Into} {
		if code, message := activity.CheckID(id, activity.MaxUserID); code != "" {
			return Usage("the id of a user: %s", message)
		}
	}
	if m.User == m.Into {
		return Usage("name two users: laurel merge old new")
	}
	return checkReason(m.Reason)
}

func (m *Merge) do(ctx context.Context, s *slice) (Result, error) {
	moves, err := s.People.MergeMoves(ctx, m.User, m.Into)
	told := Merged{DryRun: m.DryRun.DryRun, Moves: movedOf(moves)}
	if err == nil && !told.DryRun {
		var done people.Merge
		if done, err = s.People.Merge(ctx, m.User, m.Into, m.Reason); err == nil {
			told.Merge = &done
		}
	}
	return ended(told, func(told Merged) string { return told.text(m.User) }, err)
}

// text shows the places and how far the merge of a user is.
func (m Merged) text(user string) string {
	var b strings.Builder
	writeMoves(&b, m.Moves, m.DryRun)
	if m.DryRun || m.Merge == nil {
		return b.String()
	}
	for _, kind := range slices.SortedFunc(maps.Keys(m.Merge.Joined), cmp.Compare) {
		fmt.Fprintf(&b, "%s: %d\n", kind, m.Merge.Joined[kind])
	}
	if m.Merge.Done() {
		fmt.Fprintf(&b, "%s is merged into %s\n", user, m.Merge.Into)
	} else {
		fmt.Fprintf(&b, "%s means %s from now on: one of the next ticks joins their ledgers\n", user, m.Merge.Into)
	}
	return b.String()
}
