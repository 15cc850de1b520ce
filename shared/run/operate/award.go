package operate

import (
	"context"
	"fmt"

	"laurel/shared/api/wire"
	"laurel/shared/core/activity"
	"laurel/shared/core/board"
	"laurel/shared/core/ledger"
	"laurel/shared/forum/people"
	"laurel/shared/forum/trial"
)

// Award gives a user points for a reason, or takes an award back. Its object is a Previewed.
type Award struct {
	Person
	Points *int64 `json:"points,omitempty" placeholder:"N"`
	Reason string `json:"reason,omitempty" placeholder:"TEXT"`
	Board  string `json:"board,omitempty" placeholder:"NAME"`
	ID     string `json:"id,omitempty" placeholder:"ID"`
	At     string `json:"at,omitempty" placeholder:"TIME"`
	Lift   bool   `json:"lift,omitempty"`
	DryRun
}

// An AwardReceipt is the answer to an award.
type AwardReceipt struct {
	ID     string        `json:"id"`
	At     string        `json:"at"`
	Status ledger.Status `json:"status"`
	Points int64         `json:"points"`
	Board  string        `json:"board"`
	Day    string        `json:"day"`
}

func (w *Award) check() error {
	switch {
	case w.User == "":
		return w.Person.check()
	case w.Lift && w.ID == "":
		return Usage("--id is missing: the award to take back")
	case w.Lift && (w.Points != nil || w.Reason != "" || w.Board != "" || w.At != ""):
		return Usage("--lift takes --user and --id alone")
	case w.Lift:
		return nil
	case w.Points == nil || w.Reason == "":
		return Usage("--points and --reason are missing")
	case (w.ID == "") != (w.At == ""):
		return Usage("--id and --at belong together")
	}
	if _, err := board.ParseMoment(w.At); w.At != "" && err != nil {
		return Usage("--at: %w", err)
	}
	return nil
}

func (w *Award) do(ctx context.Context, s *slice) (Result, error) {
	if w.Lift {
		return w.takeBack(ctx, s)
	}
	if w.ID == "" { // a slice that is made again gives the same
		w.ID, w.At = wire.NewAwardID(), board.MomentOf(s.Clock()).String()
		return Result{}, errPaused
	}
	act, err := w.activity(s)
	if err != nil {
		return Result{}, err
	}
	if w.DryRun.DryRun {
		return w.previewed(ctx, s, act)
	}
	r, err := s.People.Award(ctx, w.User, *act.Award, act.At)
	return w.told(Previewed{Applied: true}, act.At, r, err)
}

// activity returns the award as an activity.
func (w *Award) activity(s *slice) (activity.Activity, error) {
	moment, err := board.ParseMoment(w.At)
	if err != nil {
		return activity.Activity{}, Usage("--at: %w", err)
	}
	a := activity.Activity{User: w.User, Action: activity.AwardWord, At: moment, Award: &activity.Award{
		ID: w.ID, Points: *w.Points, Board: w.Board, Reason: w.Reason,
	}}
	if w.Board == "" {
		a.Award.Board = s.Ledger.Rules().UsualAwardBoard()
	}
	for _, v := range s.Ledger.Rules().AwardViolations(a) {
		return a, Usage("--%s: %s", v.Location, v.Message)
	}
	return a, nil
}

// previewed returns the boards that an award would change.
func (w *Award) previewed(ctx context.Context, s *slice, act activity.Activity) (Result, error) {
	var r ledger.Receipt
	now := board.MomentOf(s.Clock())
	p, err := s.preview(ctx, trial.Act{User: w.User, Change: func(
		a *ledger.Account, life *board.Life,
	) (*ledger.Account, error) {
		d, err := s.Ledger.DecideAccount(a, []activity.Activity{act}, ledger.Surroundings{
			Life: life, Now: now, Today: s.Ledger.Calendar().Date(now),
		})
		if err != nil {
			return nil, err
		}
		r = d.Receipts[0]
		return d.Account, nil
	}})
	return w.told(p, act.At, r, err)
}

// takeBack takes the award back, or returns the boards that this would change.
func (w *Award) takeBack(ctx context.Context, s *slice) (Result, error) {
	if !w.DryRun.DryRun {
		r, moment, err := s.People.TakeBack(ctx, w.User, w.ID)
		return w.told(Previewed{Applied: true}, moment, r, err)
	}
	all, err := s.People.Awards(ctx, w.User)
	if err != nil {
		return Result{}, err
	}
	for _, known := range all {
		if known.ID == w.ID {
			return w.previewed(ctx, s, activity.Activity{
				User: w.User, Action: activity.AwardWord, At: known.At, Award: &activity.Award{ID: w.ID, Taken: true},
			})
		}
	}
	return Result{}, people.ErrNoAward
}

// told returns the result with its receipt.
func (w *Award) told(p Previewed, moment board.Moment, r ledger.Receipt, err error) (Result, error) {
	p.Receipt = &AwardReceipt{w.ID, moment.String(), r.Status, r.Points, r.Board, r.Day.String()}
	line := fmt.Sprintf("award %s: %s, %+d on %s, %s", w.ID, r.Status, r.Points, r.Board, r.Day)
	return ended(p, func(p Previewed) string {
		if p.Applied {
			return line + "\n"
		}
		return line + "\n" + p.text("")
	}, err)
}
