package runtimeapi_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"laurel/internal/runtimeapi"
)

// start starts one of the functions; it ends with the test.
func start(t *testing.T, function string, options runtimeapi.Options) *runtimeapi.Function {
	t.Helper()
	binary, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	options.Binary = binary
	options.Environment = append(options.Environment, kind+"="+function)
	f, err := runtimeapi.Start(options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(f.Stop)
	return f
}

func TestEventsInTurnGetTheirAnswers(t *testing.T) {
	t.Parallel()
	f := start(t, "echo", runtimeapi.Options{Name: "record", Timeout: time.Minute})
	if startup, err := f.Ready(t.Context()); err != nil || startup <= 0 {
		t.Fatalf("ready after %s, %v", startup, err)
	}
	ids := map[string]bool{}
	for _, event := range []string{`{"a":1}`, `{"a":2}`, `[]`} {
		text, err := f.Invoke(t.Context(), []byte(event))
		if err != nil {
			t.Fatal(err)
		}
		var s seen
		if err := json.Unmarshal(text, &s); err != nil {
			t.Fatal(err)
		}
		if s.Event != event || !s.Deadline || s.Left < 50*time.Second || s.Left > time.Minute ||
			s.ARN != "arn:aws:lambda:us-east-1:123456789012:function:record" ||
			!regexp.MustCompile(`^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`).MatchString(s.ID) ||
			!regexp.MustCompile(`^Root=1-[0-9a-f]{8}-[0-9a-f]{24};Parent=[0-9a-f]{16};Sampled=0$`).MatchString(s.Trace) {
			t.Errorf("%s: %+v", event, s)
		}
		ids[s.ID] = true
	}
	if len(ids) != 3 {
		t.Errorf("ids %v", ids)
	}
	if f.Stdout() != strings.Repeat("an event\n", 3) {
		t.Errorf("it printed %q", f.Stdout())
	}
}

// An error is told, and the function goes on.
func TestFunctionErrors(t *testing.T) {
	t.Parallel()
	f := start(t, "echo", runtimeapi.Options{})
	_, err := f.Invoke(t.Context(), []byte(`"fail"`))
	if e, ok := errors.AsType[*runtimeapi.FunctionError](err); !ok || e.Type != "errorString" || e.Message != "no such board" {
		t.Errorf("error %v", err)
	}
	if _, err := f.Invoke(t.Context(), []byte(`{}`)); err != nil {
		t.Errorf("the next event: %v", err)
	}
}

// A panic is told before the process ends.
func TestPanicIsToldAndEndsTheProcess(t *testing.T) {
	t.Parallel()
	f := start(t, "echo", runtimeapi.Options{})
	_, err := f.Invoke(t.Context(), []byte(`"panic"`))
	if e, ok := errors.AsType[*runtimeapi.FunctionError](err); !ok || e.Message != "no such page" {
		t.Errorf("error %v", err)
	}
	<-f.Done()
	_, err = f.Invoke(t.Context(), []byte(`{}`))
	if e, ok := errors.AsType[*runtimeapi.ExitError](err); !ok || e.Code != 1 || !e.Polled || !strings.Contains(e.Stderr, "no such page") {
		t.Errorf("the next event: %v", err)
	}
}

func TestExitInTheMiddle(t *testing.T) {
	t.Parallel()
	f := start(t, "echo", runtimeapi.Options{})
	_, err := f.Invoke(t.Context(), []byte(`"exit"`))
	if e, ok := errors.AsType[*runtimeapi.ExitError](err); !ok || e.Code != 3 || !e.Polled || e.Stdout != "the end\n" {
		t.Errorf("error %v", err)
	}
}

func TestExitBeforeTheFirstPoll(t *testing.T) {
	t.Parallel()
	for function, told := range map[string]bool{"faulty": false, "outspoken": true} {
		f := start(t, function, runtimeapi.Options{})
		_, err := f.Ready(t.Context())
		e, ok := errors.AsType[*runtimeapi.ExitError](err)
		if !ok || e.Code != 1 || e.Polled || (e.Init != nil) != told || !strings.Contains(err.Error()+e.Stderr, "ended with 1 before it asked for an event") {
			t.Errorf("%s: %v", function, err)
			continue
		}
		if told && *e.Init != (runtimeapi.FunctionError{Type: "Config", Message: "REDIS_URL is missing"}) {
			t.Errorf("%s: %v", function, e.Init)
		}
		if !told && e.Stderr != "REDIS_URL is missing\n" {
			t.Errorf("%s: it printed %q", function, e.Stderr)
		}
		if _, err := f.Invoke(t.Context(), []byte(`{}`)); err == nil {
			t.Errorf("%s: an event was answered", function)
		}
	}
}

// A function that does not answer in time is killed.
func TestTimeout(t *testing.T) {
	t.Parallel()
	f := start(t, "echo", runtimeapi.Options{Timeout: 50 * time.Millisecond})
	if _, err := f.Invoke(t.Context(), []byte(`"sleep"`)); !errors.Is(err, runtimeapi.ErrTimedOut) {
		t.Errorf("error %v", err)
	}
	_, err := f.Invoke(t.Context(), []byte(`{}`))
	if e, ok := errors.AsType[*runtimeapi.ExitError](err); !ok || e.Code != -1 {
		t.Errorf("the next event: %v", err)
	}
}

func TestTooLongAnAnswer(t *testing.T) {
	t.Parallel()
	f := start(t, "echo", runtimeapi.Options{})
	_, err := f.Invoke(t.Context(), []byte(`"flood"`))
	if e, ok := errors.AsType[*runtimeapi.FunctionError](err); !ok || e.Type != "Function.ResponseSizeTooLarge" {
		t.Errorf("error %v", err)
	}
}

// The environment is Lambda's and the test's, not this process's.
func TestEnvironment(t *testing.T) {
	t.Setenv("RUNTIMEAPI_TEST_HOME", "here")
	f := start(t, "environment", runtimeapi.Options{Name: "query", Environment: []string{"REDIS_URL=redis://r", "AWS_REGION=eu-central-1"}})
	text, err := f.Invoke(t.Context(), []byte(`{}`))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"REDIS_URL=redis://r", "AWS_REGION=eu-central-1", "AWS_LAMBDA_FUNCTION_NAME=query", "TZ=:UTC", "_HANDLER=bootstrap"} {
		if !slices.Contains(got, want) {
			t.Errorf("%s is not in %q", want, got)
		}
	}
	if slices.ContainsFunc(got, func(v string) bool {
		return strings.HasPrefix(v, "RUNTIMEAPI_TEST_HOME") || strings.HasPrefix(v, "HOME=") || v == "AWS_REGION=us-east-1"
	}) {
		t.Errorf("too much is in %q", got)
	}
}

