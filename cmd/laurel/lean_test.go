package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"laurel/internal/harness"
)

// make try compiles no clients of databases, of Redis, of AWS or of Prometheus; a command that needs them says so.
func TestFirstCommandCompilesLittle(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	const tags = "-tags=lean,lambda.norpc,nethttpomithttp2"
	list := harness.Must(exec.CommandContext(ctx, "go", "list", "-deps", tags, ".").Output())(t)
	packages := strings.Fields(string(list))
	for _, name := range packages {
		for _, heavy := range []string{
			"modernc.org/sqlite", "github.com/jackc/pgx", "github.com/go-sql-driver", "github.com/prometheus",
			"github.com/redis", "github.com/aws/aws-sdk-go-v2", "github.com/aws/smithy-go",
		} {
			if strings.HasPrefix(name, heavy) {
				t.Errorf("it compiles %s", name)
			}
		}
	}
	if len(packages) > 290 {
		t.Errorf("it compiles %d packages", len(packages))
	}
	program := filepath.Join(t.TempDir(), "laurel")
	if out, err := exec.CommandContext(ctx, "go", "build", tags, "-o", program, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	help := string(harness.Must(exec.CommandContext(ctx, program, "help").Output())(t))
	for command, known := range map[string]bool{"dev": true, "import": true, "serve": false, "pull": false} {
		if strings.Contains(help, "\n  "+command+" ") != known {
			t.Errorf("%s: want known %v in\n%s", command, known, help)
		}
	}
	for line, named := range map[string]string{
		"audit --function laurel-archive":      "",
		"dev --redis redis://localhost:6379":   "--redis: ",
		"dev --dynamodb http://localhost:8000": "--dynamodb: ",
	} {
		out, err := exec.CommandContext(ctx, program, strings.Fields(line)...).CombinedOutput()
		if err == nil || !strings.HasPrefix(string(out), "laurel: "+named+"this program was built with the tag lean, ") ||
			!strings.Contains(string(out), "build it without the tag") {
			t.Errorf("%s: %v: %s", line, err, out)
		}
	}
}

var lookedUp = regexp.MustCompile(`(\S+) <ReflectMethod>`)

// Where anything calls a method by a name or a number that the linker does not know, as text/template does, it keeps
// every method: a third of the program.
func TestProgramHasOnlyTheMethodsThatAreCalled(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	program := filepath.Join(t.TempDir(), "laurel")
	build := exec.CommandContext(ctx, "go", "build", "-ldflags=-s -w -dumpdep", "-o", program, ".")
	out := harness.Must(build.CombinedOutput())(t)
	if !strings.Contains(string(out), "main.main -> ") {
		t.Fatalf("the linker lists nothing: %.200s", out)
	}
	var by []string
	for _, found := range lookedUp.FindAllSubmatch(out, -1) {
		by = append(by, string(found[1]))
	}
	slices.Sort(by)
	if by = slices.Compact(by); len(by) > 0 {
		t.Errorf("methods are looked up by %s", strings.Join(by, ", "))
	}
	if about := harness.Must(os.Stat(program))(t); about.Size() > 40e6 {
		t.Errorf("it has %d bytes", about.Size())
	}
}
