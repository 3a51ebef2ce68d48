package unpack_test

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"kith/internal/imports/importer/unpack"
	"kith/internal/test/expect"
)

// An archive that unpacks to far more than its size is refused while it is read, at the default limits.
func TestBombsAreRefusedWhileUnpacking(t *testing.T) {
	const free, ratio, size = 64 << 20, 50, 160 << 20
	var bomb bytes.Buffer
	z, err := gzip.NewWriterLevel(&bomb, gzip.BestSpeed)
	expect.NoError(t, err)
	block := make([]byte, 1<<20)
	for range size / len(block) {
		_, err = z.Write(block)
		expect.NoError(t, err)
	}
	expect.NoError(t, z.Close())
	var read int64
	err = unpack.Walk(t.Context(), "-", &bomb, unpack.Limits{}, func(f unpack.File) (err error) {
		read, err = io.Copy(io.Discard, f.Reader)
		return err
	})
	if !errors.Is(err, unpack.ErrRefused) || read < free || read > free+ratio*size/200 {
		t.Errorf("%d bytes were read, %v", read, err)
	}
}

// The list of an archive's files is kept in memory, so a long one is refused before it has been read.
func TestLongListsOfFilesAreRefused(t *testing.T) {
	var archive bytes.Buffer
	z := zip.NewWriter(&archive)
	name := strings.Repeat("n", 60_000)
	for i := range 300 {
		_, err := z.CreateRaw(&zip.FileHeader{Name: fmt.Sprint(name, i)})
		expect.NoError(t, err)
	}
	expect.NoError(t, z.Close())
	limits := unpack.Limits{Ratio: 1000}
	err := unpack.Walk(t.Context(), "-", &archive, limits, func(unpack.File) error { return nil })
	if !errors.Is(err, unpack.ErrRefused) {
		t.Errorf("the error is %v", err)
	}
}
