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
	"laurel/shared/activity"
	"laurel/shared/ledger"
	"laurel/shared/queue"
	"laurel/shared/record"
)

// A slow recorder takes a time for each call, and notes whose activities it has counted.
type slow struct {
	takes   time.Duration
	calls   []int // activities of each
	counted map[string]int
}

// Record counts activities.
func (s *slow) Record(_ context.Context, acts []activity.Activity, _ record.Arrival) ([]record.Result, error) {
	time.Sleep(s.takes)
	s.calls = append(s.calls, len(acts))
	results := make([]record.Result, len(acts))
	for i, a := range acts {
		s.counted[a.User]++
		results[i].Status = ledger.Counted
	}
	return results, nil
}

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

// A backlog is recorded some 2,000 activities at a time until there would be no time for more. What is left
// fails, and is first when it comes again; each activity is recorded once.
func TestABacklogIsTakenSomeAtATime(t *testing.T) {
	t.Parallel()
	recorder := &slow{takes: 3 * time.Second, counted: map[string]int{}}
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
	for m := range 100 {
		if n := recorder.counted[fmt.Sprintf("user-%02d", m)]; n != 500 {
			t.Errorf("user-%02d: %d activities are recorded", m, n)
		}
	}
	if n := recorder.counted["fresh"]; n != 1 {
		t.Errorf("fresh: %d activities are recorded", n)
	}
	if !strings.Contains(f.Out.String(), `"messages":64`) || strings.Contains(f.metrics.String(), `"Errors":1`) {
		t.Errorf("logged:\n%s\nmeasured:\n%s", f.Out, f.metrics)
	}
}
