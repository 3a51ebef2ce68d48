// Package house_test checks rules of the repository that no linter knows.
package house_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
)

// mostMethods is the most methods that a type may have.
const mostMethods = 40

// larger are the types that still have more, with how many. A number may only fall.
var larger = map[string]int{
	"index/elasticindex.Driver":     60,
	"internal/search.execution":     49,
	"query/gazetteer.gazetteer":     49,
	"query/prompt/lexicon.Lexicon":  45,
	"query/prompt/planner.reader":   80,
	"query/prompt/planner.resolver": 42,
	"query/prompt/quantity.reader":  48,
}

// A type with many methods has no noun.
func TestTypesHaveFewMethods(t *testing.T) {
	for name, n := range methods(t, "../../..") {
		if n > max(mostMethods, larger[name]) {
			t.Errorf("%s has %d methods, and at most %d are allowed: split it", name, n, max(mostMethods, larger[name]))
		}
		if larger[name] > 0 && n <= mostMethods {
			t.Errorf("%s has %d methods: delete it from the list", name, n)
		}
	}
}

// methods counts the methods of each type outside of tests.
func methods(t *testing.T, root string) map[string]int {
	t.Helper()
	count, files := map[string]int{}, token.NewFileSet()
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		dir, err := filepath.Rel(root, filepath.Dir(path))
		for _, decl := range file.Decls {
			if f, ok := decl.(*ast.FuncDecl); ok && f.Recv != nil {
				count[filepath.ToSlash(dir)+"."+receiver(f.Recv.List[0].Type)]++
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return count
}

// receiver returns the name of a receiver's type.
func receiver(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return receiver(e.X)
	case *ast.IndexExpr:
		return receiver(e.X)
	case *ast.Ident:
		return e.Name
	}
	return ""
}
