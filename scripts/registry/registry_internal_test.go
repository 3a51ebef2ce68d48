package registry

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"os/exec"
	"strings"
	"testing"

	"kith/internal/expect"
)

// A download counts only with the expected checksum.
func TestFetchVerifiesTheChecksum(t *testing.T) {
	download := func(dir string) *exec.Cmd {
		return exec.CommandContext(t.Context(), "sh", "-c", "printf text > "+dir+"/file")
	}
	sum := sha256.Sum256([]byte("text"))
	got, err := fetch(Package{Name: "p", SHA256: hex.EncodeToString(sum[:])}, "file", download)
	if err != nil || string(got) != "text" {
		t.Errorf("got %q, %v", got, err)
	}
	if got, err := fetch(Package{Name: "p", SHA256: "00"}, "file", download); err == nil ||
		!strings.Contains(err.Error(), "checksum") {
		t.Errorf("a wrong checksum gave %q, %v", got, err)
	}
}

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
	for name, read := range map[string]func(path string) ([]byte, error){
		"zip": func(path string) ([]byte, error) { return fromZip(zipped.Bytes(), path) },
		"tar": func(path string) ([]byte, error) { return fromTar(tarred.Bytes(), path) },
	} {
		if got, err := read("dir/a.txt"); err != nil || string(got) != "text" {
			t.Errorf("%s: got %q, %v", name, got, err)
		}
		if got, err := read("dir/b.txt"); err == nil {
			t.Errorf("%s: a missing file is %q", name, got)
		}
	}
}
