package httpapi

import (
	"context"

	"laurel/shared/api/wire"
	"laurel/shared/core/board"
	"laurel/shared/store/items"
)

// A targetVoid says until when a target is void, and how far that is carried out.
type targetVoid struct {
	Target string `json:"target"`
	Until  string `json:"until,omitempty"`
	State  string `json:"state"`
}

// targetPath names a target.
type targetPath struct {
	Target string `path:"target" format:"id"`
}

func (a *api) putVoid(ctx context.Context, in *targetPath) (targetVoid, error) {
	var body wire.TargetVoid
	found := decode(ctx, &body)
	until := body.Moment(in.Target, board.MomentOf(a.Now()), found)
	if p := refused(ctx, found); p != nil {
		return targetVoid{}, p
	}
	return a.voidAnswer(a.Voids.Set(ctx, in.Target, until, body.Reason))
}

func (a *api) void(ctx context.Context, in *targetPath) (targetVoid, error) {
	return a.voidAnswer(a.Voids.Of(ctx, in.Target))
}

func (a *api) deleteVoid(ctx context.Context, in *targetPath) (targetVoid, error) {
	return a.voidAnswer(a.Voids.Withdraw(ctx, in.Target, ""))
}

func (a *api) voidAnswer(v items.Void, err error) (targetVoid, error) {
	return targetVoid{Target: v.Target, State: string(v.State), Until: a.moment(v.Until)}, err
}
