package imports_test

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"kith/internal/imports"
	"kith/internal/test/expect"
)

// Clients choose file names, and no name leaves the folder of its upload.
func TestUploadsStayInTheirFolder(t *testing.T) {
	dir := t.TempDir()
	u, err := imports.Folder(dir).New()
	expect.NoError(t, err)
	names := []string{
		"contacts.csv", "../../etc/passwd", `C:\exports\..\book.vcf`, "", "..", "a\x00\nb", "[x]*?.csv",
		strings.Repeat("ä", 300) + ".zip",
	}
	for _, name := range names {
		if err := u.Add(name, strings.NewReader(name)); err != nil {
			t.Errorf("%q: %v", name, err)
		}
	}
	files, err := u.Files(imports.Settings{})
	expect.NoError(t, err)
	var got []string
	for _, path := range files.Paths {
		if !strings.HasPrefix(path, filepath.Join(dir, u.ID)+"/") {
			t.Errorf("%s is outside the upload", path)
		}
		got = append(got, filepath.Base(path))
	}
	want := []string{
		"contacts.csv", "passwd", "book.vcf", "file", "file", "ab", "[x]*?.csv",
		strings.Repeat("ä", 116) + ".zip",
	}
	if !slices.Equal(got, want) {
		t.Errorf("names of the files: %q", got)
	}
	expect.NoError(t, u.Close())
	if left, err := os.ReadDir(dir); err != nil || len(left) != 0 {
		t.Errorf("%v, %v remain", left, err)
	}
}

func TestUploadsHaveAtMostAHundredFiles(t *testing.T) {
	u, err := imports.Folder(t.TempDir()).New()
	expect.NoError(t, err)
	for range imports.MaxFiles {
		expect.NoError(t, u.Add("f", strings.NewReader("")))
	}
	if err := u.Add("f", strings.NewReader("")); err == nil || !strings.Contains(err.Error(), "at most 100 files") {
		t.Errorf("error of a file too many: %v", err)
	}
}

// Errors of the client's connection differ from errors of the disk.
func TestBrokenUploadsAreNoDiskErrors(t *testing.T) {
	u, err := imports.Folder(t.TempDir()).New()
	expect.NoError(t, err)
	err = u.Add("f", io.MultiReader(strings.NewReader("x"), broken{}))
	if _, disk := errors.AsType[*imports.DiskError](err); disk || !errors.Is(err, errBroken) {
		t.Errorf("error of the connection: %v", err)
	}
	expect.NoError(t, u.Remove())
	err = u.Add("f", strings.NewReader("x"))
	if _, disk := errors.AsType[*imports.DiskError](err); !disk {
		t.Errorf("error of the disk: %v", err)
	}
}

var errBroken = errors.New("broken off")

type broken struct{}

func (broken) Read([]byte) (int, error) { return 0, errBroken }

// Uploads of dead processes are deleted after a while, unless an import waits for them.
func TestAbandonedUploadsAreDeleted(t *testing.T) {
	folder := imports.Folder(t.TempDir())
	if err := imports.Folder("/nowhere").Tidy(t.Context(), nil); err != nil {
		t.Error(err)
	}
	var ids []string
	for i := range 3 {
		u, err := folder.New()
		expect.NoError(t, err)
		if ids = append(ids, u.ID); i < 2 {
			old := time.Now().Add(-24 * time.Hour)
			expect.NoError(t, os.Chtimes(filepath.Join(string(folder), u.ID), old, old))
		}
	}
	waits := func(_ context.Context, id string) (bool, error) { return id == ids[0], nil }
	expect.NoError(t, folder.Tidy(t.Context(), waits))
	for i, want := range []bool{true, false, true} {
		if _, err := os.Stat(filepath.Join(string(folder), ids[i])); (err == nil) != want {
			t.Errorf("upload %d: %v", i, err)
		}
	}
}
