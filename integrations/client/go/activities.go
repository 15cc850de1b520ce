package laurel

import (
	"context"
	"net/http"
	"slices"
	"time"
)

// How many activities a request may have: of a member's token, and of the service's.
const (
	maxOfMember  = 100
	maxOfService = 500
)

// Report reports activities and returns their receipts in order: activities without User as those of the member whose
// token it is, 100 in a request, those with User as the service's, 500 in a request. On an error the receipts are
// those of the activities that were recorded before it.
//
// Requests are sent again when their answers are lost. So that a repetition changes nothing, a service's activities
// without At get the moment of this call, which asks for a clock that is set. A member cannot say when. A repeated do
// is a duplicate, and repeating a request that does and undoes leaves the state of its last activity; but a like whose
// answer was lost, sent again after a later unlike, would overturn it, as Laurel takes both when they arrive. So a
// client sends a member's reports one after the other: no report overtakes one that is still being tried. Two
// cases remain: another page of the same member in those seconds, and an entry by day (a visit) that is sent again
// after midnight counts on both days, as if the member had come again.
func (c *Client) Report(ctx context.Context, activities ...Activity) ([]Receipt, error) {
	most := maxOfService
	if slices.ContainsFunc(activities, func(a Activity) bool { return a.User == "" }) {
		most = maxOfMember
		select {
		case c.member <- struct{}{}:
			defer func() { <-c.member }()
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	} else {
		activities = withMoments(activities, time.Now())
	}
	receipts := make([]Receipt, 0, len(activities))
	for part := range slices.Chunk(activities, most) {
		body := map[string][]Activity{"activities": part}
		r := request{method: http.MethodPost, path: "/v1/activities", body: body}
		answer, err := call[struct{ Receipts []Receipt }](ctx, c, r)
		if err != nil {
			return receipts, err
		}
		receipts = append(receipts, answer.Receipts...)
	}
	return receipts, nil
}

// withMoments gives activities without a time this one, and each a millisecond more than the one before it of the
// same user and target. Laurel does so itself for a missing time; with equal ones an undo would win over the do that
// follows it.
func withMoments(activities []Activity, now time.Time) []Activity {
	type subject struct{ user, target string }
	now, before := now.UTC().Truncate(time.Millisecond), map[subject]time.Duration{}
	activities = slices.Clone(activities)
	for i := range activities {
		a := &activities[i]
		if a.At.IsZero() {
			s := subject{a.User, a.Target}
			a.At = now.Add(before[s])
			before[s] += time.Millisecond
		}
	}
	return activities
}
