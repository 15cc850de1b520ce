package app_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"laurel/internal/harness"
	"laurel/shared/app"
	"laurel/shared/auth"
)

const userSecret, serviceSecret = "users-secret-of-tests-is-of-32-b", "services-secret-of-tests-of-32-b"

// authorizer reads the settings of the function that says who is calling.
func authorizer(variables, files map[string]string) (*app.Config, error) {
	return app.Authorizer(given(app.Source{}, variables, files))
}

func TestTokensOfSettings(t *testing.T) {
	t.Parallel()
	files := map[string]string{"service.secret": serviceSecret + "\n" + userSecret + "x\n"}
	c, err := authorizer(map[string]string{
		"JWT_ISSUER": "https://login.example.com/", "JWT_AUDIENCE": "laurel,forum", "USER_SECRETS": userSecret,
		"SERVICE_SECRETS_FILE": "service.secret", "JWT_USER_CLAIM": "id", "JWT_SCOPE_CLAIM": "roles",
	}, files)
	want := app.Tokens{
		Issuer: "https://login.example.com/", Audiences: []string{"laurel", "forum"}, UserSecrets: []string{userSecret},
		ServiceSecrets: []string{serviceSecret, userSecret + "x"}, UserClaim: "id", ScopeClaim: "roles",
	}
	if err != nil || !cmp.Equal(c.Tokens, want) {
		t.Errorf("%v (-want +got):\n%s", err, cmp.Diff(want, c.Tokens))
	}
	c, err = authorizer(map[string]string{"USER_SECRETS": userSecret}, nil)
	want = app.Tokens{Audiences: []string{"laurel"}, UserSecrets: []string{userSecret}, UserClaim: "sub"}
	if err != nil || !cmp.Equal(c.Tokens, want) {
		t.Errorf("by default: %v (-want +got):\n%s", err, cmp.Diff(want, c.Tokens))
	}
}

// What is wrong with a secret is said at the start, and not the secret.
func TestWrongTokenSettings(t *testing.T) {
	t.Parallel()
	const short = "a-short-secret"
	files := map[string]string{"three": userSecret + " " + serviceSecret + " x", "empty": " \n"}
	for wanted, variables := range map[string]map[string]string{
		"USER_SECRETS is missing, and so are SERVICE_SECRETS":       {},
		"USER_SECRETS: secret 1 has 14 bytes; it needs at least 32": {"USER_SECRETS": short},
		"SERVICE_SECRETS: secret 2 has 14 bytes":                    {"SERVICE_SECRETS": serviceSecret + " " + short},
		"USER_SECRETS_FILE: has 3 secrets":                          {"USER_SECRETS_FILE": "three"},
		"SERVICE_SECRETS_FILE: empty: has no secret": {
			"SERVICE_SECRETS_FILE": "empty", "USER_SECRETS": userSecret,
		},
		"USER_SECRETS_FILE: none: file does not exist": {"USER_SECRETS_FILE": "none"},
		"USER_SECRETS_FILE: is set and USER_SECRETS too": {
			"USER_SECRETS_FILE": "three", "USER_SECRETS": userSecret,
		},
		"USER_SECRETS: has the secret of SERVICE_SECRETS": {
			"USER_SECRETS": userSecret, "SERVICE_SECRETS": userSecret,
		},
		`JWT_ISSUER: "http://login.example.com" does not`: {"JWT_ISSUER": "http://login.example.com"},
		`JWT_ISSUER: "login" does not`:                    {"JWT_ISSUER": "login"},
		`JWT_AUDIENCE: "a, b" is not`: {
			"JWT_AUDIENCE": "a, b", "USER_SECRETS": userSecret,
		},
	} {
		_, err := authorizer(variables, files)
		if err == nil || !strings.Contains(err.Error(), wanted) {
			t.Errorf("%v, want %q", err, wanted)
		}
		for _, secret := range []string{short, userSecret, serviceSecret} {
			if err != nil && strings.Contains(err.Error(), secret) {
				t.Errorf("%v tells a secret", err)
			}
		}
	}
	if _, err := authorizer(nil, nil); !errors.Is(err, app.ErrTokensMissing) {
		t.Errorf("nothing: %v", err)
	}
}

// The published secrets are for sam local: wherever something says otherwise, the function
// does not start.
func TestPublishedSecretsAreForSAMLocalAlone(t *testing.T) {
	t.Parallel()
	local := map[string]string{
		"USER_SECRETS": app.LocalUserSecret, "AWS_SAM_LOCAL": "true", "AWS_LAMBDA_LOG_STREAM_NAME": "$LATEST",
	}
	if _, err := authorizer(local, nil); err != nil {
		t.Error(err)
	}
	for name, variables := range map[string]map[string]string{
		"nobody says sam local": with(local, "AWS_SAM_LOCAL", ""),
		"it is said not to be":  with(local, "AWS_SAM_LOCAL", "false"),
		"it is said so in AWS":  with(local, "AWS_LAMBDA_LOG_STREAM_NAME", "2026/11/20/[$LATEST]0123456789abcdef"),
		"the service's": {
			"SERVICE_SECRETS": app.LocalServiceSecret, "AWS_LAMBDA_LOG_STREAM_NAME": "2026/11/20/[7]0123456789abcdef",
		},
	} {
		if _, err := authorizer(variables, nil); err == nil || !strings.Contains(err.Error(), "has a published secret") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// What a login signs is a token of the user, for a quarter of an hour.
func TestTokensOfLogins(t *testing.T) {
	t.Parallel()
	tokens := app.Tokens{UserSecrets: []string{userSecret, "another"}, Audiences: []string{"laurel", "other"}}
	now := time.Now()
	signed := harness.Must(tokens.Signer(func() time.Time { return now })("7"))(t)
	tokens.UserSecrets = tokens.UserSecrets[:1]
	for after, want := range map[time.Duration]bool{0: true, 898 * time.Second: true, 901 * time.Second: false} {
		verifier := harness.Must(tokens.Verifier(func() time.Time { return now.Add(after) }))(t)
		caller, err := verifier.Verify(t.Context(), signed)
		if (err == nil) != want || want && caller != (auth.Caller{User: "7"}) {
			t.Errorf("after %s: %+v, %v", after, caller, err)
		}
	}
}

func TestQueueProducers(t *testing.T) {
	t.Parallel()
	c, err := from(map[string]string{"QUEUE_PRODUCERS": "AROAEXAMPLEID, AIDAEXAMPLEID,"}, nil)
	if err != nil || !cmp.Equal(c.QueueProducers, []string{"AROAEXAMPLEID", "AIDAEXAMPLEID"}) {
		t.Errorf("%q, %v", c.QueueProducers, err)
	}
	if _, err := from(map[string]string{"QUEUE_PRODUCERS": "arn:aws:iam::1:role/x"}, nil); err == nil ||
		!strings.Contains(err.Error(), `QUEUE_PRODUCERS: "arn:aws:iam::1:role/x" is not`) {
		t.Error(err)
	}
}
