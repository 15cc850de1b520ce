package repocheck_test

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"laurel/internal/harness"
)

// readTemplate reads template.yaml. Functions of CloudFormation such as !Ref are read
// as their arguments.
func readTemplate(t *testing.T, tree fs.FS) (template map[string]any) {
	t.Helper()
	harness.OK(t, yaml.Unmarshal([]byte(read(t, tree, "template.yaml")), &template))
	return template
}

// at returns what a document has below the keys, or nil.
func at(value any, keys ...string) any {
	for _, key := range keys {
		m, _ := value.(map[string]any)
		value = m[key]
	}
	return value
}

// under returns the mapping below the keys, empty if there is none.
func under(value any, keys ...string) map[string]any {
	m, _ := at(value, keys...).(map[string]any)
	return m
}

// list returns the sequence below the keys, empty if there is none.
func list(value any, keys ...string) []any {
	all, _ := at(value, keys...).([]any)
	return all
}

const (
	mostParameters    = 10    // sam deploy --guided asks for all
	mostTemplateLines = 1_200 // that one reads, in all three
)

// parameters checks that the template has few parameters, each with a description and limits, and that one can
// read the templates.
func parameters(t *testing.T, tree fs.FS) (findings []string) {
	lines := 0
	for _, name := range []string{"template.yaml", "cdn.yaml", "waf.yaml"} {
		lines += strings.Count(read(t, tree, name), "\n")
	}
	if lines > mostTemplateLines {
		findings = append(findings, fmt.Sprintf("the templates have %d lines, want at most %d", lines, mostTemplateLines))
	}
	declared := under(readTemplate(t, tree), "Parameters")
	if len(declared) > mostParameters {
		findings = append(findings, fmt.Sprintf("sam asks for %d parameters", len(declared)))
	}
	for _, name := range slices.Sorted(maps.Keys(declared)) {
		has := func(key string) bool { return at(declared, name, key) != nil }
		if !has("Description") {
			findings = append(findings, "the parameter "+name+" has no description")
		}
		if !has("AllowedValues") && !has("AllowedPattern") && !has("MinValue") {
			findings = append(findings, "the parameter "+name+" accepts any value")
		}
	}
	return findings
}

var usedSetting = regexp.MustCompile(`!FindInMap \[(\w+), (\w+|!Ref Size), (\w+)\]`)

// settings checks that every size and room has the settings that are used, and no other.
func settings(t *testing.T, tree fs.FS) (findings []string) {
	mappings, used := under(readTemplate(t, tree), "Mappings"), map[string]map[string]bool{}
	for _, m := range usedSetting.FindAllStringSubmatch(read(t, tree, "template.yaml"), -1) {
		rooms := []string{m[2]}
		if m[2] == "!Ref Size" {
			rooms = slices.Collect(maps.Keys(under(mappings, m[1])))
		}
		for _, room := range rooms {
			name := m[1] + " " + room
			if used[name] == nil {
				used[name] = map[string]bool{}
			}
			used[name][m[3]] = true
		}
	}
	for name := range mappings {
		for room, has := range under(mappings, name) {
			want := slices.Sorted(maps.Keys(used[name+" "+room]))
			if got := slices.Sorted(maps.Keys(has.(map[string]any))); !slices.Equal(got, want) {
				findings = append(findings, fmt.Sprintf("%s %s has %q, used are %q", name, room, got, want))
			}
		}
	}
	return findings
}

