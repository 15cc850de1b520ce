package queue_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"laurel/internal/harness"
	"laurel/shared/board"
	"laurel/shared/queue"
)

// erasing is a forum whose erasures are noted; of some users they fail.
func erasing(t *testing.T, fails ...string) (f *forum, erased *[]string) {
	t.Helper()
	erased = &[]string{}
	return open(t, harness.Setup{}, func(o *queue.Options) {
		o.Erase = func(_ context.Context, user string, _ board.Moment) error {
			if *erased = append(*erased, user); slices.Contains(fails, user) {
				return errors.New("down")
			}
			return nil
		}
	}), erased
}

// The backend's messages begin erasures, and are done then; one that fails comes again, and what
// is beside it in the batch is recorded.
func TestErasuresThroughTheQueue(t *testing.T) {
	t.Parallel()
	const odd = `{0}:"zoë" 100%`
	f, erased := erasing(t, "fails")
	failed := f.deliver(
		message("1", likeBy("ann", "a1")),
		message("2", `{"erase":"bob"}`),
		message("4", `{ "erase" : "{0}:\"zo\u00eb\" 100%" }`),
		message("5", `{"erase":"fails"}`),
		message("6", `{"activities":[`+likeBy("ann", "a2")+`]}`),
	)
	if diff := cmp.Diff([]string{"5"}, failed); diff != "" {
		t.Errorf("failures (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"bob", odd, "fails"}, *erased); diff != "" {
		t.Errorf("erased (-want +got):\n%s", diff)
	}
	if n := f.ScoreOn("2026-11-20", "ann"); n != 4 {
		t.Errorf("ann has %d beside the erasures", n)
	}
}

// An erasure that a message began goes on at the ticks, and once it has begun the user is on no
// board.
func TestATickEndsAnErasureOfTheQueue(t *testing.T) {
	t.Parallel()
	f := open(t, harness.Setup{})
	f.deliver(message("1", likeBy("ann", "a1")))
	if failed := f.deliver(message("2", `{"erase":"ann"}`)); len(failed) > 0 || f.ScoreOn("2026-11-20", "ann") != 0 {
		t.Errorf("failed %q, ann has %d", failed, f.ScoreOn("2026-11-20", "ann"))
	}
	for range 3 {
		if _, err := f.Tick(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if found := f.Table.Grep(t, "ann"); len(found) > 0 {
		t.Errorf("the id is in %q", found)
	}
}

// Nobody else asks for an erasure, nor for one of nobody.
func TestErasuresThatAreRefused(t *testing.T) {
	t.Parallel()
	f, erased := erasing(t)
	failed := f.deliver(
		by(message("1", `{"erase":"ann"}`), "ann"),
		message("2", `{"erase":""}`),
		message("3", `{"erase":"a\u0000"}`),
		message("4", `{"erase":7}`),
		message("5", `{"erase":"ann","at":"2026-11-20T12:00:00Z"}`),
		message("6", `{"erase":["ann"]}`),
		by(message("7", `{"erase":"bob"}`), "backend"),
	)
	if diff := cmp.Diff([]string{"1", "2", "3", "4", "5", "6"}, failed); diff != "" {
		t.Errorf("failures (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"bob"}, *erased); diff != "" {
		t.Errorf("erased (-want +got):\n%s", diff)
	}
	for _, id := range failed {
		if len(f.reasons(id)) == 0 {
			t.Errorf("nothing says what is wrong with %s", id)
		}
	}
}
