package app

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials/endpointcreds"
)

// tasksAddress is where ECS answers for the role of a task, and podsAddresses where EKS does for that of a pod.
const tasksAddress = "169.254.170.2"

var podsAddresses = []string{tasksAddress, "169.254.170.23", "[fd00:ec2::23]", "127.0.0.1", "[::1]", "localhost"}

// taskRole reads the path at which ECS answers.
func taskRole(path string) (string, error) {
	if !strings.HasPrefix(path, "/") {
		return "", fmt.Errorf("%q does not begin with a slash", path)
	}
	return "http://" + tasksAddress + path, nil
}

// podRole reads the address at which EKS answers. Without TLS it may be on this machine alone: keys come from there.
func podRole(address string) (string, error) {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" ||
		u.Scheme != "https" && (u.Scheme != "http" || !slices.Contains(podsAddresses, host(u))) {
		return "", fmt.Errorf("%q is neither https://... nor http:// with an address of this machine", address)
	}
	return address, nil
}

// host returns the host of an address, with the brackets of an IPv6 one.
func host(u *url.URL) string { return strings.TrimSuffix(u.Host, ":"+u.Port()) }

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
