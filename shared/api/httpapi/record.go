package httpapi

import (
	"context"

	"laurel/shared/core/profile"
)

// operatorsRecord is a page of the acts of operators and of the service.
type operatorsRecord struct {
	Record []recordedAct `json:"record"`
	Next   *string       `json:"next"`
}

// A recordedAct is an act in the words of the command that does it.
type recordedAct struct {
	ID      string        `json:"id"`
	At      string        `json:"at"`
	Command string        `json:"command"`
	User    *profile.User `json:"user,omitempty"`
	Other   *profile.User `json:"other,omitempty"`
	Target  string        `json:"target,omitempty"`
	Period  string        `json:"period,omitempty"`
	Award   string        `json:"award,omitempty"`
	Board   string        `json:"board,omitempty"`
	Points  *int64        `json:"points,omitempty"`
	Count   int64         `json:"count,omitempty"`
	Reason  string        `json:"reason,omitempty"`
}

type recordInput struct {
	Limit  int64  `query:"limit" minimum:"1" maximum:"100" default:"30"`
	Before string `query:"before" format:"id"`
}

func (a *api) acts(ctx context.Context, in *recordInput) (operatorsRecord, error) {
	all, err := a.Items.Record(ctx, in.Before, int(in.Limit)+1)
	answer := operatorsRecord{Record: []recordedAct{}}
	for i := range min(len(all), int(in.Limit)) {
		one := &all[i]
		act := recordedAct{
			ID: one.ID, At: a.moment(one.At), Command: one.Command, Target: one.Target, Period: one.Period,
			Award: one.Award, Board: one.Board, Count: one.Count, Reason: one.Reason,
		}
		if one.Other != "" {
			act.Other = new(userOf(one.OtherUser, profile.Public{}))
		}
		if one.Person != "" {
			act.User = new(userOf(one.User, profile.Public{}))
		}
		if one.Award != "" {
			act.Points = &one.Points
		}
		answer.Record = append(answer.Record, act)
	}
	if len(all) > int(in.Limit) {
		answer.Next = nextAt(ctx, "before", answer.Record[in.Limit-1].ID)
	}
	return answer, err
}
