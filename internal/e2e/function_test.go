package e2e_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/lambda"
	"github.com/aws/aws-lambda-go/lambdacontext"

	"laurel/internal/e2e"
)

// fakeVariable names the function that this test binary is, when it is started as one.
const fakeVariable = "E2E_TEST_FUNCTION"

var fakes = map[string]func(){
	"obedient": func() { lambda.Start(obey) },
	"failing": func() {
		fmt.Fprintln(os.Stderr, "REDIS_URL is missing")
		url := "http://" + os.Getenv("AWS_LAMBDA_RUNTIME_API") + "/2018-06-01/runtime/init/error"
		body := strings.NewReader(`{"errorType":"Config","errorMessage":"REDIS_URL is missing"}`)
		if response, err := http.Post(url, "application/json", body); err == nil {
			_ = response.Body.Close()
		}
		os.Exit(1)
	},
}

var meeting = make(chan bool)

// obey does what the event says.
func obey(ctx context.Context, command string) (any, error) {
	switch command {
	case "fail":
		return nil, errors.New("no such board")
	case "panic":
		panic("no such page")
	case "exit":
		fmt.Println("the end")
		os.Exit(3)
	case "sleep":
		select {}
	case "flood":
		return strings.Repeat("x", 7<<20), nil
	case "meet": // another event
		select {
		case meeting <- true:
		case <-meeting:
		case <-ctx.Done():
		}
		return "met", ctx.Err()
	}
	about, _ := lambdacontext.FromContext(ctx)
	deadline, _ := ctx.Deadline()
	left := time.Until(deadline).Round(time.Minute).String()
	return append(os.Environ(), "id="+about.AwsRequestID, "arn="+about.InvokedFunctionArn, "left="+left), nil
}

