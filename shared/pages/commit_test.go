package pages_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"laurel/internal/harness"
	"laurel/internal/testserver"
	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/ledger"
	"laurel/shared/live"
	"laurel/shared/redisstore"
)

// meanwhile is a journal that lets something happen once between the reading and the commit.
type meanwhile struct{ happens func() }

// Begin begins an entry.
func (m *meanwhile) Begin() func(context.Context, []ledger.Row) error {
	return func(context.Context, []ledger.Row) error {
		if do := m.happens; do != nil {
			m.happens = nil
			do()
		}
		return nil
	}
}

// Whatever one of the users in a call meets, be it a conflict, damaged pages, or a board that
// was closed, is that user's alone, or applied anew; the others are recorded.
func TestUsersOfOneCallDoNotFailEachOther(t *testing.T) {
	t.Parallel()
	noon, month := harness.At(t, "2026-11-20T12:00"), harness.Period(t, "2026-11")
	for what, happens := range map[string]func(*live.Store){
		"nothing": func(*live.Store) {},
		"conflicts": func(other *live.Store) {
			harness.Record(t, other, harness.Did(t, "user-3 like other", noon), harness.Did(t, "user-30 like other", noon))
		},
		"damaged pages": func(other *live.Store) {
			other.Client().Set(t.Context(), redisstore.PagesKey(0, "user-7"), "x", 0)
		},
		"damaged pages, and a conflict": func(other *live.Store) {
			other.Client().Set(t.Context(), redisstore.PagesKey(0, "user-7"), "x", 0)
			harness.Record(t, other, harness.Did(t, "user-3 like other", noon), harness.Did(t, "user-30 like other", noon))
		},
		"a void": func(other *live.Store) {
			other.Client().HSet(t.Context(), redisstore.VoidsKey(0), redisstore.VoidsVersionField, "version1",
				"target-5", int64(noon+1_000))
		},
	} {
		client := testserver.Redis(t)
		store, other := live.New(client, harness.UTC(), 1), live.New(client, harness.UTC(), 1)
		store.Keep(&meanwhile{func() { happens(other) }})
		var acts []activity.Activity
		for i := range 60 {
			acts = append(acts, harness.Did(t, fmt.Sprintf("user-%d like target-%d", i, i), noon+board.Moment(i)))
		}
		for i, r := range store.Record(t.Context(), acts, ledger.Arrival{Now: noon}) {
			user, points, status := fmt.Sprint("user-", i), int64(2), ledger.Counted
			if strings.Contains(what, "conflict") && (i == 3 || i == 30) {
				points = 4
			}
			if what == "a void" && i == 5 {
				points, status = 0, ledger.Superseded
			}
			if i == 7 && strings.Contains(what, "damaged") {
				if !errors.Is(r.Err, redisstore.ErrDamaged) {
					t.Errorf("%s: %s: %+v", what, user, r)
				}
				continue
			}
			if r.Err != nil || r.Status != status {
				t.Errorf("%s: %s: %+v", what, user, r)
			}
			if got := harness.ScoreOf(t, store, "activity", month, user); got != points {
				t.Errorf("%s: %s has %d points, want %d", what, user, got, points)
			}
		}
	}
}
