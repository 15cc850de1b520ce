package app_test

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"laurel/internal/harness"
	"laurel/shared/activity"
	"laurel/shared/app"
)

const oneRule = `{"boards":{"b":{"windows":["day"]}},"versions":[{"actions":{"visit":{"board":"b","points":1,` +
	`"entry":"day","by":["user"]}}}]}`

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

// from reads a function's environment.
func from(variables, files map[string]string, needs ...app.Need) (*app.Config, error) {
	return app.Read(given(app.Environment(needs...), variables, files))
}

func ExampleRead() {
	_, err := from(map[string]string{"FORUM_TIMEZONE": "Mars/Olympus", "BOARD_SHARDS": "0", "REDIS_CLUSTER": "perhaps"},
		nil)
	for line := range strings.Lines(err.Error()) {
		name, _, _ := strings.Cut(line, ":")
		fmt.Println(name)
	}
	// Output:
	// FORUM_TIMEZONE
	// BOARD_SHARDS
	// REDIS_CLUSTER
}

func TestDefaults(t *testing.T) {
	t.Parallel()
	for name, variables := range map[string]map[string]string{
		"nothing is set": nil,
		"set to nothing": {
			"FORUM_TIMEZONE": "", "RULES_FILE": " ", "RULES": "", "BOARD_SHARDS": "", "REDIS_URL": "",
			"REDIS_CLUSTER": "", "LOG_LEVEL": "",
		},
	} {
		c, err := from(variables, nil)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if c.Calendar.Zone().String() != "UTC" || c.Shards != 1 || c.RedisURL != "" || c.RedisCluster ||
			c.LogLevel != slog.LevelInfo ||
			c.HotDays != 3 || c.HotMonths != 2 || c.ArchiveDays != 0 || c.ArchiveMonths != 0 || c.Table != "" ||
			c.Endpoint != "" ||
			!slices.Equal(c.Rules.Boards(), activity.Default().Boards()) {
			t.Errorf("%s: %+v", name, c)
		}
	}
}

func TestEverythingSet(t *testing.T) {
	t.Parallel()
	c, err := from(map[string]string{
		"FORUM_TIMEZONE": "Asia/Shanghai", "RULES_FILE": "rules.json", "BOARD_SHARDS": "64",
		"REDIS_URL": "rediss://u:p@host:6380/1", "REDIS_CLUSTER": "TRUE", "LOG_LEVEL": "Debug",
		"HOT_DAYS": "0", "HOT_MONTHS": "24", "LEDGER_MONTHS": "25", "ARCHIVE_DAYS": "1", "ARCHIVE_MONTHS": "24",
		"TABLE_NAME": "laurel", "DYNAMODB_ENDPOINT": "http://localhost:8000", "AWS_REGION": "eu-central-1",
		"AWS_ACCESS_KEY_ID": "k", "AWS_SECRET_ACCESS_KEY": "s", "AWS_SESSION_TOKEN": "t",
		"METRICS_NAMESPACE": "Laurel/a b.c_d#e:f-g",
	}, map[string]string{"rules.json": oneRule})
	harness.OK(t, err)
	if c.Calendar.Zone().String() != "Asia/Shanghai" || c.Shards != 64 || c.RedisURL != "rediss://u:p@host:6380/1" ||
		!c.RedisCluster ||
		c.LogLevel != slog.LevelDebug || !slices.Equal(c.Rules.Boards(), []string{"b"}) ||
		c.MetricsNamespace != "Laurel/a b.c_d#e:f-g" || c.MetricsSeconds != 10 {
		t.Errorf("%+v", c)
	}
	if c.HotDays != 0 || c.HotMonths != 24 || c.LedgerMonths != 25 || c.ArchiveDays != 1 || c.ArchiveMonths != 24 ||
		c.Table != "laurel" || c.Endpoint != "http://localhost:8000" ||
		c.AWS != (app.AWS{Region: "eu-central-1", AccessKeyID: "k", SecretAccessKey: "s", SessionToken: "t"}) {
		t.Errorf("%+v", c)
	}
	if c, err = from(map[string]string{"RULES": oneRule}, nil); err != nil ||
		!slices.Equal(c.Rules.Boards(), []string{"b"}) {
		t.Errorf("%v %v", c.Rules, err)
	}
}

