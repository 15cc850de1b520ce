package laurel

import (
	"context"
	"crypto/rand"
	"net/http"
	"time"
)

// An Award is points that the service gives a user, or takes below zero, for a reason that the user reads. Without a
// Board it goes to activity, or to the first board that is the home of actions. State is counted or undone in answers.
type Award struct {
	ID     string    `json:"id"`
	At     time.Time `json:"at"`
	Points int       `json:"points"`
	Board  string    `json:"board,omitempty"`
	Reason string    `json:"reason"`
	State  string    `json:"state,omitempty"`
}

// An AwardReceipt is the outcome of an award, or of taking one back.
type AwardReceipt struct {
	ID     string         `json:"id"`
	At     time.Time      `json:"at"`
	Status string         `json:"status"`
	Points int            `json:"points"`
	Board  string         `json:"board"`
	Day    string         `json:"day"`
	Scores map[string]int `json:"scores"`
}

// Award gives a user an award. One without an id and a moment gets a random id and the moment of this call before it is
// sent: sent again with the same ones, it is the same award and not a second.
func (c *Client) Award(ctx context.Context, user string, a Award) (*AwardReceipt, error) {
	if a.ID == "" && a.At.IsZero() {
		a.ID, a.At = rand.Text(), time.Now().UTC().Truncate(time.Millisecond)
	}
	a.State = ""
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

// A VoidPair is two people whose acts for each other give neither any points.
type VoidPair struct {
	Other  string    `json:"other"`
	Since  time.Time `json:"since"`
	Reason string    `json:"reason"`
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

// A Merge is how far the merge of a user into another one is: State is running or done, Into the id that stands for
// both.
type Merge struct {
	State  string         `json:"state"`
	Into   string         `json:"into"`
	Joined map[string]int `json:"joined"` // the number of joined items, by kind
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

// A Record is a page of the operators' record, newest first.
type Record struct {
	Record []RecordedAct `json:"record"`
	Next   string        `json:"next"`
}

// A RecordedAct is an act of an operator or the service, in the words of its command. A user without an ID has no
// profile or was erased since.
type RecordedAct struct {
	ID      string    `json:"id"`
	At      time.Time `json:"at"`
	Command string    `json:"command"`
	User    *User     `json:"user,omitempty"`
	Other   *User     `json:"other,omitempty"` // of a void pair
	Target  string    `json:"target,omitempty"`
	Period  string    `json:"period,omitempty"`
	Award   string    `json:"award,omitempty"` // its id
	Board   string    `json:"board,omitempty"` // of an award
	Points  int       `json:"points,omitempty"`
	Count   int       `json:"count,omitempty"` // of an import's awards
	Reason  string    `json:"reason,omitempty"`
}

// Record reads a page of the operators' record, of 30 acts if limit is 0: the newest, or those before an act's id.
func (c *Client) Record(ctx context.Context, before string, limit int) (*Record, error) {
	return call[Record](ctx, c, own(ask("/v1/record", "before", before, "limit", limit)))
}
