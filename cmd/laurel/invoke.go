//go:build !lean

package main

import (
	"context"
	"fmt"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/service/lambda"
	"github.com/aws/aws-sdk-go-v2/service/secretsmanager"

	"laurel/shared/run/app"
	"laurel/shared/run/operate"
)

const (
	sliceSeconds = 30 // the time of a slice, which then reports its progress
	maxKilled    = 5  // how often a slice is repeated after its function was killed
	retries      = 8  // of a call that Lambda refuses, as too many functions run
)

// awsSettings returns the credentials and the region of AWS from the environment, like the AWS command line.
func awsSettings(ctx context.Context, options ...func(*config.LoadOptions) error) (aws.Config, error) {
	settings, err := config.LoadDefaultConfig(ctx, options...)
	if err != nil {
		return settings, fmt.Errorf("credentials of AWS: %w", err)
	}
	return settings, nil
}

// invoking returns a Slicer that uses a function.
func invoking(ctx context.Context, function string) (operate.Slicer, error) {
	settings, err := awsSettings(ctx, config.WithRetryMaxAttempts(retries))
	if err != nil {
		return nil, err
	}
	client := lambda.NewFromConfig(settings)
	return operate.By(sliceSeconds, func(ctx context.Context, event []byte) ([]byte, error) {
		for killed := 1; ; killed++ {
			answer, err := client.Invoke(ctx, &lambda.InvokeInput{FunctionName: &function, Payload: event})
			if err != nil {
				return nil, fmt.Errorf("invoke %s: %w", function, err)
			}
			if answer.FunctionError == nil {
				return answer.Payload, nil
			}
			if killed == maxKilled {
				return nil, fmt.Errorf("%s failed %d times: %s", function, killed, answer.Payload)
			}
			// Its finished work stays, and is not done twice.
			if err := app.Sleep(ctx, time.Duration(killed)*time.Second/2); err != nil {
				return nil, err
			}
		}
	}), nil
}

// completeSecret puts a secret of plugins' webhooks into the secret of a stack that lacks one. It returns an error
// then, as only a deployment brings it to the stack.
func completeSecret(ctx context.Context, name string) error {
	settings, err := awsSettings(ctx)
	if err != nil {
		return err
	}
	client := secretsmanager.NewFromConfig(settings)
	secret, err := client.GetSecretValue(ctx, &secretsmanager.GetSecretValueInput{SecretId: &name})
	if err != nil {
		return fmt.Errorf("secret %s: %w", name, err)
	}
	text, lacked, err := app.WithHookSecret(aws.ToString(secret.SecretString))
	if err != nil || !lacked {
		return err
	}
	put, err := client.PutSecretValue(ctx, &secretsmanager.PutSecretValueInput{SecretId: &name, SecretString: &text})
	if err != nil {
		return fmt.Errorf("secret %s: %w", name, err)
	}
	return fmt.Errorf("secret %s had no secret of plugins, and has one now. Deploy it, and pair again:\n"+
		"sam deploy --parameter-overrides TokenSecrets=%s TokenSecretsVersion=%s", name, name, aws.ToString(put.VersionId))
}
