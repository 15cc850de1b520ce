package people_test

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"laurel/internal/harness"
	"laurel/internal/testserver"
	"laurel/shared/core/activity"
	"laurel/shared/forum/recording"
)

// Another process that knows nothing of a merge records between any two calls of it to the table: nothing is lost, and
// nothing taken twice.
func TestReportsBesideAMerge(t *testing.T) {
	t.Parallel()
	for i := range testserver.Times(12, 300) {
		rng := rand.New(rand.NewPCG(uint64(i), 9))
		tale, f, control := newTale(rng), open(t, 1), open(t, 1)
		early := rng.IntN(len(tale.acts))
		tale.merge = len(tale.acts)
		control.tell(tale, true, nil)
		left := tale.acts[early:]
		tale.acts, tale.merge = tale.acts[:early], early
		other := f.Another(f.Redis, f.Table.Table)
		f.tell(tale, false, func() {
			f.now = noon
			report := func(a activity.Activity) {
				arrival := recording.Arrival{Now: f.now, AnyAge: true}
				results, err := other.Recorder.Record(t.Context(), []activity.Activity{a}, arrival)
				harness.OK(f, errors.Join(err, results[0].Err))
			}
			if len(left) > 0 && rng.IntN(2) == 0 { // the process knows the people from before
				report(left[0])
				left = left[1:]
			}
			f.Table.Reset()
			f.Table.After = func(c harness.Call) {
				if len(left) > 0 && (c.Writes > 0 || rng.IntN(8) == 0) {
					a := left[0]
					left = left[1:]
					report(a)
				}
			}
			f.merge()
			f.endMerges()
			f.Table.Reset()
			for _, a := range left {
				report(a)
			}
		})
		f.Fill()
		if diff := cmp.Diff(control.facet("bob"), f.facet("bob")); diff != "" {
			t.Fatalf("tale %d, merged after act %d (-one +merged):\n%s", i, early, diff)
		}
	}
}
