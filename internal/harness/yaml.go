package harness

import (
	"os"

	"go.yaml.in/yaml/v3"
)

// YAML reads a file. Functions of CloudFormation such as !Ref are read as their arguments.
func YAML(t T, file string) (document map[string]any) {
	t.Helper()
	OK(t, yaml.Unmarshal(Must(os.ReadFile(file))(t), &document))
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
