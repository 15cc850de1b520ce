package main

import (
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"laurel/internal/harness"
)

// A badDay breaks a forum; the page's examples after it mend it, and exit with codes.
type badDay struct {
	breaks   func(o *operated)
	examples int   // of the page, the next ones
	codes    []int // of those that do not exit with 0
	changes  bool  // what the answers are
}

// badDays are in the order of docs/recovery.md.
var badDays = []badDay{
	{breaks: func(o *operated) { o.lose("*") }, examples: 1},
	{breaks: func(o *operated) {
		o.must(o.client.ZRem(o.Context(), "laurel:{0}:board:activity:day:2026-11-24", "eve").Err())
	}, examples: 3, codes: []int{exitFound}},
	{breaks: func(o *operated) {
		backup := filepath.Join(o.TempDir(), "table")
		o.must(os.CopyFS(backup, os.DirFS(filepath.Join(o.folder, "table"))))
		o.serve(func(c *harness.Client, service string) {
			if a := c.Post(service, harness.Report(`{"user":"eve","action":"like","target":"w1"}`)); a.Status != http.StatusOK {
				o.Error(a.Body)
			}
		})
		o.flags[3] = backup
		o.does("audit", exitFound, "differences: ")
	}, examples: 1},
	{breaks: func(o *operated) {
		wrong := "at,user,action,target,ref\n" +
			"2026-11-23T10:00:00Z,ann,like,x1,\n2026-11-23T11:00:00Z,bob,comment,x1,c1\n2026-11-23T12:00:00Z,zoe,bookmark,w1,\n"
		o.must(os.WriteFile(filepath.Join(o.folder, "wrong.csv"), []byte(wrong), 0o600))
		o.does("import "+filepath.Join(o.folder, "wrong.csv"), exitDone, "counted                             3")
	}, examples: 1},
	{breaks: func(o *operated) {
		late := filepath.Join(o.folder, "late.csv")
		o.must(os.WriteFile(late, []byte("at,user,action,target\n2026-11-20T10:00:00Z,zoe,like,p9\n"), 0o600))
		o.does("import "+late, exitDrops, "too_late")
	}, examples: 4, changes: true},
}

// The runbook's commands, as they stand on its page, mend what it is about, and say what the page
// shows.
func TestRunbook(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../docs/recovery.md")
	if err != nil {
		t.Fatal(err)
	}
	examples := consoleExamples(string(text))
	for _, day := range badDays {
		if len(examples) < day.examples {
			t.Fatal("the page has fewer examples")
		}
		mine := examples[:day.examples]
		examples = examples[day.examples:]
		t.Run(mine[0].command, func(t *testing.T) {
			t.Parallel()
			o := newOperated(t)
			want := o.answers()
			day.breaks(o)
			for i, ex := range mine {
				code := exitDone
				if i < len(day.codes) {
					code = day.codes[i]
				}
				o.runs(ex, code)
			}
			got := o.answers()
			if diff := cmp.Diff(want, got); diff != "" && !day.changes {
				t.Errorf("(-before +after):\n%s", diff)
			}
			if board := got["/v1/boards/activity/day?period=2026-11-20"]; strings.Contains(board, `"zoe"`) != day.changes {
				t.Error(board)
			}
			o.does("audit --final", exitDone, "no differences")
		})
	}
	if len(examples) > 0 {
		t.Errorf("%d examples are not tested", len(examples))
	}
}

// number is what may differ from a page.
var number = regexp.MustCompile(`-?\d[\d.,]*(ms|s)?\b`)

// runs starts a command of a page with the flags of the stores, in the folder that has their
// files.
func (o *operated) runs(ex example, code int) {
	o.Helper()
	words := strings.Fields(ex.command)[1:]
	for i, word := range words {
		if strings.HasSuffix(word, ".csv") {
			words[i] = filepath.Join(o.folder, word)
		}
	}
	out, errs, got := laurel(o.T, "", append(words, o.flags...)...)
	if got != code {
		o.Errorf("$ %s: exit %d, want %d\n%s%s", ex.command, got, code, out, errs)
	}
	plain := func(s string) string { return number.ReplaceAllString(strings.TrimSpace(s), "N") }
	if diff := cmp.Diff(plain(ex.answer), plain(out)); ex.answer != "" && diff != "" {
		o.Errorf("$ %s\nsays otherwise than the page (-page +output):\n%s", ex.command, diff)
	}
}

// serve has a server on the stores for a while.
func (o *operated) serve(do func(c *harness.Client, service string)) {
	o.Helper()
	base, _, stop := dev(o.T, o.flags...)
	defer stop()
	do(harness.NewClient(o.T, base), service(o.T, base))
}

func (o *operated) must(err error) {
	o.Helper()
	if err != nil {
		o.Fatal(err)
	}
}
