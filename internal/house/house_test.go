package house_test

import (
	"io/fs"
	"os"
	"os/exec"
	"strings"
	"testing"
	"testing/fstest"

	"laurel/internal/house"
)

// root is the repository, from here.
const root = "../.."

type check func(fs.FS) ([]string, error)

func TestTheHouseIsInOrder(t *testing.T) {
	t.Parallel()
	for name, check := range map[string]check{
		"imports": house.Imports, "docs": house.Docs, "names": house.Names,
		"environment": house.Environment, "scripts": house.Scripts, "commands": house.Commands,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			faults, err := check(os.DirFS(root))
			if err != nil {
				t.Fatal(err)
			}
			for _, fault := range faults {
				t.Error(fault)
			}
		})
	}
}

func TestMakeHelpListsEveryTarget(t *testing.T) {
	t.Parallel()
	targets, err := house.Targets(os.DirFS(root))
	if err != nil {
		t.Fatal(err)
	}
	help, err := exec.CommandContext(t.Context(), "make", "-C", root, "help").CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, help)
	}
	for _, target := range targets {
		if !strings.Contains(string(help), "make "+target+" ") {
			t.Errorf("make help does not list %s", target)
		}
	}
	if len(targets) < 10 {
		t.Errorf("only %d targets were found in the Makefile: %v", len(targets), targets)
	}
}

func TestCIRunsWhatPeopleRun(t *testing.T) {
	t.Parallel()
	script, err := os.ReadFile(root + "/.ci/run")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(script), "make check") {
		t.Error(".ci/run does not run make check")
	}
}

