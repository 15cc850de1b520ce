package iam_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"

	"laurel/shared/store/view/iam"
)

var noon = time.Date(2026, 11, 20, 13, 0, 0, 0, time.FixedZone("", 3600)) // 12:00 UTC

func login() iam.Login {
	return iam.Login{
		User: "laurel-record", Cache: "Laurel-Cache", Region: "eu-central-1", Now: func() time.Time { return noon },
		Credentials: aws.Credentials{AccessKeyID: "ASIAKEY", SecretAccessKey: "secret", SessionToken: "session/+="},
	}
}

// Example shows the token that stands in for a password, without its signature.
func Example() {
	user, token, err := iam.Login{
		User: "laurel", Cache: "forum", Region: "eu-central-1",
		Credentials: aws.Credentials{AccessKeyID: "KEY", SecretAccessKey: "secret"},
		Now:         func() time.Time { return noon },
	}.Password(context.Background())
	if err != nil {
		panic(err)
	}
	request, _, _ := strings.Cut(token, "&X-Amz-Algorithm")
	fmt.Println(user, request)
	// Output: laurel forum/?Action=connect&ResourceType=ServerlessCache&User=laurel
}

// The token is the presigned request that AWS documents, without its scheme.
func TestTokenIsTheSignedRequest(t *testing.T) {
	t.Parallel()
	user, token, err := login().Password(t.Context())
	if err != nil || user != "laurel-record" {
		t.Fatal(user, err)
	}
	want := "laurel-cache/?Action=connect&ResourceType=ServerlessCache&User=laurel-record" +
		"&X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=ASIAKEY%2F20261120%2Feu-central-1%2Felasticache%2Faws4_request" +
		"&X-Amz-Date=20261120T120000Z&X-Amz-Expires=900&X-Amz-Security-Token=session%2F%2B%3D&X-Amz-SignedHeaders=host" +
		"&X-Amz-Signature=fc182cf734b430bad7d76f2d0868b8b76554bac31a1000cbaa0b6fd58e3f18ea"
	if token != want {
		t.Errorf("token %s\nwant  %s", token, want)
	}
}
