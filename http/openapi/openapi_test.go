package openapi

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	"kith/internal/test/expect"
)

// The JSON form would have a duplicate member twice, and each reader would take the one it likes.
func TestDescriptionHasNoDuplicateMembers(t *testing.T) {
	var doc map[string]any
	if err := yaml.Unmarshal(source, &doc); err != nil {
		t.Error(err)
	}
}

// docs/api has exactly the pages that the description generates. Each operation is on one, with what it says of
// filters, and once what it says of a header that operations share.
func TestReferenceIsCurrent(t *testing.T) {
	const folder = "../../docs/api"
	doc, err := Parse()
	expect.NoError(t, err)
	pages, err := doc.Reference()
	expect.NoError(t, err)
	files, err := os.ReadDir(folder)
	expect.NoError(t, err)
	if len(files) != len(pages) {
		t.Errorf("%s has %d files, want %d: go run ./scripts/reference", folder, len(files), len(pages))
	}
	all := ""
	for name, want := range pages {
		got, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil || string(got) != want {
			t.Errorf("%s is not current (%v): go run ./scripts/reference", name, err)
		}
		all += want
	}
	all = oneLine(all)
	filters, _ := doc.Filters()
	for name, about := range filters {
		if !strings.Contains(all, "`filters."+name+"` (string, 1 to 4000 characters): "+about) {
			t.Errorf("no page describes the filter %s", name)
		}
	}
	header := oneLine(text(doc.root, "components", "parameters", "IdempotencyKey", "description"))
	if n := strings.Count(all, header); n != 1 {
		t.Errorf("Idempotency-Key is described %d times", n)
	}
	err = doc.operations(func(method, path string, op, _ *yaml.Node) error {
		if !strings.Contains(all, "## "+text(op, "summary")+" `"+strings.ToUpper(method)+" "+path+"`") {
			return errors.New("is on no page")
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}
