package app_test

import (
	"errors"
	"log/slog"
	"maps"
	"strings"
	"testing"

	"laurel/shared/app"
)

// with is variables with some more, or other, ones.
func with(variables map[string]string, more ...string) map[string]string {
	all := maps.Clone(variables)
	for i := 0; i < len(more); i += 2 {
		all[more[i]] = more[i+1]
	}
	return all
}

var iamLogin = map[string]string{
	"REDIS_URL": "rediss://cache:6379", "REDIS_IAM_USER": "laurel", "REDIS_IAM_CACHE": "forum",
	"AWS_REGION": "eu-central-1", "AWS_ACCESS_KEY_ID": "k", "AWS_SECRET_ACCESS_KEY": "s", "AWS_SESSION_TOKEN": "t",
}

func TestLoginByIAM(t *testing.T) {
	t.Parallel()
	c, err := from(iamLogin, nil)
	credentials := app.AWS{Region: "eu-central-1", AccessKeyID: "k", SecretAccessKey: "s", SessionToken: "t"}
	if want := (app.Login{User: "laurel", Cache: "forum"}); err != nil || c.Login != want || c.AWS != credentials {
		t.Errorf("%+v, %v", c, err)
	}
	if c, err := from(with(iamLogin, "REDIS_IAM_USER", "", "REDIS_IAM_CACHE", ""), nil); err != nil ||
		c.Login != (app.Login{}) {
		t.Errorf("without: %+v, %v", c.Login, err)
	}
	for change, wanted := range map[[2]string]string{
		{"REDIS_IAM_USER", ""}:                           "REDIS_IAM_USER: is missing",
		{"REDIS_IAM_CACHE", ""}:                          "REDIS_IAM_CACHE: is missing",
		{"REDIS_IAM_CACHE", "a/b"}:                       `REDIS_IAM_CACHE: "a/b" is not`,
		{"REDIS_URL", "redis://cache"}:                   "REDIS_URL: has to begin with rediss://",
		{"REDIS_URL", "rediss://:hush@cache"}:            "REDIS_URL: has a user or a password",
		{"REDIS_URL", "rediss://cache?skip_verify=true"}: "REDIS_URL: has skip_verify",
		{"AWS_REGION", ""}:                               "AWS_REGION: is missing",
		{"AWS_ACCESS_KEY_ID", ""}:                        "AWS_ACCESS_KEY_ID: is missing",
		{"AWS_SECRET_ACCESS_KEY", ""}:                    "AWS_SECRET_ACCESS_KEY: is missing",
	} {
		_, err := from(with(iamLogin, change[0], change[1]), nil)
		if err == nil || !strings.HasPrefix(err.Error(), wanted) || strings.Contains(err.Error(), "\n") ||
			strings.Contains(err.Error(), "hush") {
			t.Errorf("%s: %v, want %q alone", change, err, wanted)
		}
	}
}

func TestLambdaDecidesWhatIsLogged(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		own, lambda, format string
		want                slog.Level
		text                bool
	}{
		{"", "", "", slog.LevelInfo, false},
		{"warn", "", "Text", slog.LevelWarn, true},
		{"debug", "ERROR", "JSON", slog.LevelError, false},
		{"", "TRACE", "json", slog.LevelDebug - 4, false},
		{"", "FATAL", "", slog.LevelError + 4, false},
	} {
		c, err := from(map[string]string{
			"LOG_LEVEL": test.own, "AWS_LAMBDA_LOG_LEVEL": test.lambda,
			"AWS_LAMBDA_LOG_FORMAT": test.format,
		}, nil)
		if err != nil || c.LogLevel != test.want || c.LogText != test.text {
			t.Errorf("%+v: %s, %t, %v", test, c.LogLevel, c.LogText, err)
		}
	}
	_, err := from(map[string]string{"AWS_LAMBDA_LOG_LEVEL": "LOUD", "AWS_LAMBDA_LOG_FORMAT": "XML"}, nil)
	if err == nil || !strings.Contains(err.Error(), "AWS_LAMBDA_LOG_LEVEL: ") ||
		!strings.Contains(err.Error(), "AWS_LAMBDA_LOG_FORMAT: ") {
		t.Errorf("error %v", err)
	}
}

// A function whose table is in AWS says at once what it lacks to reach it.
func TestTableInAWSNeedsCredentials(t *testing.T) {
	t.Parallel()
	variables := map[string]string{"TABLE_NAME": "laurel"}
	_, err := from(variables, nil, app.NeedRedis)
	if !errors.Is(err, app.ErrRedisMissing) {
		t.Errorf("error %v", err)
	}
	for _, name := range []string{"AWS_REGION", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"} {
		if err == nil || !strings.Contains(err.Error(), name+": is missing; it is needed for the table") {
			t.Errorf("%s: error %v", name, err)
		}
	}
	local := with(variables, "REDIS_URL", "redis://h", "DYNAMODB_ENDPOINT", "http://localhost:8000")
	if _, err := from(local, nil, app.NeedRedis); err != nil {
		t.Errorf("with a DynamoDB of one's own: %v", err)
	}
}
