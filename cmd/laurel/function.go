package main

import (
	"context"
	"fmt"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/service/lambda"

	"laurel/shared/operate"
)

const (
	sliceSeconds = 30 // for which a slice works, which then tells how far it is
	maxKilled    = 5  // how often a slice is repeated whose function was killed
	retries      = 8  // of a call that Lambda refuses, as too many functions run
)

// awsSettings says as whom and where AWS is called: as the environment says, like the AWS command line.
func awsSettings(ctx context.Context, options ...func(*config.LoadOptions) error) (aws.Config, error) {
	settings, err := config.LoadDefaultConfig(ctx, options...)
	if err != nil {
		return settings, fmt.Errorf("credentials of AWS: %w", err)
	}
	return settings, nil
}

// invoking returns what has a function do slices.
func invoking(ctx context.Context, function string) (operate.Slicer, error) {
	settings, err := awsSettings(ctx, config.WithRetryMaxAttempts(retries))
	if err != nil {
		return nil, err
	}
	client := lambda.NewFromConfig(settings)
	return func(ctx context.Context, r operate.Request, _ operate.Watch) (operate.Reply, error) {
		r.Seconds = sliceSeconds
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
				return operate.Reply{}, fmt.Errorf("%s failed %d times: %s", function, killed, answer.Payload)
			}
			select { // what it did stays, and is not done twice
			case <-ctx.Done():
				return operate.Reply{}, ctx.Err()
			case <-time.After(time.Duration(killed) * time.Second / 2):
			}
		}
	}, nil
}
