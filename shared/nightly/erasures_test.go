package nightly_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"laurel/shared/archive"
	"laurel/shared/nightly"
)

// erasures is a function as Erasures.
type erasures func(context.Context) (done, left int, err error)

func (e erasures) GoOn(ctx context.Context) (done, left int, err error) { return e(ctx) }

// Erasures come after the periods, because some wait for a final one. Their error is a
// failure of the run, and without time they are left.
func TestErasuresComeAfterThePeriods(t *testing.T) {
	t.Parallel()
	f, now := open(t, 1), at(t, "2026-12-10T03:00")
	f.fill(t)
	options := f.options(now)
	options.Erasures = erasures(func(ctx context.Context) (int, int, error) {
		_, err := archive.New(f.kept).Manifest(ctx, "activity", period(t, "2026-11-20"))
		return 2, 1, err
	})
	result, err := nightly.Run(t.Context(), options)
	if err != nil || result.Erasures != (nightly.Erased{Done: 2, Left: 1}) || len(result.Moved) == 0 {
		t.Errorf("%+v, %v", result, err)
	}

	away := errors.New("away")
	options.Erasures = erasures(func(context.Context) (int, int, error) { return 1, 3, away })
	result, err = nightly.Run(t.Context(), options)
	if !errors.Is(err, away) || len(result.Failed) != 1 || result.Failed[0].Name != "erasures" ||
		result.Erasures != (nightly.Erased{Done: 1, Left: 3}) {
		t.Errorf("%+v, %v", result, err)
	}

	short, cancel := context.WithTimeout(t.Context(), 9*time.Second) // less than a run keeps for its answer
	defer cancel()
	options.Erasures = erasures(func(context.Context) (int, int, error) {
		t.Error("there was no time")
		return 0, 0, nil
	})
	if result, err = nightly.Run(short, options); err != nil || len(result.Left) != 1 || result.Left[0] != "erasures" {
		t.Errorf("%+v, %v", result, err)
	}
}
