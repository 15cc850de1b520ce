package main

import (
	"context"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"laurel/internal/harness"
)

// make try compiles no clients of databases, of AWS beside the table's, or of Prometheus.
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
			"github.com/aws/aws-sdk-go-v2/service/lambda", "github.com/aws/aws-sdk-go-v2/service/cloudformation",
			"github.com/aws/aws-sdk-go-v2/config",
		} {
			if strings.HasPrefix(name, heavy) {
				t.Errorf("it compiles %s", name)
			}
		}
	}
	if len(packages) > 400 {
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
	out, err := exec.CommandContext(ctx, program, "audit", "--function", "laurel-archive").CombinedOutput()
	if err == nil || !strings.Contains(string(out), "build it without the tag") {
		t.Errorf("%v: %s", err, out)
	}
}
