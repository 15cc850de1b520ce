package repocheck_test

import (
	"encoding/json"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// readTemplate reads template.yaml. Functions of CloudFormation such as !Ref are read
// as their arguments.
func readTemplate(t *testing.T, tree fs.FS) (template map[string]any) {
	t.Helper()
	if err := yaml.Unmarshal([]byte(read(t, tree, "template.yaml")), &template); err != nil {
		t.Fatal(err)
	}
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

// parameters checks that each parameter of the template has a description and limits
// and is shown in a group.
func parameters(t *testing.T, tree fs.FS) (findings []string) {
	template := readTemplate(t, tree)
	declared, grouped := under(template, "Parameters"), map[string]bool{}
	for _, group := range list(template, "Metadata", "AWS::CloudFormation::Interface", "ParameterGroups") {
		for _, name := range list(group, "Parameters") {
			if grouped[name.(string)] = true; declared[name.(string)] == nil {
				findings = append(findings, "a group names no parameter "+name.(string))
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(declared)) {
		has := func(key string) bool { return at(declared, name, key) != nil }
		if !has("Description") {
			findings = append(findings, "the parameter "+name+" has no description")
		}
		if !has("AllowedValues") && !has("AllowedPattern") && !has("MinValue") {
			findings = append(findings, "the parameter "+name+" accepts any value")
		}
		if !grouped[name] {
			findings = append(findings, "the parameter "+name+" is in no group")
		}
	}
	return findings
}

// configuration is the package that reads the environment.
const configuration = "shared/app"

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
		if !strings.Contains(source.String(), `"`+name+`"`) {
			findings = append(findings, "template.yaml: "+name+" is not read by "+configuration)
		}
	}
	var local map[string]any
	if err := json.Unmarshal([]byte(read(t, tree, "local-env.json")), &local); err != nil {
		t.Fatal(err)
	}
	for _, name := range slices.Sorted(maps.Keys(under(local, "Parameters"))) {
		if _, there := set[name]; !there {
			findings = append(findings, "local-env.json: "+name+" is not in template.yaml")
		}
	}
	return findings
}
