// Package unpack finds the files in a file, a folder, a ZIP or tar archive, gzip or Zstandard, nested in each other, or
// standard input. It recognises formats by content, not by name. [Walk] streams the files one by one, and refuses
// archives that expand far beyond their size or nest too deeply.
package unpack

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// File is one unpacked file. Reader is valid until the visit returns.
type File struct {
	// Name is the path for people: for a file in an archive, the path of the archive, a slash and the path within it.
	Name    string
	Reader  *bufio.Reader
	Changed time.Time
}

// Limits limit what is unpacked; zero values take the defaults given below.
type Limits struct {
	// Files limits the files of one walk: 200,000.
	Files int
	// Depth limits the nesting of archives: 3.
	Depth int
	// Ratio is how many times its size an archive may unpack to, in addition to Free: 50.
	Ratio int64
	// Free is how many bytes may be unpacked from any archive: 64 MiB.
	Free int64
}

func (l Limits) withDefaults() Limits {
	return Limits{
		Files: cmp.Or(l.Files, 200_000), Depth: cmp.Or(l.Depth, 3), Ratio: cmp.Or(l.Ratio, 50),
		Free: cmp.Or(l.Free, 64<<20),
	}
}

// ErrRefused is wrapped by errors for archives that exceed a limit.
var ErrRefused = errors.New("the archive is refused")

// Visit is called for each file. Its error ends the walk.
type Visit func(File) error

// Walk visits the files in a path, in the order of their names; "-" is stdin.
func Walk(ctx context.Context, path string, stdin io.Reader, limits Limits, visit Visit) error {
	w := &walker{stopped: ctx.Err, limits: limits.withDefaults(), visit: visit}
	if path == "-" {
		return w.stream("standard input", stdin, time.Now())
	}
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return w.path(path, path, info)
	}
	return filepath.WalkDir(path, func(at string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if isHidden(entry.Name()) && at != path {
			if entry.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		info, err := entry.Info()
		if err != nil || !info.Mode().IsRegular() {
			return err
		}
		return w.path(at, at, info)
	})
}

// isHidden reports whether a file is a by-product of an operating system.
func isHidden(name string) bool {
	return strings.HasPrefix(name, ".") || name == "__MACOSX" || name == "Thumbs.db" || name == "desktop.ini"
}

type walker struct {
	// stopped returns an error once the walk has to end.
	stopped func() error
	limits  Limits
	visit   Visit
	files   int
	depth   int
	budget  *budget
}

// budget compares the bytes unpacked from an archive with its size.
type budget struct {
	packed   func() int64
	unpacked int64
}

func (w *walker) path(path, name string, info fs.FileInfo) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	w.budget = &budget{packed: info.Size}
	if !info.Mode().IsRegular() { // a pipe
		return w.stream(name, f, time.Now())
	}
	return w.open(name, f, info.ModTime(), &onDisk{f, info.Size()})
}

func (w *walker) stream(name string, r io.Reader, changed time.Time) error {
	c := &counter{r: r}
	w.budget = &budget{packed: func() int64 { return c.n }}
	return w.open(name, c, changed, nil)
}

// onDisk is a file with random access.
type onDisk struct {
	io.ReaderAt
	size int64
}

// headSize is how much of a file is used to detect its format.
const headSize = 512

// open visits a file or its contents.
func (w *walker) open(name string, r io.Reader, changed time.Time, disk *onDisk) error {
	if err := w.stopped(); err != nil {
		return err
	}
	if w.files++; w.files > w.limits.Files {
		return fmt.Errorf("%s: %w: there are more than %d files", name, ErrRefused, w.limits.Files)
	}
	buffered := bufio.NewReaderSize(r, 64<<10)
	head, err := buffered.Peek(headSize)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, bufio.ErrBufferFull) {
		return fmt.Errorf("%s: %w", name, err)
	}
	switch {
	case isZIP(head):
		return w.descend(name, func() error { return w.zip(name, buffered, disk) })
	case bytes.HasPrefix(head, []byte{0x1f, 0x8b}):
		return w.descend(name, func() error { return w.gzip(name, buffered, changed) })
	case bytes.HasPrefix(head, []byte{0x28, 0xb5, 0x2f, 0xfd}):
		return w.descend(name, func() error { return w.zstd(name, buffered, changed) })
	case len(head) > 262 && string(head[257:262]) == "ustar":
		return w.descend(name, func() error { return w.tar(name, buffered) })
	}
	return w.visit(File{Name: name, Reader: buffered, Changed: changed})
}

func isZIP(head []byte) bool {
	return bytes.HasPrefix(head, []byte("PK\x03\x04")) || bytes.HasPrefix(head, []byte("PK\x05\x06"))
}

func (w *walker) descend(name string, open func() error) error {
	if w.depth++; w.depth > w.limits.Depth {
		return fmt.Errorf("%s: %w: it has more than %d nested archives", name, ErrRefused, w.limits.Depth)
	}
	defer func() { w.depth-- }()
	return open()
}

// bounded returns a reader that counts against the budget.
func (w *walker) bounded(name string, r io.Reader) io.Reader {
	return &bounded{w: w, b: w.budget, name: name, r: r}
}

type bounded struct {
	w    *walker
	b    *budget
	name string
	r    io.Reader
}

// Read implements [io.Reader].
func (b *bounded) Read(p []byte) (int, error) {
	n, err := b.r.Read(p)
	b.b.unpacked += int64(n)
	if b.b.unpacked > b.w.limits.Free+b.w.limits.Ratio*b.b.packed() {
		return n, fmt.Errorf("%s: %w: it unpacks to more than %d times its size", b.name, ErrRefused, b.w.limits.Ratio)
	}
	if err == nil {
		err = b.w.stopped()
	}
	return n, err
}

type counter struct {
	r io.Reader
	n int64
}

// Read implements [io.Reader].
func (c *counter) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}
