package loader

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/klauspost/compress/zstd"
)

// packing is a compression format of load files.
type packing struct {
	name       string
	extensions []string
	begins     func(start []byte) bool
	open       func(io.Reader) (io.Reader, func() error, error)
}

// startSize is the number of bytes that identify a packing.
const startSize = 4

func packings() []packing {
	return []packing{
		{
			"gzip",
			[]string{".gz"},
			func(start []byte) bool { return bytes.HasPrefix(start, []byte{0x1f, 0x8b}) },
			func(r io.Reader) (io.Reader, func() error, error) {
				z, err := gzip.NewReader(r)
				// Its Close only repeats the error of the last read.
				return z, func() error { _ = z.Close(); return nil }, err
			},
		},
		{
			"zstd",
			[]string{".zst", ".zstd"},
			func(start []byte) bool {
				// Some writers put a skippable frame first.
				return bytes.Equal(start, []byte{0x28, 0xb5, 0x2f, 0xfd}) ||
					len(start) == startSize && start[0]&0xf0 == 0x50 && bytes.Equal(start[1:], []byte{0x2a, 0x4d, 0x18})
			},
			func(r io.Reader) (io.Reader, func() error, error) {
				z, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1))
				if err != nil {
					return nil, nil, err
				}
				return z, func() error { z.Close(); return nil }, nil
			},
		},
	}
}

// unpack returns the content of a file. Its extension and its first bytes must agree on the packing.
func (s *source) unpack(path string, file io.Reader) (io.Reader, error) {
	raw := bufio.NewReader(file)
	start, err := raw.Peek(startSize)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	for _, p := range packings() {
		named := slices.Contains(p.extensions, strings.ToLower(filepath.Ext(path)))
		is := p.begins(start)
		switch {
		case named && len(start) < startSize:
			return nil, cutShortError()
		case named && !is:
			return nil, packedError("it is not packed with " + p.name + ", although its name says so; rename it")
		case is && path == "-":
			return nil, packedError("it is packed with " + p.name +
				"; unpack it first, or give the path of the file instead of -")
		case is && !named:
			return nil, packedError("it is packed with " + p.name + "; its name must end in " + p.extensions[0])
		case named:
			return s.openPacked(p, raw)
		}
	}
	return raw, nil
}

func (s *source) openPacked(p packing, raw io.Reader) (io.Reader, error) {
	r, closeIt, err := p.open(raw)
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, cutShortError()
	}
	if err == nil {
		s.packed, s.close = true, append(s.close, closeIt)
	}
	return r, err
}

func cutShortError() error { return fmt.Errorf("the file is cut short: %w", io.ErrUnexpectedEOF) }

// packedError says that a file's name and its packing differ.
type packedError string

func (e packedError) Error() string { return string(e) }

// isDamaged reports whether a read error is due to damaged packed data, not to the disk.
func (s *source) isDamaged(err error) bool {
	_, reading := errors.AsType[*fs.PathError](err)
	return err != nil && s.packed && !reading
}

// later unpacks a stream on the first read, because even a look at its beginning may wait for the writer.
type later struct {
	s    *source
	path string
	raw  io.Reader
	r    io.Reader
	err  error
}

// Read implements [io.Reader].
func (l *later) Read(p []byte) (int, error) {
	if l.r == nil && l.err == nil {
		l.r, l.err = l.s.unpack(l.path, l.raw)
	}
	if l.err != nil {
		return 0, l.err
	}
	return l.r.Read(p)
}
