package main

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/service/lambda"

	"laurel/shared/operate"
)

const (
	// maxKilled is how often a slice is repeated whose function was killed.
	maxKilled = 5
	// retries are those of a call that Lambda refuses, as too many functions run.
	retries = 8
)

// invoking returns what has a function do slices, as whom the environment says.
func invoking(ctx context.Context, function string) (
	func(context.Context, operate.Request, operate.Watch) (operate.Reply, error), error,
) {
	settings, err := config.LoadDefaultConfig(ctx, config.WithRetryMaxAttempts(retries))
	if err != nil {
		return nil, fmt.Errorf("credentials of AWS: %w", err)
	}
	client := lambda.NewFromConfig(settings)
	return func(ctx context.Context, r operate.Request, _ operate.Watch) (operate.Reply, error) {
		event, err := operate.Event(r)
		if err != nil {
			return operate.Reply{}, err
		}
		for killed := 1; ; killed++ {
			answer, err := client.Invoke(ctx, &lambda.InvokeInput{FunctionName: &function, Payload: event})
			if err != nil {
				return operate.Reply{}, fmt.Errorf("invoke %s: %w", function, err)
			}
			if answer.FunctionError == nil {
				return operate.ReadReply(answer.Payload)
			}
			if killed == maxKilled {
				return operate.Reply{}, fmt.Errorf("%s failed %d times: %s", function, killed, messageOf(answer.Payload))
			}
			select { // what it did stays, and is not done twice
			case <-ctx.Done():
				return operate.Reply{}, ctx.Err()
			case <-time.After(time.Duration(killed) * time.Second / 2):
			}
		}
	}, nil
}

// messageOf returns what a function says that failed.
func messageOf(payload []byte) string {
	var failed struct {
		Message string `json:"errorMessage"`
	}
	if err := json.Unmarshal(payload, &failed); err != nil || failed.Message == "" {
		return string(payload)
	}
	return failed.Message
}
