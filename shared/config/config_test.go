package config_test

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"slices"
	"strings"
	"testing"

	"laurel/shared/activity"
	"laurel/shared/config"
)

const oneRule = `{"boards":{"b":{"windows":["day"]}},"versions":[{"actions":{"visit":{"board":"b","points":1,"entry":"day","by":["user"]}}}]}`

// from reads an environment given as a map, and files likewise.
func from(variables, files map[string]string) (config.Config, error) {
	lookup := func(name string) (string, bool) {
		value, ok := variables[name]
		return value, ok
	}
	return config.From(lookup, func(name string) ([]byte, error) {
		text, ok := files[name]
		if !ok {
			return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
		}
		return []byte(text), nil
	})
}

func Example() {
	_, err := from(map[string]string{"FORUM_TIMEZONE": "Mars/Olympus", "BOARD_SHARDS": "0", "REDIS_CLUSTER": "perhaps"}, nil)
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
		"set to nothing": {"FORUM_TIMEZONE": "", "RULES_FILE": " ", "RULES": "", "BOARD_SHARDS": "", "REDIS_URL": "", "REDIS_CLUSTER": "", "LOG_LEVEL": ""},
	} {
		c, err := from(variables, nil)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if c.Calendar.Zone().String() != "UTC" || c.Shards != 1 || c.RedisURL != "" || c.RedisCluster || c.LogLevel != slog.LevelInfo ||
			c.Archive != (config.Archive{HotDays: 3, HotMonths: 2}) ||
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
		"HOT_DAYS": "0", "HOT_MONTHS": "24", "ARCHIVE_DAYS": "1", "ARCHIVE_MONTHS": "24", "TABLE_NAME": "laurel",
		"DYNAMODB_ENDPOINT": "http://localhost:8000", "AWS_REGION": "eu-central-1",
		"AWS_ACCESS_KEY_ID": "k", "AWS_SECRET_ACCESS_KEY": "s", "AWS_SESSION_TOKEN": "t",
	}, map[string]string{"rules.json": oneRule})
	if err != nil {
		t.Fatal(err)
	}
	if c.Calendar.Zone().String() != "Asia/Shanghai" || c.Shards != 64 || c.RedisURL != "rediss://u:p@host:6380/1" || !c.RedisCluster ||
		c.LogLevel != slog.LevelDebug || !slices.Equal(c.Rules.Boards(), []string{"b"}) {
		t.Errorf("%+v", c)
	}
	kept := config.Archive{
		HotDays: 0, HotMonths: 24, Days: 1, Months: 24, Table: "laurel", Endpoint: "http://localhost:8000",
		AWS: config.AWS{Region: "eu-central-1", AccessKeyID: "k", SecretAccessKey: "s", SessionToken: "t"},
	}
	if c.Archive != kept {
		t.Errorf("%+v", c.Archive)
	}
	if c, err = from(map[string]string{"RULES": oneRule}, nil); err != nil || !slices.Equal(c.Rules.Boards(), []string{"b"}) {
		t.Errorf("%v %v", c.Rules, err)
	}
}

func TestFaults(t *testing.T) {
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
		{"REDIS_CLUSTER", "yes"}:        "REDIS_CLUSTER: ",
		{"LOG_LEVEL", "loud"}:           "LOG_LEVEL: ",
		{"HOT_DAYS", "-1"}:              "HOT_DAYS: ",
		{"HOT_DAYS", "31"}:              "HOT_DAYS: ",
		{"HOT_MONTHS", "25"}:            "HOT_MONTHS: ",
		{"HOT_MONTHS", "two"}:           "HOT_MONTHS: ",
		{"ARCHIVE_DAYS", "2"}:           `ARCHIVE_DAYS: "2" is not a number from 3 to`,
		{"ARCHIVE_MONTHS", "1"}:         `ARCHIVE_MONTHS: "1" is not a number from 2 to`,
		{"DYNAMODB_ENDPOINT", "host:1"}: "DYNAMODB_ENDPOINT: ",
	} {
		_, err := from(map[string]string{value[0]: value[1]}, map[string]string{"broken.json": "{"})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", value, err, want)
		}
	}
	for _, url := range []string{"user:secret@host", "redis://user:secret@host:port", "redis://user:sec%ret@host", "redis://user:secret@host/two"} {
		if _, err := from(map[string]string{"REDIS_URL": url}, nil); err == nil || strings.Contains(err.Error(), "sec") {
			t.Errorf("the fault of a URL: %v", err)
		}
	}
}

func TestFaultsComeTogether(t *testing.T) {
	t.Parallel()
	_, err := from(map[string]string{
		"FORUM_TIMEZONE": "Mars", "RULES_FILE": "a", "RULES": "b", "BOARD_SHARDS": "x", "REDIS_URL": "y", "REDIS_CLUSTER": "z", "LOG_LEVEL": "w",
		"HOT_DAYS": "v", "ARCHIVE_MONTHS": "0",
	}, nil)
	if err == nil {
		t.Fatal("no error")
	}
	var names []string
	for line := range strings.Lines(err.Error()) {
		name, _, _ := strings.Cut(line, ":")
		names = append(names, name)
	}
	if want := []string{"FORUM_TIMEZONE", "RULES_FILE", "BOARD_SHARDS", "REDIS_URL", "REDIS_CLUSTER", "LOG_LEVEL", "HOT_DAYS", "ARCHIVE_MONTHS"}; !slices.Equal(names, want) {
		t.Errorf("faults of %q, want %q", names, want)
	}
}

func TestFunctionsNeedRedis(t *testing.T) {
	t.Setenv("REDIS_URL", "")
	t.Setenv("BOARD_SHARDS", "none")
	if _, err := config.FromFunction(); !errors.Is(err, config.ErrRedisMissing) || !strings.Contains(err.Error(), "BOARD_SHARDS") {
		t.Errorf("error %v", err)
	}
	t.Setenv("REDIS_URL", "redis://localhost:6379")
	t.Setenv("BOARD_SHARDS", "2")
	if c, err := config.FromFunction(); err != nil || c.Shards != 2 {
		t.Errorf("%+v %v", c, err)
	}
}

func TestTheNightlyRunNeedsATable(t *testing.T) {
	t.Setenv("REDIS_URL", "")
	t.Setenv("TABLE_NAME", "")
	if _, err := config.FromNightly(); !errors.Is(err, config.ErrRedisMissing) || !errors.Is(err, config.ErrTableMissing) {
		t.Errorf("error %v", err)
	}
	t.Setenv("REDIS_URL", "redis://localhost:6379")
	t.Setenv("TABLE_NAME", "laurel")
	t.Setenv("DYNAMODB_ENDPOINT", "http://localhost:8000")
	if c, err := config.FromNightly(); err != nil || c.Archive.Table != "laurel" {
		t.Errorf("%+v %v", c, err)
	}
}

// A namespace is one that CloudWatch takes, and not its own.
func TestMetricsNamespace(t *testing.T) {
	t.Parallel()
	for name, ok := range map[string]bool{
		"": true, "Laurel": true, "Laurel/forum-prod": true, "a b.c_d#e:f": true,
		"AWS/Lambda": false, "Läurel": false, strings.Repeat("x", 256): false, "a\"b": false,
	} {
		c, err := from(map[string]string{"METRICS_NAMESPACE": name}, nil)
		if (err == nil) != ok || (ok && c.MetricsNamespace != name) {
			t.Errorf("%q: %q, %v", name, c.MetricsNamespace, err)
		}
	}
}
