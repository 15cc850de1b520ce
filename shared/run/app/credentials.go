//go:build !lean

package app

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials/endpointcreds"
)

// roleWindow is how long before they expire the credentials of a role are renewed.
const roleWindow = 5 * time.Minute

// key returns the key of the environment. A function's is valid while its process lives.
func (a AWS) key() aws.Credentials {
	return aws.Credentials{
		AccessKeyID: a.AccessKeyID, SecretAccessKey: a.SecretAccessKey, SessionToken: a.SessionToken, Source: "environment",
	}
}

// provider returns the key of the environment, or else the one of a task's role, which is renewed before it expires;
// nil where there is neither.
func (a AWS) provider() aws.CredentialsProvider {
	switch {
	case a.AccessKeyID != "":
		return aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) { return a.key(), nil })
	case a.RoleURL == "":
		return nil
	}
	role := endpointcreds.New(a.RoleURL, func(o *endpointcreds.Options) {
		if a.RoleTokenFile != "" {
			o.AuthorizationTokenProvider = endpointcreds.TokenProviderFunc(a.roleToken)
		}
	})
	return aws.NewCredentialsCache(role, func(o *aws.CredentialsCacheOptions) { o.ExpiryWindow = roleWindow })
}

// roleToken reads the token each time, as EKS replaces it.
func (a AWS) roleToken() (string, error) {
	token, err := os.ReadFile(a.RoleTokenFile)
	if err != nil {
		return "", fmt.Errorf("the token of the role: %w", err)
	}
	return string(token), nil
}
