package house

import (
	"fmt"
	"go/ast"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strconv"
)

// Docs checks that every package says what it is for in doc.go or, a command, in
// main.go; a package of one file says it there.
func Docs(tree fs.FS) (faults []string, err error) {
	parsed, err := sources(tree)
	if err != nil {
		return nil, err
	}
	packages := map[string][]source{}
	for _, file := range parsed {
		if !file.test() {
			packages[file.dir()] = append(packages[file.dir()], file)
		}
	}
	for _, dir := range slices.Sorted(maps.Keys(packages)) {
		if !slices.ContainsFunc(packages[dir], func(file source) bool {
			right := file.base() == "doc.go" || file.base() == "main.go" || len(packages[dir]) == 1
			return right && file.syntax.Doc != nil
		}) {
			faults = append(faults, dir+" has no package doc in doc.go or main.go")
		}
	}
	return faults, nil
}

// Names checks that packages are called by what they provide.
func Names(tree fs.FS) (faults []string, err error) {
	forbidden := []string{
		"base", "common", "helper", "helpers", "lib", "manager", "misc", "model", "models", "shared", "type", "types", "util", "utils",
	}
	parsed, err := sources(tree)
	if err != nil {
		return nil, err
	}
	for _, file := range parsed {
		for _, name := range []string{file.syntax.Name.Name, path.Base(file.dir())} {
			if slices.Contains(forbidden, name) {
				faults = append(faults, fmt.Sprintf("%s: %s says nothing; name the package by what it provides", file.path, name))
				break
			}
		}
	}
	return faults, nil
}

// Environment checks that the environment is read in shared/config, in commands
// and in the house's tools alone. Tests may read it.
func Environment(tree fs.FS) (faults []string, err error) {
	parsed, err := sources(tree)
	if err != nil {
		return nil, err
	}
	free := []string{"shared/config", "cmd", "internal"}
	for _, file := range parsed {
		if file.test() || slices.ContainsFunc(free, covers(file.dir())) {
			continue
		}
		name := importName(file.syntax, "os")
		ast.Inspect(file.syntax, func(node ast.Node) bool {
			selector, ok := node.(*ast.SelectorExpr)
			if !ok || name == "" {
				return true
			}
			from, ok := selector.X.(*ast.Ident)
			reads := slices.Contains([]string{"Getenv", "LookupEnv", "Environ", "ExpandEnv"}, selector.Sel.Name)
			if ok && reads && from.Name == name {
				faults = append(faults, fmt.Sprintf("%s: os.%s is for shared/config; take the value as an argument", file.path, selector.Sel.Name))
			}
			return true
		})
	}
	return faults, nil
}

// importName is the name that a file has for an imported package, or nothing.
func importName(file *ast.File, imported string) string {
	for _, spec := range file.Imports {
		if unquoted, err := strconv.Unquote(spec.Path.Value); err != nil || unquoted != imported {
			continue
		}
		if spec.Name != nil {
			return spec.Name.Name
		}
		return path.Base(imported)
	}
	return ""
}
