package iam

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	signer "github.com/aws/aws-sdk-go-v2/aws/signer/v4"
)

// A token is of a GET without a body, as
// https://docs.aws.amazon.com/AmazonElastiCache/latest/dg/auth-iam.html has it.
const (
	service   = "elasticache"
	emptyHash = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855" // SHA-256 of nothing

	// tokenLife is the longest that AWS takes. A token is used at once; the rest is for clocks that differ.
	tokenLife = 15 * time.Minute
)

// A Login has the user that a function logs in as, and the credentials.
type Login struct {
	User  string // the id of the ElastiCache user, which for IAM is its name too
	Cache string // the name of the serverless cache

	Region string

	// Credentials are those that Lambda has put into the environment: Lambda ends the process before they do, so
	// nothing has to look for newer ones.
	Credentials aws.Credentials

	Now func() time.Time
}

// Password returns the user and a new token, good for 15 minutes: the presigned
// request of the action connect, without its scheme.
func (l Login) Password(ctx context.Context) (user, token string, err error) {
	query := url.Values{
		"Action": {"connect"}, "User": {l.User}, "ResourceType": {"ServerlessCache"},
		"X-Amz-Expires": {strconv.Itoa(int(tokenLife / time.Second))},
	}
	// AWS keeps the names of caches in lower case and checks the host in it.
	address := "http://" + strings.ToLower(l.Cache) + "/?" + query.Encode()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, http.NoBody)
	if err != nil {
		return "", "", fmt.Errorf("iam: cache %q: %w", l.Cache, err)
	}
	signed, _, err := signer.NewSigner().PresignHTTP(ctx, l.Credentials, request, emptyHash, service, l.Region, l.Now())
	if err != nil {
		return "", "", fmt.Errorf("iam: sign: %w", err)
	}
	return l.User, strings.TrimPrefix(signed, "http://"), nil
}
