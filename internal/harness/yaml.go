package harness

import (
	"os"
	"strings"

	"go.yaml.in/yaml/v3"
)

// YAML reads a file. Functions of CloudFormation such as !Ref are read as their arguments.
func YAML(t T, file string) (document map[string]any) {
	t.Helper()
	OK(t, yaml.Unmarshal(Must(os.ReadFile(file))(t), &document))
	return document
}

// Inline puts the components of an OpenAPI document in place of the references of its operations to parameters and
// responses, and returns it.
func Inline(document map[string]any) map[string]any {
	referred := func(value any) any {
		if ref, ok := Below(value, "$ref").(string); ok {
			return Below(document, strings.Split(strings.TrimPrefix(ref, "#/"), "/")...)
		}
		return value
	}
	paths, _ := document["paths"].(map[string]any)
	for _, item := range paths {
		operations, _ := item.(map[string]any)
		for _, operation := range operations {
			parameters, _ := Below(operation, "parameters").([]any)
			for i, p := range parameters {
				parameters[i] = referred(p)
			}
			responses, _ := Below(operation, "responses").(map[string]any)
			for status, r := range responses {
				responses[status] = referred(r)
			}
		}
	}
	return document
}

// Below returns the value of a document below the keys, or nil.
func Below(value any, keys ...string) any {
	for _, key := range keys {
		m, _ := value.(map[string]any)
		value = m[key]
	}
	return value
}
