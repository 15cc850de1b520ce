package queue_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/aws/aws-lambda-go/events"
	"github.com/google/go-cmp/cmp"

	"laurel/internal/harness"
	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/ledger"
	"laurel/shared/ledger/reference"
)

// Promise 1, through the queue: random activities, as messages of one or of many,
// by the service or by their users, in any order, some more than once, some
// batches delivered again, with bad messages among them, give the boards of the
// reference.
func TestPromise1ThroughTheQueue(t *testing.T) {
	t.Parallel()
	users := []string{"ada", "bob/bob", "-1", "9007199254740993", "é è", "eve%20"}
	admitted := 0
	for i := range 4 {
		rng := rand.New(rand.NewPCG(uint64(i), 5))
		place, err := reference.NewForum(rng)
		if err != nil {
			t.Fatal(err)
		}
		acts := place.WithRestores(rng, place.Activities(rng, 6_000, users))
		now := acts[0].At + 24*3_600_000
		ref := reference.New(place.Rules, place.Calendar)
		var those []activity.Activity
		for _, a := range acts {
			if now-a.At <= 48*3_600_000 && a.At <= now {
				ref.Add(a)
				those = append(those, a)
			}
		}
		admitted += len(those)
		f := open(t, harness.Setup{
			Ledger: ledger.New(place.Rules, place.Calendar), Shards: 1 + rng.IntN(4), Now: now.Time(),
		})
		var messages []events.SQSMessage
		var bad []string
		for j, group := range reference.Deliver(rng, those, 6) {
			messages = append(messages, inMessages(rng, place, group, now, fmt.Sprint("m", j))...)
			if rng.IntN(9) == 0 {
				m := sent(message(fmt.Sprint("bad", j), `{"activities":[{}]}`), now)
				messages, bad = append(messages, m), append(bad, m.MessageId)
			}
		}
		var refused []string
		for len(messages) > 0 {
			n := min(1+rng.IntN(100), len(messages))
			refused = append(refused, f.deliver(messages[:n]...)...)
			if rng.IntN(3) == 0 {
				f.deliver(messages[:n]...)
			}
			messages = messages[n:]
		}
		if diff := cmp.Diff(bad, refused); diff != "" {
			t.Errorf("refused (-want +got):\n%s", diff)
		}
		harness.CompareBoards(t, f.View, place, ref)
		if t.Failed() {
			t.Fatalf("stream %d in %s at %s, %d activities", i, place.Calendar.Zone(), now, len(those))
		}
	}
	t.Logf("%d activities", admitted)
	if admitted < 1_000 {
		t.Error("too few activities were admitted to show anything")
	}
}

// inMessages makes messages of some activities: of a user's own some are sent by
// the user, at their moment; the others by the service, in one.
func inMessages(rng *rand.Rand, place reference.Forum, acts []activity.Activity, now board.Moment,
	id string,
) (all []events.SQSMessage) {
	var rest []string
	for i, a := range acts {
		rule, _ := place.Rules.On(place.Calendar.Date(a.At)).Rule(a.Action)
		if !a.Restores && rule.MayReport(activity.ByUser) && rng.IntN(2) == 0 {
			m := sent(message(fmt.Sprint(id, ".", i), harness.Reported(a, false)), a.At)
			all = append(all, by(m, a.User))
			continue
		}
		rest = append(rest, harness.Reported(a, true))
	}
	switch {
	case len(rest) == 1 && rng.IntN(2) == 0:
		all = append(all, sent(message(id, rest[0]), now))
	case len(rest) > 0:
		all = append(all, sent(message(id, harness.Report(rest...)), now))
	}
	return all
}
