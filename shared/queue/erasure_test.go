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

// erasing is a forum whose erasures are noted, and go as the map says: an error, or
// whether they are idle; a user who is not in it is idle.
func erasing(t *testing.T, runs map[string]bool, fails map[string]error) (f *forum, erased *[]string) {
	t.Helper()
	erased = &[]string{}
	return open(t, harness.Setup{}, func(o *queue.Options) {
		o.Erase = func(_ context.Context, user string, _ board.Moment) (bool, error) {
			*erased = append(*erased, user)
			return !runs[user] && fails[user] == nil, fails[user]
		}
	}), erased
}

// The backend's messages erase; one that is not done, or fails, comes again, and
// what is beside it in the batch is recorded.
func TestErasuresThroughTheQueue(t *testing.T) {
	t.Parallel()
	const odd = `{0}:"zoë" 100%`
	f, erased := erasing(t, map[string]bool{"runs": true}, map[string]error{"fails": errors.New("down")})
	failed := f.deliver(
		message("1", likeBy("ann", "a1")),
		message("2", `{"erase":"bob"}`),
		message("3", `{"erase":"runs"}`),
		message("4", `{ "erase" : "{0}:\"zo\u00eb\" 100%" }`),
		message("5", `{"erase":"fails"}`),
		message("6", `{"activities":[`+likeBy("ann", "a2")+`]}`),
	)
	slices.Sort(failed)
	if diff := cmp.Diff([]string{"3", "5"}, failed); diff != "" {
		t.Errorf("failures (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"bob", "runs", odd, "fails"}, *erased); diff != "" {
		t.Errorf("erased (-want +got):\n%s", diff)
	}
	if n := f.ScoreOn("2026-11-20", "ann"); n != 4 {
		t.Errorf("ann has %d beside the erasures", n)
	}
}

// Nobody else asks for an erasure, nor for one of nobody.
func TestErasuresThatAreRefused(t *testing.T) {
	t.Parallel()
	f, erased := erasing(t, nil, nil)
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
	none := open(t, harness.Setup{}, func(o *queue.Options) { o.Erase = nil }) // without a table
	if failed := none.deliver(message("8", `{"erase":"ann"}`)); len(failed) != 1 || len(none.reasons("8")) != 1 {
		t.Errorf("without a table: %q, %q", failed, none.reasons("8"))
	}
}
