package queue_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/google/go-cmp/cmp"

	"laurel/internal/harness"
	"laurel/shared/api/queue"
)

// largest is the largest batch of messages that all are legal: 100 of 500 activities, of one user each.
func largest() (batch []events.SQSMessage) {
	for m := range 100 {
		user := fmt.Sprintf("user-%02d", m)
		var likes []string
		for a := range 500 {
			likes = append(likes, likeBy(user, fmt.Sprint("a", a)))
		}
		batch = append(batch, message(user, `{"activities":[`+strings.Join(likes, ",")+`]}`))
	}
	return batch
}

// A backlog is recorded some 2,000 activities at a time until there would be no time for more. The rest
// fails, and is first when it comes again; each activity is recorded once.
func TestABacklogIsTakenSomeAtATime(t *testing.T) {
	t.Parallel()
	recorder := &recorder{ledger: harness.UTC(), takes: 3 * time.Second}
	f := open(t, harness.Setup{}, func(o *queue.Options) { o.Recorder = recorder })
	synctest.Test(t, func(t *testing.T) {
		deliver := func(batch []events.SQSMessage) (left []events.SQSMessage) {
			ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
			defer cancel()
			answer := harness.Must(f.handle(ctx, events.SQSEvent{Records: batch}))(t)
			for _, failure := range answer.BatchItemFailures {
				for _, m := range batch {
					if m.MessageId == failure.ItemIdentifier {
						left = append(left, with(m, queue.ReceiveCount, "2"))
					}
				}
			}
			return left
		}
		left := deliver(largest()) // begins one at 0, 3, ... 24 s; there is no time for two at 27 s
		if diff := cmp.Diff([]int{2000, 2000, 2000, 2000, 2000, 2000, 2000, 2000, 2000}, recorder.calls); diff != "" {
			t.Errorf("calls (-want +got):\n%s", diff)
		}
		if len(left) != 64 || left[0].MessageId != "user-36" {
			t.Fatalf("%d messages are left", len(left))
		}
		recorder.takes = 4 * time.Second // at 24 s there is no time for two more
		fresh := with(message("fresh", likeBy("fresh", "a1")), queue.ReceiveCount, "1")
		if left = deliver(append([]events.SQSMessage{fresh}, left...)); len(left) != 64-4*6+1 ||
			left[len(left)-1].MessageId != "fresh" {
			t.Fatalf("%d messages are left, at last %s", len(left), left[len(left)-1].MessageId)
		}
		recorder.takes = 0
		if left = deliver(left); len(left) != 0 {
			t.Errorf("%d messages are left", len(left))
		}
	})
	want, counted := map[string]int{"fresh": 1}, map[string]int{}
	for m := range 100 {
		want[fmt.Sprintf("user-%02d", m)] = 500
	}
	for _, a := range recorder.acts {
		counted[a.User]++
	}
	if diff := cmp.Diff(want, counted); diff != "" {
		t.Errorf("recorded activities (-want +got):\n%s", diff)
	}
	if !strings.Contains(f.Out.String(), `"messages":64`) || strings.Contains(f.metrics.String(), `"Errors":1`) {
		t.Errorf("logged:\n%s\nmeasured:\n%s", f.Out, f.metrics)
	}
}