// Each of these houses has one fault, and the check has to say so in these words;
// or none, and it has to be quiet.
func TestAFaultIsFound(t *testing.T) {
	t.Parallel()
	const (
		header   = "-- Sets a page.\n-- KEYS[1] the page\n-- ARGV[1] its bytes\n-- Returns 1\n"
		embedded = "package live\n\n//go:embed set_page.lua\nvar script string\n"
	)
	for _, test := range []struct {
		name  string
		check check
		tree  map[string]string
		want  string // empty: no fault
	}{
		{"pure imports pure", house.Imports, map[string]string{"shared/ledger/a.go": "package ledger\nimport _ \"laurel/shared/board\""}, ""},
		{"pure imports a module", house.Imports, map[string]string{"shared/board/a.go": "package board\nimport _ \"github.com/redis/go-redis/v9\""}, "shared/board/a.go imports github.com/redis"},
		{"pure imports a store", house.Imports, map[string]string{"shared/ledger/a.go": "package ledger\nimport _ \"laurel/shared/live\""}, "imports laurel/shared/live"},
		{"pure imports the network", house.Imports, map[string]string{"shared/board/a.go": "package board\nimport _ \"net/http\""}, "imports net/http"},
		{"live imports archive", house.Imports, map[string]string{"shared/live/a.go": "package live\nimport _ \"laurel/shared/archive\""}, "does not know DynamoDB"},
		{"archive imports Redis", house.Imports, map[string]string{"shared/archive/a.go": "package archive\nimport _ \"github.com/redis/go-redis/v9\""}, "what moves its bytes is in packages of its own"},
		{"archive imports DynamoDB", house.Imports, map[string]string{"shared/archive/a.go": "package archive\nimport _ \"github.com/aws/aws-sdk-go-v2/service/dynamodb\""}, "what moves its bytes is in packages of its own"},
		{"the table imports DynamoDB", house.Imports, map[string]string{"shared/archive/table/a.go": "package table\nimport _ \"github.com/aws/aws-sdk-go-v2/service/dynamodb\""}, ""},
		{"the table imports Redis", house.Imports, map[string]string{"shared/archive/table/a.go": "package table\nimport _ \"github.com/redis/go-redis/v9\""}, "does not know Redis"},
		{"a part of live imports live", house.Imports, map[string]string{"shared/live/part/a.go": "package part\nimport _ \"laurel/shared/live\""}, ""},
		{"httpapi imports the stores", house.Imports, map[string]string{"shared/httpapi/a.go": "package httpapi\nimport (\n_ \"laurel/shared/archive\"\n_ \"laurel/shared/live\"\n)"}, ""},
		{"httpapi imports a function", house.Imports, map[string]string{"shared/httpapi/a.go": "package httpapi\nimport _ \"laurel/functions/record\""}, "imports laurel/functions/record"},
		{"a function imports another", house.Imports, map[string]string{"functions/query/a.go": "package main\nimport _ \"laurel/functions/record\""}, "deployed alone"},
		{"a command imports a function", house.Imports, map[string]string{"cmd/laurel/a.go": "package main\nimport _ \"laurel/functions/record\""}, ""},
		{"a function imports a command", house.Imports, map[string]string{"functions/query/a.go": "package main\nimport _ \"laurel/cmd/laurel\""}, "imports laurel/cmd"},
		{"a command imports what is for tests", house.Imports, map[string]string{"cmd/laurel/a.go": "package main\nimport _ \"laurel/internal/redistest\""}, "for tests alone"},
		{"a store imports its suite", house.Imports, map[string]string{"shared/archive/a.go": "package archive\nimport _ \"laurel/shared/archive/archivetest\""}, "for tests alone"},
		{"a suite imports what it tests", house.Imports, map[string]string{"shared/archive/archivetest/a.go": "package archivetest\nimport _ \"laurel/shared/archive\""}, ""},
		{"the table imports AWS's config", house.Imports, map[string]string{"shared/archive/table/a.go": "package table\nimport _ \"github.com/aws/aws-sdk-go-v2/config\""}, "costs a cold start"},
		{"a test imports what is for tests", house.Imports, map[string]string{"shared/live/a_test.go": "package live\nimport _ \"laurel/internal/redistest\""}, ""},
		{"nobody knows the place of a package", house.Imports, map[string]string{"shared/new/a.go": "package new\nimport _ \"laurel/shared/board\""}, "needs a line"},

		{"a doc in doc.go", house.Docs, map[string]string{"a/doc.go": "// Package a is.\npackage a", "a/b.go": "package a"}, ""},
		{"a doc in a file alone", house.Docs, map[string]string{"a/b.go": "// Package a is.\npackage a", "a/b_test.go": "package a"}, ""},
		{"a doc in another place", house.Docs, map[string]string{"a/b.go": "// Package a is.\npackage a", "a/c.go": "package a"}, "a has no package doc"},
		{"no doc", house.Docs, map[string]string{"a/doc.go": "package a"}, "a has no package doc"},

		{"a name that says nothing", house.Names, map[string]string{"shared/utils/a.go": "package utils"}, "utils says nothing"},
		{"a package in a directory that says nothing", house.Names, map[string]string{"shared/common/a.go": "package board"}, "common says nothing"},
		{"a name", house.Names, map[string]string{"shared/board/a.go": "package board"}, ""},

		{"config reads the environment", house.Environment, map[string]string{"shared/config/a.go": "package config\nimport \"os\"\nvar a = os.Getenv(\"A\")"}, ""},
		{"a function reads the environment", house.Environment, map[string]string{"functions/query/a.go": "package main\nimport \"os\"\nvar a = os.Getenv(\"A\")"}, "os.Getenv is for shared/config"},
		{"it hides that", house.Environment, map[string]string{"functions/query/a.go": "package main\nimport sys \"os\"\nvar a, b = sys.LookupEnv(\"A\")"}, "os.LookupEnv is for shared/config"},
		{"a test reads the environment", house.Environment, map[string]string{"functions/query/a_test.go": "package main\nimport \"os\"\nvar a = os.Getenv(\"A\")"}, ""},

		{"a script", house.Scripts, map[string]string{"shared/live/set_page.lua": header + "return 1\n", "shared/live/a.go": embedded}, ""},
		{"a script without a purpose", house.Scripts, map[string]string{"shared/live/set_page.lua": strings.TrimPrefix(header, "-- Sets a page.\n"), "shared/live/a.go": embedded}, "does not say what it is for"},
		{"a script without ARGV", house.Scripts, map[string]string{"shared/live/set_page.lua": strings.Replace(header, "ARGV", "", 1), "shared/live/a.go": embedded}, "begins with ARGV"},
		{"a script with its header below", house.Scripts, map[string]string{"shared/live/set_page.lua": "-- Sets a page.\nlocal a = 1\n" + header, "shared/live/a.go": embedded}, "begins with KEYS"},
		{"a long script", house.Scripts, map[string]string{"shared/live/set_page.lua": header + strings.Repeat("return 1\n", 76), "shared/live/a.go": embedded}, "80 lines"},
		{"the longest script", house.Scripts, map[string]string{"shared/live/set_page.lua": header + strings.Repeat("return 1\n", 75), "shared/live/a.go": embedded}, ""},
		{"a script that nobody embeds", house.Scripts, map[string]string{"shared/live/set_page.lua": header, "shared/live/a.go": "package live"}, "//go:embed set_page.lua"},
		{"a script with another kind of name", house.Scripts, map[string]string{"shared/live/setPage.lua": header, "shared/live/a.go": strings.Replace(embedded, "set_page", "setPage", 1)}, "in_snake_case.lua"},

		{"a document without commands", house.Commands, map[string]string{"README.md": "Call make nothing.\n"}, ""},
		{"a target that is there", house.Commands, map[string]string{"README.md": "```sh\n$ make test\n```\n", "Makefile": "test: tools ## tests\n"}, ""},
		{"a target that is not", house.Commands, map[string]string{"docs/a.md": "```\nSOAK=1 make tests\n```\n", "Makefile": "test:\n\ntests := 1\n"}, "docs/a.md: make has no target tests"},
		{"a command that is there", house.Commands, map[string]string{"README.md": "```sh\ngo run ./cmd/laurel dry-run --now x\n```\n", "cmd/laurel/main.go": "package main\nvar cli struct {\nDryRun struct{} `cmd:\"\" help:\"x\"`\n}\n"}, ""},
		{"a command that is not", house.Commands, map[string]string{"README.md": "```sh\ngo run ./cmd/laurel run\n```\n", "cmd/laurel/main.go": "package main\nvar cli struct {\nDryRun struct{} `cmd:\"\"`\n}\n"}, "laurel has no command run"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			tree := fstest.MapFS{}
			for name, text := range test.tree {
				tree[name] = &fstest.MapFile{Data: []byte(text)}
			}
			faults, err := test.check(tree)
			if err != nil {
				t.Fatal(err)
			}
			switch {
			case test.want == "" && len(faults) > 0:
				t.Errorf("found %q", faults)
			case test.want != "" && !strings.Contains(strings.Join(faults, "\n"), test.want):
				t.Errorf("found %q, not %q", faults, test.want)
			}
		})
	}
}
