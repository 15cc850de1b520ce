package httpapi

import (
	"context"
	"errors"

	"laurel/shared/api/wire"
	"laurel/shared/core/activity"
	"laurel/shared/forum/people"
)

// A voidPair is a void pair of two people, as one of them is asked.
type voidPair struct {
	Other  string `json:"other"`
	Since  string `json:"since"`
	Reason string `json:"reason,omitempty"`
}

// pairPath names two people.
type pairPath struct {
	User  string `path:"user" format:"user-id"`
	Other string `path:"other" format:"user-id"`
}

func (a *api) putVoidPair(ctx context.Context, in *pairPath) (voidPair, error) {
	var body wire.VoidPair
	found := decode(ctx, &body)
	body.Check(in.Other, found)
	own := activity.Violation{
		Code: activity.CodeOwnID, Location: "path.other", Message: "must not be the user's own id", Value: in.Other,
	}
	if in.User == in.Other {
		found.Add(own)
	}
	if p := refused(ctx, found); p != nil {
		return voidPair{}, p
	}
	pair, err := a.People.SetVoidPair(ctx, in.User, in.Other, true, body.Reason)
	if errors.Is(err, people.ErrSelf) { // the two were merged, of which this process did not know
		found.Add(own)
		return voidPair{}, refused(ctx, found)
	}
	return a.voidPair(pair, err)
}

func (a *api) readVoidPair(ctx context.Context, in *pairPath) (voidPair, error) {
	pair, err := a.People.VoidPair(ctx, in.User, in.Other)
	return a.voidPair(pair, err)
}

func (a *api) voidPair(pair people.Pair, err error) (voidPair, error) {
	return voidPair{pair.Other, a.moment(pair.Since), pair.Reason}, err
}

func (a *api) deleteVoidPair(ctx context.Context, in *pairPath) (struct{}, error) {
	_, err := a.People.SetVoidPair(ctx, in.User, in.Other, false, "")
	return struct{}{}, err
}
