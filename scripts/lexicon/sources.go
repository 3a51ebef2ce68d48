package main

import (
	"archive/tar"
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

// source is one package of the npm registry.
type source struct{ name, version, sha256 string }

// The packages. Licences: data/NOTICE.
var (
	//nolint:gochecknoglobals // a constant in all but syntax
	wordsPackage = source{"an-array-of-english-words", "2.0.0", "24a6f44cd209c8127ad0afacfff935e2af0831e4b0ed5fa62cd0e2c3774e2f2a"}
	//nolint:gochecknoglobals // a constant in all but syntax
	popularPackage = source{"popular-english-words", "1.0.2", "845ebca2e88de5cbd31a402f34060e01706a0550ed9acc5fb6267ea11597d787"}
	//nolint:gochecknoglobals // a constant in all but syntax
	nationalityPackage = source{"i18n-nationality", "1.4.0", "4b47e16ebe647c9e77a6ffed4ab075475647e8698f0a4415d4261a0716835a85"}
)

// fetch downloads a package into dir, checks it, and returns one of its files.
func fetch(ctx context.Context, s source, dir, path string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "npm", "pack", "--silent", "--pack-destination", dir, s.name+"@"+s.version)
	if out, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%s: %w: %s", s.name, err, out)
	}
	archive, err := os.ReadFile(filepath.Join(dir, s.name+"-"+s.version+".tgz"))
	if err != nil {
		return nil, err
	}
	if sum := sha256.Sum256(archive); hex.EncodeToString(sum[:]) != s.sha256 {
		return nil, fmt.Errorf("%s: the checksum is %x, want %s", s.name, sum, s.sha256)
	}
	z, err := gzip.NewReader(bytes.NewReader(archive))
	if err != nil {
		return nil, err
	}
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return nil, fmt.Errorf("%s is not in %s", path, s.name)
		}
		if err != nil {
			return nil, err
		}
		if h.Name == path {
			return io.ReadAll(r)
		}
	}
}