// fake starts one of the fakes; it ends with the test.
func fake(t *testing.T, name string, o e2e.Options) *e2e.Function {
	t.Helper()
	var err error
	if o.Binary, err = os.Executable(); err != nil {
		t.Fatal(err)
	}
	o.Environment = append(o.Environment, fakeVariable+"="+name)
	f, err := e2e.Start(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(f.Stop)
	return f
}

// A function sees Lambda's environment with its own settings above it, and nothing of
// this process's; each event has an id of its own and a deadline.
func TestFunctionSeesLambda(t *testing.T) {
	t.Setenv("E2E_TEST_LEAK", "here")
	f := fake(t, "obedient", e2e.Options{
		Name: "query", Timeout: time.Minute, Environment: []string{"REDIS_URL=redis://r", "AWS_REGION=eu-central-1"},
	})
	if startup, err := f.Ready(t.Context()); err != nil || startup <= 0 {
		t.Fatalf("ready after %s, %v", startup, err)
	}
	var seen []string
	for _, id := range []string{"1", "2"} {
		text, err := f.Invoke(t.Context(), []byte(`"tell"`))
		if err != nil || json.Unmarshal(text, &seen) != nil {
			t.Fatalf("%s, %v", text, err)
		}
		for _, want := range []string{
			"REDIS_URL=redis://r", "AWS_REGION=eu-central-1", "AWS_LAMBDA_FUNCTION_NAME=query", "TZ=:UTC", "_HANDLER=bootstrap",
			"id=00000000-0000-4000-8000-00000000000" + id, "arn=arn:aws:lambda:us-east-1:123456789012:function:query",
			"left=1m0s",
		} {
			if !slices.Contains(seen, want) {
				t.Errorf("%s is not in %q", want, seen)
			}
		}
	}
	for _, variable := range seen {
		name, address, _ := strings.Cut(variable, "=")
		if name == "E2E_TEST_LEAK" || name == "HOME" || variable == "AWS_REGION=us-east-1" {
			t.Errorf("it sees %s", variable)
		}
		if name == "AWS_LAMBDA_RUNTIME_API" { // which refuses answers that nobody waits for
			response, err := http.Post("http://"+address+"/2018-06-01/runtime/invocation/1/response", "",
				strings.NewReader(`{}`))
			if err != nil || response.StatusCode != http.StatusBadRequest {
				t.Errorf("%+v, %v", response, err)
			}
			_, _ = io.Copy(io.Discard, response.Body)
			_ = response.Body.Close()
		}
	}
}

// What a function reports and how its process ends is told; after an error it goes on,
// after the rest the process is gone.
func TestFunctionFails(t *testing.T) {
	t.Parallel()
	for command, want := range map[string]struct {
		failed string // the function's error
		exit   e2e.ExitError
	}{
		`"fail"`:  {failed: "errorString: no such board"},
		`"flood"`: {failed: "Function.ResponseSizeTooLarge: the answer has more than 6291556 bytes"},
		`"panic"`: {failed: "string: no such page", exit: e2e.ExitError{Code: 1, Polled: true}},
		`"exit"`:  {exit: e2e.ExitError{Code: 3, Polled: true, Stdout: "the end\n"}},
		`"sleep"`: {exit: e2e.ExitError{Code: -1, Polled: true}},
	} {
		timeout := time.Minute // moving six megabytes takes a while on a busy machine
		if command == `"sleep"` {
			timeout = 500 * time.Millisecond
		}
		f := fake(t, "obedient", e2e.Options{Timeout: timeout})
		_, err := f.Invoke(t.Context(), []byte(command))
		failed, _ := errors.AsType[*e2e.FunctionError](err)
		if want.failed != "" && (failed == nil || failed.Error() != want.failed) {
			t.Errorf("%s: error %v", command, err)
		}
		if errors.Is(err, e2e.ErrTimedOut) != (command == `"sleep"`) {
			t.Errorf("%s: error %v", command, err)
		}
		_, err = f.Invoke(t.Context(), []byte(`"tell"`))
		exit, _ := errors.AsType[*e2e.ExitError](err)
		if want.exit.Code == 0 {
			if command == `"fail"` && err != nil {
				t.Errorf("after %s: %v", command, err)
			}
			continue
		}
		if exit == nil || exit.Code != want.exit.Code || !exit.Polled || !strings.HasPrefix(exit.Stdout, want.exit.Stdout) {
			t.Errorf("after %s: %+v, %v", command, exit, err)
		}
	}
}

// A process that ends before its first poll is told with all that it said.
func TestFunctionDoesNotStart(t *testing.T) {
	t.Parallel()
	f := fake(t, "failing", e2e.Options{})
	_, err := f.Ready(t.Context())
	exit, ok := errors.AsType[*e2e.ExitError](err)
	if !ok || exit.Code != 1 || exit.Polled || exit.Stderr != "REDIS_URL is missing\n" ||
		exit.Init == nil || exit.Init.Error() != "Config: REDIS_URL is missing" {
		t.Errorf("%+v, %v", exit, err)
	}
	if _, err := f.Invoke(t.Context(), []byte(`{}`)); !errors.As(err, new(*e2e.ExitError)) {
		t.Errorf("an event: %v", err)
	}
	if f, err := e2e.Start(e2e.Options{Binary: t.TempDir() + "/bootstrap"}); err == nil {
		f.Stop()
		t.Error("a program that does not exist started")
	}
}

// A function that polls twice at a time gets two events at a time.
func TestFunctionPollsTwice(t *testing.T) {
	t.Parallel()
	f := fake(t, "obedient", e2e.Options{Environment: []string{"AWS_LAMBDA_MAX_CONCURRENCY=2"}})
	var events sync.WaitGroup
	for range 2 {
		events.Go(func() {
			if text, err := f.Invoke(t.Context(), []byte(`"meet"`)); err != nil || string(text) != `"met"` {
				t.Errorf("%s, %v", text, err)
			}
		})
	}
	events.Wait()
}

// A function that has the CDN's secret answers only what comes through the CDN.
func TestThroughCDNOnly(t *testing.T) {
	t.Parallel()
	f := newForum(t)
	behind := f.start(query, "CDN_SECRET=secret-of-the-cdn")
	event := e2e.Request(http.MethodGet, "/v1/rules", "", nobody)
	if a := do(t, behind, event); a.Status != http.StatusForbidden {
		t.Errorf("past the CDN: %d %s", a.Status, a.Body)
	}
	const header = `"headers":{"x-laurel-cdn":"secret-of-the-cdn",`
	through := regexp.MustCompile(`"headers":\s*{`).ReplaceAll(event, []byte(header))
	if a := do(t, behind, through); a.Status != http.StatusOK {
		t.Errorf("through the CDN: %d %s", a.Status, a.Body)
	}
}
