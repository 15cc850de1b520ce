package app_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/lambdacontext"

	"laurel/shared/app"
)

// A line has Lambda's names, and the request that it belongs to.
func TestLinesAreLambdas(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	log := app.Logger(&out, slog.LevelWarn, false)
	ctx := lambdacontext.NewContext(t.Context(), &lambdacontext.LambdaContext{AwsRequestID: "request-1"})
	log.InfoContext(ctx, "not this one")
	log.With("part", "queue").WarnContext(ctx, "this one", "cause", errors.New("no room"))
	var line map[string]string
	if err := json.Unmarshal(out.Bytes(), &line); err != nil {
		t.Fatalf("%v: %s", err, &out)
	}
	if _, err := time.Parse(time.RFC3339Nano, line["timestamp"]); err != nil {
		t.Error(err)
	}
	delete(line, "timestamp")
	want := map[string]string{
		"level": "WARN", "message": "this one", "requestId": "request-1", "part": "queue",
		"cause": "no room",
	}
	for name, value := range want {
		if line[name] != value {
			t.Errorf("%s is %q, want %q", name, line[name], value)
		}
	}
	if len(line) != len(want) {
		t.Errorf("there is more: %v", line)
	}
	out.Reset()
	app.Logger(&out, slog.LevelWarn, true).Error("as text")
	if text := out.String(); !strings.Contains(text, `level=ERROR message="as text"`) {
		t.Errorf("%q", text)
	}
}
