package repocheck_test

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"laurel/internal/harness"
)

func readTemplate(t harness.T) map[string]any { return harness.YAML(t, "../../template.yaml") }

func below(value any, keys ...string) any { return harness.Below(value, keys...) }

// under returns the mapping below the keys, empty if there is none.
func under(value any, keys ...string) map[string]any {
	m, _ := below(value, keys...).(map[string]any)
	return m
}

// list returns the sequence below the keys, empty if there is none.
func list(value any, keys ...string) []any {
	all, _ := below(value, keys...).([]any)
	return all
}

const (
	mostParameters    = 10    // sam deploy --guided asks for all
	mostTemplateLines = 1_300 // that one reads, in all four
)

// TestParameters checks that the template has few parameters, each with a description and limits, and that one can
// read the templates.
func TestParameters(t *testing.T) {
	t.Parallel()
	lines := 0
	for _, name := range []string{"template.yaml", "alb.yaml", "cdn.yaml", "waf.yaml"} {
		lines += strings.Count(read(t, name), "\n")
	}
	if lines > mostTemplateLines {
		t.Errorf("the templates have %d lines, want at most %d", lines, mostTemplateLines)
	}
	declared := under(readTemplate(t), "Parameters")
	if len(declared) > mostParameters {
		t.Errorf("sam asks for %d parameters", len(declared))
	}
	for _, name := range slices.Sorted(maps.Keys(declared)) {
		has := func(key string) bool { return below(declared, name, key) != nil }
		if !has("Description") {
			t.Error("the parameter " + name + " has no description")
		}
		if !has("AllowedValues") && !has("AllowedPattern") && !has("MinValue") {
			t.Error("the parameter " + name + " accepts any value")
		}
	}
}

// deployment checks rules that only a deployment would show: a warning about a route fails it, public routes are
// public without naming a scheme, API Gateway can assume its roles, which it does without aws:SourceAccount, a
// message is hidden for six of record's timeouts and the longest window, as AWS requires, and the cache's user keeps
// the commands added by name: access rules hold in their order. And the reader of an alarm finds a line about it. The
// access log has no ids.
func TestDeployment(t *testing.T) {
	t.Parallel()
	resources := under(readTemplate(t), "Resources")
	if below(resources, "Api", "Properties", "Auth", "DefaultAuthorizer") != nil {
		t.Error("a route that names no token needs one: DefaultAuthorizer")
	}
	if fails, _ := below(resources, "Api", "Properties", "FailOnWarnings").(bool); !fails {
		t.Error("the API is deployed with warnings: FailOnWarnings")
	}
	timeout, _ := below(resources, "RecordFunction", "Properties", "Timeout").(int)
	if hidden, _ := below(resources, "ActivityQueue", "Properties", "VisibilityTimeout").(int); hidden < 6*timeout+60 {
		t.Error("messages come again while record may work on them: VisibilityTimeout")
	}
	guide := read(t, "docs/health.md")
	for name := range resources {
		alarm, ok := strings.CutSuffix(name, "Alarm")
		if ok && !regexp.MustCompile("(?m)^\\|.*`"+alarm+"`.*\\|.*\\|.*\\|$").MatchString(guide) {
			t.Error("docs/health.md has no act for " + name)
		}
		for _, s := range list(resources, name, "Properties", "AssumeRolePolicyDocument", "Statement") {
			if below(s, "Principal", "Service") == "apigateway.amazonaws.com" && below(s, "Condition") != nil {
				t.Error(name + " is assumed by API Gateway on a condition")
			}
		}
	}
	format := accessLog(resources)
	if m := namesCaller.FindString(format); m != "" || !strings.Contains(format, "$context.routeKey") {
		t.Error("the access log names the route and no caller, not " + m)
	}
	rules, _ := below(resources, "CacheUser", "Properties", "AccessString").(string)
	if !regexp.MustCompile(`\+@\w+ -@dangerous( \+[a-z|]+)+$`).MatchString(rules) {
		t.Error("AccessString adds categories, then has -@dangerous, then adds commands, not: " + rules)
	}
}

// ElastiCache changes one field of a serverless cache at a time: "Serverless Cache modifications only support modifying
// one field per request" (hashicorp/terraform-provider-aws, issue 37499). Both limits are one (issue 35897).
var fieldsOfCache = []string{"SnapshotRetentionDays", "SnapshotTime", "CacheGeneration", "CacheSnapshot"}

