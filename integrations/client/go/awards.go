package laurel

import (
	"context"
	"crypto/rand"
	"net/http"
	"time"
)

// Award gives a user an award. One without an id and a moment gets a random id and the moment of this call before it is
// sent: sent again with the same ones, it is the same award and not a second.
func (c *Client) Award(ctx context.Context, user string, a NewAward) (*AwardReceipt, error) {
	if a.ID == "" && a.At.IsZero() {
		a.ID, a.At = rand.Text(), time.Now().UTC().Truncate(time.Millisecond)
	}
	path := pathOf("/v1/users/%s/awards", user)
	return call[AwardReceipt](ctx, c, request{method: http.MethodPost, path: path, body: a})
}

// Awards returns the awards of a user's live months, the newest first.
func (c *Client) Awards(ctx context.Context, user string) ([]Award, error) {
	answer, err := call[struct{ Awards []Award }](ctx, c, own(pathOf("/v1/users/%s/awards", user)))
	if err != nil {
		return nil, err
	}
	return answer.Awards, nil
}

// RevokeAward takes an award back for good.
func (c *Client) RevokeAward(ctx context.Context, user, id string) (*AwardReceipt, error) {
	path := pathOf("/v1/users/%s/awards/%s", user, id)
	return call[AwardReceipt](ctx, c, request{method: http.MethodDelete, path: path})
}

// PutVoidPair makes a pair of users void, for a reason that may be empty.
func (c *Client) PutVoidPair(ctx context.Context, user, other, reason string) (*VoidPair, error) {
	body := struct {
		Reason string `json:"reason,omitempty"`
	}{reason}
	path := pathOf("/v1/users/%s/voids/%s", user, other)
	return call[VoidPair](ctx, c, request{method: http.MethodPut, path: path, body: body})
}

// VoidPair reads a void pair. One that is not void is a problem with the code no_void_pair.
func (c *Client) VoidPair(ctx context.Context, user, other string) (*VoidPair, error) {
	return call[VoidPair](ctx, c, own(pathOf("/v1/users/%s/voids/%s", user, other)))
}

// LiftVoidPair ends a void pair: everything counts again as before on live boards. The error is likewise, even if the
// answer to the first try was lost.
func (c *Client) LiftVoidPair(ctx context.Context, user, other string) error {
	path := pathOf("/v1/users/%s/voids/%s", user, other)
	return c.do(ctx, request{method: http.MethodDelete, path: path}, new(struct{}))
}

// Merge merges a user into another one, for good, for a reason that may be empty: from now on the user's id means the
// other one. MergeOf returns its progress.
func (c *Client) Merge(ctx context.Context, user, into, reason string) (*Merge, error) {
	body := struct {
		Into   string `json:"into"`
		Reason string `json:"reason,omitempty"`
	}{into, reason}
	return call[Merge](ctx, c, request{method: http.MethodPost, path: pathOf("/v1/users/%s/merge", user), body: body})
}

// MergeOf reads the progress of a user's merge. A user who was never merged is a problem with the code no_merge.
func (c *Client) MergeOf(ctx context.Context, user string) (*Merge, error) {
	return call[Merge](ctx, c, own(pathOf("/v1/users/%s/merge", user)))
}

// Record reads a page of the operators' record, of 30 acts if limit is 0: the newest, or those before an act's id.
func (c *Client) Record(ctx context.Context, before string, limit int) (*OperatorsRecord, error) {
	return call[OperatorsRecord](ctx, c, own(ask("/v1/record", "before", before, "limit", limit)))
}
