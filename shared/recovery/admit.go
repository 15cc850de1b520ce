package recovery

import (
	"context"
	"errors"
	"fmt"

	"laurel/shared/activity"
	"laurel/shared/journal"
	"laurel/shared/ledger"
	"laurel/shared/pages"
	"laurel/shared/redisstore"
)

// pendingAtOnce is the number of batches that are read at once.
const pendingAtOnce = 100

// A Recorder records activities; live.Store is one.
type Recorder interface {
	Record(ctx context.Context, activities []activity.Activity, arrival ledger.Arrival) []pages.Result
}

// Admit records the activities that are pending, in the order of their arrival and as if
// they were recorded then, and returns how many there were. Batches of users with damaged
// pages stay pending and make an error in the end. In a full Redis it ends, and the rest stays
// pending; so it does, with an error, at the first batch that fails otherwise.
func Admit(ctx context.Context, store Recorder, o Options) (admitted int64, err error) {
	r := open(o)
	var stay []error
	for {
		batches, err := r.Journal.Pending(ctx, pendingAtOnce+len(stay))
		if err != nil || len(batches) <= len(stay) {
			return admitted, errors.Join(append(stay, err)...)
		}
		for _, b := range batches[len(stay):] {
			err := r.admit(ctx, store, b)
			if errors.Is(err, redisstore.ErrFull) {
				r.Log.WarnContext(ctx, "what is pending waits for room in the cache", "cause", err.Error())
				return admitted, errors.Join(stay...)
			}
			if errors.Is(err, redisstore.ErrStored) {
				stay = append(stay, err)
				continue
			}
			if err != nil {
				return admitted, errors.Join(append(stay, err)...)
			}
			admitted += int64(len(b.Activities))
		}
	}
}

// admit records the activities of a batch, and deletes it.
func (r *rebuild) admit(ctx context.Context, store Recorder, b journal.PendingBatch) error {
	var errs []error
	for _, result := range store.Record(ctx, b.Activities, ledger.Arrival{Now: b.Arrival}) {
		if result.Err != nil && !errors.Is(result.Err, redisstore.ErrStored) {
			return fmt.Errorf("recovery: admit what is pending: %w", result.Err)
		}
		errs = append(errs, result.Err)
	}
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("recovery: admit what is pending: %w", err)
	}
	return r.Journal.DeletePending(ctx, b)
}
