package archive

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/aws"
)

// StaticCredentials are those that an environment has: Lambda's are good for as
// long as its process lives. Without a key they are nil, as TableOptions takes it.
func StaticCredentials(key, secret, session string) aws.CredentialsProvider {
	if key == "" {
		return nil
	}
	return aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
		return aws.Credentials{AccessKeyID: key, SecretAccessKey: secret, SessionToken: session, Source: "environment"}, nil
	})
}
