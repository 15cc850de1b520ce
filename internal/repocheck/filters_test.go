package repocheck_test

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"log/slog"
	"regexp"
	"slices"
	"strings"
	"testing"

	"laurel/internal/harness"
	"laurel/shared/app"
)

var filteredText = regexp.MustCompile(`\$\.(\w+) = "([^"]*)"`)

// filters checks that a line of the functions' log can match each metric filter: that it has
// the text in the field that the filter names, and that the code logs the text, at any level.
func filters(t *testing.T, tree fs.FS) (findings []string) {
	var source strings.Builder
	for _, name := range files(t, tree, "*.go") {
		if strings.HasPrefix(name, "shared/") && !strings.HasSuffix(name, "_test.go") {
			source.WriteString(read(t, tree, name))
		}
	}
	all := 0 // of functions' logs
	for name, resource := range under(readTemplate(t, tree), "Resources") {
		if at(resource, "Type") != "AWS::Logs::MetricFilter" || at(resource, "Properties", "LogGroupName") == "ApiLog" {
			continue
		}
		all++
		pattern, _ := at(resource, "Properties", "FilterPattern").(string)
		for _, match := range filteredText.FindAllStringSubmatch(pattern, -1) {
			var b bytes.Buffer
			var line map[string]any
			app.Logger(&b, slog.LevelInfo, false).Error(match[2]) //nolint:sloglint // of the template
			harness.OK(t, json.Unmarshal(b.Bytes(), &line))
			if line[match[1]] != match[2] {
				findings = append(findings, name+" does not match "+b.String())
			}
			call := regexp.MustCompile(`\.(Info|Warn|Error)Context\(([^"]*)"` + match[2] + `"`)
			calls := call.FindAllStringSubmatch(source.String(), -1)
			if len(calls) == 0 {
				findings = append(findings, name+" matches what nothing logs: "+match[2])
			}
			for _, call := range calls {
				if !strings.Contains(call[2], "metrics.Counted(") {
					findings = append(findings, name+" misses lines of a quiet log: "+call[0])
				}
			}
		}
	}
	if all == 0 {
		findings = append(findings, "template.yaml has no metric filter")
	}
	slices.Sort(findings)
	return findings
}
