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

// The backend's messages, and the service's, begin erasures, and are done then; one that fails comes again, and
// what is beside it in the batch is recorded. Nobody else asks for one, nor for one of nobody.
func TestErasuresThroughTheQueue(t *testing.T) {
	t.Parallel()
	const odd = `{0}:"zoë" 100%`
	f, erased := erasing(t, "fails")
	failed := f.deliver(
		message("like", likeBy("ann", "a1")),
		message("bob", `{"erase":"bob"}`),
		by(message("cid", `{"erase":"cid"}`), "backend"),
		message("odd", `{ "erase" : "{0}:\"zo\u00eb\" 100%" }`),
		message("fails", `{"erase":"fails"}`),
		message("likes", `{"activities":[`+likeBy("ann", "a2")+`]}`),
		by(message("a user's", `{"erase":"ann"}`), "ann"),
		message("nobody", `{"erase":""}`),
		message("a control", `{"erase":"a\u0000"}`),
		message("a number", `{"erase":7}`),
		message("more", `{"erase":"ann","at":"2026-11-20T12:00:00Z"}`),
		message("a list", `{"erase":["ann"]}`),
	)
	refused := []string{"a user's", "nobody", "a control", "a number", "more", "a list"}
	if diff := cmp.Diff(append(refused, "fails"), failed); diff != "" {
		t.Errorf("failures (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"bob", "cid", odd, "fails"}, *erased); diff != "" {
		t.Errorf("erased (-want +got):\n%s", diff)
	}
	for _, id := range refused {
		if len(f.reasons(id)) == 0 {
			t.Errorf("nothing says what is wrong with %s", id)
		}
	}
	if n := f.ScoreOn("2026-11-20", "ann"); n != 4 {
		t.Errorf("ann has %d beside the erasures", n)
	}
}
