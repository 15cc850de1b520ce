package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"laurel/internal/harness"

	gocmp "github.com/google/go-cmp/cmp"
)

// The examples of the README and of the pages of docs give the answers that they
// show: each line after "$ " in a console block is run by a shell, in order, against
// a dev server of the page's own, started as it says, and the answer is compared. Only
// asOf and the moments of entries may differ.
func TestReadmeExamplesGiveTheAnswersShown(t *testing.T) {
	t.Parallel()
	for page, atLeast := range map[string]int{
		"README.md": 3, "docs/api.md": 13, "docs/people.md": 17, "docs/boards.md": 5, "docs/undo.md": 5, "docs/awards.md": 4,
		"docs/connect.md": 3, "docs/embed.md": 4,
	} {
		t.Run(page, func(t *testing.T) {
			t.Parallel()
			runExamples(t, page, atLeast)
		})
	}
}

func runExamples(t *testing.T, page string, atLeast int) {
	t.Helper()
	folder, env := t.TempDir(), append(os.Environ(), "LAUREL_NOW=2026-11-20T12:00:00Z", "LAUREL_TEST_TICK=1h")
	for _, name := range []string{"user", "service"} {
		text := strings.Repeat("the-secret-of-the-"+name+"-", 2)
		harness.OK(t, os.WriteFile(filepath.Join(folder, name+".secret"), []byte(text), 0o600))
	}
	s := harness.StartLaurel(t, []string{"laurel"}, folder, env, "dev", "--user-secrets", "user.secret",
		"--service-secrets", "service.secret")
	text := harness.Must(os.ReadFile("../../" + page))(t)
	examples := consoleExamples(string(text))
	if len(examples) < atLeast {
		t.Fatalf("%d examples found", len(examples))
	}
	here := strings.NewReplacer("http://localhost:8080", s.URL, "go run ./cmd/laurel", "laurel")
	assigned := ""
	for _, ex := range examples {
		shell := exec.Command("sh", "-c", assigned+here.Replace(ex.command))
		shell.Dir, shell.Env = folder, env
		out, err := shell.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v, %s", ex.command, err, out)
		}
		if ex.answer == "" && len(out) == 0 { // a variable of the command after it
			assigned += here.Replace(ex.command) + "\n"
			continue
		}
		if diff := gocmp.Diff(decoded(t, ex.answer), decoded(t, string(out))); diff != "" {
			t.Errorf("$ %s\nanswers differently from %s (-page +answer):\n%s\n%s", ex.command, page, diff, out)
		}
	}
}

type example struct{ command, answer string }

// consoleExamples lists the commands in console blocks and the answers after each.
func consoleExamples(text string) []example {
	var all []example
	for block := range strings.SplitSeq(text, "```console\n") {
		body, _, closed := strings.Cut(block, "\n```")
		if !closed || !strings.HasPrefix(body, "$ ") {
			continue
		}
		for part := range strings.SplitSeq(strings.TrimPrefix(body, "$ "), "\n$ ") {
			command, answer, _ := strings.Cut(part, "\n")
			all = append(all, example{command, answer})
		}
	}
	return all
}

var ticks = regexp.MustCompile(`after=(\d+\.\d+)\.\d+\.`)

var asOf = regexp.MustCompile(`"(asOf|firstAt|lastAt|undoneAt|restoredAt|reachedAt|since|instance)":"[^"]+"`)

// decoded is an answer in JSON, or its text.
func decoded(t *testing.T, text string) any {
	t.Helper()
	var v any
	if !strings.HasPrefix(text, "{") {
		return strings.TrimSpace(text)
	}
	text = ticks.ReplaceAllString(asOf.ReplaceAllString(text, `"$1":"now"`), "after=$1.now.")
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Errorf("not JSON: %v\n%s", err, text)
	}
	return v
}

// curl supports the pages' options of curl: -s, -X, -H and -d. It is a program of the tests, as laurel is.
func curl() {
	method, body, address, header := "", "", "", http.Header{}
	for i := 1; i < len(os.Args); i++ {
		next := os.Args[min(i+1, len(os.Args)-1)]
		switch os.Args[i] {
		case "-s":
			continue
		case "-H":
			name, value, _ := strings.Cut(next, ": ")
			header.Set(name, value)
		case "-X":
			method = next
		case "-d":
			method, body = cmp.Or(method, http.MethodPost), next
		default:
			address = os.Args[i]
			continue
		}
		i++
	}
	request, err := http.NewRequest(cmp.Or(method, http.MethodGet), address, strings.NewReader(body))
	if err == nil {
		request.Header = header
		var reply *http.Response
		if reply, err = http.DefaultClient.Do(request); err == nil {
			_, err = io.Copy(os.Stdout, reply.Body)
			_ = reply.Body.Close()
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
