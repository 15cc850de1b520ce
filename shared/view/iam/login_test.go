package iam_test

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"

	"laurel/shared/view/iam"
)

var noon = time.Date(2026, 11, 20, 13, 0, 0, 0, time.FixedZone("", 3600)) // 12:00 UTC

func login() iam.Login {
	return iam.Login{
		User: "laurel-record", Cache: "Laurel-Cache", Region: "eu-central-1", Now: func() time.Time { return noon },
		Credentials: aws.Credentials{AccessKeyID: "ASIAKEY", SecretAccessKey: "secret", SessionToken: "session/+="},
	}
}

// Example shows what stands in for a password, but for who signed it.
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

// The token is what AWS documents, part by part, and its signature is the one
// that Signature Version 4 gives, worked out here step by step.
func TestTokenIsTheSignedRequest(t *testing.T) {
	t.Parallel()
	user, token, err := login().Password(t.Context())
	if err != nil || user != "laurel-record" {
		t.Fatal(user, err)
	}
	host, text, _ := strings.Cut(token, "/?")
	if host != "laurel-cache" {
		t.Errorf("host %q", host)
	}
	query, err := url.ParseQuery(text)
	if err != nil {
		t.Fatal(err)
	}
	scope := "20261120/eu-central-1/elasticache/aws4_request"
	for name, want := range map[string]string{
		"Action": "connect", "User": "laurel-record", "ResourceType": "ServerlessCache", "X-Amz-Expires": "900",
		"X-Amz-Algorithm": "AWS4-HMAC-SHA256", "X-Amz-Date": "20261120T120000Z", "X-Amz-SignedHeaders": "host",
		"X-Amz-Credential": "ASIAKEY/" + scope, "X-Amz-Security-Token": "session/+=",
	} {
		if got := query[name]; len(got) != 1 || got[0] != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	signature := query.Get("X-Amz-Signature")
	query.Del("X-Amz-Signature")
	if len(query) != 9 {
		t.Errorf("there is more in it: %q", query)
	}
	nothing := sha256.Sum256(nil)
	canonical := sha256.Sum256([]byte(strings.Join([]string{
		"GET", "/", strings.ReplaceAll(query.Encode(), "+", "%20"), "host:laurel-cache", "", "host",
		hex.EncodeToString(nothing[:]),
	}, "\n")))
	key := []byte("AWS4secret")
	for _, part := range append(strings.Split(scope, "/"), "AWS4-HMAC-SHA256\n20261120T120000Z\n"+scope+"\n"+
		hex.EncodeToString(canonical[:])) {
		mac := hmac.New(sha256.New, key)
		_, _ = mac.Write([]byte(part))
		key = mac.Sum(nil)
	}
	if want := hex.EncodeToString(key); signature != want {
		t.Errorf("signature %s, want %s", signature, want)
	}
}

// Another moment is another token, and without a session there is none in it.
func TestTokenIsOfItsMoment(t *testing.T) {
	t.Parallel()
	l := login()
	_, first, _ := l.Password(t.Context())
	_, again, _ := l.Password(t.Context())
	l.Now = func() time.Time { return noon.Add(time.Second) }
	_, later, _ := l.Password(t.Context())
	if first != again || first == later {
		t.Errorf("%s\n%s\n%s", first, again, later)
	}
	l.Credentials.SessionToken = ""
	if _, token, err := l.Password(t.Context()); err != nil || strings.Contains(token, "Security") {
		t.Errorf("%s, %v", token, err)
	}
}

func TestWhatCannotBeSignedIsAnError(t *testing.T) {
	t.Parallel()
	l := login()
	l.Cache = "a b"
	if _, token, err := l.Password(t.Context()); err == nil {
		t.Errorf("a cache with a blank gives %s", token)
	}
}
