package main

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/interp"
	"mvdan.cc/sh/v3/syntax"
)

// The examples of the README and of the pages of docs give the answers that they
// show: each line after "$ " in a console block is run by a shell, in order, against
// a dev server of the page's own, started as it says, and the answer is compared. Only
// asOf and the moments of entries may differ.
func TestReadmeExamplesGiveTheAnswersShown(t *testing.T) {
	t.Parallel()
	for page, atLeast := range map[string]int{
		"README.md": 3, "docs/api.md": 16, "docs/people.md": 15, "docs/boards.md": 5, "docs/entries.md": 4,
		"docs/tokens.md": 3, "docs/pages.md": 5,
	} {
		t.Run(page, func(t *testing.T) {
			t.Parallel()
			runExamples(t, page, atLeast)
		})
	}
}

func runExamples(t *testing.T, page string, atLeast int) {
	t.Helper()
	secrets := map[string]string{"user.secret": secretFile(t, userSecret), "service.secret": secretFile(t, serviceSecret)}
	base := startDev(t, "--now", "2026-11-20T12:00:00Z", "--user-secrets", secrets["user.secret"],
		"--service-secrets", secrets["service.secret"])
	text, err := os.ReadFile("../../" + page)
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	shell, err := interp.New(
		interp.Env(expand.ListEnviron()),
		interp.StdIO(nil, &out, &out),
		interp.ExecHandlers(func(interp.ExecHandlerFunc) interp.ExecHandlerFunc {
			return func(ctx context.Context, args []string) error {
				if args[0] == "go" {
					return laurelToken(ctx, interp.HandlerCtx(ctx).Stdout, secrets, args)
				}
				return curl(ctx, interp.HandlerCtx(ctx).Stdout, base, args)
			}
		}),
	)
	if err != nil {
		t.Fatal(err)
	}
	examples := consoleExamples(string(text))
	if len(examples) < atLeast {
		t.Fatalf("%d examples found", len(examples))
	}
	for _, ex := range examples {
		out.Reset()
		program, err := syntax.NewParser().Parse(strings.NewReader(ex.command), page)
		if err != nil {
			t.Fatalf("%s: %v", ex.command, err)
		}
		if err := shell.Run(t.Context(), program); err != nil {
			t.Fatalf("%s: %v", ex.command, err)
		}
		if ex.answer == "" && out.Len() == 0 {
			continue
		}
		if diff := gocmp.Diff(decoded(t, ex.answer), decoded(t, out.String())); diff != "" {
			t.Errorf("$ %s\nanswers otherwise than %s says (-page +answer):\n%s\n%s", ex.command, page, diff, out.String())
		}
	}
}

type example struct{ command, answer string }

// consoleExamples lists the commands in console blocks and what follows each.
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

var asOf = regexp.MustCompile(`"(asOf|first|last|undone|restored|reachedAt)":"[^"]+"`)

// decoded is an answer in JSON, or its text.
func decoded(t *testing.T, text string) any {
	t.Helper()
	var v any
	if !strings.HasPrefix(text, "{") {
		return strings.TrimSpace(text)
	}
	if err := json.Unmarshal([]byte(asOf.ReplaceAllString(text, `"$1":"now"`)), &v); err != nil {
		t.Errorf("not JSON: %v\n%s", err, text)
	}
	return v
}

// laurelToken does what the pages ask of go run ./cmd/laurel token, at noon.
func laurelToken(ctx context.Context, out io.Writer, secrets map[string]string, args []string) error {
	if len(args) < 4 || strings.Join(args[1:4], " ") != "run ./cmd/laurel token" {
		return fmt.Errorf("%q is not go run ./cmd/laurel token", args)
	}
	args = append(slices.Clone(args[3:]), "--now", "2026-11-20T12:00:00Z")
	for i, arg := range args {
		args[i] = cmp.Or(secrets[arg], arg)
	}
	if code := run(ctx, args, streams{in: strings.NewReader(""), out: out, err: out, pace: quick}); code != 0 {
		return fmt.Errorf("%q ends with %d", args, code)
	}
	return nil
}

// curl does what the pages ask of curl: -s, -X, -H and -d.
func curl(ctx context.Context, out io.Writer, base string, args []string) error {
	method, body, address := "", "", ""
	header := http.Header{}
	for i := 1; i < len(args); i++ {
		switch args[i] {
		case "-s":
		case "-H":
			i++
			name, value, _ := strings.Cut(args[i], ": ")
			header.Set(name, value)
		case "-X":
			i++
			method = args[i]
		case "-d":
			i++
			method, body = cmp.Or(method, http.MethodPost), args[i]
		default:
			address = strings.Replace(args[i], "http://localhost:8080", base, 1)
		}
	}
	if args[0] != "curl" || !strings.HasPrefix(address, base) {
		return fmt.Errorf("%q is not a curl to the dev server", args)
	}
	request, err := http.NewRequestWithContext(ctx, cmp.Or(method, http.MethodGet), address, strings.NewReader(body))
	if err != nil {
		return err
	}
	request.Header = header
	reply, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer reply.Body.Close()
	_, err = io.Copy(out, reply.Body)
	return err
}

// startDev runs laurel dev on a free port until the test ends and returns its
// address.
func startDev(t *testing.T, args ...string) string {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	read, write := io.Pipe()
	done := make(chan int, 1)
	go func() {
		done <- run(ctx, append([]string{"dev", "--addr", "127.0.0.1:0"}, args...),
			streams{in: strings.NewReader(""), out: write, err: io.Discard, pace: quick})
		_ = write.Close()
	}()
	t.Cleanup(func() {
		cancel()
		if code := <-done; code != 0 {
			t.Errorf("laurel dev ended with %d", code)
		}
	})
	lines := bufio.NewScanner(read)
	for lines.Scan() {
		if _, address, ok := strings.Cut(lines.Text(), "Laurel is on "); ok {
			go func() { _, _ = io.Copy(io.Discard, read) }()
			return address
		}
	}
	t.Fatal("laurel dev did not say where it is")
	return ""
}
