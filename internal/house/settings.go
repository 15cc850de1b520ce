package house

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"io/fs"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Parameters checks the template's parameters: each says what it is for, takes what
// it should alone, and is shown in a group.
func Parameters(tree fs.FS) (faults []string, err error) {
	s, err := readStack(tree)
	if err != nil {
		return nil, err
	}
	var grouped []string
	for _, group := range s.Metadata.Interface.ParameterGroups {
		grouped = append(grouped, group.Parameters...)
	}
	for _, name := range slices.Sorted(maps.Keys(s.Parameters)) {
		if text, _ := s.Parameters[name]["Description"].(string); text == "" {
			faults = append(faults, fmt.Sprintf("%s: the parameter %s has no description", templateFile, name))
		}
		bounded := slices.ContainsFunc([]string{"AllowedValues", "AllowedPattern", "MinValue"}, func(key string) bool {
			_, there := s.Parameters[name][key]
			return there
		})
		if !bounded {
			faults = append(faults, fmt.Sprintf("%s: the parameter %s takes anything", templateFile, name))
		}
		if !slices.Contains(grouped, name) {
			faults = append(faults, fmt.Sprintf("%s: the parameter %s is in no group", templateFile, name))
		}
	}
	for _, name := range grouped {
		if _, there := s.Parameters[name]; !there {
			faults = append(faults, fmt.Sprintf("%s: there is no parameter %s for its group", templateFile, name))
		}
	}
	return faults, nil
}

// Variables checks the functions' variables: each is one that shared/config reads;
// and sam local replaces none that the template lacks, as it would not say so.
func Variables(tree fs.FS) (faults []string, err error) {
	s, err := readStack(tree)
	if err != nil {
		return nil, err
	}
	read, err := constants(tree, "shared/config")
	if err != nil {
		return nil, err
	}
	variables := s.Globals.Function.Environment.Variables
	for _, name := range slices.Sorted(maps.Keys(variables)) {
		if !slices.Contains(read, name) {
			faults = append(faults, fmt.Sprintf("%s sets %s, which shared/config does not read", templateFile, name))
		}
	}
	local, err := localVariables(tree)
	if err != nil {
		return nil, err
	}
	for _, name := range local {
		if _, there := variables[name]; !there {
			faults = append(faults, fmt.Sprintf("%s sets %s, which %s does not: sam local would leave it out", localFile, name, templateFile))
		}
	}
	return faults, nil
}

// localVariables are those that sam local is given.
func localVariables(tree fs.FS) ([]string, error) {
	text, err := fs.ReadFile(tree, localFile)
	if err != nil {
		return nil, err
	}
	var local map[string]map[string]string
	if err := json.Unmarshal(text, &local); err != nil {
		return nil, fmt.Errorf("%s: %w", localFile, err)
	}
	return slices.Sorted(maps.Keys(local["Parameters"])), nil
}

// constants are the text constants of a package.
func constants(tree fs.FS, dir string) (values []string, err error) {
	parsed, err := sources(tree)
	if err != nil {
		return nil, err
	}
	for _, file := range parsed {
		if file.dir() != dir || file.test() {
			continue
		}
		ast.Inspect(file.syntax, func(node ast.Node) bool {
			spec, ok := node.(*ast.ValueSpec)
			if !ok {
				return true
			}
			for _, value := range spec.Values {
				if literal, ok := value.(*ast.BasicLit); ok && strings.HasPrefix(literal.Value, `"`) {
					if text, err := strconv.Unquote(literal.Value); err == nil {
						values = append(values, text)
					}
				}
			}
			return true
		})
	}
	return values, nil
}
