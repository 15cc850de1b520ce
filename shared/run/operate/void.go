package operate

import (
	"context"
	"fmt"

	"laurel/shared/core/activity"
	"laurel/shared/core/board"
	"laurel/shared/core/ledger"
	"laurel/shared/forum/trial"
	"laurel/shared/store/items"
)

// A TargetVoid says until when a target is void, and how far that is.
type TargetVoid struct {
	Target string      `json:"target"`
	Until  string      `json:"until,omitempty"`
	State  items.State `json:"state"`
}

// Void makes a pair of people void, or lifts that. Or it declares a target void, or withdraws that while it waits. Its
// object is a Previewed.
type Void struct {
	User   string `arg:"" optional:"" json:"user,omitempty"`
	Other  string `arg:"" optional:"" json:"other,omitempty"`
	Target string `json:"target,omitempty" placeholder:"ID"`
	Until  string `json:"until,omitempty" placeholder:"TIME"`
	Lift   bool   `json:"lift,omitempty"`
	Reason string `json:"reason,omitempty" placeholder:"TEXT"`
	DryRun
}

func (v *Void) check() error {
	if v.User != "" || v.Target == "" {
		return v.checkPair()
	}
	if _, err := board.ParseMoment(v.Until); v.Until != "" && err != nil {
		return Usage("--until: %w", err)
	}
	if v.Lift && (v.Until != "" || v.DryRun.DryRun) {
		return Usage("--lift moves nobody, and takes --target and --reason alone")
	}
	if code, message := activity.CheckID(v.Target, activity.MaxID); code != "" {
		return Usage("--target: %s", message)
	}
	return checkReason(v.Reason)
}

func (v *Void) do(ctx context.Context, s *slice) (Result, error) {
	if v.User != "" {
		return v.doPair(ctx, s)
	}
	now := board.MomentOf(s.Clock())
	if v.Until == "" && !v.Lift { // a slice that is made again means the same
		v.Until = now.String()
		return Result{}, errPaused
	}
	until, _ := board.ParseMoment(v.Until) // it was checked
	if until > now.Add(ledger.MaxAhead) {
		return Result{}, Usage("--until is in the future")
	}
	if v.DryRun.DryRun {
		p, err := s.preview(ctx, trial.Act{Change: func(a *ledger.Account, life *board.Life) (*ledger.Account, error) {
			d, err := s.Ledger.VoidAccount(a, ledger.Surroundings{
				Life: life, Now: now, Today: s.Ledger.Calendar().Date(now), Voids: map[string]board.Moment{v.Target: until},
			})
			return d.Account, err
		}})
		return ended(p, func(p Previewed) string { return p.text("") }, err)
	}
	var kept items.Void
	var err error
	if v.Lift {
		kept, err = s.Voids.Withdraw(ctx, v.Target, v.Reason)
	} else {
		kept, err = s.Voids.Set(ctx, v.Target, until, v.Reason)
	}
	p := Previewed{Applied: true, Void: &TargetVoid{kept.Target, s.Calendar.Text(kept.Until), kept.State}}
	return ended(p, func(p Previewed) string {
		return p.text(fmt.Sprintf("the void of %s until %s: %s", v.Target, p.Void.Until, p.Void.State))
	}, err)
}
