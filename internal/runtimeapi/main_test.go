package runtimeapi_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/lambda"
	"github.com/aws/aws-lambda-go/lambdacontext"
)

// kind says which function this test binary is to be, when it is started as one.
const kind = "RUNTIMEAPI_TEST_FUNCTION"

func TestMain(m *testing.M) {
	if function, ok := functions[os.Getenv(kind)]; ok {
		function()
		return
	}
	os.Exit(m.Run())
}

// functions are those that the tests start.
var functions = map[string]func(){
	"echo": func() { lambda.Start(answer) },
	"terminable": func() {
		lambda.StartWithOptions(answer, lambda.WithEnableSIGTERM(func() {
			fmt.Println("closed")
			os.Exit(0)
		}))
	},
	"stubborn": func() { lambda.StartWithOptions(answer, lambda.WithEnableSIGTERM(func() {})) },
	"faulty": func() {
		fmt.Fprintln(os.Stderr, "REDIS_URL is missing")
		os.Exit(1)
	},
	"outspoken": func() {
		url := "http://" + os.Getenv("AWS_LAMBDA_RUNTIME_API") + "/2018-06-01/runtime/init/error"
		response, err := http.Post(url, "application/json", strings.NewReader(`{"errorType":"Config","errorMessage":"REDIS_URL is missing"}`))
		if err != nil || response.StatusCode != http.StatusAccepted {
			panic(fmt.Sprint(response, err))
		}
		os.Exit(1)
	},
	"environment": func() {
		lambda.Start(func() ([]string, error) { return os.Environ(), nil })
	},
	"rendezvous": func() { // two events that wait for each other
		met := make(chan bool)
		lambda.Start(func(ctx context.Context) (string, error) {
			select {
			case met <- true:
			case <-met:
			case <-ctx.Done():
				return "", ctx.Err()
			}
			return "met", nil
		})
	},
}

// seen is what a function sees of an event.
type seen struct {
	Event    string        `json:"event"`
	ID       string        `json:"id"`
	ARN      string        `json:"arn"`
	Trace    string        `json:"trace"`
	Left     time.Duration `json:"left"` // until the deadline
	Deadline bool          `json:"deadline"`
}

// answer does what the event says, or says what it sees.
func answer(ctx context.Context, event json.RawMessage) (any, error) {
	switch string(event) {
	case `"fail"`:
		return nil, errors.New("no such board")
	case `"panic"`:
		panic("no such page")
	case `"exit"`:
		fmt.Println("the end")
		os.Exit(3)
	case `"sleep"`:
		select {}
	case `"flood"`:
		return strings.Repeat("x", 7<<20), nil
	}
	fmt.Println("an event")
	about, _ := lambdacontext.FromContext(ctx)
	deadline, ok := ctx.Deadline()
	trace, _ := ctx.Value("x-amzn-trace-id").(string)
	return seen{
		Event: string(event), ID: about.AwsRequestID, ARN: about.InvokedFunctionArn,
		Trace: trace, Left: time.Until(deadline), Deadline: ok,
	}, nil
}
