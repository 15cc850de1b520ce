package httpapi

import (
	"context"

	"laurel/shared/api/wire"
	"laurel/shared/core/board"
	"laurel/shared/core/ledger"
	"laurel/shared/core/metrics"
)

// An awardReceipt is the answer to an award that was given or taken back.
type awardReceipt struct {
	ID     string           `json:"id"`
	At     string           `json:"at"`
	Status string           `json:"status"`
	Points int64            `json:"points"`
	Board  string           `json:"board"`
	Day    string           `json:"day"`
	Scores map[string]int64 `json:"scores,omitempty"`
}

func (a *api) postAward(ctx context.Context, in *userPath) (awardReceipt, error) {
	var body wire.Award
	found := decode(ctx, &body)
	given, moment := body.Award(in.User, a.Ledger.Rules(), board.MomentOf(a.Now()), found)
	if p := refused(ctx, found); p != nil {
		return awardReceipt{}, p
	}
	r, err := a.People.Award(ctx, in.User, given, moment)
	return a.awardReceipt(ctx, given.ID, moment, r), err
}

// awardPath names an award of a user.
type awardPath struct {
	userPath
	ID string `path:"id" format:"id"`
}

func (a *api) deleteAward(ctx context.Context, in *awardPath) (awardReceipt, error) {
	r, moment, err := a.People.TakeBack(ctx, in.User, in.ID)
	return a.awardReceipt(ctx, in.ID, moment, r), err
}

func (a *api) awardReceipt(ctx context.Context, id string, moment board.Moment, r ledger.Receipt) awardReceipt {
	metrics.From(ctx).Activity(string(r.Status))
	return awardReceipt{
		ID: id, At: a.moment(moment),
		Status: string(r.Status), Points: r.Points, Board: r.Board, Day: r.Day.String(), Scores: byWindow(r.Scores),
	}
}

// userAwards are the awards of a user's live months.
type userAwards struct {
	Awards []keptAward `json:"awards"`
}

// A keptAward is an award of a user.
type keptAward struct {
	ID     string `json:"id"`
	At     string `json:"at"`
	Points int64  `json:"points"`
	Board  string `json:"board"`
	Reason string `json:"reason"`
	State  string `json:"state"`
}

func (a *api) awards(ctx context.Context, in *userPath) (userAwards, error) {
	all, err := a.People.Awards(ctx, in.User)
	answer := userAwards{Awards: make([]keptAward, len(all))}
	for i, one := range all {
		answer.Awards[i] = keptAward{one.ID, a.moment(one.At), one.Points, one.Board, one.Reason, string(one.State)}
	}
	return answer, err
}
