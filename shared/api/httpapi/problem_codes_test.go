package httpapi_test

import (
	"fmt"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"laurel/internal/harness"
	"laurel/shared/api/httpapi"
)

const apiGuide = "../../../docs/api.md"

var constant = regexp.MustCompile(`(?m)^\t\w+ +(?:Code|Fault) += "([a-z]+(?:_[a-z0-9]+)*)"`)

// constants returns the codes that a file has constants of.
func constants(t *testing.T, file string) (codes []string) {
	t.Helper()
	for _, m := range constant.FindAllStringSubmatch(readFile(t, file), -1) {
		codes = append(codes, m[1])
	}
	return codes
}

func readFile(t *testing.T, file string) string {
	t.Helper()
	return string(harness.Must(os.ReadFile(file))(t))
}

// Every code is on the list, once, with its meaning and an action, in the order of the
// statuses.
func TestListsAreWhole(t *testing.T) {
	t.Parallel()
	var listed []string
	status := 400
	for _, p := range httpapi.Kinds() {
		listed = append(listed, string(p.Code))
		if p.Status < status || http.StatusText(p.Status) == "" || httpapi.KindOf(p.Code) != p ||
			p.Title == "" || !strings.HasSuffix(p.Meaning, ".") || !strings.HasSuffix(p.Action, ".") {
			t.Errorf("%+v", p)
		}
		status = p.Status
	}
	want := slices.Concat(constants(t, "problem_codes.go"), constants(t, "../auth/token/refusal.go"))
	if slices.Sort(want); !slices.Equal(slices.Sorted(slices.Values(listed)), want) {
		t.Errorf("listed %q, constants %q", listed, want)
	}
	listed = nil
	for code, meaning := range httpapi.ViolationCodes() {
		listed = append(listed, code)
		if meaning == "" {
			t.Errorf("%s means nothing", code)
		}
	}
	if want := constants(t, "../../core/activity/activity.go"); !slices.Equal(listed, want) {
		t.Errorf("listed %q, constants %q", listed, want)
	}
}

// docs/api.md lists the codes; -update writes them.
func TestDocumentHasTheLists(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	status := 0
	for _, p := range httpapi.Kinds() {
		if p.Status == status {
			fmt.Fprintf(&b, ", `%s`", p.Code)
		} else {
			fmt.Fprintf(&b, "\n- %d: `%s`", p.Status, p.Code)
		}
		status = p.Status
	}
	holds(t, "Codes of problems:\n", b.String())
	var codes []string
	for code := range httpapi.ViolationCodes() {
		codes = append(codes, "`"+code+"`")
	}
	holds(t, "Codes of violations: ", strings.Join(codes, ", ")+".")
}

// holds checks that the document has this list, as the only one with this head, before an empty
// line or its end.
func holds(t *testing.T, head, list string) {
	t.Helper()
	before, rest, _ := strings.Cut(readFile(t, apiGuide), head)
	got := regexp.MustCompile(`(?s)^\n*.*?(\n\n|\n?$)`).FindString(rest)
	end := len(strings.TrimRight(got, "\n"))
	if got = got[:end]; got == list {
		return
	}
	if *harness.Update {
		harness.OK(t, os.WriteFile(apiGuide, []byte(before+head+list+rest[end:]), 0o600))
		return
	}
	t.Errorf("%s has another list of %s -update writes it: %s", apiGuide, head, cmp.Diff(list, got))
}
