package imports_test

import (
	"archive/zip"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kith/internal/e2e"
)

// zipped packs the files of a folder.
func zipped(t *testing.T, dir string) string {
	t.Helper()
	path := dir + ".zip"
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	w := zip.NewWriter(f)
	if err := w.AddFS(os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// typed is the command in a text that begins so, as arguments.
func typed(t *testing.T, text, begins string) []string {
	t.Helper()
	for line := range strings.Lines(text) {
		command, ok := strings.CutPrefix(strings.TrimSpace(line), "kith ")
		if !ok || !strings.HasPrefix(command, begins) {
			continue
		}
		command, _, _ = strings.Cut(command, "    #")
		words, quoted, _ := strings.Cut(command, ` "`)
		args := strings.Fields(words)
		if quoted != "" {
			args = append(args, strings.TrimSuffix(quoted, `"`))
		}
		return args
	}
	t.Fatalf("no command %q in:\n%s", begins, text)
	return nil
}

// TestImportAtHome imports an export where there is nothing yet, with one command, and does
// what that says to do next.
func TestImportAtHome(t *testing.T) {
	e2e.OnEngines(t, func(t *testing.T, k e2e.Kith) {
		out := k.Run(t, "import", "--yes", zipped(t, networkExport(t, k)))
		asked := typed(t, out, "search")
		if last := asked[len(asked)-1]; last != "who do I know at Import Example GmbH" {
			t.Errorf("the example is %q", last)
		}
		if got := k.Run(t, asked...); namesIn(got) != "Jane Doe John Roe" {
			t.Errorf("%q\n%s", namesIn(got), got)
		}
		token := strings.TrimSpace(k.Run(t, typed(t, out, "token")...))
		s := k.Serve(t, e2e.Unlimited()...)
		page := s.Search(t, token, map[string]any{"prompt": asked[len(asked)-1]})
		if len(page.Data) != 3 { // those two, and one who is called No Profile
			t.Errorf("the API finds %v", page.Data)
		}
		if a := s.Get(t, "/", ""); a.Status != http.StatusOK {
			t.Errorf("the page: %d", a.Status)
		}
		more := filepath.Join(k.Dir, "more.vcf")
		if err := os.WriteFile(more, []byte("BEGIN:VCARD\nVERSION:3.0\nFN:Nora Next\nORG:Import Example GmbH\nEND:VCARD\n"),
			0o666); err != nil {
			t.Fatal(err)
		}
		if out := k.Run(t, "import", "--yes", more); !strings.Contains(out, "relationships of me: 1 new") {
			t.Errorf("another file is not mine:\n%s", out)
		}
		k.Run(t, "app", "create", "acme")
		if out := k.Run(t, "import", "--yes", more); strings.Contains(out, "relationships of me") {
			t.Errorf("with another app a file is mine:\n%s", out)
		}
	})
}
