package queue_test

import (
	"context"
	"fmt"
	"log/slog"
	"os"

	"github.com/aws/aws-lambda-go/events"

	"laurel/internal/harness"
	"laurel/shared/queue"
)

// A message that can't be recorded is named in the answer, and why in the log.
func Example() {
	l := harness.UTC()
	plain := &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey {
			return slog.Attr{}
		}
		return a
	}}
	handle := queue.Handle(queue.Options{
		Recorder: &recorder{ledger: l}, Ledger: l, Now: noon.Time, Producers: []string{"AROAFORUM"},
		Log: slog.New(slog.NewJSONHandler(os.Stdout, plain)),
	})
	response, err := handle(context.Background(), events.SQSEvent{Records: []events.SQSMessage{
		message("1", `{"action":"like","user":"ann","target":"a1"}`),
		message("2", `{"action":"like","target":"a1"}`),
	}})
	fmt.Println(response.BatchItemFailures, err)
	// Output:
	// {"level":"WARN","msg":"message refused","message":"2","reasons":["body.user: missing required field"]}
	// [{2}] <nil>
}
