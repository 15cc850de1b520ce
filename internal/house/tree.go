package house

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// A source is one Go file.
type source struct {
	path   string // from the root, with slashes
	syntax *ast.File
}

func (s source) dir() string  { return path.Dir(s.path) }
func (s source) test() bool   { return strings.HasSuffix(s.path, "_test.go") }
func (s source) base() string { return path.Base(s.path) }

// files lists the tree's files whose names match the pattern, but for what tools
// keep or build.
func files(tree fs.FS, pattern string) (paths []string, err error) {
	err = fs.WalkDir(tree, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			hidden := name != "." && strings.HasPrefix(entry.Name(), ".")
			if hidden || slices.Contains([]string{"bin", "dist", "node_modules", "testdata"}, entry.Name()) {
				return fs.SkipDir
			}
			return nil
		}
		if matches, err := path.Match(pattern, entry.Name()); err != nil || !matches {
			return err
		}
		paths = append(paths, name)
		return nil
	})
	return paths, err
}

// sources parses the tree's Go files. What does not parse is the compiler's to
// tell; what there is of it is looked at.
func sources(tree fs.FS) (parsed []source, err error) {
	paths, err := files(tree, "*.go")
	if err != nil {
		return nil, err
	}
	for _, name := range paths {
		text, err := fs.ReadFile(tree, name)
		if err != nil {
			return nil, err
		}
		syntax, err := parser.ParseFile(token.NewFileSet(), name, text, parser.ParseComments|parser.SkipObjectResolution)
		if syntax == nil {
			return nil, err
		}
		parsed = append(parsed, source{path: name, syntax: syntax})
	}
	return parsed, nil
}
