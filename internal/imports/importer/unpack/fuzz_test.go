package unpack_test

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"io"
	"testing"

	"github.com/klauspost/compress/zstd"

	"kith/internal/imports/importer/unpack"
)

// FuzzWalk unpacks any input without a panic, and never beyond the limit.
func FuzzWalk(f *testing.F) {
	text := []byte("First Name,Last Name\nJane,Doe\n")
	var zipped, tarred, gzipped bytes.Buffer
	z := zip.NewWriter(&zipped)
	w, err := z.Create("folder/a.csv")
	if err == nil {
		_, err = w.Write(text)
	}
	t := tar.NewWriter(&tarred)
	if err == nil {
		err = t.WriteHeader(&tar.Header{Name: "a.csv", Mode: 0o644, Size: int64(len(text))})
	}
	if err == nil {
		_, err = t.Write(text)
	}
	g := gzip.NewWriter(&gzipped)
	if err == nil {
		_, err = g.Write(text)
	}
	for _, c := range []io.Closer{z, t, g} {
		if closed := c.Close(); err == nil {
			err = closed
		}
	}
	s, failed := zstd.NewWriter(nil)
	if err != nil || failed != nil {
		f.Fatal(err, failed)
	}
	for _, seed := range [][]byte{text, zipped.Bytes(), tarred.Bytes(), gzipped.Bytes(), s.EncodeAll(text, nil)} {
		f.Add(seed)
	}
	const free = 1 << 20
	f.Fuzz(func(t *testing.T, content []byte) {
		read := int64(0)
		_ = unpack.Walk(t.Context(), "-", bytes.NewReader(content), unpack.Limits{Free: free},
			func(f unpack.File) error {
				n, err := io.Copy(io.Discard, f.Reader)
				read += n
				return err
			})
		if most := int64(free + 60*len(content)); read > most {
			t.Errorf("%d bytes were unpacked to %d", len(content), read)
		}
	})
}
