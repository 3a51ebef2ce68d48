package unpack

import (
	"archive/tar"
	"archive/zip"
	"bufio"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/klauspost/compress/zstd"
)

func (w *walker) gzip(name string, r io.Reader, changed time.Time) error {
	z, err := gzip.NewReader(r)
	if err != nil {
		return fmt.Errorf("%s: it looks packed with gzip, but cannot be unpacked: %w", name, err)
	}
	defer func() { _ = z.Close() }() // its error is that of the last read
	return w.open(withoutExtension(name, ".gz", ".tgz"), w.bounded(name, z), changed, nil)
}

func (w *walker) zstd(name string, r io.Reader, changed time.Time) error {
	z, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(128<<20))
	if err != nil {
		return fmt.Errorf("%s: it looks packed with Zstandard, but cannot be unpacked: %w", name, err)
	}
	defer z.Close()
	return w.open(withoutExtension(name, ".zst", ".zstd"), w.bounded(name, z), changed, nil)
}

func withoutExtension(name string, extensions ...string) string {
	for _, e := range extensions {
		if len(name) > len(e) && strings.EqualFold(name[len(name)-len(e):], e) {
			return name[:len(name)-len(e)]
		}
	}
	return name
}

func (w *walker) tar(name string, r io.Reader) error {
	t := tar.NewReader(r)
	for {
		h, err := t.Next()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return fmt.Errorf("%s: %w", name, err)
		case h.Typeflag != tar.TypeReg || anyHidden(h.Name):
			continue
		}
		if err := w.open(name+"/"+h.Name, w.bounded(name, t), h.ModTime, nil); err != nil {
			return err
		}
	}
}

// zip reads an archive. Its directory is at the end, so an archive that is a stream is first copied to disk.
func (w *walker) zip(name string, r *bufio.Reader, disk *onDisk) error {
	if disk == nil {
		spooled, err := w.spool(name, r)
		if err != nil {
			return err
		}
		defer func() { _ = os.Remove(spooled.Name()) }()
		defer spooled.Close()
		info, err := spooled.Stat()
		if err != nil {
			return err
		}
		disk = &onDisk{spooled, info.Size()}
	}
	directory := &limitedReaderAt{disk, maxDirectory}
	z, err := zip.NewReader(directory, disk.size)
	directory.left = math.MaxInt64
	if err != nil {
		return fmt.Errorf("%s: it looks like a ZIP archive, but cannot be unpacked: %w", name, err)
	}
	if len(z.File) > w.limits.Files {
		return fmt.Errorf("%s: %w: there are more than %d files", name, ErrRefused, w.limits.Files)
	}
	if slices.ContainsFunc(z.File, func(f *zip.File) bool { return f.Name == "[Content_Types].xml" }) {
		return fmt.Errorf("%s: it is an office document; save the table in it as CSV", name)
	}
	for _, f := range z.File {
		if f.FileInfo().IsDir() || anyHidden(f.Name) {
			continue
		}
		if err := w.member(name, f); err != nil {
			return err
		}
	}
	return nil
}

// maxDirectory limits what is read of an archive to list its files, in bytes: all of the list is kept in memory.
const maxDirectory = 16 << 20

// limitedReaderAt fails after a number of bytes.
type limitedReaderAt struct {
	io.ReaderAt
	left int64
}

func (l *limitedReaderAt) ReadAt(p []byte, offset int64) (int, error) {
	if l.left -= int64(len(p)); l.left < 0 {
		return 0, fmt.Errorf("%w: the list of its files is longer than 16 MiB", ErrRefused)
	}
	return l.ReaderAt.ReadAt(p, offset)
}

// maxSpool limits an archive that is copied to disk.
const maxSpool = 4 << 30

func (w *walker) spool(name string, r io.Reader) (*os.File, error) {
	f, err := os.CreateTemp("", "kith-import-*.zip")
	if err != nil {
		return nil, err
	}
	n, err := io.Copy(f, io.LimitReader(r, maxSpool+1))
	if err == nil && n > maxSpool {
		err = fmt.Errorf("%s: %w: it is larger than 4 GiB", name, ErrRefused)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close(), os.Remove(f.Name()))
	}
	return f, nil
}

func (w *walker) member(archive string, f *zip.File) error {
	r, err := f.Open()
	if err != nil {
		return fmt.Errorf("%s/%s: %w", archive, f.Name, err)
	}
	defer r.Close()
	return w.open(archive+"/"+f.Name, w.bounded(archive, r), f.Modified, nil)
}

func anyHidden(path string) bool {
	for part := range strings.SplitSeq(filepath.ToSlash(path), "/") {
		if isHidden(part) {
			return true
		}
	}
	return false
}
