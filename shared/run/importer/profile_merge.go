package importer

import (
	"context"
	"errors"
	"slices"

	"laurel/shared/core/activity"
	"laurel/shared/forum/people"
)

// A Merge is a user who is to be merged into another one.
type Merge struct {
	User string `json:"user"`
	Into string `json:"into"`
}

// mergesAtOnce is how many merges are a part.
const mergesAtOnce = 50

// A memberMerge is a row of profiles with a merge.
type memberMerge struct {
	row row
	Merge
}

// into returns the id of the user into whom a profile's row merges its user, "" for none.
func (r row) into() string { return activity.TrimID(none(r.values[profileInto])) }

// mergeAll has merges done, in order, and rejects the rows of those that are refused.
func (r *run) mergeAll(ctx context.Context, all []memberMerge) error {
	for some := range slices.Chunk(all, mergesAtOnce) {
		part := Part{}
		for _, m := range some {
			part.Merges = append(part.Merges, m.Merge)
		}
		var done Done
		err := retry(ctx, func() (err error) { done, err = r.Stores(ctx, part); return err })
		if err != nil {
			return err
		}
		for i, m := range some {
			if reason := done.Merges[i]; reason != "" {
				if err := r.reject(m.row, "into: "+reason); err != nil {
					return err
				}
				continue
			}
			r.summary.Merged++
		}
	}
	return nil
}

// importReason is the reason of an import's merges in the operators' record.
const importReason = "an import of profiles"

// mergeUsers merges users, and returns the reason of each merge that is refused, "" of the others.
func mergeUsers(ctx context.Context, in *people.Store, merges []Merge) (reasons []string, err error) {
	for _, m := range merges {
		_, err := in.Merge(ctx, m.User, m.Into, importReason)
		reason := ""
		for refusal, text := range map[error]string{
			people.ErrMergeSelf:       "a user cannot be merged into oneself, or back",
			people.ErrErased:          "one of the two is being erased",
			people.ErrMergedElsewhere: "the user was merged into another one",
			people.ErrTooManyMerges:   "too many users are merged into the person",
		} {
			if errors.Is(err, refusal) {
				reason, err = text, nil
			}
		}
		if err != nil {
			return nil, err
		}
		reasons = append(reasons, reason)
	}
	return reasons, nil
}
