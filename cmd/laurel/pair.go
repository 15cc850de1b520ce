package main

import (
	"context"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/secretsmanager"

	"laurel/shared/app"
	"laurel/shared/operate"
)

// pairCommand makes a pairing code. A stack's secret has to have what is exchanged, so it is looked at first.
type pairCommand struct {
	Secret string `group:"AWS" default:"laurel/tokens" placeholder:"NAME"`
	operated[*operate.Pair]
}

// Run makes a code. It needs no view.
func (c pairCommand) Run(ctx context.Context, std streams) error {
	if c.Function != "" {
		if err := completeSecret(ctx, c.Secret); err != nil {
			return err
		}
	}
	return c.do(ctx, std, c.Command, opening{used: true})
}

// completeSecret puts a secret of plugins' webhooks into the secret of a stack that lacks one. That is an error,
// as only a deployment brings it to the stack.
func completeSecret(ctx context.Context, name string) error {
	settings, err := awsSettings(ctx)
	if err != nil {
		return err
	}
	client := secretsmanager.NewFromConfig(settings)
	is, err := client.GetSecretValue(ctx, &secretsmanager.GetSecretValueInput{SecretId: &name})
	if err != nil {
		return fmt.Errorf("secret %s: %w", name, err)
	}
	text, lacked, err := app.WithHookSecret(aws.ToString(is.SecretString))
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