// TestSizes checks that another size changes one field of the cache, the limits, and that the second deployment of the
// guide keeps the size of the first: sam has a parameter keep its value that samconfig.toml does not name
// (DeployContext.merge_parameters of aws-sam-cli).
func TestSizes(t *testing.T) {
	t.Parallel()
	sizes := under(readTemplate(t), "Mappings", "Sizes")
	for size := range sizes {
		for _, field := range fieldsOfCache {
			if got, want := below(sizes, size, field), below(sizes, "small", field); got != want {
				t.Errorf("from small to %s %s of the cache changes, too: %v, not %v", size, field, got, want)
			}
		}
	}
	_, prod, _ := strings.Cut(read(t, "samconfig.toml"), "[prod.deploy.parameters]")
	if regexp.MustCompile(`(?m)^parameter_overrides`).MatchString(prod) {
		t.Error("samconfig.toml: [prod] changes parameters of the deployment before")
	}
}

// accessLog returns the format of the access log's lines.
func accessLog(resources map[string]any) string {
	branches := list(resources, "Api", "Properties", "AccessLogSettings") // of !If
	format, _ := below(branches[1], "Format").(string)
	return format
}

// namesCaller matches the fields that an access log may not have: paths, which have users' ids, and the caller and
// the caller's address.
var namesCaller = regexp.MustCompile(`\$context\.(path|identity|authorizer\.(caller|claims|principalId))[\w.]*`)

// configuration is the package that reads the environment.
const configuration = "shared/run/app"

// ofRuntime are the variables that Go's runtime reads.
var ofRuntime = []string{"GOGC"}

// TestVariables checks that the configuration reads every variable of the functions, and
// that sam local sets none that the template lacks: it would ignore that one silently.
func TestVariables(t *testing.T) {
	t.Parallel()
	source := code(t, configuration+"/")
	template := readTemplate(t)
	set := maps.Clone(under(template, "Globals", "Function", "Environment", "Variables"))
	for name := range under(template, "Resources") {
		maps.Copy(set, under(template, "Resources", name, "Properties", "Environment", "Variables"))
	}
	for _, name := range slices.Sorted(maps.Keys(set)) {
		if !slices.Contains(ofRuntime, name) && !strings.Contains(source, `"`+name+`"`) {
			t.Error("template.yaml: " + name + " is not read by " + configuration)
		}
	}
	var local map[string]any
	harness.OK(t, json.Unmarshal([]byte(read(t, "local-env.json")), &local))
	for _, name := range slices.Sorted(maps.Keys(under(local, "Parameters"))) {
		if _, found := set[name]; !found {
			t.Error("local-env.json: " + name + " is not in template.yaml")
		}
	}
}

// TestFilters checks that each line of a functions' log that a metric filter takes is written at any level, and that
// the filters of the access log take what API Gateway writes. functions/archive has the functions' lines.
func TestFilters(t *testing.T) {
	t.Parallel()
	source, template := code(t, "shared/"), readTemplate(t)
	format := accessLog(under(template, "Resources"))
	for _, filter := range harness.LogFilters(t, "../../template.yaml") {
		if filter.Log == "ApiLog" {
			refusedReports(t, filter, format)
			continue
		}
		pattern, _ := below(template, "Resources", filter.Name, "Properties", "FilterPattern").(string)
		message := regexp.MustCompile(`\$\.message = "([^"]*)"`).FindStringSubmatch(pattern)
		call := regexp.MustCompile(`\.(Info|Warn|Error)Context\(([^"]*)"` + message[1] + `"`)
		for _, call := range call.FindAllStringSubmatch(source, -1) {
			if !strings.Contains(call[2], "metrics.Counted(") {
				t.Error(filter.Name + " misses lines of a quiet log: " + call[0])
			}
		}
	}
}

// refusedReports checks that the filter takes a refused report by each route that takes reports, and nothing else.
func refusedReports(t *testing.T, filter harness.LogFilter, format string) {
	t.Helper()
	if filter.Name != "RefusedReportsFilter" {
		t.Error("nothing says which lines of the access log are of " + filter.Name)
	}
	for key := range templateRoutes(t) {
		for _, status := range []string{"200", "202", "403", "413", "422", "429", "500", "503"} {
			line := harness.AccessLine(format, key, status)
			if strings.ContainsAny(line, "$\n") {
				t.Fatal("the access log writes " + line)
			}
			reports := key == "POST /v1/activities" || key == queueRoute
			if want := reports && status[0] == '4'; filter.Measures(line) != want {
				t.Errorf("%s takes %s: %v", filter.Name, line, !want)
			}
		}
	}
}
