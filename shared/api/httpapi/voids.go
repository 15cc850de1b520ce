package httpapi

import (
	"context"

	"laurel/shared/api/wire"
	"laurel/shared/core/board"
	"laurel/shared/store/items"
)

// A Void says until when a target is void, and how far that is carried out.
type Void struct {
	Target string `json:"target"`
	Until  string `json:"until,omitempty"`
	State  string `json:"state"`
}

// targetPath names a target.
type targetPath struct {
	Target string `path:"target" format:"id"`
}

func (a *api) putVoid(ctx context.Context, in *targetPath) (Void, error) {
	var body wire.TargetVoid
	found := decode(ctx, &body)
	until := body.Moment(in.Target, board.MomentOf(a.Now()), found)
	if p := refused(ctx, found); p != nil {
		return Void{}, p
	}
	return a.voidAnswer(a.Voids.Set(ctx, in.Target, until))
}

func (a *api) void(ctx context.Context, in *targetPath) (Void, error) {
	return a.voidAnswer(a.Voids.Of(ctx, in.Target))
}

func (a *api) deleteVoid(ctx context.Context, in *targetPath) (Void, error) {
	return a.voidAnswer(a.Voids.Withdraw(ctx, in.Target))
}

func (a *api) voidAnswer(v items.Void, err error) (Void, error) {
	return Void{Target: v.Target, State: string(v.State), Until: a.moment(v.Until)}, err
}
