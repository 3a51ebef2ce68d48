package elastictest

import (
	"archive/zip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// home returns the unpacked distribution; it unpacks it on first use. The node's user must
// be able to read it, so root's copy is not in root's home.
func home(ctx context.Context, log io.Writer) (string, error) {
	dir, err := unpacked()
	if err != nil {
		return "", err
	}
	if _, err := os.Stat(dir); err == nil {
		return dir, nil
	}
	base := filepath.Dir(dir)
	archive, err := Fetch(ctx, log)
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(base, 0o755); err != nil {
		return "", err
	}
	tmp, err := os.MkdirTemp(base, ".unpack-*")
	if err != nil {
		return "", err
	}
	defer func() { _ = os.RemoveAll(tmp) }()
	if err := unpack(archive, tmp); err != nil {
		return "", fmt.Errorf("unpack %s: %w", archive, err)
	}
	return dir, moveIntoPlace(filepath.Join(tmp, "elasticsearch-"+Version), dir)
}

// unpacked returns the directory for the unpacked distribution.
func unpacked() (string, error) {
	base, err := homeBase()
	if err != nil {
		return "", err
	}
	return filepath.Join(base, "elasticsearch-"+Version+"-"+zipSum[:8]), nil
}

// moveIntoPlace moves a finished copy into place. If another process was first, it keeps that copy.
func moveIntoPlace(from, to string) error {
	err := os.Rename(from, to)
	if _, statErr := os.Stat(to); statErr == nil {
		return nil
	}
	return err
}

func homeBase() (string, error) {
	if os.Getuid() == 0 {
		return filepath.Join(string(filepath.Separator), "var", "cache", "kith"), nil
	}
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("no cache directory for Elasticsearch: %w", err)
	}
	return filepath.Join(dir, "kith"), nil
}

func unpack(archive, dir string) error {
	r, err := zip.OpenReader(archive)
	if err != nil {
		return err
	}
	defer func() { _ = r.Close() }()
	for _, f := range r.File {
		if err := unpackFile(f, dir); err != nil {
			return fmt.Errorf("%s: %w", f.Name, err)
		}
	}
	return nil
}

func unpackFile(f *zip.File, dir string) error {
	if !filepath.IsLocal(filepath.FromSlash(f.Name)) {
		return errors.New("leads out of the directory")
	}
	path := filepath.Join(dir, filepath.FromSlash(f.Name))
	if f.FileInfo().IsDir() {
		return os.MkdirAll(path, 0o755)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	in, err := f.Open()
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, fileMode(f.Name))
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in) // the archive's checksum is pinned
	return errors.Join(err, out.Close())
}

// fileMode makes programs executable. The zip's own modes would prevent other users from reading.
func fileMode(name string) fs.FileMode {
	if strings.Contains(name, "/bin/") {
		return 0o755
	}
	return 0o644
}
