package importer_test

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/klauspost/compress/zstd"

	"kith/internal/imports/importer"
	"kith/internal/test/expect"
)

// Text files give the same records in every encoding and with every line ending.
func TestEncodingsGiveTheSameRecords(t *testing.T) {
	for _, name := range []string{
		"Connections.csv", "google.csv", "addresses.vcf", "pdl-people.ndjson", "proxycurl.json", "calendar.ics",
	} {
		text, err := os.ReadFile("testdata/formats/" + name)
		expect.NoError(t, err)
		want := records(t, name, text)
		for encoding, encoded := range map[string][]byte{
			"UTF-8 with a mark":           append([]byte("\xef\xbb\xbf"), text...),
			"UTF-16, small end first":     encodeUTF16(text, false, true),
			"UTF-16, large end first":     encodeUTF16(text, true, true),
			"UTF-16 without a mark":       encodeUTF16(text, false, false),
			"UTF-16 large without a mark": encodeUTF16(text, true, false),
			"lines that end as on Windows": bytes.ReplaceAll(bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")),
				[]byte("\n"),
				[]byte("\r\n")),
			"no line break after the last": bytes.TrimRight(text, "\r\n"),
			"blank lines after the last":   append(bytes.Clone(text), "\n\n  \n"...),
			"lines that end as on old Macs": bytes.ReplaceAll(bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")),
				[]byte("\n"),
				[]byte("\r")),
		} {
			if strings.HasPrefix(encoding, "lines that end as on old") && !strings.HasSuffix(name, ".csv") {
				continue
			}
			t.Run(name+"/"+encoding, func(t *testing.T) {
				if got := records(t, name, encoded); got != want {
					t.Errorf("the records are\n%s\nnot\n%s", got, want)
				}
			})
		}
	}
}

// A table gives the same records with every separator.
func TestSeparatorsGiveTheSameRecords(t *testing.T) {
	rows := [][]string{
		{"First Name", "Last Name", "Company", "Job Title", "Email"},
		{"Jane", "Doe", "Acme, Inc.", "CTO; Founder", "jane@example.com"},
		{"John", "Roe", "A\tB|C", "Head of \"R\"", "john@example.com"},
	}
	write := func(separator string) []byte {
		var b strings.Builder
		for _, row := range rows {
			for i, cell := range row {
				if i > 0 {
					b.WriteString(separator)
				}
				b.WriteString(`"` + strings.ReplaceAll(cell, `"`, `""`) + `"`)
			}
			b.WriteString("\r\n")
		}
		return []byte(b.String())
	}
	want := records(t, "a.csv", write(","))
	if strings.Count(want, "\n") != 2 {
		t.Fatal("records with commas:", want)
	}
	for _, separator := range []string{";", "\t", "|"} {
		if got := records(t, "a.csv", write(separator)); got != want {
			t.Errorf("with separator %q the records are\n%s\nnot\n%s", separator, got, want)
		}
	}
}

func encodeUTF16(text []byte, large, mark bool) []byte {
	units := utf16.Encode([]rune(string(text)))
	if mark {
		units = append([]uint16{0xFEFF}, units...)
	}
	out := make([]byte, 0, 2*len(units))
	for _, u := range units {
		if large {
			out = append(out, byte(u>>8), byte(u))
		} else {
			out = append(out, byte(u), byte(u>>8))
		}
	}
	return out
}

// records imports a file with a name and content, without line numbers.
func records(t *testing.T, name string, content []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	expect.NoError(t, os.WriteFile(path, content, 0o666))
	d, _ := read(t, importer.Options{}, path)
	return d.String()
}

// An export gives the same records as a folder, an archive, a compressed file, and from standard input.
func TestArchivesGiveTheSameRecords(t *testing.T) {
	folder := "testdata/formats/network-export"
	want, _ := read(t, importer.Options{}, folder)
	whole := map[string][]byte{"export.zip": zipFolder(t, folder), "export.tar": tarFolder(t, folder)}
	whole["export.tar.gz"] = gzipped(t, whole["export.tar"])
	whole["export.tar.zst"] = zstandard(t, whole["export.tar"])
	var nested bytes.Buffer
	z := zip.NewWriter(&nested)
	put(t, z, "inner/export.zip", whole["export.zip"])
	closed(t, z)
	whole["nested.zip"] = nested.Bytes()
	for name, content := range whole {
		path := filepath.Join(t.TempDir(), "a file of any name")
		expect.NoError(t, os.WriteFile(path, content, 0o666))
		if got, _ := read(t, importer.Options{}, path); got.String() != want.String() {
			t.Errorf("%s is read as\n%s\nnot\n%s", name, got, want)
		}
		if got, _ := read(t, importer.Options{Stdin: bytes.NewReader(content)}, "-"); got.String() != want.String() {
			t.Errorf("%s from standard input is read as\n%s\nnot\n%s", name, got, want)
		}
	}
}

func put(t *testing.T, z *zip.Writer, name string, content []byte) {
	t.Helper()
	w, err := z.Create(name)
	if err == nil {
		_, err = w.Write(content)
	}
	expect.NoError(t, err)
}

func closed(t *testing.T, c io.Closer) {
	t.Helper()
	expect.NoError(t, c.Close())
}

// files visits the files of a folder in the order of their names.
func files(t *testing.T, folder string, visit func(name string, content []byte)) {
	t.Helper()
	err := filepath.WalkDir(folder, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		visit(strings.TrimPrefix(path, folder+"/"), content)
		return err
	})
	expect.NoError(t, err)
}

func zipFolder(t *testing.T, folder string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	files(t, folder, func(name string, content []byte) { put(t, z, name, content) })
	put(t, z, "__MACOSX/._Connections.csv", []byte("left by a system"))
	closed(t, z)
	return b.Bytes()
}

func tarFolder(t *testing.T, folder string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	files(t, folder, func(name string, content []byte) {
		err := w.WriteHeader(&tar.Header{Name: name, Mode: 0o644, Size: int64(len(content))})
		if err == nil {
			_, err = w.Write(content)
		}
		expect.NoError(t, err)
	})
	closed(t, w)
	return b.Bytes()
}

func gzipped(t *testing.T, content []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write(content); err != nil {
		t.Fatal(err)
	}
	closed(t, w)
	return b.Bytes()
}

func zstandard(t *testing.T, content []byte) []byte {
	t.Helper()
	w, err := zstd.NewWriter(nil)
	expect.NoError(t, err)
	defer closed(t, w)
	return w.EncodeAll(content, nil)
}
