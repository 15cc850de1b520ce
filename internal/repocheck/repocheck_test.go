package repocheck_test

import (
	"bytes"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"testing"
)

// A check returns what is wrong with a tree of files, one sentence for each finding.
type check func(t *testing.T, tree fs.FS) []string

// repository is this one, seen from here.
var repository = os.DirFS("../..")

func TestRepository(t *testing.T) {
	t.Parallel()
	for name, check := range map[string]check{
		"scripts": scripts, "commands": commands, "errors": errorTexts, "words": usedWords,
		"routes": routes, "documented routes": documentedRoutes, "parameters": parameters, "settings": settings,
		"variables": variables, "deployment": deployment, "policies": policies, "cdn": cdn,
		"filters": filters,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, finding := range check(t, repository) {
				t.Error(finding)
			}
		})
	}
}

// Each change of one file makes a finding with these words.
func TestChangedRepositoryIsRefused(t *testing.T) {
	t.Parallel()
	script := files(t, repository, "*.lua")[0]
	for _, test := range []struct {
		name, file, old, new string
		check                check
		want                 string
	}{
		{"script without KEYS", script, "-- KEYS", "-- Keys", scripts, "begins with KEYS"},
		{"script without Returns", script, "-- Returns", "-- Gives", scripts, "begins with Returns"},
		{"script with code before its header", script, "-- KEYS", "local a = 1\n-- KEYS", scripts, "begins with KEYS"},
		{"script without a purpose", script, "-- ", "--\n-- ", scripts, "does not say what it is for"},
		{"long script", script, "-- KEYS", strings.Repeat("-- \n", scriptLines) + "-- KEYS", scripts, "lines"},

		{
			"target that make lacks", "README.md", "\nmake check", "\nSOAK=1 make checks", commands,
			"make has no target checks",
		},
		{
			"command that laurel lacks", "README.md", "laurel import", "laurel fly", commands,
			"laurel has no command fly",
		},
		{
			"program that is not there", "README.md", "\nmake check", "\ngo run ./internal/nothing", commands,
			"no program in internal/nothing",
		},
		{
			"error that the code lacks", "docs/archive.md", "`table: store is unavailable`", "`table: store is gone`",
			errorTexts, `no error "table: store is gone"`,
		},

		{"route missing", "template.yaml", "Path: /v1/rules,", "Path: /v1/ruled,", routes, "does not route GET /v1/rules"},
		{"route too many", "template.yaml", "Path: /v1/rules,", "Path: /v1/ruled,", routes, "GET /v1/ruled is no operation"},
		{
			"no token to report", "template.yaml", "Path: /v1/activities }",
			"Path: /v1/activities, Auth: { Authorizer: NONE } }", routes, "POST /v1/activities without a token",
		},
		{
			"token to read", "template.yaml", "Path: /v1/rules, Auth: { Authorizer: NONE }", "Path: /v1/rules", routes,
			"GET /v1/rules with a token",
		},
		{
			"no HEAD", "template.yaml", "          /v1/rules: { head: *public }\n", "", routes, "does not route HEAD /v1/rules",
		},
		{
			"no token for HEAD", "template.yaml", "/v1/users/{user}/votes: { head: *owned }",
			"/v1/users/{user}/votes: { head: *public }", routes, "HEAD /v1/users/{user}/votes without a token",
		},
		{
			"wrong function", "template.yaml", "Method: POST, Path: /v1/activities }", "Method: GET, Path: /v1/rules }", routes,
			"does not route POST /v1/activities",
		},
		{
			"no token for the queue", "template.yaml", "security: [{ Token: [] }]", "security: []", routes,
			"POST /v1/queue/activities without a token",
		},
		{
			"route without the queue", "template.yaml", "integrationSubtype: SQS-SendMessage",
			"integrationSubtype: SQS-PurgeQueue", routes, "to nothing instead of the queue",
		},

		{
			"route that docs/api.md lacks", "docs/api.md", "`GET /v1/rules`, ", "`GET /v1/health`, ", documentedRoutes,
			"does not list GET /v1/rules",
		},
		{
			"route that is none", "docs/api.md", "`GET /v1/rules`", "`GET /v1/ruled`", documentedRoutes,
			"GET /v1/ruled is no operation",
		},
		{
			"method that is none", "docs/api.md", "`PUT`, `GET`, `DELETE /v1/users/{user}/exclusion`",
			"`DELETE /v1/users/{user}/exclusion`", documentedRoutes, "does not list PUT /v1/users/{user}/exclusion",
		},

		{"word in a document", "README.md", "# Laurel\n", "# A v" + "ault\n", usedWords, "README.md:1"},
		{"word in a comment", "shared/board/doc.go", "// Package board", "// The v" + "ault", usedWords, "doc.go:1"},
		{
			"word in a name", "shared/board/doc.go", "package board", "package board\n\nvar newV" + "ault int", usedWords,
			"shared/final or shared/app",
		},

		{
			"parameter without a description", "template.yaml",
			"    Description: The processor architecture of the functions. arm64 costs a fifth less.\n", "", parameters,
			"Architecture has no description",
		},
		{
			"parameter in no group", "template.yaml", "AlarmEmail, MonthlyBudget]", "AlarmEmail]", parameters,
			"MonthlyBudget is in no group",
		},
		{
			"parameter without limits", "template.yaml", "AllowedValues: [arm64, x86_64]", "Wants: x86_64", parameters,
			"Architecture accepts any value",
		},
		{
			"group of a missing parameter", "template.yaml", "AlarmEmail, MonthlyBudget]",
			"AlarmEmail, MonthlyBudget, Other]", parameters, "no parameter Other",
		},
		{
			"one parameter more", "template.yaml", "  Architecture:\n    Desc", "  Other: {}\n  Architecture:\n    Desc",
			parameters, "asks for 11 parameters",
		},
		{
			"parameters in another order", "template.yaml", "[Size, ForumTimezone, CorsOrigins]",
			"[ForumTimezone, Size, CorsOrigins]", parameters, "another order",
		},
		{
			"size without a setting", "template.yaml", "      ThrottleRate: 500\n", "", settings,
			"medium has no ThrottleRate",
		},
		{
			"setting that nothing uses", "template.yaml", "[Settings, Forum, HotDays]", "[Settings, Forum, HotMonths]", settings,
			"Settings, Forum, HotDays is not used",
		},
		{
			"setting that is not there", "template.yaml", "[Settings, Forum, HotDays]", "[Settings, Forum, Hot]", settings,
			"Settings, Forum, Hot is not there",
		},
		{
			"warnings of the API", "template.yaml", "FailOnWarnings: true", "FailOnWarnings: false", deployment,
			"FailOnWarnings",
		},
		{
			"condition that API Gateway does not meet", "template.yaml", "Action: sts:AssumeRole # without aws:SourceAccount",
			"Condition: { StringEquals: { aws:SourceAccount: '1' } }\n            Action: sts:AssumeRole #", deployment,
			"ApiAuthorizeRole",
		},
		{
			"added command that is refused again", "template.yaml", "-@dangerous +cluster|slots", "+cluster|slots -@dangerous",
			deployment, "AccessString",
		},
		{
			"filter of another field", "template.yaml", `{ $.message = "schedule"`, `{ $.msg = "schedule"`, filters,
			"NightOverdueFilter does not match",
		},
		{
			"filter of another text", "template.yaml", `{ $.message = "the cache is full"`, `{ $.message = "full"`, filters,
			"CacheRefusesFilter matches what nothing logs",
		},
		{
			"filter of a line that a level drops", "shared/night/tick.go", "metrics.Counted(ctx)", "ctx", filters,
			"ImportDaysFilter misses lines of a quiet log",
		},
		{
			"call that is not allowed", "template.yaml", "dynamodb:Query, dynamodb:PutItem, dynamodb:DeleteItem]",
			"dynamodb:Query, dynamodb:PutItem]", policies, "RecordRole is not allowed dynamodb:DeleteItem",
		},
		{
			"condition that a call does not meet", "template.yaml", "LeadingKeys': [FORUM]", "LeadingKeys': [STAMP]", policies,
			"QueryRole is not allowed dynamodb:PutItem",
		},
		{
			"network for the code", "template.yaml", "            Effect: Deny\n            Action: ec2:*",
			"            Effect: Deny\n            Action: ec2:Describe*", policies,
			"RecordRole is allowed ec2:CreateNetworkInterface",
		},
		{
			"dangerous call", "template.yaml", "Action: [logs:CreateLogStream,",
			"Action: [logs:DeleteLogGroup, logs:CreateLogStream,", policies, "AuthorizeRole is allowed logs:DeleteLogGroup",
		},
		{
			"public read that is not kept", "template.yaml", "PathPattern: /v1/rules", "PathPattern: /v1/ruled", cdn,
			"asks the API for each GET /v1/rules",
		},
		{
			"friends without a token", "template.yaml", "PathPattern: /v1/boards/*/users/*/friends",
			"PathPattern: /v1/boards/*/users/*/foes", cdn, "/friends, which takes a token",
		},
		{"dropped parameter", "template.yaml", "user, users, around,", "user, users,", cdn, "drops around of GET"},
		{
			"action that nothing uses", "template.yaml", "Action: [dynamodb:GetItem, dynamodb:BatchGetItem, dynamodb:Query]",
			"Action: [dynamodb:GetItem, dynamodb:ConditionCheckItem, dynamodb:BatchGetItem, dynamodb:Query]", policies,
			"QueryRole does not use dynamodb:ConditionCheckItem",
		},
		{
			"access log with paths", "template.yaml", `"route":"$context.routeKey"`, `"route":"$context.path"`, deployment,
			"not $context.path",
		},
		{"alarm without a line", "docs/deploy.md", "`QuerySlow`", "`QueryLate`", deployment, "QuerySlowAlarm"},
		{"variable that is not read", "template.yaml", "BOARD_SHARDS:", "BOARD_SHARD:", variables, "BOARD_SHARD is not read"},
		{
			"variable that sam local ignores", "local-env.json", "REDIS_URL", "REDIS_URI", variables,
			"REDIS_URI is not in template.yaml",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			findings := test.check(t, changed(t, test.file, test.old, test.new))
			if !slices.ContainsFunc(findings, func(finding string) bool { return strings.Contains(finding, test.want) }) {
				t.Errorf("%q, want %q", findings, test.want)
			}
		})
	}
}

