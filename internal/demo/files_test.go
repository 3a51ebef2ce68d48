package demo_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"kith"
	"kith/internal/demo"
	"kith/internal/imports/loader"
	"kith/internal/test/expect"
)

func sum(b []byte) string {
	h := sha256.Sum256(b)
	return hex.EncodeToString(h[:])
}

// The golden sums prove that a dataset is the same on every machine and in every release. A change
// of the lists or the generator changes every demo, and needs a line in the changelog.
func TestWriteFilesIsReproducible(t *testing.T) {
	dir := t.TempDir()
	files, err := demo.WriteFiles(context.Background(), dir, demo.Config{Seed: 7, People: 3500, Companies: 300},
		demo.Plain, nil)
	expect.NoError(t, err)
	golden, err := os.ReadFile("testdata/sums.txt")
	expect.NoError(t, err)
	var got strings.Builder
	for _, f := range files {
		text, err := os.ReadFile(f.Path)
		expect.NoError(t, err)
		if int64(len(text)) != f.Bytes || bytes.Count(text, []byte("\n")) != f.Records {
			t.Errorf("%s: %+v does not describe the %d bytes", filepath.Base(f.Path), f, len(text))
		}
		got.WriteString(sum(text) + "  " + filepath.Base(f.Path) + "\n")
	}
	if got.String() != string(golden) {
		t.Errorf("the generated files changed; if that was meant, testdata/sums.txt is now\n%s", got.String())
	}
}

func TestWriteFilesCompressed(t *testing.T) {
	cfg := demo.Config{Seed: 1, People: 2100, Companies: 100}
	texts := map[string][]byte{}
	for _, compress := range []string{demo.Plain, demo.Gzip, demo.Zstd} {
		files, err := demo.WriteFiles(context.Background(), t.TempDir(), cfg, compress, nil)
		expect.NoError(t, err)
		texts[compress] = decompress(t, files[1].Path)
	}
	if !bytes.Equal(texts[demo.Plain], texts[demo.Gzip]) || !bytes.Equal(texts[demo.Plain], texts[demo.Zstd]) {
		t.Error("the compressed files have another content")
	}
	if _, err := demo.WriteFiles(context.Background(), t.TempDir(), cfg, "rar", nil); err == nil ||
		!strings.Contains(err.Error(), `"zst"`) {
		t.Errorf("an unknown compression gives %v", err)
	}
}

func decompress(t *testing.T, path string) []byte {
	t.Helper()
	raw, err := os.ReadFile(path)
	expect.NoError(t, err)
	out := bytes.NewBuffer(raw)
	switch filepath.Ext(path) {
	case ".gz":
		r, err := gzip.NewReader(bytes.NewReader(raw))
		expect.NoError(t, err)
		out = new(bytes.Buffer)
		if _, err := out.ReadFrom(r); err != nil {
			t.Fatal(err)
		}
	case ".zst":
		r, err := zstd.NewReader(bytes.NewReader(raw))
		expect.NoError(t, err)
		defer r.Close()
		out = new(bytes.Buffer)
		if _, err := out.ReadFrom(r); err != nil {
			t.Fatal(err)
		}
	}
	return out.Bytes()
}

func TestWriteFilesReportsProgressAndStops(t *testing.T) {
	var seen []int
	ctx, cancel := context.WithCancel(context.Background())
	dir := t.TempDir()
	_, err := demo.WriteFiles(ctx, dir, demo.Config{Seed: 1, People: 20_000, Companies: 10}, demo.Plain,
		func(kind string, done, total int) {
			if kind == "people" {
				seen = append(seen, done)
				if done == 5000 {
					cancel()
				}
			}
		})
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("a canceled write returned %v", err)
	}
	if len(seen) < 5 || seen[0] != 1000 {
		t.Errorf("progress %v", seen)
	}
	left, err := os.ReadDir(dir)
	expect.NoError(t, err)
	if len(left) > 0 {
		t.Errorf("files left after the cancellation: %v", left)
	}
}

func TestWriteFilesKeepsExistingFiles(t *testing.T) {
	dir := t.TempDir()
	own := filepath.Join(dir, "people.ndjson.gz")
	expect.NoError(t, os.WriteFile(own, []byte("somebody's own"), 0o600))
	cfg := demo.Config{Seed: 1, People: 10, Companies: 10}
	if _, err := demo.WriteFiles(t.Context(), dir, cfg, demo.Gzip, nil); err == nil ||
		!strings.Contains(err.Error(), own) {
		t.Errorf("writing over an existing file returned %v", err)
	}
	if text, err := os.ReadFile(own); err != nil || string(text) != "somebody's own" {
		t.Errorf("the file is now %q, %v", text, err)
	}
	if _, err := os.Stat(filepath.Join(dir, "companies.ndjson.gz")); err == nil {
		t.Error("the other file was written")
	}
	if _, err := demo.WriteFiles(t.Context(), dir, cfg, demo.Plain, nil); err != nil {
		t.Errorf("files of other names: %v", err)
	}
}

// The lines have the content of the records, in the members of the load formats.
func TestLinesEqualTheRecords(t *testing.T) {
	d := dataset(t, demo.Config{Seed: 3, People: 1000, Companies: 300})
	for p := range d.People() {
		var back kith.Person
		line, err := loader.PersonLine(p, time.Time{})
		expect.NoError(t, err)
		decode(t, line, &back)
		if !reflect.DeepEqual(p, back) {
			t.Fatalf("person %d came back as %+v", p.ID, back)
		}
	}
	for c := range d.Companies() {
		var back kith.Company
		line, err := loader.CompanyLine(c)
		expect.NoError(t, err)
		decode(t, line, &back)
		if len(c.Keywords) == 0 {
			c.Keywords = nil
		}
		if !reflect.DeepEqual(c, back) {
			t.Fatalf("company %+v came back as %+v", c, back)
		}
	}
}

func decode(t *testing.T, line []byte, into any) {
	t.Helper()
	dec := json.NewDecoder(bytes.NewReader(line))
	dec.DisallowUnknownFields()
	if err := dec.Decode(into); err != nil {
		t.Fatalf("%v in %s", err, line)
	}
}
