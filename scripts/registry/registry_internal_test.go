package registry

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"testing"

	"kith/internal/test/expect"
)

// Files are read by their path; a missing one is an error.
func TestArchivesAreReadByPath(t *testing.T) {
	var zipped, tarred bytes.Buffer
	z := zip.NewWriter(&zipped)
	f, err := z.Create("dir/a.txt")
	expect.NoError(t, err)
	_, err = f.Write([]byte("text"))
	expect.NoError(t, err)
	expect.NoError(t, z.Close())
	packed := gzip.NewWriter(&tarred)
	w := tar.NewWriter(packed)
	expect.NoError(t, w.WriteHeader(&tar.Header{Name: "dir/a.txt", Mode: 0o600, Size: 4}))
	_, err = w.Write([]byte("text"))
	expect.NoError(t, err)
	expect.NoError(t, w.Close())
	expect.NoError(t, packed.Close())
	files := map[string]string{"zip": filepath.Join(t.TempDir(), "zip"), "tar": filepath.Join(t.TempDir(), "tar")}
	expect.NoError(t, os.WriteFile(files["zip"], zipped.Bytes(), 0o600))
	expect.NoError(t, os.WriteFile(files["tar"], tarred.Bytes(), 0o600))
	for name, read := range map[string]func(path string) ([]byte, error){
		"zip": func(path string) ([]byte, error) { return fromZip(files["zip"], path) },
		"tar": func(path string) ([]byte, error) { return fromTar(files["tar"], path) },
	} {
		if got, err := read("dir/a.txt"); err != nil || string(got) != "text" {
			t.Errorf("%s: got %q, %v", name, got, err)
		}
		if got, err := read("dir/b.txt"); err == nil {
			t.Errorf("%s: a missing file is %q", name, got)
		}
	}
}