func TestViolations(t *testing.T) {
	t.Parallel()
	for value, want := range map[[2]string]string{
		{"FORUM_TIMEZONE", "Mars"}:      "FORUM_TIMEZONE: ",
		{"FORUM_TIMEZONE", "Local"}:     "FORUM_TIMEZONE: ",
		{"RULES_FILE", "gone.json"}:     "RULES_FILE: gone.json: file does not exist",
		{"RULES_FILE", "broken.json"}:   "RULES_FILE: rules: ",
		{"RULES", "{}"}:                 "RULES: rules: ",
		{"RULES", `{"versions":[{}]}`}:  "versions[0]: there must be at least one action or metric",
		{"BOARD_SHARDS", "0"}:           "BOARD_SHARDS: ",
		{"BOARD_SHARDS", "65"}:          "BOARD_SHARDS: ",
		{"BOARD_SHARDS", "two"}:         "BOARD_SHARDS: ",
		{"REDIS_URL", "localhost:6379"}: "REDIS_URL: ",
		{"REDIS_URL", "http://x"}:       "REDIS_URL: ",
		{"REDIS_URL", "redis://:port"}:  "REDIS_URL: ",
		{"REDIS_URL", "redis://"}:       "REDIS_URL: ",
		{"REDIS_URL", "redis://h/two"}:  "REDIS_URL: ",
		{"REDIS_URL", "redis://h/1/2"}:  "REDIS_URL: ",
		{"REDIS_URL", "redis://h?a=1"}:  "REDIS_URL: view: redis URL: unknown parameter: a",
		{"REDIS_CLUSTER", "yes"}:        "REDIS_CLUSTER: ",
		{"LOG_LEVEL", "loud"}:           "LOG_LEVEL: ",
		{"HOT_DAYS", "-1"}:              "HOT_DAYS: ",
		{"HOT_DAYS", "31"}:              "HOT_DAYS: ",
		{"HOT_MONTHS", "25"}:            "HOT_MONTHS: ",
		{"HOT_MONTHS", "two"}:           "HOT_MONTHS: ",
		{"LEDGER_MONTHS", "2"}:          "LEDGER_MONTHS: is 2, and a month is live for 2",
		{"ARCHIVE_DAYS", "2"}:           `ARCHIVE_DAYS: "2" is not a number from 3 to`,
		{"ARCHIVE_MONTHS", "1"}:         `ARCHIVE_MONTHS: "1" is not a number from 2 to`,
		{"DYNAMODB_ENDPOINT", "host:1"}: "DYNAMODB_ENDPOINT: ",

		{"METRICS_NAMESPACE", "AWS/Lambda"}:             "METRICS_NAMESPACE: ", // CloudWatch's own
		{"METRICS_NAMESPACE", "Läurel"}:                 "METRICS_NAMESPACE: ",
		{"METRICS_NAMESPACE", strings.Repeat("x", 256)}: "METRICS_NAMESPACE: ",
	} {
		_, err := from(map[string]string{value[0]: value[1]}, map[string]string{"broken.json": "{"})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", value, err, want)
		}
	}
	for _, url := range []string{
		"user:secret@host", "redis://user:secret@host:port", "redis://user:sec%ret@host",
		"redis://user:secret@host/two",
	} {
		if _, err := from(map[string]string{"REDIS_URL": url}, nil); err == nil || strings.Contains(err.Error(), "sec") {
			t.Errorf("the violation of a URL: %v", err)
		}
	}
}

// An error names what the person wrote: the flag if it came by a flag, else the
// variable. A flag goes before its variable, and an empty one is not set.
func TestViolationsNameWhatWasWritten(t *testing.T) {
	t.Parallel()
	variables := map[string]string{
		"BOARD_SHARDS": "2", "HOT_DAYS": "99", "FORUM_TIMEZONE": "Mars", "RULES_FILE": "a", "RULES": "b", "LOG_LEVEL": "loud",
		"REDIS_URL": "redis://h", "DYNAMODB_ENDPOINT": "http://h",
	}
	read := func(flags map[string]string) (*app.Config, error) {
		return app.Read(app.Source{
			Settings: app.Settings(app.Forum, app.Clock, app.Store, app.Place, app.Schedule),
			Needs:    []app.Need{app.NeedRedis, app.NeedPlace}, Flags: flags,
			Lookup: func(name string) (string, bool) { value, ok := variables[name]; return value, ok },
		})
	}
	_, err := read(map[string]string{
		"shards": "x", "timezone": "", "redis": "", "hot-months": "99", "now": "soon",
		"data": "d",
	})
	if err == nil {
		t.Fatal("no error")
	}
	for _, want := range []string{
		`--shards: "x" is not`, `HOT_DAYS: "99" is not`, `--hot-months: "99" is not`, `--now: "soon" is not a time`,
		"RULES_FILE: is set and RULES too", "--redis or REDIS_URL is missing: ", "--data: is set and DYNAMODB_ENDPOINT too",
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("no %q in:\n%v", want, err)
		}
	}
	if n := strings.Count(err.Error(), "\n") + 1; n != 7 {
		t.Errorf("%d violations:\n%v", n, err)
	}
	clear(variables)
	if _, err := read(map[string]string{}); !errors.Is(err, app.ErrPlaceMissing) ||
		!errors.Is(err, app.ErrRedisMissing) {
		t.Errorf("error %v", err)
	}
	c, err := read(map[string]string{"redis": "redis://h", "data": "d", "timezone": "Asia/Shanghai", "now": "2026-11-20"})
	if want := time.Date(2026, 11, 19, 16, 0, 0, 0, time.UTC); err != nil || !c.Now.Equal(want) || c.Data != "d" {
		t.Errorf("%+v, %v", c, err)
	}
}