// A function that polls twice at a time gets two events at a time.
func TestEventsAtATime(t *testing.T) {
	t.Parallel()
	f := start(t, "rendezvous", runtimeapi.Options{Environment: []string{"AWS_LAMBDA_MAX_CONCURRENCY=2"}})
	var events sync.WaitGroup
	for range 2 {
		events.Go(func() {
			if text, err := f.Invoke(t.Context(), []byte(`{}`)); err != nil || string(text) != `"met"` {
				t.Errorf("%s, %v", text, err)
			}
		})
	}
	events.Wait()
}

func TestTerminate(t *testing.T) {
	t.Parallel()
	for function, right := range map[string]func(*runtimeapi.Function, error) bool{
		"terminable": func(f *runtimeapi.Function, err error) bool { return err == nil && f.Stdout() == "closed\n" },
		"stubborn":   func(_ *runtimeapi.Function, err error) bool { return errors.Is(err, context.DeadlineExceeded) },
		"echo":       func(_ *runtimeapi.Function, err error) bool { return errors.Is(err, runtimeapi.ErrNoSIGTERM) },
	} {
		f := start(t, function, runtimeapi.Options{})
		if _, err := f.Ready(t.Context()); err != nil {
			t.Fatal(err)
		}
		wait := 30 * time.Second
		if function == "stubborn" {
			wait = 100 * time.Millisecond
		}
		ctx, cancel := context.WithTimeout(t.Context(), wait)
		if err := f.Terminate(ctx); !right(f, err) {
			t.Errorf("%s: %v, it printed %q", function, err, f.Stdout())
		}
		cancel()
	}
}

// What a function sends that the API does not expect is refused.
func TestAnswersNobodyAwaits(t *testing.T) {
	t.Parallel()
	f := start(t, "environment", runtimeapi.Options{})
	text, err := f.Invoke(t.Context(), []byte(`{}`))
	if err != nil {
		t.Fatal(err)
	}
	var variables []string
	if err := json.Unmarshal(text, &variables); err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(variables, func(v string) bool { return strings.HasPrefix(v, "AWS_LAMBDA_RUNTIME_API=") })
	_, address, _ := strings.Cut(variables[i], "=")
	for path, want := range map[string]int{
		"/2018-06-01/runtime/invocation/gone/response": http.StatusBadRequest,
		"/2018-06-01/runtime/invocation/gone/error":    http.StatusBadRequest,
		"/2018-06-01/runtime/invocation/next":          http.StatusMethodNotAllowed,
		"/2018-06-01/runtime/other":                    http.StatusNotFound,
		"/2020-01-01/extension/register":               http.StatusForbidden,
	} {
		response, err := http.Post("http://"+address+path, "application/json", strings.NewReader(`{}`))
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.Copy(io.Discard, response.Body)
		_ = response.Body.Close()
		if response.StatusCode != want {
			t.Errorf("%s: %d, want %d", path, response.StatusCode, want)
		}
	}
}

func TestNoSuchBinary(t *testing.T) {
	t.Parallel()
	if f, err := runtimeapi.Start(runtimeapi.Options{Binary: t.TempDir() + "/bootstrap"}); err == nil {
		f.Stop()
		t.Error("it started")
	}
}
