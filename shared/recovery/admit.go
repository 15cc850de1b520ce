package recovery

import (
	"context"
	"fmt"

	"laurel/shared/activity"
	"laurel/shared/journal"
	"laurel/shared/ledger"
	"laurel/shared/pages"
)

// pendingAtOnce is the number of batches that are read at once.
const pendingAtOnce = 100

// A Recorder records activities; live.Store is one.
type Recorder interface {
	Record(ctx context.Context, activities []activity.Activity, arrival ledger.Arrival) []pages.Result
}

// Admit records the activities that are pending, in the order of their arrival and as if
// they were recorded then, and returns how many there were. At the first that fails it
// ends; it and those after it stay pending.
func Admit(ctx context.Context, store Recorder, pending *journal.Journal) (admitted int64, err error) {
	for {
		batches, err := pending.Pending(ctx, pendingAtOnce)
		if err != nil || len(batches) == 0 {
			return admitted, err
		}
		for _, b := range batches {
			for _, result := range store.Record(ctx, b.Activities, ledger.Arrival{Now: b.Arrival}) {
				if result.Err != nil {
					return admitted, fmt.Errorf("recovery: admit what is pending: %w", result.Err)
				}
			}
			if err := pending.DeletePending(ctx, b); err != nil {
				return admitted, err
			}
			admitted += int64(len(b.Activities))
		}
	}
}
