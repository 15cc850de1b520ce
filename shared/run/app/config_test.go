package app_test

import (
	"io/fs"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"laurel/internal/harness"
	"laurel/shared/api/auth"
	"laurel/shared/api/auth/token"
	"laurel/shared/core/activity"
	"laurel/shared/core/signatures"
	"laurel/shared/run/app"
)

const userSecret, serviceSecret = "users-secret-of-tests-is-of-32-b", "services-secret-of-tests-of-32-b"

const oneRule = `{"boards":{"b":{"windows":["day"]}},"versions":[{"actions":{"visit":{"board":"b","points":1,` +
	`"entry":"day","by":["user"]}}}]}`

// withEvents is a rules file with addresses of events, one of which has a secret.
var withEvents = strings.TrimSuffix(oneRule, "}") + `,"events":[
	{"name":"badges","url":"https://f.example/badges?key=hush-hush","types":["period.final"]},
	{"name":"mail","url":"http://mail.internal/","types":["period.ended"]}]}`

// withLogin is a rules file by which a Discourse logs visitors in.
var withLogin = strings.TrimSuffix(oneRule, "}") +
	`,"hooks":{"discourse":{"instance":"https://f.example","login":"https://boards.example"}}}`

// given is a source whose environment and files are maps.
func given(source app.Source, variables, files map[string]string) app.Source {
	source.Lookup = func(name string) (string, bool) { text, ok := variables[name]; return text, ok }
	source.ReadFile = func(name string) ([]byte, error) {
		if text, ok := files[name]; ok {
			return []byte(text), nil
		}
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return source
}

// configOf reads the settings of a function, from an environment and files.
func configOf(t *testing.T, source app.Source, variables, files map[string]string) *app.Config {
	t.Helper()
	return harness.Must(app.Read(given(source, variables, files)))(t)
}

// A setting with an empty value is not set.
func TestDefaults(t *testing.T) {
	t.Parallel()
	c := configOf(t, app.Environment(), map[string]string{
		"FORUM_TIMEZONE": "", "RULES_FILE": " ", "RULES": "", "BOARD_SHARDS": "", "REDIS_URL": "",
		"REDIS_CLUSTER": "", "LOG_LEVEL": "",
	}, nil)
	if c.Calendar.Zone().String() != "UTC" || c.Shards != 1 || c.RedisURL != "" || c.RedisCluster ||
		c.LogLevel != slog.LevelInfo || c.HotDays != 3 || c.HotMonths != 2 || c.ArchiveDays != 0 ||
		c.ArchiveMonths != 0 || c.Table != "" || c.Endpoint != "" || c.Login != (app.Login{}) ||
		!slices.Equal(c.Rules.Boards(), activity.Default().Boards()) {
		t.Errorf("%+v", c)
	}
}

func TestEverythingSet(t *testing.T) {
	t.Parallel()
	c := configOf(t, app.Environment(), map[string]string{
		"FORUM_TIMEZONE": "Asia/Shanghai", "RULES_FILE": "rules.json", "BOARD_SHARDS": "64",
		"REDIS_URL": "rediss://host:6380/1", "REDIS_CLUSTER": "TRUE", "REDIS_IAM_USER": "laurel", "REDIS_IAM_CACHE": "forum",
		"HOT_DAYS": "0", "HOT_MONTHS": "24", "LEDGER_MONTHS": "25", "ARCHIVE_DAYS": "1", "ARCHIVE_MONTHS": "24",
		"TABLE_NAME": "laurel", "DYNAMODB_ENDPOINT": "http://localhost:8000", "AWS_REGION": "eu-central-1",
		"AWS_ACCESS_KEY_ID": "k", "AWS_SECRET_ACCESS_KEY": "s", "AWS_SESSION_TOKEN": "t", "LOG_LEVEL": "Debug",
		"METRICS_NAMESPACE": "Laurel/a b.c_d#e:f-g", "QUEUE_PRODUCERS": "AROAEXAMPLEID, AIDAEXAMPLEID,",
	}, map[string]string{"rules.json": oneRule})
	if c.Calendar.Zone().String() != "Asia/Shanghai" || c.Shards != 64 || c.RedisURL != "rediss://host:6380/1" ||
		!c.RedisCluster || c.Login != (app.Login{User: "laurel", Cache: "forum"}) ||
		c.LogLevel != slog.LevelDebug || !slices.Equal(c.Rules.Boards(), []string{"b"}) ||
		c.MetricsNamespace != "Laurel/a b.c_d#e:f-g" || c.MetricsSeconds != 10 {
		t.Errorf("%+v", c)
	}
	if c.HotDays != 0 || c.HotMonths != 24 || c.LedgerMonths != 25 || c.ArchiveDays != 1 || c.ArchiveMonths != 24 ||
		c.Table != "laurel" || c.Endpoint != "http://localhost:8000" ||
		c.AWS != (app.AWS{Region: "eu-central-1", AccessKeyID: "k", SecretAccessKey: "s", SessionToken: "t"}) ||
		!slices.Equal(c.QueueProducers, []string{"AROAEXAMPLEID", "AIDAEXAMPLEID"}) {
		t.Errorf("%+v", c)
	}
}

// Flags, secrets of each kind, and whose tokens are taken.
func TestAccessOfSettings(t *testing.T) {
	t.Parallel()
	source := app.Source{
		Groups: append(app.ServeGroups(), app.Clock), Needs: []app.Need{app.NeedTokens, app.NeedDurable},
		Flags: map[string]string{"data": "d", "timezone": "Asia/Shanghai", "now": "2026-11-20", "events-private": "true"},
	}
	c := configOf(t, source, map[string]string{
		"JWT_ISSUER": "https://login.example.com/", "JWT_AUDIENCE": "laurel,forum", "USER_SECRETS": userSecret,
		"SERVICE_SECRETS_FILE": "service.secret", "JWT_USER_CLAIM": "id", "JWT_SCOPE_CLAIM": "roles", "RULES": withEvents,
		"EVENT_SECRETS_FILE": "event.secrets",
	}, map[string]string{
		"service.secret": serviceSecret + "\n" + userSecret + "x\n",
		"event.secrets":  "badges=long-enough-1\nmail=long-enough-2\n",
	})
	tokens := app.Tokens{
		Issuer: "https://login.example.com/", Audiences: []string{"laurel", "forum"}, UserSecrets: []string{userSecret},
		ServiceSecrets: []string{serviceSecret, userSecret + "x"}, UserClaim: "id", ScopeClaim: "roles",
	}
	events := signatures.Secrets{"badges": {"long-enough-1"}, "mail": {"long-enough-2"}}
	if !cmp.Equal(c.Tokens, tokens) || !cmp.Equal(c.EventSecrets, events) || !c.EventsPrivate || c.Data != "d" ||
		!c.Now.Equal(time.Date(2026, 11, 19, 16, 0, 0, 0, time.UTC)) {
		t.Errorf("%+v", c)
	}
	source.Flags = map[string]string{"data": "d"}
	c = configOf(t, source, map[string]string{"USER_SECRETS": userSecret}, nil)
	tokens = app.Tokens{Audiences: []string{"laurel"}, UserSecrets: []string{userSecret}, UserClaim: "sub"}
	if !cmp.Equal(c.Tokens, tokens) {
		t.Errorf("by default: %+v", c.Tokens)
	}
}

// A login signs a token of the user, for a quarter of an hour.
func TestTokensOfLogins(t *testing.T) {
	t.Parallel()
	tokens := app.Tokens{UserSecrets: []string{userSecret, "another"}, Audiences: []string{"laurel", "other"}}
	now := time.Now()
	signed := harness.Must(tokens.Signer(func() time.Time { return now })("7"))(t)
	tokens.UserSecrets = tokens.UserSecrets[:1]
	for after, want := range map[time.Duration]bool{0: true, 898 * time.Second: true, 901 * time.Second: false} {
		verifier := harness.Must(token.New(tokens.Options(func() time.Time { return now.Add(after) })))(t)
		caller, err := verifier.Verify(t.Context(), signed)
		if (err == nil) != want || want && caller != (auth.Caller{User: "7"}) {
			t.Errorf("after %s: %+v, %v", after, caller, err)
		}
	}
}

func TestLambdaDecidesTheLevelOfLogs(t *testing.T) {
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
		c := configOf(t, app.Environment(), map[string]string{
			"LOG_LEVEL": test.own, "AWS_LAMBDA_LOG_LEVEL": test.lambda, "AWS_LAMBDA_LOG_FORMAT": test.format,
		}, nil)
		if c.LogLevel != test.want || c.LogText != test.text {
			t.Errorf("%+v: %s, %t", test, c.LogLevel, c.LogText)
		}
	}
}

func TestClockRunsOn(t *testing.T) {
	t.Parallel()
	start := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	now := (&app.Config{Now: start}).NewClock()
	time.Sleep(2 * time.Millisecond)
	if ahead := now().Sub(start); ahead <= 0 || ahead > time.Minute {
		t.Errorf("it shows %s", now())
	}
	if plain := (&app.Config{}).NewClock(); time.Since(plain()) > time.Minute {
		t.Errorf("without a start it shows %s", plain())
	}
}
