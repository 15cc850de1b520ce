package operate

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"laurel/shared/core/activity"
	"laurel/shared/core/board"
	"laurel/shared/core/ledger"
	"laurel/shared/forum/people"
	"laurel/shared/forum/trial"
	"laurel/shared/run/importer"
)

// Previewed is the outcome of an act on people, or with --dry-run the boards that it would change.
type Previewed struct {
	Applied bool          `json:"applied"`
	Receipt *AwardReceipt `json:"receipt,omitempty"`
	Void    *TargetVoid   `json:"void,omitempty"`
	Boards  []trial.Board `json:"boards,omitempty"` // those of the current periods that would change
	Moves   []Moved       `json:"moves,omitzero"`   // places of a pair that move, or would move
}

// preview returns the boards that an act would change.
func (s *slice) preview(ctx context.Context, act trial.Act) (Previewed, error) {
	boards, err := trial.Preview(ctx, trial.Options{
		Items: s.Items, Ledger: s.Ledger, Clock: s.Clock, Log: s.Log,
	}, act, s.met)
	return Previewed{Boards: boards}, err
}

// met tells how many people a pass has met.
func (s *slice) met(n int64) { s.progress(Progress{Done: n, Unit: "people"}) }

// text says that it is done, or with a dry run who would move.
func (p Previewed) text(done string) string {
	if p.Applied {
		return done + "\n"
	}
	var b strings.Builder
	if len(p.Boards) == 0 {
		b.WriteString("nobody would move\n")
	}
	for _, board := range p.Boards {
		fmt.Fprintf(&b, "%s, %s: %s on it, %s then\n", board.Board, board.Period,
			importer.Thousands(board.Before.Total), importer.Thousands(board.After.Total))
		moves(&b, "gain", board.Gain)
		moves(&b, "lose", board.Lose)
	}
	return b.String() + "nothing was changed\n"
}

// DryRun is the flag of commands that can show their outcome first.
type DryRun struct {
	DryRun bool `json:"dryRun,omitempty"`
}

// statusChange does or previews a change of a user's status.
func (s *slice) statusChange(
	ctx context.Context, user string, dry bool, set func(*ledger.UserStatus), done string, do func() error,
) (Result, error) {
	var p Previewed
	var err error
	if dry {
		p, err = s.preview(ctx, trial.Act{User: user, Change: func(
			a *ledger.Account, _ *board.Life,
		) (*ledger.Account, error) {
			set(&a.Status)
			return a, nil
		}})
	} else {
		err, p.Applied = do(), true
	}
	return ended(p, func(p Previewed) string { return p.text(done) }, err)
}

// Exclude takes a user off the boards, or lets the user back, in one slice. Its object is a Previewed.
type Exclude struct {
	Person
	Shadow bool   `json:"shadow,omitempty"`
	Lift   bool   `json:"lift,omitempty"`
	Reason string `json:"reason,omitempty" placeholder:"TEXT"`
	DryRun
}

func (e *Exclude) check() error {
	if e.Shadow && e.Lift {
		return Usage("--shadow and --lift: one of them")
	}
	return cmp.Or(e.Person.check(), checkReason(e.Reason))
}

func (e *Exclude) do(ctx context.Context, s *slice) (Result, error) {
	set := func(status *ledger.UserStatus) {
		status.Excluded, status.Shadowed = !e.Lift && !e.Shadow, !e.Lift && e.Shadow
	}
	done := "the user is off the live boards"
	if e.Lift {
		done = "the user is back on the live boards"
	}
	return s.statusChange(ctx, e.User, e.DryRun.DryRun, set, done, func() error {
		return s.People.SetExclusion(ctx, e.User, people.UserExclusion{Excluded: !e.Lift, Shadow: e.Shadow}, e.Reason)
	})
}

// Hide hides a user from others on live boards, as the user could, in one slice. Its object is a Previewed.
type Hide struct{ visibility }

func (h *Hide) do(ctx context.Context, s *slice) (Result, error) { return h.set(ctx, s, true) }

// Show ends that.
type Show struct{ visibility }

func (h *Show) do(ctx context.Context, s *slice) (Result, error) { return h.set(ctx, s, false) }

// visibility is the flags of Hide and Show.
type visibility struct {
	Person
	Reason string `json:"reason,omitempty" placeholder:"TEXT"`
	DryRun
}

func (v *visibility) check() error { return cmp.Or(v.Person.check(), checkReason(v.Reason)) }

func (v *visibility) set(ctx context.Context, s *slice, hidden bool) (Result, error) {
	done := "the user is shown"
	if hidden {
		done = "the user is hidden"
	}
	set := func(status *ledger.UserStatus) { status.Hidden = hidden }
	return s.statusChange(ctx, v.User, v.DryRun.DryRun, set, done, func() error {
		return s.People.Hide(ctx, v.User, hidden, v.Reason)
	})
}

func checkReason(reason string) error {
	if reason == "" {
		return nil
	}
	if code, message := activity.CheckText(reason, activity.MaxReason); code != "" {
		return Usage("--reason: %s", message)
	}
	return nil
}