// deployment checks what only a deployment would tell: that a warning about a route fails
// it, that public routes are public without naming a scheme, that API Gateway can assume its
// roles, which it does without aws:SourceAccount, that a message is hidden for six of
// record's timeouts and the longest window, as AWS asks for, and that the cache's user keeps
// what is added by name: access rules hold in their order. And whoever is woken by an alarm
// finds a line about it. The access log has no ids.
func deployment(t *testing.T, tree fs.FS) (findings []string) {
	resources := under(readTemplate(t, tree), "Resources")
	if at(resources, "Api", "Properties", "Auth", "DefaultAuthorizer") != nil {
		findings = append(findings, "what names no token needs one: DefaultAuthorizer")
	}
	if fails, _ := at(resources, "Api", "Properties", "FailOnWarnings").(bool); !fails {
		findings = append(findings, "the API is deployed with warnings: FailOnWarnings")
	}
	timeout, _ := at(resources, "RecordFunction", "Properties", "Timeout").(int)
	if hidden, _ := at(resources, "ActivityQueue", "Properties", "VisibilityTimeout").(int); hidden < 6*timeout+60 {
		findings = append(findings, "messages come again while record may work on them: VisibilityTimeout")
	}
	guide := read(t, tree, "docs/health.md")
	for name := range resources {
		alarm, ok := strings.CutSuffix(name, "Alarm")
		if ok && !regexp.MustCompile("(?m)^\\|.*`"+alarm+"`.*\\|.*\\|.*\\|$").MatchString(guide) {
			findings = append(findings, "docs/health.md does not say what to do about "+name)
		}
		for _, s := range list(resources, name, "Properties", "AssumeRolePolicyDocument", "Statement") {
			if at(s, "Principal", "Service") == "apigateway.amazonaws.com" && at(s, "Condition") != nil {
				findings = append(findings, name+" is assumed by API Gateway on a condition")
			}
		}
	}
	format, _ := at(resources, "Api", "Properties", "AccessLogSettings", "Format").(string)
	if m := namesCaller.FindString(format); m != "" || !strings.Contains(format, "$context.routeKey") {
		findings = append(findings, "the access log names the route and nobody who calls, not "+m)
	}
	rules, _ := at(resources, "CacheUser", "Properties", "AccessString").(string)
	if !regexp.MustCompile(`\+@\w+ -@dangerous( \+[a-z|]+)+$`).MatchString(rules) {
		findings = append(findings, "AccessString adds categories, then has -@dangerous, then adds commands, not: "+rules)
	}
	return findings
}

// namesCaller finds what an access log may not have: paths, which have users' ids, and who and
// where somebody is.
var namesCaller = regexp.MustCompile(`\$context\.(path|identity|authorizer\.(caller|claims|principalId))[\w.]*`)

// configuration is the package that reads the environment.
const configuration = "shared/app"

// ofRuntime are the variables that Go's runtime reads.
var ofRuntime = []string{"GOGC", "GOMEMLIMIT"}

// variables checks that the configuration reads every variable of the functions, and
// that sam local sets none that the template lacks: it would ignore that one silently.
func variables(t *testing.T, tree fs.FS) (findings []string) {
	var source strings.Builder
	for _, name := range files(t, tree, "*.go") {
		if strings.HasPrefix(name, configuration+"/") && !strings.HasSuffix(name, "_test.go") {
			source.WriteString(read(t, tree, name))
		}
	}
	template := readTemplate(t, tree)
	set := maps.Clone(under(template, "Globals", "Function", "Environment", "Variables"))
	for name := range under(template, "Resources") {
		maps.Copy(set, under(template, "Resources", name, "Properties", "Environment", "Variables"))
	}
	for _, name := range slices.Sorted(maps.Keys(set)) {
		if !slices.Contains(ofRuntime, name) && !strings.Contains(source.String(), `"`+name+`"`) {
			findings = append(findings, "template.yaml: "+name+" is not read by "+configuration)
		}
	}
	var local map[string]any
	harness.OK(t, json.Unmarshal([]byte(read(t, tree, "local-env.json")), &local))
	for _, name := range slices.Sorted(maps.Keys(under(local, "Parameters"))) {
		if _, there := set[name]; !there {
			findings = append(findings, "local-env.json: "+name+" is not in template.yaml")
		}
	}
	return findings
}