// A changedFS is the repository with other bytes in one file.
type changedFS struct {
	fs.FS
	name string
	text []byte
}

func (c changedFS) ReadFile(name string) ([]byte, error) {
	if name == c.name {
		return bytes.Clone(c.text), nil
	}
	return fs.ReadFile(c.FS, name)
}

// changed returns the repository with the first old in a file replaced.
func changed(t *testing.T, name, old, replacement string) fs.FS {
	t.Helper()
	text := read(t, repository, name)
	if !strings.Contains(text, old) {
		t.Fatalf("%s has no %q", name, old)
	}
	return changedFS{repository, name, []byte(strings.Replace(text, old, replacement, 1))}
}

func read(t *testing.T, tree fs.FS, name string) string {
	t.Helper()
	text, err := fs.ReadFile(tree, name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// files lists the tree's files whose names match one of the patterns, without those
// of tools and tests' data.
func files(t *testing.T, tree fs.FS, patterns ...string) (names []string) {
	t.Helper()
	err := fs.WalkDir(tree, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			ignored := slices.Contains([]string{"bin", "dist", "node_modules", "testdata"}, entry.Name())
			if ignored || name != "." && strings.HasPrefix(entry.Name(), ".") {
				return fs.SkipDir
			}
			return nil
		}
		for _, pattern := range patterns {
			if matches, err := path.Match(pattern, entry.Name()); err != nil || matches {
				names = append(names, name)
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}
